"""The door: a file is looked at before the decoder is, and the decoder never learns a name.

To FFmpeg a name can be a protocol (`concat:…`, `http:…`) and a text can be a playlist that names other files.
So there are walls, one behind the other:

    source.py    one regular file, opened without following a link, read by its descriptor
    budget.py    bytes, streams, notes, pixels, seconds, frames
    here         the container is told from the first bytes, and one demuxer is chosen by it
    boxes.py     an index that points to other files or hides something is refused unread
    notes.py     so are tags out of proportion
    here         no protocol is left by which another file could be opened, and only known codecs are decoded
    child.py     whatever a stranger made is decoded in a process that has no descriptor left to open anything with

A clip that we rendered may be decoded right here; callers of `probe`, `frames`, `planes` and `listen` say which it is
(`trusted`). Whoever marks goes through `deliverable`, where nothing is.
"""

import errno
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal, NoReturn

import av
from av.audio.frame import AudioFrame
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.stream import Disposition
from av.video.stream import VideoStream

from cutscore.core.errors import BrokenData
from cutscore.media.boxes import Track, check_index
from cutscore.media.budget import PLAIN, Budget
from cutscore.media.edits import Edit, Odd, simple_edit
from cutscore.media.notes import check_notes
from cutscore.media.sniff import container_of, likeness, sound_container_of
from cutscore.media.source import Masked, Source, held
from cutscore.media.tables import Tables, tables

__all__ = [
    "AUDIO_CODECS",
    "DEMUXERS",
    "SOUND_DEMUXERS",
    "VIDEO_CODECS",
    "OpenMedia",
    "OpenSound",
    "OpenVideo",
    "as_video",
    "container_of",
    "open_media",
    "open_sound",
    "open_video",
]

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

Only = Literal["pictures", "sound"] | None
_UNWANTED = {"pictures": b"soun", "sound": b"vide"}  # handlers of tracks

_HEAD_BYTES = 4096
# Decoders refuse larger pictures as an "invalid argument". We say what is wrong as far as memory allows to look.
_ROOM_TO_COMPLAIN = 8
# Each thread holds pictures of its own; more of them would not fit a child's memory at 8K.
_MOST_THREADS = 8


@dataclass(frozen=True)
class OpenVideo:
    """A video that is ready to be demuxed.

    Args:
        name: What to call it in messages.
        kind: Container, one of `DEMUXERS`.
        stream: The first video stream that is not a cover picture.
        budget: What it may still cost; whoever demuxes or decodes counts.
        edit: By which packets were merely shifted, see `open_video`; None otherwise.
    """

    name: str
    kind: str
    container: InputContainer
    stream: VideoStream
    budget: Budget = PLAIN
    edit: Edit | None = None

    @property
    def clip(self) -> str:
        return f"clip '{self.name}'"


@dataclass(frozen=True)
class OpenSound:
    """A file whose sound is ready to be demuxed.

    Args:
        name: What to call it in messages.
        kind: Container, one of `DEMUXERS` or `SOUND_DEMUXERS`.
        stream: The first audio stream.
        budget: What it may still cost; whoever decodes counts.
        tables: By which we read packets ourselves; None where FFmpeg reads them all.
        later_by: See `Tables.later_by`.
    """

    name: str
    kind: str
    container: InputContainer
    stream: AudioStream
    budget: Budget = PLAIN
    tables: Tables | None = None
    later_by: int = 0

    @property
    def clip(self) -> str:
        return f"clip '{self.name}'"

    def decoded(self) -> Iterator[AudioFrame]:
        """Decode it from its start."""
        if self.tables is None:
            yield from self.container.decode(self.stream)
            return
        for packet in self.tables.packets(self.container, self.stream, self.later_by):
            yield from self.stream.decode(packet)
        yield from self.stream.decode(None)


@dataclass(frozen=True)
class OpenMedia:
    """A file that passed the door, of which no stream was chosen yet.

    Args:
        pictures: Its video streams without covers.
        tables: Of its sound, if it has one sound and the container shows but the head of it.
        edit: Of its only track of pictures, if that is merely shifted.
    """

    source: Source
    kind: str
    container: InputContainer
    pictures: tuple[VideoStream, ...]
    tables: Tables | None = None
    edit: Edit | None = None


@contextmanager
def open_video(
    path: Path | Source,
    *,
    budget: Budget = PLAIN,
    with_sound: bool = False,
    head: bool = False,
    shifted: bool = False,
) -> Iterator[OpenVideo]:
    """Open a video for demuxing and decoding; whatever FFmpeg says against it becomes `BrokenData`.

    Args:
        path: The file.
        budget: What it may cost.
        with_sound: Whether to see what sound there is, too; not to decode it.
        head: Whether its first packets are enough.
        shifted: Whether a simple edit list may shift the packets and need not be followed, which takes half the memory.
            Packets that it cuts away are then there like all others; whoever asks for it has to look (`edits.Whole`).
    """
    only: Only = None if with_sound else "pictures"
    heads = {b"vide", b"soun"} if head else {b"soun"}
    with open_media(path, budget=budget, demuxers=DEMUXERS, only=only, heads=heads, shifted=shifted) as media:
        yield as_video(media, budget)


