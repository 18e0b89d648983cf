"""The door: a file is looked at before the decoder is, and the decoder never learns a name.

To FFmpeg a name can be a protocol (`concat:…`, `http:…`) and a text can be a playlist that names other files.
So the container is told from the first bytes, one demuxer is chosen by it, the demuxer gets an open file, and
every protocol by which it could open another is taken away. Decoding still happens in this process; all of it
goes through `open_video`, so that a limited child can take its place.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import av
from av.container import InputContainer
from av.stream import Disposition
from av.video.stream import VideoStream

from cutscore.core.errors import BadInput, BrokenData

# Container as people call it → the one demuxer of FFmpeg that may read it.
DEMUXERS = {"mp4": "mov", "mov": "mov", "matroska": "matroska", "webm": "matroska"}

_HEAD_BYTES = 4096
_EBML = b"\x1a\x45\xdf\xa3"
_EBML_DOCTYPE = b"\x42\x82"
# Old QuickTime files have no `ftyp` and begin with one of these boxes.
_QUICKTIME_BOXES = {b"moov", b"mdat", b"wide", b"free", b"skip"}
# No protocol is called that, so a file inside the file cannot be opened by any.
_ALONE = {"protocol_whitelist": "none"}


@dataclass(frozen=True)
class OpenVideo:
    """A video that is ready to be demuxed.

    Args:
        name: What to call it in messages.
        kind: Container, one of `DEMUXERS`.
        stream: The first video stream that is not a cover picture.
    """

    name: str
    kind: str
    container: InputContainer
    stream: VideoStream


def container_of(head: bytes) -> str | None:
    """Tell the container from the first bytes of a file; None when it is none that we decode.

    >>> container_of(b"ffconcat version 1.0") is None
    True
    """
    if head[4:8] == b"ftyp":
        return "mov" if head[8:12] == b"qt  " else "mp4"
    if head[4:8] in _QUICKTIME_BOXES:
        return "mov"
    if head.startswith(_EBML):
        _, found, rest = head.partition(_EBML_DOCTYPE)
        length = rest[0] & 0x7F if found and rest else 0
        doctype = rest[1 : 1 + length].rstrip(b"\0").decode("ascii", errors="replace")
        return doctype if doctype in ("matroska", "webm") else None
    return None


@contextmanager
def open_video(path: Path) -> Iterator[OpenVideo]:
    """Open a video for demuxing and decoding; whatever FFmpeg says against it becomes `BrokenData`."""
    clip = f"clip '{path.name}'"
    with _open_regular(path, clip) as file:
        kind = container_of(file.read(_HEAD_BYTES))
        file.seek(0)
        if kind is None:
            known = ", ".join(DEMUXERS)
            raise BrokenData(clip, "is not a video that we decode", f"by its content it is none of {known}")
        try:
            with av.open(file, "r", format=DEMUXERS[kind], options=_ALONE, metadata_errors="replace") as container:
                yield OpenVideo(path.name, kind, container, _video_stream(container, clip))
        except av.error.FFmpegError as error:
            raise BrokenData(clip, f"cannot be decoded: {error.strerror}") from error


def _open_regular(path: Path, clip: str) -> BinaryIO:
    try:
        # Without O_NONBLOCK, opening a FIFO would wait for a writer.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise BadInput(clip, "does not exist") from None
    except OSError as error:
        raise BadInput(clip, f"cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise BrokenData(clip, "is not a regular file")
    return os.fdopen(descriptor, "rb")


def _video_stream(container: InputContainer, clip: str) -> VideoStream:
    pictures = [stream for stream in container.streams.video if not stream.disposition & Disposition.attached_pic]
    if not pictures:
        raise BrokenData(clip, "has no video stream")
    if pictures[0].codec_context is None:
        raise BrokenData(clip, "has a video codec that we do not decode")
    return pictures[0]
