"""Shapes by their outline, in any turn."""

import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from cutscore.perception.shapes import classify_shape

sys.path.append(str(Path(__file__).parent))

import drawing  # lies beside this file


def mask(shape: str, radius: float, turn: float) -> np.ndarray:
    side = int(4 * radius) + 8
    picture = np.zeros((side, side), np.uint8)
    points = drawing.corners(shape, radius, turn=turn) + side / 2
    cv2.fillPoly(picture, [np.rint(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return cv2.GaussianBlur(picture, (0, 0), 0.7) > 127


@pytest.mark.parametrize("shape", ["circle", "ellipse", "square", "rectangle", "bar", "triangle", "star"])
@pytest.mark.parametrize("radius", [11, 25])
def test_a_shape_has_its_name_in_any_turn(shape: str, radius: int) -> None:
    told = [classify_shape(mask(shape, radius, turn)) for turn in np.linspace(0, 3.1, 12)]
    assert {each.name for each in told} - {None} == {shape}
    assert sum(each.name is not None for each in told) >= (10 if radius == 11 else 12)  # a small bar is a few steps


def test_a_ring_and_a_cross() -> None:
    disc = mask("circle", 20, 0)
    y, x = np.mgrid[0 : disc.shape[0], 0 : disc.shape[1]] - disc.shape[0] / 2
    assert classify_shape(disc & (x**2 + y**2 > 100)).name == "ring"
    assert classify_shape((np.maximum(abs(x), abs(y)) < 20) & (np.minimum(abs(x), abs(y)) < 6)).name == "cross"


def test_few_pixels_have_no_shape() -> None:
    assert classify_shape(np.ones((4, 4), bool)).name is None


def test_what_has_one_notch_is_a_blob_with_little_confidence() -> None:
    y, x = np.mgrid[-20:21, -20:21]
    told = classify_shape((x**2 + y**2 <= 400) & ~((x > 0) & (abs(y) < 9)))
    assert told.name == "blob"
    assert told.confidence < 0.5
