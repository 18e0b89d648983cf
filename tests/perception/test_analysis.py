"""One look at a clip: what it follows, what it refuses, what it never imports."""

import ast
import sys
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.core.errors import BadInput, BrokenData
from cutscore.media.frames import Frame
from cutscore.media.render import write_clip
from cutscore.media.sound import Sound
from cutscore.perception import speech, text
from cutscore.perception.analysis import analyze_clip
from cutscore.perception.answers import colour_at, order_of_events
from cutscore.perception.report import Report

sys.path.append(str(Path(__file__).parent))

from drawing import RGB, film, graded, plain, put  # lies beside this file

RENAMED = {"red": "green", "green": "yellow", "yellow": "magenta", "blue": "red", "magenta": "blue"}


def story(number: int, names: dict[str, str]) -> np.ndarray:
    """A red circle crosses; a green square stays and turns blue at frame 12; a magenta star appears at frame 20."""
    picture = put(plain((60, 60, 66)), "circle", names["red"], (20 + 3 * number, 25))
    picture = put(picture, "square", names["green" if number < 12 else "blue"], (60, 65))
    return put(picture, "star", names["magenta"], (120, 65), 13) if number >= 20 else picture


def told(report: Report) -> tuple[list[str], list[tuple[str, int, str | None, str | None]]]:
    changes = [(c.kind, round(c.span.start_s * 25), c.before, c.after) for c in report.events]
    return [thing.name for thing in report.tracks], changes


def test_observations_follow_the_pixels_when_every_colour_is_renamed(tmp_path: Path) -> None:
    reports = []
    for names in ({name: name for name in RGB}, RENAMED):
        path = tmp_path / f"{names['red']}.mp4"
        write_clip(path, (story(number, names) for number in range(30)), rate=Fraction(25))
        reports.append(told(analyze_clip(path)))
    (things, changes), renamed = reports
    assert sorted(things) == ["blue square", "magenta star", "red circle"]
    assert [(kind, before, after) for kind, _, before, after in changes] == [
        ("changes colour", "green", "blue"),
        ("appears", None, None),
    ]
    assert [abs(at - due) <= 2 for (_, at, _, _), due in zip(changes, (12, 20), strict=True)] == [True, True]
    expected = [" ".join([RENAMED[name.split()[0]], name.split()[1]]) for name in things]
    turned = [(kind, at, before and RENAMED[before], after and RENAMED[after]) for kind, at, before, after in changes]
    assert renamed == (expected, turned)


