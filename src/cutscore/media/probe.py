"""What a video file is: container, streams, pictures, colour, sound, length."""

from fractions import Fraction
from pathlib import Path

import av
from av.stream import Stream
from av.video.frame import VideoFrame

from cutscore.core.errors import BrokenData
from cutscore.core.frozen import FrozenModel
from cutscore.core.timeline import Seconds
from cutscore.media import untrusted
from cutscore.media.budget import DEFAULT_BUDGET, Budget
from cutscore.media.container import OpenVideo, open_video
from cutscore.media.orientation import orientation_of
from cutscore.media.packets import Extent, index_of
from cutscore.media.source import Source, open_source, shown_name

Rate = Seconds  # an exact fraction that JSON carries as text, here in frames a second
Ratio = Seconds

# Numbers of the standard on coded colour (ITU-T H.273), by the names that FFmpeg's users know; 2 and 3 say nothing.
_MATRICES = {0: "rgb", 1: "bt709", 4: "fcc", 5: "bt470bg", 6: "smpte170m", 7: "smpte240m", 9: "bt2020nc", 10: "bt2020c"}


def _number_names(first: int, names: str) -> dict[int, str]:
    return dict(enumerate(names.split(), first))


_PRIMARIES = {1: "bt709", 22: "ebu3213"} | _number_names(
    4, "bt470m bt470bg smpte170m smpte240m film bt2020 smpte428 smpte431 smpte432"
)
_TRANSFERS = {1: "bt709"} | _number_names(
    4,
    "gamma22 gamma28 smpte170m smpte240m linear log100 log316 iec61966-2-4 bt1361e iec61966-2-1 bt2020-10 bt2020-12"
    " smpte2084 smpte428 arib-std-b67",
)
_RANGES = {1: "limited", 2: "full"}


class StreamInfo(FrozenModel):
    """One stream of the file; codec (FFmpeg's name) and language (`eng`, by the container) are empty if unknown."""

    kind: str
    codec: str = ""
    language: str = ""


class Colour(FrozenModel):
    """How stored samples are meant; empty where the stream does not say it, or says it by a private number."""

    matrix: str = ""
    primaries: str = ""
    transfer: str = ""
    range: str = ""


class SoundTrack(FrozenModel):
    """The first audio stream; `layout` names its channels (`stereo`, `5.1`)."""

    codec: str
    rate_hz: int
    channels: int
    layout: str
    language: str = ""


class Probe(FrozenModel):
    """Facts about one file.

    Args:
        container: `mp4`, `mov`, `matroska` or `webm`, from the content and not from the name.
        codec: Video codec as FFmpeg names it (`h264`).
        width, height: Size in pixels as shown, after rotation. Pixels that are not square stay as they are.
        rotation: Degrees that the stored picture is turned counterclockwise to be shown: 0, 90, 180 or 270.
        mirrored: Whether it is then mirrored left to right.
        sample_aspect: Width of a stored pixel divided by its height; 1 where nobody says.
        display_aspect: Width of the picture as shown divided by its height, pixels that are not square included.
        pixel_format: As stored (`yuv420p`).
        bits: Depth of a stored sample.
        interlaced: Whether the first frame is marked as two fields.
        rate: Average frames a second as the container tells; None when it does not.
        base_rate: The lowest rate at which all time stamps can be told, as FFmpeg guesses it; for a variable rate it
            lies above `rate`.
        time_base: Seconds of one tick of the stream's clock.
        container_s: Length of the longest stream as the container claims; None when it does not.
        duration_s: From the first frame's time to the last frame's end; None when not scanned.
        frames: Coded pictures that are meant to be shown; None when not scanned.
        key_frames: How many of all coded pictures the container marks as key frames; None when not scanned.
    """

    container: str
    codec: str
    width: int
    height: int
    rotation: int
    mirrored: bool
    sample_aspect: Ratio
    display_aspect: Ratio
    pixel_format: str
    bits: int
    colour: Colour
    interlaced: bool
    rate: Rate | None
    base_rate: Rate | None
    time_base: Seconds | None
    container_s: Seconds | None
    duration_s: Seconds | None
    frames: int | None
    key_frames: int | None
    sound: SoundTrack | None
    streams: tuple[StreamInfo, ...]


