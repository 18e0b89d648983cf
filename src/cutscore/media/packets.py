"""The packets of a clip: how far its frames reach, and which of them have to be decoded for the wanted ones.

Reading packets without decoding them takes a fiftieth of the time. It tells when each frame is shown and where the
container marks key frames, at which decoding may begin. So a clip is read twice: once for this index, and once more to
decode the stretches in which wanted frames lie. The reader never seeks in the file; packets between the stretches are
read and dropped. A container's marks may be wrong, so each stretch is verified: it must begin with a picture that the
decoder itself calls a key frame, and give exactly the frames that the index promises. Anything else is an
`UnsafeSeek`, and then everything is decoded.

An earlier version told from the codec's own bytes where decoding may begin and which pictures no other refers to. That
was no faster (bench/frames.py, real footage, ten frames of a minute of 720p, CPU seconds on two cores):

                        H.264   HEVC    VP9
    this module          1.02   1.58   1.39
    codec bytes parsed   1.04   1.54   1.40
    seek for each time   1.50   1.89   1.40
    decode everything    3.37   3.91   3.21
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, inf
from typing import TypeAlias

import av
import numpy as np
import numpy.typing as npt
from av.packet import Packet
from av.video.frame import PictureType, VideoFrame
from av.video.stream import VideoStream

from cutscore.core.errors import BrokenData
from cutscore.media.budget import Budget
from cutscore.media.container import OpenVideo, open_video
from cutscore.media.source import Source

Ticks = npt.NDArray[np.int64]
VideoPacket: TypeAlias = "Packet[VideoStream]"  # PyAV has its types in files beside the code

# Codecs whose decoders tell key frames from the stream itself, and whose key frames end every reference backwards.
_SEEKABLE = frozenset({"av1", "dnxhd", "h264", "hevc", "prores", "vp8", "vp9"})
# Here FFmpeg can leave out pictures that no other refers to. HEVC says that of one temporal layer only.
_HAS_UNREFERENCED = frozenset({"h264"})
# No codec holds back more than 16 pictures: after so many later packets in a row, no earlier one follows.
_FAR_PACKETS = 32


class UnsafeSeek(Exception):
    """Decoding a part of this clip may not give what decoding from its start gives; the text says why."""


@dataclass(frozen=True)
class Extent:
    """How far a video stream reaches on its container's own clock, by its packets.

    Args:
        frames: Coded pictures that are meant to be shown.
        start_s: When the first of them is shown.
        end_s: When the last of them ends.
        key_frames: Coded pictures that the container marks as key frames.
    """

    frames: int
    start_s: Fraction
    end_s: Fraction
    key_frames: int


@dataclass(frozen=True, eq=False)
class Stretch:
    """Packets to decode one after the other.

    Args:
        first, last: Numbers of packets, in the order of the file.
        wanted: Numbers of the packets whose frames are wanted.
        expected: Times of the frames that may come out, in order, from the one of the first packet on.
    """

    first: int
    last: int
    wanted: frozenset[int]
    expected: Ticks


@dataclass(frozen=True, eq=False)
class PacketIndex:
    """All packets of a video stream, or those up to the last wanted time.

    Args:
        unit: Seconds of one tick.
        pts: Presentation time of each packet in ticks, in the order of the file.
        shown: Which packets are shown; an edit list may cut some away.
        keys: Numbers of the packets that the container marks as key frames.
        last_s: How long the last frame is shown.
        seek_problem: Why frames may not be taken without decoding all before them; empty if they may.
    """

    unit: Fraction
    pts: Ticks
    shown: npt.NDArray[np.bool_]
    keys: Ticks
    last_s: Fraction
    seek_problem: str

    @property
    def extent(self) -> Extent:
        """How far the frames reach."""
        times = self.times
        start, end = int(times[0]), int(times[-1])
        return Extent(len(times), start * self.unit, end * self.unit + self.last_s, len(self.keys))

    @cached_property
    def order(self) -> npt.NDArray[np.int32]:
        """Numbers of the packets that are shown, in the order of presentation."""
        numbers = np.argsort(self.pts, kind="stable").astype(np.int32)
        return numbers[self.shown[numbers]]

    @property
    def times(self) -> Ticks:
        """Times of the frames in ticks, in order; made anew each time, because of an hour's 90,000."""
        return self.pts[self.order]

    def shown_at(self, at_s: Sequence[Fraction]) -> list[int]:
        """Return for each second after the first frame the place in `times` of the frame on screen then."""
        times = self.times
        start, end = int(times[0]), int(times[-1])
        ticks = [min(end, start + floor(at / self.unit)) for at in at_s]
        return [max(0, int(place) - 1) for place in np.searchsorted(times, ticks, side="right")]

    def between(self, start_s: Fraction, end_s: Fraction) -> list[int]:
        """Return the places in `times` of the frames that begin in [start_s, end_s), seconds after the first frame."""
        times = self.times
        start, end = int(times[0]), int(times[-1])
        ends = [min(end + 1, start + ceil(at / self.unit)) for at in (start_s, end_s)]
        return list(range(*map(int, np.searchsorted(times, ends))))

    def stretches(self, places: Sequence[int]) -> list[Stretch]:
        """Return what to decode for the frames at these places in `times`, which are in order.

        The first frame is always among it: only the decoder can say whether the clip begins where its index says.
        """
        numbers = self.order[[0, *places]]
        known = np.minimum(
            np.searchsorted(self.keys, numbers, side="right"),
            np.searchsorted(self.pts[self.keys], self.pts[numbers], side="right"),
        )
        firsts = np.concatenate([[0], self.keys])[known]
        spans: list[list[int]] = []
        for first, number in zip(firsts.tolist(), numbers.tolist(), strict=True):
            if spans and first <= spans[-1][1]:
                spans[-1][1] = max(spans[-1][1], number)
            else:
                spans.append([first, number])
        wanted = np.unique(numbers)
        return [self._stretch(first, last, wanted) for first, last in spans]

    def _stretch(self, first: int, last: int, wanted: npt.NDArray[np.int32]) -> Stretch:
        part = slice(first, last + 1)
        times = np.sort(self.pts[part][self.shown[part]])
        inside = frozenset(wanted[(wanted >= first) & (wanted <= last)].tolist())
        return Stretch(first, last, inside, times if first == 0 else times[times >= self.pts[first]])


