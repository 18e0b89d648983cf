"""Open a media file for demuxing: it is checked before FFmpeg reads it, and FFmpeg never learns a name.

To FFmpeg a name can be a protocol (`concat:…`, `http:…`) and a text can be a playlist that names other files.
So there are walls, one behind the other:

    source.py             one regular file, opened without following a link, read by its descriptor
    budget.py             bytes, streams, tags, pixels, seconds, frames
    container_type.py     the container is told from the first bytes, and one demuxer is chosen by it
    container_checks.py   an index that points to other files or hides something is refused, and so are too many tags
    here                  no protocol is left by which another file could be opened, and only known codecs are decoded
    untrusted.py          whatever a stranger made is decoded in a process with no descriptor left to open anything

A clip that we rendered may be decoded right here; callers of `probe`, `frames`, `planes` and `audio` say which it is
(`trusted`). Whoever marks goes through `deliverable`, where nothing is.
"""

import errno
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Generic, NoReturn, TypeAlias, TypeVar

import av
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.stream import Disposition
from av.video.stream import VideoStream

from cutscore.core.errors import BrokenData
from cutscore.media.budget import DEFAULT_BUDGET, Budget
from cutscore.media.container_checks import check_index, check_tags
from cutscore.media.container_type import describe_file_type, detect_container, detect_sound_container
from cutscore.media.source import Source, open_source

S = TypeVar("S", VideoStream, AudioStream)

# Container as people call it → the one demuxer of FFmpeg that may read it.
DEMUXERS = {"mp4": "mov", "mov": "mov", "matroska": "matroska", "webm": "matroska"}
# The same for containers of sound alone. A video's container may hold sound alone too: M4A is MP4.
SOUND_DEMUXERS = {"wav": "wav", "flac": "flac", "mp3": "mp3", "ogg": "ogg"}

# Codecs that cameras, editors and generators write. FFmpeg knows hundreds more, few of them much tested.
VIDEO_CODECS = frozenset(
    {"av1", "dnxhd", "ffv1", "h264", "hevc", "mjpeg", "mpeg1video", "mpeg2video", "mpeg4", "prores", "rawvideo"}
    | {"vp8", "vp9"}
)
AUDIO_CODECS = frozenset(
    {"aac", "ac3", "alac", "eac3", "flac", "mp2", "mp3", "opus", "vorbis", "pcm_u8"}
    | {f"pcm_{kind}{end}" for kind in ("s16", "s24", "s32", "f32") for end in ("le", "be")}
)
# Decoders of FFmpeg that go by another name than their codec.
_DECODERS = frozenset({"libdav1d", "libvpx", "libvpx-vp9", "mp3float", "libopus", "libvorbis"})

_HEAD_BYTES = 4096
# Decoders refuse larger pictures as an "invalid argument". We say what is wrong as far as memory allows to look.
_ROOM_TO_COMPLAIN = 8
# Each thread holds pictures of its own; more of them would not fit a child's memory at 8K.
_MOST_THREADS = 8


@dataclass(frozen=True)
class OpenStream(Generic[S]):
    """One stream of a file, ready to be demuxed.

    Args:
        kind: Container, one of `DEMUXERS` or, for sound, `SOUND_DEMUXERS`.
        stream: The first video stream that is not a cover picture, or the first audio stream.
        budget: What it may still cost; whoever demuxes or decodes counts.
    """

    name: str
    kind: str
    container: InputContainer
    stream: S
    budget: Budget = DEFAULT_BUDGET

    @property
    def clip(self) -> str:
        """What to call it in messages."""
        return f"clip '{self.name}'"


OpenVideo: TypeAlias = OpenStream[VideoStream]
OpenSound: TypeAlias = OpenStream[AudioStream]


@dataclass(frozen=True)
class OpenMedia:
    """A file that passed the door, of which no stream was chosen yet; covers are not among its `pictures`."""

    source: Source
    kind: str
    container: InputContainer
    pictures: tuple[VideoStream, ...]


@contextmanager
def open_video(path: Path | Source, *, budget: Budget = DEFAULT_BUDGET) -> Iterator[OpenVideo]:
    """Open a video for demuxing and decoding; whatever FFmpeg says against it becomes `BrokenData`."""
    with open_media(path, budget=budget, demuxers=DEMUXERS) as media:
        yield as_video(media, budget)


def as_video(media: OpenMedia, budget: Budget) -> OpenVideo:
    """Take an open file for its pictures."""
    stream = _video_stream(media, budget)
    _check_durations(media, budget)
    return OpenStream(media.source.name, media.kind, media.container, stream, budget)