def probe(path: Path | Source, *, scan: bool = True, trusted: bool = True, budget: Budget = DEFAULT_BUDGET) -> Probe:
    """Look at a file. The first frame is decoded, so a codec that only claims to be one is found out.

    `scan` reads all packets, without decoding them, for the exact length and number of frames. Whatever a subject
    handed in is not `trusted`: it is looked at in a limited child.
    """
    with open_source(path) as source:
        if not trusted:
            try:
                return Probe.model_validate_json(untrusted.probe(source, scan=scan, budget=budget))
            except ValueError:
                raise BrokenData(source.clip, "made the decoder send a malformed answer") from None
        # One after the other: FFmpeg keeps an index of every packet as long as a file is open.
        extent = index_of(source, budget=budget, jump=False).extent if scan else None
        with open_video(source, budget=budget) as video:
            return _facts(video, extent)


def _facts(video: OpenVideo, extent: Extent | None) -> Probe:
    stream, container = video.stream, video.container
    frame = next(container.decode(stream), None)
    if frame is None:
        raise BrokenData(video.clip, "has no frame that can be shown")
    video.budget.check_picture(video.clip, frame.width, frame.height)
    orientation = orientation_of(frame)
    upright = orientation.turn in (0, 180)
    aspect = stream.sample_aspect_ratio or Fraction(1)
    stored = aspect * frame.width / frame.height
    return Probe(
        container=video.kind,
        codec=stream.codec_context.name,
        width=frame.width if upright else frame.height,
        height=frame.height if upright else frame.width,
        rotation=orientation.turn,
        mirrored=orientation.mirrored,
        sample_aspect=aspect,
        display_aspect=stored if upright else 1 / stored,
        pixel_format=frame.format.name,
        bits=frame.format.components[0].bits,
        colour=_colour(frame),
        interlaced=frame.interlaced_frame,
        rate=stream.average_rate,
        base_rate=stream.base_rate,
        time_base=stream.time_base,
        container_s=None if container.duration is None else Fraction(container.duration, av.time_base),
        duration_s=extent and extent.end_s - extent.start_s,
        frames=extent and extent.frames,
        key_frames=extent and extent.key_frames,
        sound=_sound_track(video),
        streams=tuple(_track(each) for each in container.streams),
    )


def _colour(frame: VideoFrame) -> Colour:
    return Colour(
        matrix=_MATRICES.get(int(frame.colorspace), ""),
        primaries=_PRIMARIES.get(int(frame.color_primaries), ""),
        transfer=_TRANSFERS.get(int(frame.color_trc), ""),
        range="full" if frame.format.name.startswith("yuvj") else _RANGES.get(int(frame.color_range), ""),
    )


def _track(stream: Stream) -> StreamInfo:
    codec = stream.codec_context.name if stream.codec_context is not None else ""
    return StreamInfo(kind=stream.type, codec=codec, language=_language(stream))


def _language(stream: Stream) -> str:
    said = shown_name(stream.language or "", most=20)
    return "" if said == "und" else said  # how MP4 writes that nobody said


def extent_of(path: Path | Source, *, trusted: bool = True, budget: Budget = DEFAULT_BUDGET) -> Extent:
    """Read every packet of the video stream and tell how far its frames reach.

    Packets that an edit list cuts away do not count. A last frame whose length nobody tells lasts as long as the
    average frame.
    """
    with open_source(path) as source:
        if not trusted:
            return untrusted.extent(source, budget=budget)
        return index_of(source, budget=budget, jump=False).extent


def _sound_track(video: OpenVideo) -> SoundTrack | None:
    tracks = video.container.streams.audio
    if not tracks or tracks[0].codec_context is None:
        return None
    return SoundTrack(
        codec=tracks[0].codec_context.name,
        rate_hz=tracks[0].rate,
        channels=tracks[0].channels,
        layout=tracks[0].layout.name,
        language=_language(tracks[0]),
    )
