"""Cuts and dissolves, and what only looks like them."""

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np

from cutscore.core.timeline import Span
from cutscore.perception.analysis import analyze_clip
from cutscore.perception.shots import build_shots

sys.path.append(str(Path(__file__).parent))

from drawing import film, graded, plain, put, textured  # lies beside this file


def street(number: int) -> np.ndarray:
    """A red circle crosses a textured ground by 2 pixels a frame."""
    return put(textured(1), "circle", "red", (20 + 2 * number, 40))


def room(number: int) -> np.ndarray:
    """A blue square rests before a gradient."""
    return put(graded(), "square", "blue", (100, 50))


def begins(frames) -> list[tuple[str, float]]:
    return [(shot.begins, float(shot.span.start_s)) for shot in analyze_clip(frames).shots]


def test_a_cut_is_found_at_its_frame() -> None:
    frames = film(lambda number: street(number) if number < 14 else room(number), 30)
    assert begins(frames) == [("start", 0.0), ("cut", 14 / 25)]


def test_flashes_are_no_cuts_and_do_not_break_a_thing() -> None:
    """White for two frames at 0.4 s and for one at 0.8 s."""
    report = analyze_clip(film(lambda number: plain((255, 255, 255)) if number in (10, 11, 20) else street(number), 30))
    assert len(report.shots) == 1
    assert [thing.name for thing in report.tracks] == ["red circle"]
    assert report.events == ()


def test_dimming_the_light_is_no_cut() -> None:
    def lamp(number: int) -> np.ndarray:
        picture = put(textured(2, strength=18), "square", "yellow", (60, 45), 14)
        return picture if number < 15 else (picture * 0.5).astype(np.uint8)

    assert begins(film(lamp, 30)) == [("start", 0.0)]


def test_motion_is_no_cut() -> None:
    frames = film(lambda number: put(graded(), "square", "red", (12 * number, 45), 40), 25)
    assert begins(frames) == [("start", 0.0)]


def test_a_dissolve_is_one_boundary_in_its_middle() -> None:
    """From the 10th to the 25th frame the street turns into the room."""

    def mixed(number: int) -> np.ndarray:
        share = min(1, max(0, (number - 10) / 15))
        return ((1 - share) * street(0) + share * room(0)).astype(np.uint8)

    report = analyze_clip(film(mixed, 40))
    assert [shot.begins for shot in report.shots] == ["start", "dissolve"]
    assert abs(report.shots[1].span.start_s - Fraction(35, 50)) <= Fraction(2, 25)
    assert sorted(thing.name for thing in report.tracks) == ["blue square", "red circle"]
    assert report.events == ()  # nothing appears that was merely blended in


def test_shots_follow_each_other_without_gaps() -> None:
    clip = Span(start_s=0, end_s=10)
    shots = build_shots(clip, [(Fraction(4), 0.9)], [Span(start_s=6, end_s=8)])
    assert [(shot.span, shot.begins) for shot in shots] == [
        (Span(start_s=0, end_s=4), "start"),
        (Span(start_s=4, end_s=7), "cut"),
        (Span(start_s=7, end_s=10), "dissolve"),
    ]
