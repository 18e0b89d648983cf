"""Keyframes as pixels: what was written is read, and what is no picture is refused."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from cutscore.core.errors import BadInput, BrokenData
from cutscore.media.budget import Budget
from cutscore.media.frames import encode_jpeg
from cutscore.media.images import SHEET_HEIGHT, put_contact_sheet, read_picture
from cutscore.store import Store

RED, BLUE = (220, 30, 30), (30, 30, 220)


@pytest.fixture
def drawn() -> np.ndarray:
    """Red above, blue below, 48 × 32."""
    pixels = np.zeros((32, 48, 3), np.uint8)
    pixels[:16], pixels[16:] = (200, 40, 40), (40, 60, 200)
    return pixels


def test_what_was_written_is_read(drawn: np.ndarray, tmp_path: Path) -> None:
    path = tmp_path / "0001.jpg"
    path.write_bytes(encode_jpeg(drawn, quality=95))
    read = read_picture(path)
    assert read.shape == drawn.shape
    assert not read.flags.writeable
    assert np.abs(read.astype(int) - drawn).max() <= 12


def test_pictures_of_another_encoder_have_the_colours_that_it_reads(drawn: np.ndarray, tmp_path: Path) -> None:
    path = tmp_path / "0001.jpg"
    cv2.imwrite(str(path), drawn[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 95])
    theirs = cv2.imread(str(path))[..., ::-1].astype(int)
    assert np.abs(read_picture(path).astype(int) - theirs)[4:12].max() <= 4


def test_what_is_no_picture_is_refused(drawn: np.ndarray, tmp_path: Path) -> None:
    path = tmp_path / "0001.jpg"
    whole = encode_jpeg(drawn)
    for data, fact in (
        (b"", "is no JPEG"),
        (b"GIF89a", "is no JPEG"),
        (b"\xff\xd8\xff", "does not say how large it is"),
        (b"\xff\xd8" + b"\xff" * 40, "does not say how large it is"),
        (whole[:-40], "is cut off"),
    ):
        path.write_bytes(data)
        with pytest.raises(BrokenData, match=f"picture '0001.jpg': {fact}"):
            read_picture(path)
    with pytest.raises(BadInput, match=r"picture 'absent\.jpg': does not exist"):
        read_picture(tmp_path / "absent.jpg")


def test_a_bomb_is_not_decoded(drawn: np.ndarray, tmp_path: Path) -> None:
    """The header alone is enough to refuse it."""
    path = tmp_path / "0001.jpg"
    path.write_bytes(encode_jpeg(drawn))
    with pytest.raises(BrokenData, match="has pictures of 48×32, 1000 pixels are allowed"):
        read_picture(path, budget=Budget(pixels=1000))


def plain(colour: tuple[int, int, int], height: int, width: int) -> np.ndarray:
    return np.full((height, width, 3), colour, np.uint8)


def test_pictures_stand_side_by_side_in_the_shape_of_the_first(tmp_path: Path) -> None:
    """Red beside blue, and red once more below; the second is larger and of another shape."""
    store = Store(tmp_path)
    ref = put_contact_sheet(
        store, "a.jpg", [plain(RED, 180, 320), plain(BLUE, 500, 500), plain(RED, 180, 320)], columns=2
    )
    pixels = read_picture(store.path(ref))
    assert (ref.name, ref.media_type) == ("a.jpg", "image/jpeg")
    assert 2 * SHEET_HEIGHT < pixels.shape[0] < 2 * SHEET_HEIGHT + 20
    assert 2 * 160 < pixels.shape[1] < 2 * 160 + 20
    at = {name: pixels[row, column].astype(int) for name, row, column in (("red", 40, 80), ("blue", 40, 250))}
    assert np.abs(at["red"] - RED).max() < 12
    assert np.abs(at["blue"] - BLUE).max() < 12
    assert np.abs(pixels[140, 80].astype(int) - RED).max() < 12


def test_all_stand_in_one_row_unless_told_otherwise(tmp_path: Path) -> None:
    store = Store(tmp_path)
    ref = put_contact_sheet(store, "a.jpg", [plain(RED, 90, 160)] * 3)
    assert read_picture(store.path(ref)).shape[1] > 3 * 160
