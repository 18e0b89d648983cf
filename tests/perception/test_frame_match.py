"""Pictures are matched to the frames that they show: whole, scaled, compressed, in grids and strips; else unknown."""

from fractions import Fraction

import cv2
import numpy as np
import pytest

from cutscore.media.frames import Frame, encode_jpeg
from cutscore.media.images import tile_pictures
from cutscore.perception.frame_match import FrameIndex, match_picture

FILMS, SECONDS = ("a.mp4", "b.mp4"), 8


def scene(seed: int) -> np.ndarray:
    small = np.random.default_rng(seed).integers(0, 255, (6, 10, 3), dtype=np.uint8)
    return cv2.resize(small, (320, 180), interpolation=cv2.INTER_CUBIC)


@pytest.fixture(scope="module")
def index() -> FrameIndex:
    """Two films that change every second."""
    return FrameIndex.of(
        (film, Frame(Fraction(second), scene(100 * number + second)))
        for number, film in enumerate(FILMS)
        for second in range(SECONDS)
    )


def names(parts) -> list[tuple[str, float | None]]:
    return [(part.film, part.at_s) for part in parts]


def compress(pixels: np.ndarray) -> np.ndarray:
    packed = np.frombuffer(encode_jpeg(np.ascontiguousarray(pixels), quality=40), np.uint8)
    return cv2.imdecode(packed, cv2.IMREAD_COLOR)[..., ::-1]


def test_a_frame_is_found_scaled_and_compressed(index: FrameIndex) -> None:
    small = cv2.resize(scene(103), (150, 84), interpolation=cv2.INTER_AREA)
    (part,) = match_picture(compress(small), index)
    assert (part.film, part.at_s, part.alike) == ("b.mp4", 3.0, 0)
    assert part.likeness > 0.95


@pytest.mark.parametrize(("rows", "columns"), [(1, 6), (6, 1), (2, 3), (3, 2)])
def test_a_grid_without_gaps_is_cut_up(index: FrameIndex, rows: int, columns: int) -> None:
    tiles = [cv2.resize(scene(second), (80, 45), interpolation=cv2.INTER_AREA) for second in range(6)]
    grid = np.vstack([np.hstack(tiles[row * columns : (row + 1) * columns]) for row in range(rows)])
    parts = match_picture(compress(grid), index)
    assert names(parts) == [("a.mp4", float(second)) for second in range(6)]
    assert (parts[1].box.width, parts[1].box.height) == (80, 45)


def test_a_contact_sheet_with_gaps_and_an_empty_place_is_cut_up(index: FrameIndex) -> None:
    tiles = [cv2.resize(scene(seed), (80, 45), interpolation=cv2.INTER_AREA) for seed in (0, 1, 104, 105, 2)]
    parts = match_picture(tile_pictures(tiles, columns=3), index)
    assert names(parts) == [("a.mp4", 0.0), ("a.mp4", 1.0), ("b.mp4", 4.0), ("b.mp4", 5.0), ("a.mp4", 2.0)]


def test_the_tiles_of_a_grid_that_show_something_else_are_unknown(index: FrameIndex) -> None:
    tiles = [cv2.resize(scene(seed), (80, 45), interpolation=cv2.INTER_AREA) for seed in (0, 999, 1, 2)]
    parts = match_picture(np.hstack(tiles), index)
    assert names(parts) == [("a.mp4", 0.0), ("", None), ("a.mp4", 1.0), ("a.mp4", 2.0)]


@pytest.mark.parametrize("picture", [scene(999), np.zeros((90, 160, 3), np.uint8), np.zeros((1, 1, 3), np.uint8)])
def test_what_is_no_frame_is_unknown(index: FrameIndex, picture: np.ndarray) -> None:
    (part,) = match_picture(picture, index)
    assert (part.film, part.at_s) == ("", None)
    assert match_picture(picture, FrameIndex.of([]))[0].film == ""


def test_moments_that_look_the_same_are_counted(index: FrameIndex) -> None:
    again = index + FrameIndex.of([("c.mp4", Frame(Fraction(0), scene(3)))])
    (part,) = match_picture(scene(3), again)
    assert (part.film, part.at_s, part.alike) == ("a.mp4", 3.0, 1)
