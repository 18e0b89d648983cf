"""Frames by plan, exact by presentation time.

At time t a player shows the last frame whose presentation time is at most t, and the first frame before that.
Times count from the first video frame, whatever clock the container keeps, so a clip that starts at 10 s or at
-0.08 s begins at 0. Of a clip that we trust, only the stretches in which wanted frames lie are decoded (`packets.py`).
A stranger's clip is decoded from its start: its key frames may lie. Only the wanted frames become pixels, so memory
does not grow with the clip.

Pixels are 8-bit RGB as shown: turned upright, at the stored size (pixels that are not square are not
stretched), in the colours that `colour.py` says.
"""

import hashlib
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, islice, repeat
from pathlib import Path

import av
import numpy as np
from av.video.frame import VideoFrame
from av.video.reformatter import Colorspace

from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.files import FileRef
from cutscore.core.manifest import FrameManifest, SeenFrame
from cutscore.media import untrusted
from cutscore.media.budget import DEFAULT_BUDGET, Budget
from cutscore.media.colour import EXACT, rgb_of
from cutscore.media.container import OpenVideo, open_video
from cutscore.media.kept_decodes import decode_or_recall
from cutscore.media.orientation import Pixels
from cutscore.media.packets import DecodeMeter, PacketIndex, UnsafeSeek, decode_stretches, index_of
from cutscore.media.plan import Every, FramePlan, Released, Times
from cutscore.media.source import Source, open_source


@dataclass(frozen=True, eq=False)
class Frame:
    """One decoded picture.

    Args:
        at_s: Its own presentation time, which may lie before the time that was asked for.
        pixels: uint8 RGB of shape (height, width, 3), read-only.
        taken_s: Its own time where it is shown at the place of another, whose time is then `at_s`.
    """

    at_s: Fraction
    pixels: Pixels
    taken_s: Fraction | None = None


def read_frames(path: Path, plan: FramePlan, *, trusted: bool = True, budget: Budget = DEFAULT_BUDGET) -> list[Frame]:
    """Return the frames of a plan in order of time: one for each of its times, so a frame may come twice."""
    return list(iter_frames(path, plan, trusted=trusted, budget=budget))


def iter_frames(
    path: Path | Source, plan: FramePlan, *, trusted: bool = True, budget: Budget = DEFAULT_BUDGET
) -> Iterator[Frame]:
    """Return the frames of a plan one by one, as they are decoded.

    `trusted` says that we know who made the file: an item's clip, whose hash is pinned, or one that we rendered.
    Whatever a subject handed in is not; it is decoded in a limited child, with equal frames.
    """
    what = ("frames", str(plan), trusted, budget)
    return decode_or_recall(
        path, what, lambda: _iter_frames(path, plan, trusted, budget), lambda one: one.pixels.nbytes
    )


def _iter_frames(path: Path | Source, plan: FramePlan, trusted: bool, budget: Budget) -> Iterator[Frame]:
    with open_source(path) as source:
        if trusted:
            yield from decode_frames(source, plan, budget=budget, jump=True)
        else:
            yield from (Frame(at_s, pixels) for at_s, pixels in untrusted.frames(source, str(plan), budget=budget))


def decode_frames(source: Source, plan: FramePlan, *, budget: Budget, jump: bool) -> Iterator[Frame]:
    """Decode the frames of a plan in this process, one by one.

    `jump` leaves out what no wanted frame needs; otherwise everything is decoded from the start.
    """
    index, given = _read_plan_index(source, plan, budget, jump=jump), 0
    if index is not None and not index.seek_problem:
        try:
            for frame in _seek_frames(source, plan, index, budget):
                yield frame
                given += 1
            return
        except UnsafeSeek:  # all frames that were given are right, and a scan finds the others
            pass
    yield from islice(_scan_frames(source, plan, index, budget), given, None)


def _read_plan_index(source: Source, plan: FramePlan, budget: Budget, *, jump: bool) -> PacketIndex | None:
    """Read the packets as far as a plan needs them; None where they are of no use to it."""
    if isinstance(plan, Every) and not plan.start_s:  # no frame can be left out
        return None
    until_s = plan.at_s[-1] if isinstance(plan, Times) else plan.end_s if isinstance(plan, Every) else None
    with suppress(UnsafeSeek):
        return index_of(source, budget=budget, until_s=until_s, jump=jump)
    return None


def _seek_frames(source: Source, plan: FramePlan, index: PacketIndex, budget: Budget) -> Iterator[Frame]:
    """Decode what the wanted frames need and nothing else."""
    extent = index.extent
    if isinstance(plan, Every):
        places: Sequence[int] = index.between(plan.start_s, plan.end_s)
    elif isinstance(plan, Released):
        places = plan.numbers(extent.frames, extent.end_s - extent.start_s)
    else:
        places = index.shown_at(plan.times(extent.end_s - extent.start_s))
    due = Counter(index.times[list(places)].tolist())
    with open_video(source, budget=budget) as video:
        for ticks, picture in decode_stretches(video, index, index.stretches(places)):
            if ticks in due:
                yield from repeat(Frame(ticks * index.unit - extent.start_s, rgb_of(picture)), due[ticks])


