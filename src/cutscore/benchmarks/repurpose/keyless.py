"""Who needs no key: `blind` hands over grey that keeps the format; the reader condenses what moves and sounds."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np

from cutscore.authoring.clip_cache import put_pictures
from cutscore.benchmarks.repurpose.excerpts import put_excerpts
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileRef, FileStore
from cutscore.core.subject import WorkContext
from cutscore.core.timeline import Span
from cutscore.core.trajectory import Action
from cutscore.media.audio import has_sound, read_sound
from cutscore.media.frame_cache import read_cached_frames
from cutscore.media.frames import Frame, manifest
from cutscore.media.images import put_contact_sheet
from cutscore.media.orientation import Pixels
from cutscore.media.plan import FramePlan
from cutscore.media.probe import probe
from cutscore.media.sound import Sound
from cutscore.perception.shots import CutDetector, TimedPicture, delta_e, lab_thumbnail

FILM, REPORT = "final.mp4", "report.md"  # as the brief names them
HEIGHT, RATE = 90, Fraction(8)  # of blind's film
# The line of the brief that says what the film has to be.
RULES = re.compile(r"picture (?P<wide>\d+):(?P<high>\d+).*?(?P<length>\d+(?:\.\d+)?) s ± ")
SHOT_S = Fraction(9, 4)  # what the reader takes of a shot where there are enough of them: a sentence
HEARD_HZ = 8000
PICTURES = 8  # of the shots it takes that its steps show


@dataclass(frozen=True)
class FilmFormat:
    """What the brief says of the film's format."""

    aspect: tuple[int, int]
    length_s: Fraction


def read_format(brief: str) -> FilmFormat:
    """Read the format out of a brief.

    >>> read_format("- final.mp4: the teaser (mp4, picture 9:16, 6.5 s ± 1 s, with sound)")
    FilmFormat(aspect=(9, 16), length_s=Fraction(13, 2))
    """
    found = RULES.search(brief)
    if found is None:
        return FilmFormat((16, 9), Fraction(10))
    return FilmFormat((int(found["wide"]), int(found["high"])), Fraction(found["length"]))


def blind(ask: Ask, seed: int, store: FileStore) -> Deliverable:
    """Return a grey film with a hum, in the format that the brief wants, without looking at the source."""
    wanted = read_format(ask.brief)
    width = round(HEIGHT * Fraction(*wanted.aspect) / 2) * 2
    count = round(wanted.length_s * RATE)
    grey = np.full((HEIGHT, width, 3), 64 + seed % 128, np.uint8)
    hum = 0.1 * np.sin(np.arange(int(count / RATE * HEARD_HZ)) * (2 * np.pi * 220 / HEARD_HZ))
    film = put_pictures(store, FILM, [grey] * count, rate=RATE, sound=Sound(hum.astype(np.float32), HEARD_HZ))
    return hand_over(store, film, "Grey, as long as the brief wants it.")


def reader(ask: Ask, context: WorkContext) -> Deliverable:
    """Take the shots in which most moves and sounds, a sentence of each in the order of the source, until it is full.

    It finds shots by their pictures and knows nothing of what is said. Without a source it has nothing to hand over.
    """
    if not ask.files:
        return Deliverable()
    wanted, source, plan = read_format(ask.brief), ask.files[0], FramePlan.parse(context.frames)
    path = context.store.path(source)
    frames = read_cached_frames(path, plan, sha256=source.sha256)
    context.tally.add_frames(manifest(source, plan, frames))
    found = find_shots(frames, probe(path).duration_s or Fraction(0))
    lively = rate_liveliness(frames, path, found)
    picked = pick_shots(found, lively, wanted.length_s)
    context.steps.add(
        "Shots by their pictures; how lively each is, from 0 to 2, by what moves and how loud it is.",
        did=Action(tool="look", arguments={"clip": source.name, "frames": len(frames)}),
        saw="\n".join(f"{span}, {value:.2f}" for span, value in zip(found, lively, strict=True)),
    )
    if not picked:
        return Deliverable()
    film = put_excerpts(context.store, FILM, source, [(span, 0.5) for span in picked], wanted.aspect)
    words = ["The liveliest shots, from their beginnings:", *(f"- {span}" for span in picked)]
    (wide, high), length_s = wanted.aspect, sum(span.length_s for span in picked)
    beginnings = [_at(frames, span.start_s) for span in picked[:PICTURES]]
    context.steps.add(
        f"{len(picked)} shots of {len(found)} make {float(length_s):.2f} s of {float(wanted.length_s):g} s.",
        did=Action(tool="cut", arguments={"picture": f"{wide}:{high}", "kept": ", ".join(map(str, picked))}),
        saw=f"wrote {FILM} and {REPORT}",
        media=(put_contact_sheet(context.store, "kept.jpg", beginnings),),
    )
    return hand_over(context.store, film, "\n".join(words))


