"""What a video file is: container, pictures, sound, length."""

from fractions import Fraction
from pathlib import Path

import av

from cutscore.core.errors import BrokenData
from cutscore.core.noun import Noun
from cutscore.core.timeline import Seconds
from cutscore.media import child
from cutscore.media.budget import PLAIN, Budget
from cutscore.media.intake import OpenVideo, open_video
from cutscore.media.orientation import orientation_of
from cutscore.media.packets import Extent, read_index
from cutscore.media.source import Source, held

Rate = Seconds  # an exact fraction that JSON carries as text, here in frames a second


class SoundTrack(Noun):
    """The first audio stream."""

    codec: str
    rate_hz: int
    channels: int


class Probe(Noun):
    """Facts about one file.

    Args:
        container: `mp4`, `mov`, `matroska` or `webm`, from the content and not from the name.
        codec: Video codec as FFmpeg names it (`h264`).
        width, height: Size in pixels as shown, after rotation. Pixels that are not square stay as they are.
        rotation: Degrees that the stored picture is turned counterclockwise to be shown: 0, 90, 180 or 270.
        mirrored: Whether it is then mirrored left to right.
        pixel_format: As stored (`yuv420p`).
        rate: Average frames a second as the container tells; None when it does not.
        container_s: Length of the longest stream as the container claims; None when it does not.
        duration_s: From the first frame's time to the last frame's end; None when not scanned.
        frames: Coded pictures that are meant to be shown; None when not scanned.
        sound: First audio stream, or None.
    """

    container: str
    codec: str
    width: int
    height: int
    rotation: int
    mirrored: bool
    pixel_format: str
    rate: Rate | None
    container_s: Seconds | None
    duration_s: Seconds | None
    frames: int | None
    sound: SoundTrack | None


def probe(path: Path | Source, *, scan: bool = True, trusted: bool = True, budget: Budget = PLAIN) -> Probe:
    """Look at a file. The first frame is decoded, so a codec that only claims to be one is found out.

    Args:
        path: The file.
        scan: Whether to read all packets (not decode them) for the exact length and number of frames.
        trusted: False for whatever a subject handed in: it is looked at in a limited child.
        budget: What the file may cost.
    """
    if not trusted:
        with held(path) as source:
            answer = child.probe(source, scan=scan, budget=budget)
        try:
            return Probe.model_validate_json(answer)
        except ValueError:
            raise BrokenData(source.clip, "made the decoder talk nonsense") from None
    with held(path) as source, open_video(source, budget=budget, with_sound=True) as video:
        stream, container = video.stream, video.container
        frame = next(container.decode(stream), None)
        if frame is None:
            raise BrokenData(f"clip '{video.name}'", "has no frame that can be shown")
        orientation = orientation_of(frame)
        upright = orientation.turn in (0, 180)
        budget.check_picture(video.clip, frame.width, frame.height)
        extent = extent_of(source, budget=budget) if scan else None
        return Probe(
            container=video.kind,
            codec=stream.codec_context.name,
            width=frame.width if upright else frame.height,
            height=frame.height if upright else frame.width,
            rotation=orientation.turn,
            mirrored=orientation.mirrored,
            pixel_format=frame.format.name,
            rate=stream.average_rate,
            container_s=None if container.duration is None else Fraction(container.duration, av.time_base),
            duration_s=extent and extent.end_s - extent.start_s,
            frames=extent and extent.frames,
            sound=_sound_track(video),
        )


def extent_of(path: Path | Source, *, trusted: bool = True, budget: Budget = PLAIN) -> Extent:
    """Read every packet of the video stream and tell how far its frames reach.

    Packets that an edit list cuts away do not count. A last frame whose length nobody tells lasts as long as the
    average frame.
    """
    if not trusted:
        with held(path) as source:
            return Extent(*child.extent(source, budget=budget))
    with open_video(path, budget=budget) as video:
        return read_index(video, jump=False).extent


def _sound_track(video: OpenVideo) -> SoundTrack | None:
    tracks = video.container.streams.audio
    if not tracks or tracks[0].codec_context is None:
        return None
    return SoundTrack(codec=tracks[0].codec_context.name, rate_hz=tracks[0].rate, channels=tracks[0].channels)