def index_of(source: Source, *, budget: Budget, until_s: Fraction | None = None, jump: bool = True) -> PacketIndex:
    """Read the packets of a clip; see `read_index`."""
    with open_video(source, budget=budget) as video:
        return read_index(video, until_s=until_s, jump=jump)


def read_index(video: OpenVideo, *, until_s: Fraction | None = None, jump: bool = True) -> PacketIndex:
    """Read the packets of a clip, and close it.

    Nothing may have been read from it yet. No frame is wanted beyond `until_s` seconds after the first; None stands for
    the whole clip. `jump` says that frames will be taken without decoding all before them.
    With `until_s` a problem is raised as `UnsafeSeek` at once: who decodes everything need not know the rest.
    """
    unit, rate = video.stream.time_base, video.stream.average_rate
    until = inf if until_s is None or not unit else floor(until_s / unit)
    seek_problem = _codec_problem(video.stream) if jump else "the clip is to be decoded from its start"
    seen = _SeenPackets()
    for packet in video.container.demux(video.stream):
        seek_problem = seek_problem or _packet_problem(packet)
        if until_s is not None and seek_problem:
            raise UnsafeSeek(seek_problem)
        if seen.beyond > _FAR_PACKETS:
            break
        if packet.pts is not None:
            seen.add(packet, packet.pts, until)
            video.budget.check_frames(video.clip, len(seen.pts))
    # FFmpeg's own index of an MP4 is larger than ours; the two need not be there together.
    video.container.close()
    if seen.first is None or unit is None:
        raise BrokenData(video.clip, "has no frame that can be shown")
    index = PacketIndex(
        unit,
        np.frombuffer(seen.pts, np.int64),
        np.frombuffer(seen.shown, np.bool_),
        np.array(seen.keys, np.int64),
        1 / rate if rate and not seen.last_length else seen.last_length * unit,
        seek_problem,
    )
    # A plan asks for frames all along the clip, so a lie about its end would ask for any number of them.
    video.budget.check_duration(video.clip, index.extent.end_s - index.extent.start_s)
    return replace(index, seek_problem=index.seek_problem or _order_problem(index))


class _SeenPackets:
    """What an index keeps of the packets that were read so far; times in ticks."""

    def __init__(self) -> None:
        self.pts, self.keys, self.shown = array("q"), array("q"), bytearray()
        self.first: int | None = None
        self.last, self.last_length = 0, 0
        self.beyond = 0  # packets in a row that are shown after the last wanted time

    def add(self, packet: VideoPacket, pts: int, until: float) -> None:
        """Take in the next packet, which has a time."""
        if packet.is_keyframe:
            self.keys.append(len(self.pts))
        self.pts.append(pts)
        self.shown.append(not packet.is_discard)
        if packet.is_discard:
            return
        if self.first is None or pts >= self.last:
            self.last, self.last_length = pts, packet.duration or 0
        self.first = pts if self.first is None else min(self.first, pts)
        self.beyond = self.beyond + 1 if pts - self.first > until else 0