def _at(frames: Sequence[Frame], at_s: Fraction) -> Pixels:
    """Return the first of these frames from a moment on, or the last of all."""
    return next((frame for frame in frames if frame.at_s >= at_s), frames[-1]).pixels


def find_shots(frames: Sequence[Frame], length_s: Fraction) -> list[Span]:
    """Return the shots as far as these frames tell: a shot begins with the first frame after a cut."""
    jumps = CutDetector()
    judged = [each for frame in frames for each in jumps.see(TimedPicture(frame.at_s, frame.pixels))]
    starts = [each.source.at_s for each in [*judged, *jumps.rest()] if each.verdict == "cut"]
    return [Span(start_s=start, end_s=end) for start, end in pairwise([Fraction(0), *starts, length_s]) if start < end]


def rate_liveliness(frames: Sequence[Frame], path: Path, found: Sequence[Span]) -> list[float]:
    """Return how much moves in each shot and how loud it is, each as a share of the most, together."""
    pictures = [(frame.at_s, lab_thumbnail(frame.pixels)) for frame in frames]
    sound = read_sound(path, rate_hz=HEARD_HZ, channels="mono") if has_sound(path) else None
    motion, loud = [], []
    for shot in found:
        inside = [picture for at_s, picture in pictures if shot.holds(at_s)]
        motion.append(max((float(delta_e(one, two).mean()) for one, two in pairwise(inside)), default=0.0))
        loud.append(float(np.sqrt(np.mean(np.square(sound.part(shot).samples)))) if sound else 0.0)
    most, loudest = max(motion, default=0.0) or 1.0, max(loud, default=0.0) or 1.0
    return [one / most + other / loudest for one, other in zip(motion, loud, strict=True)]


def pick_shots(found: Sequence[Span], liveliness: Sequence[float], length_s: Fraction) -> list[Span]:
    """Return the beginnings of the liveliest shots, in the order of the source, as long as asked if they can be.

    >>> shots = [Span(start_s=start, end_s=start + 3) for start in (0, 3, 6)]
    >>> [str(span) for span in pick_shots(shots, [0.1, 0.3, 0.2], Fraction(4))]
    ['00:03.000–00:05.250', '00:06.000–00:07.750']
    """
    picked: list[Span] = []
    left_s, most_s = length_s, max(SHOT_S, length_s / max(1, len(found)))
    for number in sorted(range(len(found)), key=lambda number: -liveliness[number]):
        take_s = min(left_s, most_s, found[number].length_s)
        if take_s < Fraction(1, 2):
            continue
        picked.append(Span(start_s=found[number].start_s, end_s=found[number].start_s + take_s))
        left_s -= take_s
    return sorted(picked, key=lambda span: span.start_s)


def hand_over(store: FileStore, film: FileRef, words: str) -> Deliverable:
    """Return a film with a report of these words."""
    report = store.put_bytes(words.encode(), name=REPORT, media_type="text/markdown")
    return Deliverable(files=(film, report))
