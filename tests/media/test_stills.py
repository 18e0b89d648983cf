"""Small pictures of what a reader looked at."""

from pathlib import Path

import numpy as np

from cutscore.media.pictures import read_picture
from cutscore.media.stills import HEIGHT, still
from cutscore.store import Store

RED, BLUE = (220, 30, 30), (30, 30, 220)


def plain(colour: tuple[int, int, int], height: int, width: int) -> np.ndarray:
    return np.full((height, width, 3), colour, np.uint8)


def test_pictures_stand_side_by_side_in_the_shape_of_the_first(tmp_path: Path) -> None:
    """Red beside blue, and red once more below; the second is larger and of another shape."""
    store = Store(tmp_path)
    ref = still(store, "a.jpg", [plain(RED, 180, 320), plain(BLUE, 500, 500), plain(RED, 180, 320)], columns=2)
    pixels = read_picture(store.path(ref))
    assert (ref.name, ref.media_type) == ("a.jpg", "image/jpeg")
    assert 2 * HEIGHT < pixels.shape[0] < 2 * HEIGHT + 20
    assert 2 * 160 < pixels.shape[1] < 2 * 160 + 20
    at = {name: pixels[row, column].astype(int) for name, row, column in (("red", 40, 80), ("blue", 40, 250))}
    assert np.abs(at["red"] - RED).max() < 12
    assert np.abs(at["blue"] - BLUE).max() < 12
    assert np.abs(pixels[140, 80].astype(int) - RED).max() < 12


def test_all_stand_in_one_row_unless_told_otherwise(tmp_path: Path) -> None:
    store = Store(tmp_path)
    ref = still(store, "a.jpg", [plain(RED, 90, 160)] * 3)
    assert read_picture(store.path(ref)).shape[1] > 3 * 160
