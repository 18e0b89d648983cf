"""Every picture of a clip in order of presentation, as exact luma or as RGB, whichever is asked for.

Most measurements look at luma, which the file stores: handing it out as decoded is exact and costs nothing, while
a conversion to RGB costs as much as a third of the decoding. A picture is converted when somebody asks, once for
each kind, and is gone when nobody holds it, so memory does not grow with the clip.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from av.video.frame import VideoFrame
from av.video.reformatter import ColorRange

from cutscore.core.errors import BrokenData
from cutscore.media import untrusted
from cutscore.media.budget import DEFAULT_BUDGET, Budget
from cutscore.media.colour import EXACT, Luma, rgb_of, thumbnail_of
from cutscore.media.container import open_video
from cutscore.media.frames import decode_in_order
from cutscore.media.kept_decodes import decode_or_recall
from cutscore.media.orientation import Pixels, orientation_of
from cutscore.media.source import Source, open_source

# Formats whose first plane is luma, one sample a pixel, lowest bits used; all others are converted first.
_LUMA_FIRST = ("yuv4", "yuvj4", "yuva4", "gray", "nv12", "nv21")
_PLAIN = "yuv444p"
_ALL_FORMS: tuple[untrusted.Form, ...] = ("luma", "rgb")

AnyPicture = TypeVar("AnyPicture")


@dataclass(frozen=True, eq=False)
class Picture:
    """One decoded picture; `at_s` counts from the clip's first picture, `clock_s` is on the container's own clock."""

    at_s: Fraction
    clock_s: Fraction
    decoded: VideoFrame

    @cached_property
    def luma(self) -> Luma:
        """The Y plane: for a stream that stores RGB or packed YUV, the one of its 8-bit conversion."""
        stored = self.decoded
        component = stored.format.components[0]
        if not stored.format.name.startswith(_LUMA_FIRST) or component.bits > 16 or stored.format.is_big_endian:
            stored = stored.reformat(format=_PLAIN, interpolation=EXACT, threads=1)
            component = stored.format.components[0]
        kind, bytes_each = (np.uint8, 1) if component.bits <= 8 else (np.uint16, 2)
        plane = stored.planes[0]
        # A row in memory is longer than the picture is wide; the view skips what lies beyond.
        rows: npt.NDArray[Any] = np.frombuffer(memoryview(plane), dtype=kind).reshape(
            plane.height, plane.line_size // bytes_each
        )
        samples = orientation_of(self.decoded).apply(rows[:, : plane.width])
        samples.flags.writeable = False
        # Formats with a j say it by their name; a stream that says nothing is limited, as FFmpeg reads it.
        full_range = stored.color_range == ColorRange.JPEG or stored.format.name.startswith("yuvj")
        return Luma(samples, component.bits, full_range)

    @cached_property
    def rgb(self) -> Pixels:
        """uint8 RGB of shape (height, width, 3), upright and read-only, equal to what `read_frames` gives."""
        return rgb_of(self.decoded)

    @cached_property
    def thumbnail(self) -> Pixels:
        """The same in small, for people to look at."""
        return thumbnail_of(self.decoded)


def iter_pictures(
    path: Path | Source,
    *,
    forms: Sequence[untrusted.Form] = ("luma", "rgb"),
    numbers: Sequence[int] | None = None,
    trusted: bool = True,
    budget: Budget = DEFAULT_BUDGET,
) -> Iterator[Picture | untrusted.SentPicture]:
    """Decode a clip from its start, one picture at a time; the same pictures at the same times as `iter_frames`.

    Whatever a subject handed in is not `trusted`: it is decoded in a limited child, with equal pictures. A child sends
    the forms that are named and no more, and with `numbers` (from 0, in order) only those pictures.
    """
    if trusted:
        every = decode_or_recall(path, ("pictures", budget), lambda: _decode(path, budget), _weigh_bytes)
        return every if numbers is None else choose_numbers(every, numbers)
    if numbers is not None:
        what: tuple[object, ...] = ("sent pictures", tuple(forms), budget, tuple(numbers))
        return decode_or_recall(path, what, partial(_decode_in_child, path, forms, budget, numbers), _weigh_bytes)
    what = ("sent pictures", tuple(forms), budget)
    decode = partial(_decode_in_child, path, forms, budget)
    or_what = ("sent pictures", _ALL_FORMS, budget) if set(forms) <= set(_ALL_FORMS) else ()
    return decode_or_recall(path, what, decode, _weigh_bytes, or_what=or_what)


def choose_numbers(pictures: Iterator[AnyPicture], numbers: Sequence[int]) -> Iterator[AnyPicture]:
    """Return the pictures with these numbers, and look no further than the last of them."""
    wanted = frozenset(numbers)
    until = islice(enumerate(pictures), max(wanted, default=-1) + 1)
    return (picture for number, picture in until if number in wanted)


def _weigh_bytes(picture: Picture | untrusted.SentPicture) -> int:
    """Return what a picture takes when all of its forms have been asked for."""
    if isinstance(picture, untrusted.SentPicture):
        return sum(each.nbytes for each in picture.sent.values())
    return 9 * picture.decoded.width * picture.decoded.height // 2  # as stored, mostly 4:2:0, and as RGB


def _decode_in_child(
    path: Path | Source, forms: Sequence[untrusted.Form], budget: Budget, numbers: Sequence[int] | None = None
) -> Iterator[untrusted.SentPicture]:
    with open_source(path) as source:
        yield from untrusted.pictures(source, forms, numbers=numbers, budget=budget)


def _decode(path: Path | Source, budget: Budget) -> Iterator[Picture]:
    with open_video(path, budget=budget) as video:
        start_s = None
        for at_s, decoded in decode_in_order(video):
            start_s = at_s if start_s is None else start_s
            yield Picture(at_s - start_s, at_s, decoded)
        if start_s is None:
            raise BrokenData(f"clip '{video.name}'", "has no frame that can be shown")