def _scan_frames(source: Source, plan: FramePlan, index: PacketIndex | None, budget: Budget) -> Iterator[Frame]:
    """Decode everything from the start up to the last wanted frame."""
    if isinstance(plan, Released):  # only whoever has seen all frames knows their number
        with open_video(source, budget=budget) as video:
            clock = [at_s for at_s, _ in decode_in_order(video)]
        gaps = len(clock) - 1
        shown_s = (clock[-1] - clock[0]) * len(clock) / gaps if gaps > 0 else Fraction(0)  # the last is shown as well
        numbers = plan.numbers(len(clock), shown_s)
        plan = Times(tuple(clock[number] - clock[0] for number in numbers)) if numbers else plan
    with open_video(source, budget=budget) as video:
        pictures = decode_in_order(video)
        first = next(pictures, None)
        if first is None:
            raise BrokenData(f"clip '{video.name}'", "has no frame that can be shown")
        start_s = first[0]
        from_zero = ((at_s - start_s, picture) for at_s, picture in chain([first], pictures))
        if isinstance(plan, Every):
            yield from _frames_between(plan.start_s, plan.end_s, from_zero)
        else:
            end_s = start_s if isinstance(plan, Times) or index is None else index.extent.end_s
            yield from _frames_shown_at(plan.times(end_s - start_s), from_zero)


def decode_in_order(video: OpenVideo) -> Iterator[tuple[Fraction, VideoFrame]]:
    """Decode in order of presentation, with times on the container's clock.

    A frame that would have to be shown before its predecessor comes too late and is dropped, as players do, and
    so is a frame without a time: Matroska's demuxer takes the time away from frames before 0.
    """
    video.stream.thread_type = "AUTO"
    latest: Fraction | None = None
    start: Fraction | None = None
    meter = DecodeMeter(video)
    for picture in video.container.decode(video.stream):
        meter.count(picture)
        if picture.pts is None or picture.time_base is None:
            continue
        at_s = picture.pts * picture.time_base
        start = at_s if start is None else start
        video.budget.check_duration(video.clip, at_s - start)
        if latest is None or at_s >= latest:
            latest = at_s
            yield at_s, picture


def _frames_between(
    start_s: Fraction, end_s: Fraction, pictures: Iterable[tuple[Fraction, VideoFrame]]
) -> Iterator[Frame]:
    for at_s, picture in pictures:
        if at_s >= end_s:
            return
        if at_s >= start_s:
            yield Frame(at_s, rgb_of(picture))


def _frames_shown_at(times: Sequence[Fraction], pictures: Iterator[tuple[Fraction, VideoFrame]]) -> Iterator[Frame]:
    """Return for each of the sorted times the frame that is on screen then."""
    left = deque(times)
    shown = next(pictures)
    while left:
        following = next(pictures, None)
        due = 0
        while left and (following is None or left[0] < following[0]):
            left.popleft()
            due += 1
        if due:
            yield from repeat(Frame(shown[0], rgb_of(shown[1])), due)
        shown = following or shown


def manifest(clip: FileRef, plan: FramePlan, frames: Iterable[Frame]) -> FrameManifest:
    """Record which frames were looked at, in the order shown: each with its own time and the hash of its raw RGB."""
    seen = tuple(
        SeenFrame(
            at_s=frame.at_s if frame.taken_s is None else frame.taken_s,
            sha256=hashlib.sha256(frame.pixels.tobytes()).hexdigest(),
            width=frame.pixels.shape[1],
            height=frame.pixels.shape[0],
        )
        for frame in frames
    )
    return FrameManifest(clip=clip, plan=str(plan), decoder=decoder_version(), frames=seen)


def decoder_version() -> str:
    """Name what decodes here, with versions: two runs may differ because of it."""
    return f"PyAV {av.__version__}, FFmpeg {av.ffmpeg_version_info}"


def encode_jpeg(pixels: Pixels, *, quality: int = 90) -> bytes:
    """Write RGB pixels as a JPEG: full range, BT.601, colour at full resolution; equal bytes for equal pixels.

    Quality is 1 to 100 on the usual scale, where 50 stands for the standard quantisation and 90 for a fifth of it. The
    encoder knows 31 steps, so near values may give the same file.
    """
    if not 1 <= quality <= 100:
        raise BadInput("jpeg", f"quality is {quality}", "give 1 to 100")
    height, width = check_pixels(pixels, "jpeg")
    strength = (100 - quality) / 50 if quality >= 50 else 50 / quality
    # The encoder divides its steps by 8: step 8 is the standard table.
    step = str(min(31, max(1, round(8 * strength))))
    codec = av.CodecContext.create("mjpeg", "w")
    codec.width, codec.height, codec.pix_fmt = width, height, "yuvj444p"  # the j stands for full range
    codec.time_base, codec.thread_count = Fraction(1), 1
    codec.options = {"qmin": step, "qmax": step, "flags": "+bitexact"}
    picture = VideoFrame.from_ndarray(pixels, format="rgb24").reformat(
        format="yuvj444p", dst_colorspace=Colorspace.ITU601, interpolation=EXACT, threads=1
    )
    return b"".join(bytes(packet) for packet in [*codec.encode(picture), *codec.encode(None)])


def check_pixels(pixels: Pixels, what: str) -> tuple[int, int]:
    """Return height and width of RGB pixels, or refuse what is something else."""
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3 or 0 in pixels.shape:
        shape = "×".join(map(str, pixels.shape))
        raise BadInput(what, f"pixels are {pixels.dtype} of shape {shape}", "give uint8 of shape height×width×3")
    return pixels.shape[0], pixels.shape[1]
