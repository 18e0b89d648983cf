"""A stranger's still picture, decoded in the limited child as films are: PNG, JPEG, WebP, or the first of a GIF."""

from pathlib import Path
from typing import cast

import av
from av.packet import Packet
from av.video.codeccontext import VideoCodecContext

from cutscore.core.errors import BrokenData
from cutscore.media import untrusted
from cutscore.media.budget import DEFAULT_BUDGET, Budget
from cutscore.media.colour import rgb_of
from cutscore.media.orientation import Pixels
from cutscore.media.source import Source, open_source

MOST_BYTES = 64 << 20


def read_still(path: Path, *, budget: Budget = DEFAULT_BUDGET) -> Pixels:
    """Return a picture of which nobody knows who made it: uint8 RGB of shape (height, width, 3).

    Raises:
        BrokenData: It is no picture of these kinds, is too large, or cannot be decoded.
    """
    with open_source(path) as source:
        return untrusted.still(source, budget=budget)


def decode_still(source: Source, *, budget: Budget) -> Pixels:
    """Decode a picture in this process, which is the child's."""
    if source.length > MOST_BYTES:
        raise BrokenData(source.clip, f"has {source.length} bytes, {MOST_BYTES} are allowed")
    data = source.cursor().read(source.length)
    codec = cast(VideoCodecContext, av.CodecContext.create(detect_still(data, source.clip), "r"))
    codec.options, codec.thread_count = {"max_pixels": str(budget.pixels)}, 1
    pictures = [*codec.decode(Packet(data)), *codec.decode(None)]
    if not pictures:
        raise BrokenData(source.clip, "has no picture that can be shown")
    return rgb_of(pictures[0])


def detect_still(head: bytes, what: str = "picture") -> str:
    r"""Return the decoder of a picture by its first bytes.

    >>> detect_still(b"\x89PNG\r\n\x1a\n")
    'png'
    """
    if head.startswith(b"\x89PNG\r\n"):
        return "png"
    if head.startswith(b"\xff\xd8\xff"):
        return "mjpeg"
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "webp"
    if head.startswith((b"GIF87a", b"GIF89a")):
        return "gif"
    raise BrokenData(what, "is no picture that we decode; known are PNG, JPEG, WebP and GIF")
