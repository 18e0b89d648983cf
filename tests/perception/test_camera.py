"""The camera's motion is not the things' motion."""

import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from cutscore.perception.analysis import analyze_clip

sys.path.append(str(Path(__file__).parent))

from drawing import film, plain, put, textured  # lies beside this file

WORLD = textured(11, width=480, height=270, strength=16)


def world() -> np.ndarray:
    """A textured ground with a red circle at (200, 130) and a blue square at (280, 150)."""
    return put(put(WORLD, "circle", "red", (200, 130)), "square", "blue", (280, 150))


def window(left: float, top: float, size: float = 1.0) -> np.ndarray:
    """What a camera sees whose upper left corner is at a place, with a picture of 160×90 times `size`."""
    matrix = np.float32([[1 / size, 0, -left / size], [0, 1 / size, -top / size]])
    return cv2.warpAffine(world(), matrix, (160, 90), flags=cv2.INTER_LINEAR)


@pytest.mark.parametrize(
    ("kind", "direction", "across", "down"),
    [
        ("pan", "left", -1.5, 0),
        pytest.param("tilt", "down", 0, 1, marks=pytest.mark.real),
        pytest.param("pan", "right", 1.5, 0, marks=pytest.mark.real),
        pytest.param("tilt", "up", 0, -1, marks=pytest.mark.real),
    ],
)
def test_a_pan_is_a_pan_and_nothing_moves(kind: str, direction: str, across: float, down: float) -> None:
    report = analyze_clip(film(lambda n: window(150 + across * (n - 10), 90 + down * (n - 10)), 20))
    assert [(move.kind, move.direction) for move in report.camera] == [(kind, direction)]
    assert abs(report.camera[0].amount - 19 * (abs(across) + abs(down))) < 5
    assert [change.kind for change in report.events if change.kind in ("starts", "stops", "bounces")] == []


@pytest.mark.real
def test_a_zoom_is_a_zoom_and_nothing_grows() -> None:
    report = analyze_clip(film(lambda n: window(240 - 80 * 0.99**n, 140 - 45 * 0.99**n, 0.99**n), 20))
    assert [(move.kind, move.direction) for move in report.camera] == [("zoom", "in")]
    assert abs(report.camera[0].amount - 0.99**-19) < 0.08
    assert report.events == ()


def test_a_thing_that_moves_is_no_pan() -> None:
    """Before a plain background that gives no hold, one cannot tell what the camera does, and that is said."""
    report = analyze_clip(film(lambda n: put(plain(), "square", "red", (20 + 3 * n, 45), 16), 16))
    assert report.camera == ()
    assert "whether the camera moves" in [each.what for each in report.blind_spots]


def test_a_thing_that_moves_during_a_pan_moves_on_its_own() -> None:
    """The camera pans right by 1.5 pixels a frame all the time; the green circle starts at frame 15."""

    def scene(number: int) -> np.ndarray:
        place = 60 - 1.5 * number + max(0, 3 * (number - 15)), 25
        return put(window(140 + 1.5 * number, 80), "circle", "green", place)

    report = analyze_clip(film(scene, 36))
    green = next(thing.id for thing in report.tracks if thing.colour.name == "green")
    (start,) = [change for change in report.events if change.kind == "starts"]
    assert start.track == green
    assert abs(start.span.start_s * 25 - 15) <= 2
    assert [(move.kind, move.direction) for move in report.camera] == [("pan", "right")]