def _codec_problem(stream: VideoStream) -> str:
    codec = stream.codec_context.codec.canonical_name
    return "" if codec in _SEEKABLE else f"{codec} is always decoded from the start"


def _packet_problem(packet: VideoPacket) -> str:
    if not packet.size:
        return ""
    if packet.pts is None:
        return "a packet has no time"
    if packet.is_corrupt:
        return "a packet is damaged"
    return "the codec's header changes on the way" if packet.has_sidedata("new_extradata") else ""


def _order_problem(index: PacketIndex) -> str:
    """Return what is odd about the times of a clip; empty if nothing is."""
    if np.any(np.diff(index.times) == 0):
        return "two frames have one time"
    later = index.keys[index.keys > 0]
    if np.any(np.maximum.accumulate(index.pts)[later - 1] >= index.pts[later]):
        return "a frame comes before a key frame and is shown after it"
    return ""


def decode_stretches(
    video: OpenVideo, index: PacketIndex, stretches: Sequence[Stretch]
) -> Iterator[tuple[int, VideoFrame]]:
    """Decode stretches and nothing else; yield the frames in order, with their times in ticks.

    Where we are is proved by times: each packet must have the one that the index has for it, and each frame must be
    the next that is expected. Frames that are shown before the key frame of their stretch are left out: those they
    were coded after have not been decoded.

    The clip is freshly opened, and the stretches are in order. When something else comes it is an `UnsafeSeek`, and
    the frames that were yielded are right.
    """
    video.stream.thread_type = "AUTO"
    codec = video.stream.codec_context
    skips = codec.codec.canonical_name in _HAS_UNREFERENCED
    packets = enumerate(packet for packet in video.container.demux(video.stream) if packet.pts is not None)
    meter = DecodeMeter(video)
    for stretch in stretches:
        check = _StretchCheck(index, stretch, skips=skips)
        for number, packet in packets:
            if number >= len(index.pts) or packet.pts != index.pts[number]:
                raise UnsafeSeek("the packets are others than before")
            if number < stretch.first:
                continue
            if skips:
                codec.skip_frame = "DEFAULT" if number in stretch.wanted or number == stretch.first else "NONREF"
            for picture in _decode(video, packet, last=number == stretch.last):
                meter.count(picture)
                if check.is_inside(picture):
                    yield check.verified_pts(picture), picture
            if number == stretch.last:
                codec.flush_buffers()
                break
        check.finish()


class _StretchCheck:
    """Holds the frames of one stretch to what the index promises."""

    def __init__(self, index: PacketIndex, stretch: Stretch, *, skips: bool) -> None:
        self._begin, self._jumped = int(index.pts[stretch.first]), stretch.first > 0
        self._expected = iter(stretch.expected.tolist())
        self._needed = {int(index.pts[number]) for number in stretch.wanted} if skips else None

    def is_inside(self, picture: VideoFrame) -> bool:
        """Return whether a frame is shown from the key frame on."""
        return not self._jumped or picture.pts is None or picture.pts >= self._begin

    def verified_pts(self, picture: VideoFrame) -> int:
        """Return the time of the frame that has to come next."""
        if picture.pts is None or picture.is_corrupt:
            raise UnsafeSeek("a frame is damaged")
        is_key = picture.key_frame and picture.pict_type == PictureType.I
        if self._jumped and picture.pts == self._begin and not is_key:
            raise UnsafeSeek("a packet is marked as a key frame and is none")
        for at in self._expected:
            if at == picture.pts:
                return int(at)
            self._check_missing(at)
        raise UnsafeSeek("the frames are others than the packets promise")

    def finish(self) -> None:
        """Check that no frame is missing at the end."""
        for at in self._expected:
            self._check_missing(at)

    def _check_missing(self, at: int) -> None:
        if self._needed is None or at in self._needed or (self._jumped and at == self._begin):
            raise UnsafeSeek("frames are missing")


class DecodeMeter:
    """Counts what was decoded, against the budget."""

    def __init__(self, video: OpenVideo) -> None:
        self._clip, self._budget = video.clip, video.budget
        self._frames = self._pixels = 0

    def count(self, picture: VideoFrame) -> None:
        """Count one picture."""
        self._frames += 1
        self._pixels += picture.width * picture.height
        self._budget.check_frames(self._clip, self._frames)
        self._budget.check_picture(self._clip, picture.width, picture.height)  # it may change on the way
        self._budget.check_decoded(self._clip, self._pixels)


def _decode(video: OpenVideo, packet: VideoPacket, *, last: bool) -> Iterator[VideoFrame]:
    try:
        yield from video.stream.decode(packet)
        if last:
            yield from video.stream.decode(None)
    except av.error.FFmpegError as error:
        raise UnsafeSeek(f"cannot be decoded: {error.strerror}") from error
