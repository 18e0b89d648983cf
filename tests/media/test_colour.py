"""RGB depends on the stored samples, their matrix and their range, and on nothing else that a stream says."""

from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from av.filter import Graph
from av.video.frame import VideoFrame
from av.video.reformatter import ColorRange, Colorspace

from cutscore.media.colour import EXACT, RgbToYuv, rgb_of
from cutscore.media.orientation import Pixels

# x265 leaves the decoding time of a film unset that is shorter than its reordering; one picture needs none.
HEVC = "lossless=1:log-level=none:pools=none:frame-threads=1:bframes=0"
LOSSLESS = {
    "ffv1": ("ffv1", "matroska", {}),
    "vp9": ("libvpx-vp9", "webm", {"lossless": "1"}),
    "hevc": ("libx265", "matroska", {"x265-params": HEVC}),
    "h264, colour in the centre": ("libx264", "mp4", {"qp": "0", "x264-params": "chromaloc=1"}),
    "h264, colour at the top left": ("libx264", "mp4", {"qp": "0", "x264-params": "chromaloc=2"}),
}


def stored(pix_fmt: str) -> av.VideoFrame:
    """Blocks of 10×10 pixels of all colours, so that many edges fall between two colour samples."""
    rgb = np.random.default_rng(0).integers(0, 256, (9, 16, 3), dtype=np.uint8).repeat(10, 0).repeat(10, 1)
    return av.VideoFrame.from_ndarray(rgb, format="rgb24").reformat(format=pix_fmt)


def through(path: Path, picture: av.VideoFrame, codec: str, container: str, options: dict[str, str]) -> av.VideoFrame:
    """Encode a picture without loss and decode it."""
    with av.open(str(path), "w", format=container) as out:
        stream = out.add_stream(codec, rate=25, options=options)
        stream.width, stream.height, stream.pix_fmt = picture.width, picture.height, picture.format.name
        picture.pts, picture.time_base = 0, Fraction(1, 25)
        out.mux([*stream.encode(picture), *stream.encode(None)])
    with av.open(str(path)) as clip:
        return next(clip.decode(video=0))


@pytest.mark.parametrize("name", list(LOSSLESS))
@pytest.mark.parametrize("pix_fmt", ["yuv420p", "yuv422p"])
def test_equal_samples_give_equal_rgb_whatever_the_codec(tmp_path: Path, name: str, pix_fmt: str) -> None:
    plain = through(tmp_path / "plain", stored(pix_fmt), "libx264", "mp4", {"qp": "0"})
    other = through(tmp_path / "other", stored(pix_fmt), *LOSSLESS[name])
    np.testing.assert_array_equal(other.to_ndarray(), plain.to_ndarray())
    np.testing.assert_array_equal(rgb_of(other), rgb_of(plain))


@pytest.mark.parametrize("mode", ["tff", "bff"])
def test_a_mark_of_interlacing_changes_nothing(mode: str) -> None:
    """The decoder of H.264 sets it by what it has seen before, so it may differ from one reading to the next."""
    picture = stored("yuv420p")
    graph = Graph()
    buffer = graph.add_buffer(width=160, height=90, format=picture.format, time_base=Fraction(1, 25))
    graph.link_nodes(buffer, graph.add("setparams", f"field_mode={mode}"), graph.add("buffersink")).configure()
    graph.vpush(picture)
    marked = graph.vpull()
    assert marked.interlaced_frame
    np.testing.assert_array_equal(rgb_of(marked), rgb_of(picture))


def test_colour_samples_lie_on_even_columns() -> None:
    """With colour that changes from left to right only, an even column has a sample of its own, an odd one the mean."""
    blue = np.random.default_rng(0).integers(90, 160, 80, dtype=np.uint8)
    yuv = np.full((135, 160), 128, np.uint8)
    yuv[90:].reshape(2, 45, 80)[0] = blue
    rgb = rgb_of(av.VideoFrame.from_ndarray(yuv, format="yuv420p"))
    at = np.empty(159)
    at[::2], at[1::2] = blue, (blue[1:].astype(float) + blue[:-1]) / 2
    expected = np.clip(255 / 219 * (128 - 16) + 255 / 224 * 1.772 * (at - 128), 0, 255)
    np.testing.assert_allclose(rgb[40, :159, 2], expected, atol=1.5)


def test_pixels_are_read_only_and_in_one_piece(red_blue: Path) -> None:
    with av.open(str(red_blue)) as clip:
        pixels: Pixels = rgb_of(next(clip.decode(video=0)))
    assert (pixels.shape, pixels.flags.c_contiguous, pixels.flags.writeable) == ((90, 160, 3), True, False)


def test_a_picture_survives_being_stored_better_than_by_default() -> None:
    """Soft random colour, as footage has; the default is swscale's way from RGB to 4:2:0."""
    noise = np.random.default_rng(1).integers(0, 256, (90, 160, 3), dtype=np.uint8)
    soft = cv2.normalize(cv2.GaussianBlur(noise, (0, 0), 2.0), np.empty_like(noise), 0, 255, cv2.NORM_MINMAX)
    plain = VideoFrame.from_ndarray(soft, format="rgb24").reformat(
        format="yuv420p", dst_colorspace=Colorspace.ITU709, dst_color_range=ColorRange.MPEG, interpolation=EXACT
    )
    lost = {}
    for name, picture in {"ours": RgbToYuv(160, 90).convert(soft, 0), "plain": plain}.items():
        picture.colorspace, picture.color_range = Colorspace.ITU709, ColorRange.MPEG
        lost[name] = np.abs(rgb_of(picture).astype(int) - soft).mean()
    assert lost["ours"] < 0.8 * lost["plain"]


def test_stored_colour_lies_where_it_is_looked_for() -> None:
    """A mirrored picture gives mirrored colour: nothing is pulled to one side by more than the place of its samples."""
    step = np.zeros((16, 34, 3), np.uint8)
    step[:, :17], step[:, 17:] = (200, 30, 30), (30, 30, 200)
    pictures = [RgbToYuv(34, 16).convert(pixels, 0) for pixels in (step, np.ascontiguousarray(step[:, ::-1]))]
    for picture in pictures:
        picture.colorspace, picture.color_range = Colorspace.ITU709, ColorRange.MPEG
    one, other = (rgb_of(picture)[8].astype(int) for picture in pictures)
    red, blue = one[:, 0], one[:, 2]
    # The middle of the edge, by how much red there is to its left and blue to its right.
    assert abs((red - 30).sum() / 170 - 17) < 0.3
    assert abs((blue - 30).sum() / 170 - 17) < 0.3
    assert abs((other[:, 0] - 30).sum() / 170 - 17) < 0.3
