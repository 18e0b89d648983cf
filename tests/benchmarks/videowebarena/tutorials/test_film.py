"""What was filmed becomes a video whose times and pixels are those of the plan; no browser is needed."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutscore.benchmarks.videowebarena.tutorials.action_log import LoggedStep, read_log
from cutscore.benchmarks.videowebarena.tutorials.cursor import RING_RADII_PX, RING_RGB, draw_cursor
from cutscore.benchmarks.videowebarena.tutorials.film import film_frames, make_sheet, write_tutorial
from cutscore.benchmarks.videowebarena.tutorials.narration import spoken_s
from cutscore.benchmarks.videowebarena.tutorials.recording import RATE, FilmedVisit
from cutscore.benchmarks.videowebarena.tutorials.visit import ScriptedVisit
from cutscore.core.errors import BrokenData
from cutscore.media.opencv import opencv
from cutscore.media.probe import probe
from cutscore.media.transcript import read_transcript

SIZE = (320, 180)
POINT = (200, 90)


def png(shade: int) -> bytes:
    return bytes(opencv().imencode(".png", np.full((SIZE[1], SIZE[0], 3), shade, np.uint8))[1])


@pytest.fixture
def filmed() -> FilmedVisit:
    """A sentence over a white page, a click at (200, 90), and half a second of a grey page."""
    steps = [{"say": "Watch the cup.", "do": {"tool": "click", "arguments": {"element": "[A] [Cup]"}}, "mark": "cup"}]
    plain = {"name": "cup", "title": "A cup", "site": "shopping", "start": "__SHOPPING__/", "steps": steps}
    made = FilmedVisit(ScriptedVisit.model_validate({**plain, "viewport": SIZE}), "tones")
    made.hold(png(255), made.say("Watch the cup."), (20, 20))
    for radius in RING_RADII_PX:
        made.hold(png(255), 1, POINT, ring_px=radius)
    made.hold(png(128), 5, POINT)
    step = made.visit.steps[0]
    made.steps.append(
        LoggedStep(at=(0.0, float(made.now_s)), say=step.say, do=step.do, url="__SHOPPING__/", cursor=POINT)
    )
    return made


def test_three_files_tell_the_same_times(filmed: FilmedVisit, tmp_path: Path) -> None:
    log = write_tutorial(filmed, tmp_path)
    facts = probe(tmp_path / "cup.mp4")
    assert facts.duration_s == filmed.now_s == Fraction(filmed.frames, RATE)
    assert facts.sound is not None
    (line,) = read_transcript(tmp_path / "cup.vtt").segments
    assert line.text == "Watch the cup."
    assert float(line.length_s) == pytest.approx(float(spoken_s("Watch the cup.", "tones")), abs=0.001)
    assert log.marks == {"cup": (0.0, float(filmed.now_s))}
    assert read_log(tmp_path / "cup.log.json") == log


def test_a_ring_is_seen_around_what_is_clicked_and_at_no_other_time(filmed: FilmedVisit) -> None:
    frames = list(film_frames(filmed))
    assert len(frames) == filmed.frames
    ringed = [n for n, frame in enumerate(frames) if (frame == RING_RGB).all(axis=2).any()]
    assert ringed == list(range(filmed.frames - 5 - len(RING_RADII_PX), filmed.frames - 5))
    ys, xs = np.nonzero((frames[ringed[-1]] == RING_RGB).all(axis=2))
    assert ((xs.min() + xs.max()) / 2, (ys.min() + ys.max()) / 2) == POINT


def test_the_pointer_leaves_the_page_alone_but_where_it_is() -> None:
    page = np.full((SIZE[1], SIZE[0], 3), 200, np.uint8)
    drawn = draw_cursor(page, (0, 0))
    assert (page == 200).all()
    assert (drawn[40:] == 200).all()
    assert (drawn[:26, :18] != 200).any()
    assert (draw_cursor(page, (SIZE[0] - 1, SIZE[1] - 1)) != 200).any()  # half of it is out of the picture


def test_a_sheet_shows_the_click(filmed: FilmedVisit) -> None:
    sheet = make_sheet(filmed, columns=1)
    assert (np.abs(sheet.astype(int) - RING_RGB).max(axis=2) < 40).any()


def test_a_log_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cup.log.json").write_text('{"visit": "cup"}')
    with pytest.raises(BrokenData, match=r"cup\.log\.json': cannot be used: seconds: Field required"):
        read_log(tmp_path / "cup.log.json")
