"""A thing of a picture is found in others, where and as large as it is; another one fits badly."""

import cv2
import numpy as np

from cutscore.perception.subject_match import CutOut, cut_out, find_subject


def portrait(colour: tuple[int, int, int] = (220, 60, 40)) -> np.ndarray:
    """A disc with a dark square in it, on white."""
    picture = np.full((120, 160, 3), 255, np.uint8)
    cv2.circle(picture, (80, 60), 40, colour, -1)
    picture[45:60, 60:75] = (20, 20, 90)
    return picture


def scene(x: int, y: int, size: int, thing: np.ndarray) -> np.ndarray:
    """The thing before a green field."""
    cut: CutOut = cut_out(thing)
    field = np.full((180, 320, 3), (90, 150, 80), np.uint8)
    pixels, mask = cv2.resize(cut.pixels, (size, size)), cv2.resize(cut.mask.astype(np.uint8), (size, size)) > 0
    field[y : y + size, x : x + size][mask] = pixels[mask]
    return field


def test_it_is_cut_out_of_its_paper() -> None:
    cut = cut_out(portrait())
    assert abs(cut.mask.shape[0] - 81) <= 2
    assert abs(float(cut.mask.mean()) - np.pi / 4) < 0.05


def test_it_is_found_where_it_is_and_as_large_as_it_is() -> None:
    for size in (40, 70):
        seen = find_subject(scene(200, 60, size, portrait()), cut_out(portrait()))
        assert abs(seen.x - (200 + size / 2)) < 5
        assert abs(seen.y - (60 + size / 2)) < 5
        assert abs(seen.width - size) <= 6
        assert seen.off < 20


def test_another_thing_fits_badly() -> None:
    assert find_subject(scene(200, 60, 60, portrait((40, 60, 220))), cut_out(portrait())).off > 50


def test_nothing_is_cut_out_of_plain_paper() -> None:
    assert cut_out(np.full((60, 80, 3), 200, np.uint8)).mask.all()
