"""What happens to things, and when: within two frames."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from cutscore.perception.analysis import analyze_clip
from cutscore.perception.report import Report

sys.path.append(str(Path(__file__).parent))

from drawing import RATE, film, graded, plain, put, textured  # lies beside this file


def happens(report: Report) -> list[tuple[str, int]]:
    """What happens, with the nearest frame."""
    return [(event.kind, round(event.span.start_s * RATE)) for event in report.events]


def ball(place: Callable[[int], tuple[float, float]], *, count: int = 40, background=graded) -> Report:
    return analyze_clip(film(lambda number: put(background(), "circle", "red", place(number)), count))


def same(found: list[tuple[str, int]], expected: list[tuple[str, int]]) -> bool:
    kinds = [kind for kind, _ in found] == [kind for kind, _ in expected]
    return kinds and all(abs(at - due) <= 2 for (_, at), (_, due) in zip(found, expected, strict=True))


def test_starts_and_stops() -> None:
    """It rests to frame 12, goes 2 pixels a frame, rests from frame 24 on."""
    report = ball(lambda number: (40 + 2 * min(max(number - 12, 0), 12), 45), count=36)
    assert same(happens(report), [("starts", 12), ("stops", 24)]), happens(report)


def test_steady_motion_has_no_events_and_rest_has_none() -> None:
    assert happens(ball(lambda number: (25 + 2.5 * number, 45), count=25)) == []
    assert happens(ball(lambda number: (80, 45), count=15)) == []


def test_a_bounce_is_not_a_throw() -> None:
    """It falls on the ground at frame 14, jumps up again and is highest at frame 28: one bounce, nothing at the top."""
    gravity = 0.4

    def place(number: int) -> tuple[float, float]:
        from_top = number if number <= 14 else number - 28
        return 30 + 1.5 * number, 20 + gravity * from_top**2 / 2

    report = ball(place, background=plain)
    assert same(happens(report), [("bounces", 14)]), happens(report)


def test_a_collision_names_both() -> None:
    """A red circle hits a blue one that rests, at frame 20; the blue one goes on, the red one stays."""

    def scene(number: int) -> np.ndarray:
        red = min(20 + 2 * number, 60)
        blue = 60 + 19 + max(0, 2 * (number - 20))
        return put(put(plain(), "circle", "red", (red, 45)), "circle", "blue", (blue, 45))

    report = analyze_clip(film(scene, 40))
    names = {track.id: track.colour.name for track in report.tracks}
    (hit,) = [event for event in report.events if event.kind == "collides"]
    assert (names[hit.track], names[hit.other]) == ("red", "blue")
    assert abs(hit.span.start_s * RATE - 20) <= 2
    told = {(event.kind, names[event.track]) for event in report.events}
    assert {("stops", "red"), ("starts", "blue")} <= told
    assert not [event for event in report.events if event.kind == "bounces"]


def test_appears_and_disappears() -> None:
    def scene(number: int) -> np.ndarray:
        return put(textured(2), "star", "yellow", (70, 45), 12) if 10 <= number < 22 else textured(2)

    report = analyze_clip(film(scene, 32))
    assert same(happens(report), [("appears", 10), ("disappears", 22)]), happens(report)


@pytest.mark.real
def test_enters_and_leaves_at_the_sides() -> None:
    """Its first edge is seen at frame 5, its last one at about frame 36."""
    report = ball(lambda number: (-29 + 5 * number, 45), count=46, background=plain)
    kinds = [kind for kind, _ in happens(report)]
    assert kinds == ["enters", "leaves"]


def test_changes_colour_at_once_and_by_fading() -> None:
    def scene(number: int) -> np.ndarray:
        share = min(max((number - 10) / 16, 0), 1)
        fading = tuple(
            round((1 - share) * one + share * other) for one, other in zip((20, 160, 40), (240, 240, 240), strict=True)
        )
        sudden = "red" if number < 18 else "blue"
        return put(put(plain((70, 70, 80)), "circle", sudden, (40, 45)), "square", fading, (110, 45), 14)

    report = analyze_clip(film(scene, 40))
    told = {(event.before, event.after): event.span for event in report.events}
    assert set(told) == {("red", "blue"), ("green", "white")}
    assert abs(told["red", "blue"].start_s * RATE - 18) <= 2
    fade = told["green", "white"]
    assert 10 <= fade.start_s * RATE < fade.end_s * RATE <= 27


@pytest.mark.parametrize(("kind", "factor"), [("grows", 1.6), pytest.param("shrinks", 0.6, marks=pytest.mark.real)])
def test_grows_and_shrinks(kind: str, factor: float) -> None:
    def scene(number: int) -> np.ndarray:
        radius = 14 * float(np.interp(number, [10, 30], [1, factor]))
        return put(graded(), "circle", "red", (80, 45), radius)

    (event,) = analyze_clip(film(scene, 40)).events
    assert event.kind == kind
    assert abs(event.span.start_s * RATE - 10) <= 4  # its rate is measured over four frames to either side
    assert abs(event.span.end_s * RATE - 30) <= 4


def test_a_level_rises() -> None:
    def scene(number: int) -> np.ndarray:
        picture = plain((235, 235, 230))
        top = round(float(np.interp(number, [8, 32], [70, 30])))
        picture[top:80, 60:100] = (40, 90, 210)
        return picture

    assert [event.kind for event in analyze_clip(film(scene, 40)).events] == ["rises"]