@contextmanager
def open_sound(path: Path | Source, *, budget: Budget = DEFAULT_BUDGET) -> Iterator[OpenSound]:
    """Open a video with sound, or a file of sound alone, for demuxing and decoding its sound."""
    with open_media(path, budget=budget) as media:
        clip, stream = media.source.clip, next(iter(media.container.streams.audio), None)
        if stream is None:
            raise BrokenData(clip, "has no sound")
        codec = stream.codec_context
        if codec is None or codec.codec.canonical_name not in AUDIO_CODECS:
            raise BrokenData(
                clip, "has an audio codec that we do not decode", f"known are {', '.join(sorted(AUDIO_CODECS))}"
            )
        if media.pictures and media.kind not in DEMUXERS:
            raise BrokenData(clip, f"has pictures in a container of sound, {media.kind}", "deliver a video")
        budget.check_sound(clip, stream.rate, stream.channels)
        _check_durations(media, budget)
        yield OpenStream(media.source.name, media.kind, media.container, stream, budget)


@contextmanager
def open_media(
    path: Path | Source,
    *,
    budget: Budget = DEFAULT_BUDGET,
    demuxers: Mapping[str, str] = DEMUXERS | SOUND_DEMUXERS,
) -> Iterator[OpenMedia]:
    """Open a file of one of these containers and check all that does not depend on the stream.

    FFmpeg keeps an index of every packet of an MP4 while it is open: up to 25 MB for an hour.
    """
    with open_source(path) as source:
        kind = _check_container(source, budget, demuxers)
        try:
            with av.open(
                source.cursor(),
                "r",
                format=demuxers[kind],
                options=_safe_options(budget),
                metadata_errors="replace",
                io_open=_refuse_to_open,
            ) as container:
                yield OpenMedia(source, kind, container, _check_streams(container, source.clip, budget))
        except (av.error.FFmpegError, MemoryError) as error:
            if isinstance(error, MemoryError) or error.errno == errno.ENOMEM:
                raise BrokenData(source.clip, "needs more memory than there is for it") from error
            raise BrokenData(source.clip, f"cannot be decoded: {error.strerror}") from error


def _check_container(source: Source, budget: Budget, demuxers: Mapping[str, str]) -> str:
    """Return the container of a file, or refuse the file, before FFmpeg reads any of it."""
    budget.check_file(source.clip, source.length)
    head = source.cursor().read(_HEAD_BYTES)
    kind = detect_container(head) or detect_sound_container(head)
    if kind is None or kind not in demuxers:
        what = "a video" if demuxers is DEMUXERS else "a video or sound"
        known = f"{describe_file_type(head)}; known are {', '.join(demuxers)}"
        raise BrokenData(source.clip, f"is not {what} that we decode", known)
    if kind in DEMUXERS:
        check_index(source, kind, budget)
    else:
        check_tags(source, kind, budget)
    return kind


def _safe_options(budget: Budget) -> dict[str, str]:
    """Return options for the demuxer and for the decoders that it tries while opening."""
    return {
        "protocol_whitelist": "none",  # no protocol is called that, so none can be opened
        "codec_whitelist": ",".join(sorted(VIDEO_CODECS | AUDIO_CODECS | _DECODERS)),
        "max_pixels": str(_ROOM_TO_COMPLAIN * budget.pixels),
        "max_streams": str(budget.streams),
    }


def _refuse_to_open(url: str, flags: int, options: dict[str, str]) -> NoReturn:
    """Stand where FFmpeg asks for a file beside the one that it has."""
    raise PermissionError(f"a clip may not open {url!r}")


def _check_streams(container: InputContainer, clip: str, budget: Budget) -> tuple[VideoStream, ...]:
    """Return the video streams that are no covers, after a look at how many streams and notes there are."""
    streams = container.streams
    pictures = tuple(stream for stream in streams.video if not stream.disposition & Disposition.attached_pic)
    budget.check_streams(clip, len(streams), len(pictures))
    if streams.attachments:
        raise BrokenData(clip, "carries attached files", "deliver it without attachments")
    notes = [container.metadata, *(stream.metadata for stream in streams)]
    budget.check_metadata(clip, sum(len(key) + len(text.encode()) for note in notes for key, text in note.items()))
    return pictures


def _video_stream(media: OpenMedia, budget: Budget) -> VideoStream:
    clip = media.source.clip
    if not media.pictures:
        raise BrokenData(clip, "has no video stream")
    chosen = media.pictures[0]
    codec = chosen.codec_context
    if codec is None or codec.codec.canonical_name not in VIDEO_CODECS:
        name = f", {codec.codec.canonical_name}" if codec else ""
        raise BrokenData(
            clip, f"has a video codec that we do not decode{name}", f"known are {', '.join(sorted(VIDEO_CODECS))}"
        )
    budget.check_picture(clip, chosen.width, chosen.height)
    codec.options = {"max_pixels": str(_ROOM_TO_COMPLAIN * budget.pixels)}
    codec.thread_count = min(_MOST_THREADS, os.cpu_count() or 1)
    return chosen


def _check_durations(media: OpenMedia, budget: Budget) -> None:
    """Hold the container to what it says about lengths."""
    budget.check_duration(media.source.clip, Fraction(media.container.duration or 0, av.time_base))
    for stream in media.container.streams:
        if stream.duration and stream.time_base:
            budget.check_duration(media.source.clip, stream.duration * stream.time_base)
