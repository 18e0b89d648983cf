"""The same film, encoded as others would: what honest work may look like, and an instrument must not mind.

Colour is stored as `render.write_clip` stores it, so that the codec, its quality and its clock alone differ.
"""

from fractions import Fraction
from pathlib import Path

import av
from av.video.reformatter import ColorRange
from av.video.stream import VideoStream

from cutscore.core.errors import BadInput
from cutscore.core.timeline import Span
from cutscore.media.colour import RgbToYuv
from cutscore.media.edit import join_footage, replace_sound, trim
from cutscore.media.footage import Footage
from cutscore.media.render import SoundFeed

_BT709 = 1
AAC_BLOCK = 1024  # samples that an encoder of AAC is late by, where nobody takes them off again


def write_as(
    footage: Footage,
    path: Path,
    *,
    codec: str = "libx264",
    options: dict[str, str] | None = None,
    tick_s: Fraction | None = None,
    container: str = "mp4",
    index: str = "",
) -> None:
    """Write footage with another encoder, quality, clock or container.

    `codec` and `container` are as FFmpeg names them, and the codec takes 4:2:0. Times of pictures are rounded to ticks
    of `tick_s` seconds; one tick is one picture by default. `index` says how an MP4 is laid out (`movflags`).
    """
    clock, layout = tick_s or 1 / footage.rate, {"movflags": index} if index else {}
    with av.open(str(path), "w", format=container, options={"fflags": "+bitexact", **layout}) as out:
        stream: VideoStream | None = None
        feed: SoundFeed | None = None
        for number, pixels in enumerate(footage.pictures()):
            if stream is None:
                height, width = pixels.shape[:2]
                stream = _configure_stream(
                    out.add_stream(codec, rate=footage.rate, options=options or {}), width, height, clock
                )
                converter = RgbToYuv(width, height)
                feed = SoundFeed(out, footage.sound) if footage.sound is not None else None
            picture = converter.convert(pixels, number)
            picture.pts, picture.time_base = round(number / footage.rate / clock), clock
            out.mux(stream.encode(picture))
            if feed is not None:
                feed.up_to((number + 1) / footage.rate)
        if stream is None:
            raise BadInput(f"clip '{path.name}'", "has no frames", "give at least one")
        out.mux(stream.encode(None))
        if feed is not None:
            feed.rest()


def _configure_stream(stream: object, width: int, height: int, clock: Fraction) -> VideoStream:
    assert isinstance(stream, VideoStream)
    stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
    stream.time_base = clock
    codec = stream.codec_context
    codec.time_base = clock
    codec.colorspace = codec.color_primaries = codec.color_trc = _BT709
    codec.color_range = ColorRange.MPEG
    return stream


def delay_pictures(footage: Footage) -> Footage:
    """Show the first picture twice and the last one not at all, as a change of rates does; the sound stays."""
    picture_s = 1 / footage.rate
    first = trim(footage, Span(start_s=0, end_s=picture_s))
    late = join_footage([first, trim(footage, Span(start_s=0, end_s=footage.length_s - picture_s))])
    return replace_sound(late, footage.sound)


def advance_pictures(footage: Footage) -> Footage:
    """Leave the first picture out and show the last one twice; the sound stays."""
    picture_s = 1 / footage.rate
    last = trim(footage, Span(start_s=footage.length_s - picture_s, end_s=footage.length_s))
    return replace_sound(
        join_footage([trim(footage, Span(start_s=picture_s, end_s=footage.length_s)), last]), footage.sound
    )


def delay_sound(footage: Footage) -> Footage:
    """Let the sound come as late as an encoder of AAC makes it."""
    if footage.sound is None:
        return footage
    return replace_sound(footage, footage.sound, late_s=Fraction(AAC_BLOCK, footage.sound.rate_hz))
