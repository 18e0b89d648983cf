"""Clips with known truth, made on the spot."""

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from cutscore.media.orientation import Pixels
from cutscore.media.render import write_clip

RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)


def red_then_blue() -> Iterator[Pixels]:
    """50 frames of 160×90: red for 25, then blue for 25; a green bar moves 2 pixels to the right every frame."""
    for number in range(50):
        pixels = np.empty((90, 160, 3), np.uint8)
        pixels[:] = RED if number < 25 else BLUE
        pixels[10:30, 2 * number : 2 * number + 20] = GREEN
        yield pixels


@pytest.fixture(scope="session")
def red_blue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """25 fps, 2 s: red to 1.0 s, then blue, and a moving green bar that makes all frames differ."""
    path = tmp_path_factory.mktemp("clips") / "red_blue.mp4"
    write_clip(path, red_then_blue(), rate=Fraction(25))
    return path


@dataclass(frozen=True)
class Encode:
    """A clip as the wide world makes them, written with PyAV and nothing of ours.

    Args:
        pts: Presentation time of each picture in units of `unit`, on the file's own clock.
        turn: Degrees counterclockwise for the display matrix; None for no matrix.
    """

    pts: Sequence[int]
    unit: Fraction = Fraction(1, 1000)
    format: str = "mp4"
    codec: str = "libx264"
    pix_fmt: str = "yuv420p"
    options: dict[str, str] = field(default_factory=dict)
    turn: int | None = None
    mirror: bool = False
    size: tuple[int, int] = (160, 90)
    muxer: dict[str, str] = field(default_factory=dict)

    def write(self, path: Path) -> Path:
        """Write pictures of noise, each different from all others."""
        width, height = self.size
        noise = np.random.default_rng(7)
        with av.open(str(path), "w", format=self.format, options=self.muxer) as out:
            stream = out.add_stream(self.codec, rate=25, options=self.options)
            stream.width, stream.height, stream.pix_fmt = width, height, self.pix_fmt
            stream.codec_context.time_base = stream.time_base = self.unit
            if self.turn is not None:
                stream.set_display_rotation(self.turn, hflip=self.mirror)
            for pts in self.pts:
                coarse = noise.integers(0, 256, (height // 10, width // 10, 3), dtype=np.uint8)
                picture = av.VideoFrame.from_ndarray(coarse.repeat(10, 0).repeat(10, 1), format="rgb24")
                picture = picture.reformat(width, height, self.pix_fmt)
                picture.pts, picture.time_base = pts, self.unit
                out.mux(stream.encode(picture))
            out.mux(stream.encode(None))
        return path


EVEN = [40 * number for number in range(20)]
KEEP_NEGATIVE = {"avoid_negative_ts": "disabled"}

# Everything that makes presentation time differ from "number of the frame over the rate".
ENCODES = {
    "constant rate, B-frames": Encode(EVEN, options={"bf": "3"}),
    "variable rate": Encode([0, 40, 50, 51, 300, 301, 700, 1000, 1001, 1500], options={"bf": "2"}),
    "starts at 10 s": Encode([10_000 + at for at in EVEN]),
    "two frames cut by an edit list": Encode([at - 80 for at in EVEN], muxer=KEEP_NEGATIVE),
    "starts before 0": Encode([at - 80 for at in EVEN], format="matroska", muxer=KEEP_NEGATIVE),
    "no edit list": Encode(EVEN, muxer={"use_editlist": "0"}),
    "matroska, starts at 3 s": Encode([3000 + at for at in EVEN], format="matroska"),
    "quicktime": Encode(EVEN, format="mov"),
    "webm": Encode(EVEN, format="webm", codec="libvpx-vp9", options={"deadline": "realtime"}),
    "open GOP": Encode(EVEN, options={"x264-params": "open-gop=1:keyint=8:bframes=3"}),
    "10 bit": Encode(EVEN, codec="libx265", pix_fmt="yuv420p10le", options={"x265-params": "log-level=none"}),
    "fragmented": Encode(EVEN, muxer={"movflags": "+frag_keyframe+empty_moov"}),
    "full range": Encode(EVEN, pix_fmt="yuvj420p"),
    "4:4:4, odd size": Encode(EVEN, pix_fmt="yuv444p", size=(161, 91)),
    "turned": Encode(EVEN, turn=90),
}


@pytest.fixture(scope="session")
def encodes(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Give a clip of `ENCODES` by name, encoded once for all tests. Only to be read."""
    return functools.cache(lambda name: ENCODES[name].write(tmp_path_factory.mktemp("encodes") / "clip.mp4"))


@pytest.fixture(params=list(ENCODES))
def encoded(request: pytest.FixtureRequest, encodes: Callable[[str], Path]) -> Path:
    return encodes(request.param)


@pytest.fixture(scope="session")
def encode() -> type[Encode]:
    return Encode
