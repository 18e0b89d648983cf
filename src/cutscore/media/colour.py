"""Stored colour to RGB and back, by what the samples are and not by who decoded them.

Most video stores colour at half resolution, and where a colour sample lies between the pixels decides what coloured
edges become. Decoders differ in what they say of it where a stream says nothing: H.264 and HEVC say *left*, VP9 and
FFV1 say nothing, and nothing is read as *centre*. The same samples would give RGB that differs by 80 levels at an edge.
So would those of an H.264 stream that is merely marked as interlaced, since its colour is then spread field by field;
the mark even depends on the pictures that were decoded before. Hence one rule for all: colour samples lie left, as in
MPEG-2 and everything after it, and a picture is one picture. A stream that says otherwise is not heard.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from av.filter import Graph
from av.video.format import VideoFormat
from av.video.frame import VideoFrame
from av.video.reformatter import Interpolation

from cutscore.media.orientation import Pixels, orientation_of

Plane = npt.NDArray[np.uint8] | npt.NDArray[np.uint16]

# Accurate rounding and bit-exactness make the pixels, and so their hashes, the same on every processor; full
# chroma interpolation keeps coloured edges where they are.
EXACT = Interpolation.BILINEAR | Interpolation.ACCURATE_RND | Interpolation.BITEXACT | Interpolation.FULL_CHR_H_INT

THUMBNAIL = 90
_IN_SMALL = Interpolation.AREA | Interpolation.ACCURATE_RND | Interpolation.FULL_CHR_H_INT

# Goes up when equal samples give other pixels, so that frames which were kept before are not served.
VERSION = 1

_PLAIN = "chroma_location=left:field_mode=prog"


@dataclass(frozen=True, eq=False)
class Luma:
    """Luma as stored, of shape (height, width), upright and read-only: uint8, or uint16 for more than 8 bits.

    In `full_range` black is 0 and white 2**bits - 1, rather than 16 and 235 of 255.
    """

    samples: Plane
    bits: int
    full_range: bool


def rgb_of(picture: VideoFrame) -> Pixels:
    """Return a decoded picture as shown: uint8 RGB of shape (height, width, 3), upright and read-only.

    The stream's own colour matrix and range hold; where it names none, BT.601 and limited range, as FFmpeg reads it.
    """
    rgb = _normalize_picture(picture).reformat(format="rgb24", interpolation=EXACT, threads=1).to_ndarray()
    pixels = np.ascontiguousarray(orientation_of(picture).apply(rgb.astype(np.uint8, copy=False)))
    pixels.flags.writeable = False
    return pixels


def thumbnail_of(picture: VideoFrame) -> Pixels:
    """Return a decoded picture in small, for people: at most `THUMBNAIL` pixels on its shorter side, as `rgb_of` else.

    It is scaled as it is converted, at a quarter of the price of `rgb_of`. Where colour lies is not looked into: that
    is less than a pixel here, and nothing is measured by it.
    """
    share = min(1.0, THUMBNAIL / min(picture.width, picture.height))
    width, height = (max(1, round(side * share)) for side in (picture.width, picture.height))
    small = picture.reformat(width=width, height=height, format="rgb24", interpolation=_IN_SMALL, threads=1)
    pixels = np.ascontiguousarray(orientation_of(picture).apply(small.to_ndarray().astype(np.uint8, copy=False)))
    pixels.flags.writeable = False
    return pixels


def _normalize_picture(picture: VideoFrame) -> VideoFrame:
    """Return the same samples with the place of colour and the kind of scan stated; PyAV can set neither by itself."""
    graph = Graph()
    graph.threads = 1
    unit = picture.time_base or Fraction(1)
    source = graph.add_buffer(width=picture.width, height=picture.height, format=picture.format, time_base=unit)
    graph.link_nodes(source, graph.add("setparams", _PLAIN), graph.add("buffersink")).configure()
    graph.vpush(picture)
    return graph.vpull()


class RgbToYuv:
    """RGB pictures of one size to what clips store: 4:2:0, BT.709, limited range, colour where `rgb_of` looks for it.

    Every pixel counts for the colour of its neighbourhood. By default swscale would look at every second one and put
    colour half a pixel beside: a picture and its copy would differ by a quarter more.
    """

    _SCALE = (
        "flags=bilinear+accurate_rnd+bitexact+full_chroma_int+full_chroma_inp"
        ":out_color_matrix=bt709:out_range=tv:out_chroma_loc=left"
    )

    def __init__(self, width: int, height: int) -> None:
        self._graph = Graph()
        self._graph.threads = 1
        rgb = VideoFormat("rgb24")
        source = self._graph.add_buffer(width=width, height=height, format=rgb, time_base=Fraction(1))
        steps = [self._graph.add("scale", self._SCALE), self._graph.add("format", "yuv420p")]
        self._graph.link_nodes(source, *steps, self._graph.add("buffersink")).configure()

    def convert(self, pixels: Pixels, number: int) -> VideoFrame:
        """Return picture `number`, from 0 on without gaps; who encodes it says how long it is shown."""
        picture = VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgb24")
        picture.pts, picture.time_base = number, Fraction(1)
        self._graph.vpush(picture)
        return self._graph.vpull()