def as_video(media: OpenMedia, budget: Budget) -> OpenVideo:
    """Take an open file for its pictures."""
    stream = _video_stream(media, budget)
    _check_durations(media, budget)
    return OpenVideo(media.source.name, media.kind, media.container, stream, budget, media.edit)


@contextmanager
def open_sound(path: Path | Source, *, budget: Budget = PLAIN) -> Iterator[OpenSound]:
    """Open a video with sound, or a file of sound alone, for demuxing and decoding its sound."""
    with held(path) as source, _open_sound(source, budget) as (media, later_by):
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
        yield OpenSound(media.source.name, media.kind, media.container, stream, budget, media.tables, later_by)


@contextmanager
def _open_sound(source: Source, budget: Budget) -> Iterator[tuple[OpenMedia, int]]:
    """Open a file for its sound, of which FFmpeg reads no more than it has to."""
    later_by = None
    with suppress(BrokenData), open_media(source, budget=budget, only="sound", heads={b"soun"}) as media:
        if media.tables and media.container.streams.audio:
            later_by = media.tables.later_by(media.container, media.container.streams.audio[0])
    with open_media(source, budget=budget, only="sound", heads={b"soun"} if later_by is not None else ()) as media:
        yield media, later_by or 0


@contextmanager
def open_media(
    path: Path | Source,
    *,
    budget: Budget = PLAIN,
    demuxers: Mapping[str, str] = DEMUXERS | SOUND_DEMUXERS,
    only: Only = None,
    heads: Collection[bytes] = (),
    shifted: bool = False,
) -> Iterator[OpenMedia]:
    """Open a file of one of these containers and check all that does not depend on the stream.

    Args:
        path: The file.
        budget: What it may cost.
        demuxers: Containers that are welcome.
        only: `pictures` or `sound` for whoever wants nothing else. FFmpeg keeps some 40 bytes of every packet of an
            MP4 in memory, of all its tracks, and twice that while it opens it: 17 MB for an hour of film.
        heads: Handlers of tracks of which the first packets are enough, however long they are.
        shifted: See `open_video`.
    """
    with held(path) as source:
        clip = source.clip
        budget.check_file(clip, source.length)
        head = source.cursor().read(_HEAD_BYTES)
        kind = container_of(head) or sound_container_of(head)
        if kind is None or kind not in demuxers:
            what = "a video" if demuxers is DEMUXERS else "a video or sound"
            raise BrokenData(
                clip, f"is not {what} that we decode", f"{likeness(head)}; known are {', '.join(demuxers)}"
            )
        tracks: tuple[Track, ...] = ()
        if kind in DEMUXERS:
            tracks = check_index(source, kind, budget)
        else:
            check_notes(source, kind, budget)
        # A track whose box is taken for free space is none.
        masks = {track.kind_at: b"free" for track in tracks if only and track.handler == _UNWANTED[only]}
        headed = [(track.handler, tables(source, track)) for track in tracks if track.handler in heads]
        for _, each in headed:
            masks |= each.masks if each else {}
        sounds = [each for handler, each in headed if handler == b"soun"]
        edit = _only_edit(source, tracks) if shifted else None
        try:
            with av.open(
                Masked(source.cursor(), masks) if masks else source.cursor(),
                "r",
                format=demuxers[kind],
                options=_walls(budget) | ({} if edit is None else {"advanced_editlist": "0"}),
                metadata_errors="replace",
                io_open=_refuse_to_open,
            ) as container:
                pictures = _pictures(container, clip, budget)
                yield OpenMedia(source, kind, container, pictures, sounds[0] if len(sounds) == 1 else None, edit)
        except (av.error.FFmpegError, MemoryError) as error:
            if isinstance(error, MemoryError) or error.errno == errno.ENOMEM:
                raise BrokenData(clip, "needs more memory than there is for it") from error
            raise BrokenData(clip, f"cannot be decoded: {error.strerror}") from error


def _only_edit(source: Source, tracks: Sequence[Track]) -> Edit | None:
    """Return the simple edit of the only track of pictures."""
    films = [track for track in tracks if track.handler == b"vide"]
    with suppress(Odd):
        return simple_edit(source, films[0].parts) if len(films) == 1 else None
    return None


def _walls(budget: Budget) -> dict[str, str]:
    """Options for the demuxer and for the decoders that it tries while opening."""
    return {
        "protocol_whitelist": "none",  # no protocol is called that, so none can be opened
        "codec_whitelist": ",".join(sorted(VIDEO_CODECS | AUDIO_CODECS | _DECODERS)),
        "max_pixels": str(_ROOM_TO_COMPLAIN * budget.pixels),
        "max_streams": str(budget.streams),
    }


def _refuse_to_open(url: str, flags: int, options: dict[str, str]) -> NoReturn:
    """Stand where FFmpeg asks for a file beside the one that it has."""
    raise PermissionError(f"a clip may not open {url!r}")


def _pictures(container: InputContainer, clip: str, budget: Budget) -> tuple[VideoStream, ...]:
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