@pytest.mark.real  # starts a child
def test_a_file_and_its_frames_look_alike(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    write_clip(path, (story(number, {name: name for name in RGB}) for number in range(30)), rate=Fraction(25))
    assert told(analyze_clip(path)) == told(
        analyze_clip(film(lambda number: story(number, {name: name for name in RGB}), 30))
    )
    assert told(analyze_clip(path)) == told(analyze_clip(path, trusted=False))


def test_fewer_looks_and_smaller_pictures_are_an_option() -> None:
    def large(number: int) -> np.ndarray:
        return put(graded(width=320, height=180), "circle", "red", (40 + 4 * number, 90), 20)

    report = analyze_clip(film(large, 30), frames_per_s=Fraction(10), max_side_px=160)
    assert report.frames == 12
    (thing,) = report.tracks
    assert thing.name == "red circle"
    true = np.array([(40 + 4 * float(at_s) * 25, 90) for at_s in thing.at_s])
    assert np.abs(thing.centres - true).max() < 2
    assert abs(float(np.median(thing.areas)) / (np.pi * 20**2) - 1) < 0.15


@settings(max_examples=10)
@given(st.integers(0, 2**32))
def test_whatever_is_shown_the_report_holds_together(seed: int) -> None:
    """Random boxes and noise at random times: shots have no gaps, times lie in the clip, confidences in 0 to 1."""
    draw = np.random.default_rng(seed)
    at_s, frames = Fraction(0), []
    for _ in range(draw.integers(1, 9)):
        pixels = plain(width=64, height=48) if draw.random() < 0.7 else draw.integers(0, 256, (48, 64, 3), np.uint8)
        for left, top, side in draw.integers(0, 40, (draw.integers(0, 4), 3)):
            pixels[top : top + side, left : left + side] = draw.integers(0, 256, 3)
        frames.append(Frame(at_s, pixels))
        at_s += Fraction(int(draw.integers(1, 300)), 1000)
    report = analyze_clip(frames)
    bounds = [shot.span.start_s for shot in report.shots] + [report.span.end_s]
    assert bounds == sorted(bounds)
    assert [shot.span.end_s for shot in report.shots] == bounds[1:]
    assert bounds[0] == report.span.start_s
    observed = [*report.shots, *report.tracks, *report.events, *report.camera]
    assert all(0 <= each.confidence <= 1 for each in observed)
    assert all(report.span.start_s <= each.span.start_s <= each.span.end_s <= report.span.end_s for each in observed)


def test_the_colour_of_the_moment() -> None:
    colours = ["red", "yellow", "blue"]
    report = analyze_clip(film(lambda number: plain(RGB[colours[number // 10]]), 30))
    assert [colour_at(report, Fraction(number, 25)).name for number in (0, 9, 10, 19, 20, 29)] == [
        "red", "red", "yellow", "yellow", "blue", "blue",
    ]  # fmt: skip
    assert [shot.begins for shot in report.shots] == ["start", "cut", "cut"]


def test_what_was_not_heard_is_said(tmp_path: Path) -> None:
    write_clip(tmp_path / "mute.mp4", [plain()] * 3, rate=Fraction(25))
    heard = {str(each) for each in analyze_clip(tmp_path / "mute.mp4").blind_spots}
    assert "could not make out sound: the clip is mute" in heard
    assert "could not make out sound: only pictures were given" in {
        str(each) for each in analyze_clip(film(lambda n: plain(), 3)).blind_spots
    }


def test_text_and_speech_are_left_alone_unless_asked_for_and_named_when_they_cannot_be_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "clip.mp4"
    write_clip(path, [plain()] * 3, rate=Fraction(25), sound=Sound(np.zeros(4800, np.float32), 16000))
    told = {each.what: each.because for each in analyze_clip(path).blind_spots}
    assert (told["text on screen"], told["speech"]) == ("nobody asked for it", "nobody listened for it")
    for missing in ("rapidocr", "faster_whisper"):
        monkeypatch.setitem(sys.modules, missing, None)
    for cached in (text._reader, speech._whisper):
        cached.cache_clear()
    report = analyze_clip(path, text_every_s=Fraction(1), speech=True)
    told = {each.what: each.because for each in report.blind_spots}
    assert "pip install 'cutscore[ocr]'" in told["text on screen"]
    assert "pip install 'cutscore[speech]'" in told["speech"]
    assert (report.text, report.transcript) == ((), None)


def test_reading_all_the_time_is_refused() -> None:
    with pytest.raises(BadInput, match="clip analysis: cannot read text every 0 s; give more"):
        analyze_clip([Frame(Fraction(0), plain())], text_every_s=Fraction(0))


def test_one_picture_is_enough_to_see_its_colour() -> None:
    report = analyze_clip([Frame(Fraction(0), plain(RGB["red"]))])
    assert (report.tracks, order_of_events(report)) == ((), ())
    assert report.colours[0].colour.name == "red"


def test_nothing_to_look_at_is_refused() -> None:
    with pytest.raises(BrokenData, match="clip: has no frame to look at; give at least one"):
        analyze_clip([])


def test_a_picture_too_small_is_refused() -> None:
    with pytest.raises(BrokenData, match="clip: has pictures of 8×8, too small to see anything in them"):
        analyze_clip([Frame(Fraction(0), np.zeros((8, 8, 3), np.uint8))])


def test_a_change_of_size_is_refused() -> None:
    frames = [Frame(Fraction(0), plain()), Frame(Fraction(1, 25), plain(width=80, height=80))]
    with pytest.raises(BrokenData, match="clip: changes its size from 160×90 to 80×80 on the way"):
        analyze_clip(frames)


def test_frames_come_in_order_and_of_two_at_one_time_the_first_counts() -> None:
    red, blue = plain(RGB["red"]), plain(RGB["blue"])
    report = analyze_clip([Frame(Fraction(number, 10), each) for number in range(6) for each in (red, blue)])
    assert (report.frames, [tint.colour.name for tint in report.colours]) == (6, ["red"])
    with pytest.raises(BadInput, match="clip: has a frame of 0 s after one of 1 s"):
        analyze_clip([Frame(Fraction(1), red), Frame(Fraction(0), blue)])


def test_pixels_that_are_no_picture_are_refused() -> None:
    with pytest.raises(BadInput, match="clip: pixels are float64 of shape 90×160×3; give uint8"):
        analyze_clip([Frame(Fraction(0), plain().astype(float))])


def test_impossible_looks_are_refused() -> None:
    with pytest.raises(BadInput, match="clip analysis: cannot have 0 frames a second at 480 pixels"):
        analyze_clip([], frames_per_s=Fraction(0))


def test_a_file_that_is_no_clip_is_refused(tmp_path: Path) -> None:
    (tmp_path / "clip.mp4").write_text("#EXTM3U\nfile:///etc/hosts\n")
    for trusted in (True, False):
        with pytest.raises(BadInput, match=r"clip\.mp4"):
            analyze_clip(tmp_path / "clip.mp4", trusted=trusted)


def test_perception_knows_no_truth() -> None:
    folder = Path(find_spec("cutscore.perception").origin).parent
    names = {
        name
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom)
            else [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        )
    }  # fmt: skip
    ours = {name.split(".")[1] for name in names if name.startswith("cutscore.")}
    assert "perception" in ours
    assert not ours & {"stage", "scoring", "builders", "benchmarks", "subjects", "environments", "bridge", "models"}
