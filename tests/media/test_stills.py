"""Still pictures of strangers: decoded as they are, or refused in a sentence."""

from io import BytesIO
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from cutscore.core.errors import BrokenData
from cutscore.media.budget import Budget
from cutscore.media.corrupt_clips import write_huge_png
from cutscore.media.stills import read_still

GRADIENT = np.dstack([*np.meshgrid(np.arange(160), np.arange(90)), np.full((90, 160), 99)]).astype(np.uint8)


@pytest.mark.parametrize(("suffix", "off"), [("png", 0), ("jpg", 4), ("webp", 4)])
def test_pictures_are_decoded_by_their_bytes(tmp_path: Path, suffix: str, off: int) -> None:
    file = tmp_path / "seen"
    file.write_bytes(cv2.imencode(f".{suffix}", GRADIENT[..., ::-1], [cv2.IMWRITE_WEBP_QUALITY, 95])[1].tobytes())
    pixels = read_still(file)
    assert pixels.shape == (90, 160, 3)
    assert np.abs(pixels.astype(int) - GRADIENT).mean() <= off


def gif(*shades: int, side: int = 16) -> bytes:
    """Return a GIF that shows these shades of grey, one after the other."""
    frames = BytesIO()
    with av.open(frames, "w", format="gif") as film:
        stream = film.add_stream("gif", rate=5)
        stream.width, stream.height, stream.pix_fmt = side, side, "gray"
        for shade in shades:
            picture = av.VideoFrame.from_ndarray(np.full((side, side), shade, np.uint8), format="gray")
            film.mux(stream.encode(picture))
        film.mux(stream.encode(None))
    return frames.getvalue()


def test_of_a_gif_the_first_picture_is_read(tmp_path: Path) -> None:
    (tmp_path / "moving").write_bytes(gif(200, 50))
    assert (read_still(tmp_path / "moving") == np.full((16, 16, 3), 200)).all()
    data = gif(200)
    (tmp_path / "torn").write_bytes(data[:20])
    (tmp_path / "huge").write_bytes(data[:6] + b"\xff\xff\xff\xff" + data[10:])
    for name in ("torn", "huge"):
        with pytest.raises(BrokenData, match=f"clip '{name}'"):
            read_still(tmp_path / name)


def test_what_is_no_picture_or_too_large_or_torn_is_refused(tmp_path: Path) -> None:
    (tmp_path / "words").write_bytes(b"hello")
    with pytest.raises(BrokenData, match="is no picture that we decode; known are PNG, JPEG, WebP and GIF"):
        read_still(tmp_path / "words")
    write_huge_png(tmp_path / "huge", side=9_000)
    with pytest.raises(BrokenData, match="clip 'huge'"):
        read_still(tmp_path / "huge", budget=Budget(pixels=1_000_000))
    (tmp_path / "torn").write_bytes(cv2.imencode(".png", GRADIENT)[1].tobytes()[:60])
    with pytest.raises(BrokenData, match="clip 'torn'"):
        read_still(tmp_path / "torn")
