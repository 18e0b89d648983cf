"""What was filmed → the three files of a tutorial: NAME.mp4, NAME.vtt and NAME.log.json."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from pathlib import Path

import numpy as np

from cutscore.atomic import replace_file
from cutscore.benchmarks.videowebarena.tutorials.action_log import ENDING, TutorialLog, write_log
from cutscore.benchmarks.videowebarena.tutorials.cursor import RING_RADII_PX, draw_cursor
from cutscore.benchmarks.videowebarena.tutorials.narration import make_sound, make_transcript
from cutscore.benchmarks.videowebarena.tutorials.recording import RATE, CapturedShot, FilmedVisit
from cutscore.media.images import tile_pictures
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.media.render import write_clip
from cutscore.media.transcript import to_vtt
from cutscore.stage.speech import speaker_name

SHEET_PX = 256  # width of a picture on a contact sheet
CRF, PRESET = 26, "veryfast"  # of pages: print stays sharp, and a minute takes well under a megabyte


def write_tutorial(filmed: FilmedVisit, folder: Path) -> TutorialLog:
    """Write video, transcript and log into a folder, the log last, and return the log."""
    folder.mkdir(parents=True, exist_ok=True)
    name, lines, voice, length_s = filmed.visit.name, filmed.lines, filmed.voice, filmed.now_s
    sound = make_sound(lines, voice, length_s)
    write_clip(folder / f"{name}.mp4", film_frames(filmed), rate=Fraction(RATE), crf=CRF, preset=PRESET, sound=sound)
    with replace_file(folder / f"{name}.vtt") as draft:
        draft.write_text(to_vtt(make_transcript(lines, voice, length_s)), encoding="utf-8")
    log = make_log(filmed)
    write_log(log, folder / f"{name}{ENDING}")
    return log


def make_log(filmed: FilmedVisit) -> TutorialLog:
    """Return what was done and when."""
    steps = zip(filmed.visit.steps, filmed.steps, strict=True)
    return TutorialLog(
        visit=filmed.visit.name,
        seconds=float(filmed.now_s),
        voice=speaker_name(filmed.voice),
        marks={written.mark: played.at for written, played in steps if written.mark},
        steps=tuple(filmed.steps),
    )


def film_frames(filmed: FilmedVisit) -> Iterator[Pixels]:
    """Return all frames in order, as RGB."""
    page = lru_cache(maxsize=2)(_decode_png)  # the same page comes again and again
    for shot in filmed.shots:
        drawn = draw_cursor(page(shot.page_png), shot.cursor, ring_px=shot.ring_px)
        for _ in range(shot.frames):
            yield drawn


def make_sheet(filmed: FilmedVisit, *, columns: int = 4) -> Pixels:
    """Return a contact sheet for people: each step at the moment of its click, or at its middle where it has none."""
    clicks = {frame for frame, shot in _starts(filmed) if shot.ring_px == RING_RADII_PX[-1]}
    moments = []
    for step in filmed.steps:
        first, last = (round(each * RATE) for each in step.at)
        moments.append(next((frame for frame in sorted(clicks) if first <= frame < last), (first + last) // 2))
    cv2, chosen = opencv(), set(moments)
    pages = {n: pixels for n, pixels in enumerate(film_frames(filmed)) if n in chosen}
    width, height = filmed.visit.viewport
    size = SHEET_PX, round(SHEET_PX * height / width)
    small = [cv2.resize(pages[moment], size, interpolation=cv2.INTER_AREA) for moment in moments]
    return tile_pictures(small, columns=columns)


def _starts(filmed: FilmedVisit) -> Iterator[tuple[int, CapturedShot]]:
    """Return each shot with the number of its first frame."""
    lengths = [shot.frames for shot in filmed.shots]
    return zip(accumulate([0, *lengths]), filmed.shots, strict=False)


def _decode_png(data: bytes) -> Pixels:
    cv2 = opencv()
    bgr = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return np.ascontiguousarray(bgr[:, :, ::-1])
