"""Pixels and sound to a clip: H.264 in MP4, the same bytes for the same frames.

Clips play in every browser: yuv420p, BT.709 at limited range and tagged so, index in front. One encoder thread,
processor-independent code paths, no clock and no version stamp from the container: equal frames give equal
bytes as long as the libraries are the same. (AAC is encoded in floats, so its bytes are equal on one kind of
processor.)
"""

import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
from av.audio.frame import AudioFrame
from av.container import OutputContainer
from av.video.frame import VideoFrame
from av.video.reformatter import ColorRange
from av.video.stream import VideoStream

from cutscore.atomic import replace_file
from cutscore.core.errors import BadInput, NoRoom
from cutscore.media.colour import RgbToYuv
from cutscore.media.frames import check_pixels
from cutscore.media.orientation import Pixels
from cutscore.media.sound import Sound

# Goes up whenever the same frames and sound may give another file; caches of clips know it.
VERSION = 2

_BT709 = 1  # its number in each of the three colour tags
_AAC_RATES_HZ = (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000)
_AAC_BITS_PER_CHANNEL = 96_000
_AAC_BLOCK = 1024  # samples
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO}


def write_clip(
    path: Path,
    frames: Iterable[Pixels],
    *,
    rate: Fraction,
    crf: int = 18,
    preset: str = "medium",
    sound: Sound | None = None,
) -> None:
    """Write frames, and sound if there is any, as an MP4 that appears whole or not at all.

    Args:
        path: File to make or replace.
        frames: RGB pixels, uint8 of shape (height, width, 3), all of one size. Both sides must be even, since
            colour is stored at half resolution; other sizes are refused, because a padded picture is another
            picture.
        rate: Frames a second, exactly.
        crf: Quality of x264, from 1 to 51; 18 looks like the source.
        preset: Effort of x264; `ultrafast` takes a fifth of the time of `medium`, for clips that nobody will keep.
        sound: Heard from the first frame on, encoded as AAC. It is not fitted to the length of the frames; AAC has
            blocks of 1024 samples, so up to one block of silence follows it.
    """
    clip = f"clip '{path.name}'"
    _check_settings(clip, rate, crf, sound)
    with replace_file(path) as unfinished, _muxer(unfinished, clip) as out:
        video: VideoStream | None = None
        converter: RgbToYuv | None = None
        feed = None
        for number, pixels in enumerate(frames):
            if video is None or converter is None:
                video = _add_video(out, clip, pixels, rate, crf=crf, preset=preset)
                converter = RgbToYuv(video.width, video.height)
                feed = None if sound is None else SoundFeed(out, sound)
            out.mux(video.encode(_picture(clip, pixels, number, video, converter)))
            if feed is not None:  # step by step with the pictures, so that the muxer holds little back
                feed.up_to((number + 1) / rate)
        if video is None:
            raise BadInput(clip, "has no frames", "give at least one")
        out.mux(video.encode(None))
        if feed is not None:
            feed.rest()


def _check_settings(clip: str, rate: Fraction, crf: int, sound: Sound | None) -> None:
    if rate <= 0:
        raise BadInput(clip, f"would have {rate} frames a second", "give a rate above 0")
    if not 1 <= crf <= 51:
        raise BadInput(clip, f"crf is {crf}", "give 1 to 51")
    if sound is not None and sound.rate_hz not in _AAC_RATES_HZ:
        known = ", ".join(map(str, _AAC_RATES_HZ))
        raise BadInput(clip, f"AAC has no sample rate of {sound.rate_hz} Hz", f"give one of {known}")


@contextmanager
def _muxer(path: Path, clip: str) -> Iterator[OutputContainer]:
    try:
        with av.open(str(path), "w", format="mp4", options={"movflags": "+faststart", "fflags": "+bitexact"}) as out:
            yield out
    except av.error.FFmpegError as error:
        kind = NoRoom if error.errno in _NO_ROOM else BadInput
        raise kind(clip, f"cannot be written: {error.strerror}") from error


def _add_video(
    out: OutputContainer, clip: str, pixels: Pixels, rate: Fraction, *, crf: int, preset: str
) -> VideoStream:
    height, width = check_pixels(pixels, clip)
    if height % 2 or width % 2:
        raise BadInput(clip, f"frames are {width}×{height}", "crop or pad them to even sides")
    exact = {"threads": "1", "x264-params": "cpu-independent=1", "flags": "+bitexact"}
    stream = out.add_stream("libx264", rate=rate, options={"crf": str(crf), "preset": preset, **exact})
    stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
    codec = stream.codec_context
    codec.colorspace = codec.color_primaries = codec.color_trc = _BT709
    codec.color_range = ColorRange.MPEG
    return stream


def _picture(clip: str, pixels: Pixels, number: int, stream: VideoStream, converter: RgbToYuv) -> VideoFrame:
    height, width = check_pixels(pixels, clip)
    if (width, height) != (stream.width, stream.height):
        raise BadInput(clip, f"frame {number} is {width}×{height}, the first is {stream.width}×{stream.height}")
    picture = converter.convert(pixels, number)
    picture.pts, picture.time_base = number, 1 / stream.codec_context.framerate
    return picture


class SoundFeed:
    """Hands samples to the encoder in step with the pictures."""

    def __init__(self, out: OutputContainer, sound: Sound) -> None:
        self._out, self._sound, self._done = out, sound, 0
        self._layout = "mono" if sound.channels == 1 else "stereo"
        self._stream = out.add_stream("aac", rate=sound.rate_hz, options={"flags": "+bitexact", "threads": "1"})
        self._stream.layout = self._layout
        self._stream.bit_rate = _AAC_BITS_PER_CHANNEL * sound.channels

    def up_to(self, time_s: Fraction) -> None:
        """Encode the samples up to a time."""
        end = min(len(self._sound.samples), int(time_s * self._sound.rate_hz))
        self._encode(self._sound.samples[self._done : end])

    def rest(self) -> None:
        """Encode what is left and end the stream."""
        samples = self._sound.samples[self._done :]
        # The encoder loses the end of a last block that is not full, so it is filled up with silence.
        missing = -len(self._sound.samples) % _AAC_BLOCK
        self._encode(np.pad(samples, [(0, missing), *[(0, 0)] * (samples.ndim - 1)]))
        self._out.mux(self._stream.encode(None))

    def _encode(self, samples: npt.NDArray[np.float32]) -> None:
        if len(samples) == 0:
            return
        planes = np.ascontiguousarray(samples.reshape(len(samples), -1).T)
        frame = AudioFrame.from_ndarray(planes, format="fltp", layout=self._layout)
        frame.sample_rate, frame.time_base = self._sound.rate_hz, Fraction(1, self._sound.rate_hz)
        frame.pts = self._done
        self._out.mux(self._stream.encode(frame))
        self._done += len(samples)
