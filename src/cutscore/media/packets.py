"""The packets of a clip: how far its frames reach, and which of them need not be decoded for the wanted ones.

Reading packets without decoding them takes a fiftieth of the time. It tells when each frame is shown and, with
`anchors.py`, where decoding may begin. So a clip is read twice: once for this index, and once more to decode the
stretches in which wanted frames lie. The reader never jumps in the file, whose own index may lie; packets between the
stretches are read and dropped. This decodes a part of what decoding everything does and never more, so there is no
choice to make, except that any doubt means to decode everything.
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, floor

import av
import numpy as np
import numpy.typing as npt
from av.video.frame import VideoFrame

from cutscore.core.errors import BrokenData
from cutscore.media.anchors import Check, Doubt, Role, VideoPacket, checker
from cutscore.media.budget import Budget
from cutscore.media.intake import OpenVideo, open_video
from cutscore.media.source import Source

Ticks = npt.NDArray[np.int64]

# No codec holds back more than 16 pictures: after so many later packets in a row, no earlier one follows.
_FAR_PACKETS = 32


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
        needed: Which of the packets are decoded; those that no other needs are left out unless they are wanted.
        expected: Times of the frames that must come out, in order, from the one of the first packet on.
    """

    first: int
    last: int
    needed: npt.NDArray[np.bool_]
    expected: Ticks


@dataclass(frozen=True, eq=False)
class PacketIndex:
    """All packets of a video stream, or those up to the last wanted time.

    Args:
        unit: Seconds of one tick.
        pts: Presentation time of each packet in ticks, in the order of the file.
        shown: Which packets are shown; an edit list may cut some away.
        anchors: Numbers of the packets with which decoding may begin.
        spare: Which packets no other packet needs.
        last_s: How long the last frame is shown.
        key_frames: How many packets the container marks as key frames.
        doubt: Why frames may not be taken without decoding all before them; empty if they may.
    """

    unit: Fraction
    pts: Ticks
    shown: npt.NDArray[np.bool_]
    anchors: Ticks
    spare: npt.NDArray[np.bool_]
    last_s: Fraction
    key_frames: int
    doubt: str

    @property
    def extent(self) -> Extent:
        times = self.times
        start, end = int(times[0]), int(times[-1])
        return Extent(len(times), start * self.unit, end * self.unit + self.last_s, self.key_frames)

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
        """Describe what to decode for the frames at these places in `times`, which are in order.

        The first frame is always among it: only the decoder can say whether the clip begins where its index says.
        """
        numbers = self.order[[0, *places]]
        known = np.minimum(
            np.searchsorted(self.anchors, numbers, side="right"),
            np.searchsorted(self.pts[self.anchors], self.pts[numbers], side="right"),
        )
        firsts = np.concatenate([[0], self.anchors])[known]
        spans: list[list[int]] = []
        for first, number in zip(firsts.tolist(), numbers.tolist(), strict=True):
            if spans and first <= spans[-1][1]:
                spans[-1][1] = max(spans[-1][1], number)
            else:
                spans.append([first, number])
        needed = ~self.spare
        needed[numbers] = True
        return [self._stretch(first, last, needed[first : last + 1]) for first, last in spans]

    def _stretch(self, first: int, last: int, needed: npt.NDArray[np.bool_]) -> Stretch:
        part = slice(first, last + 1)
        times = np.sort(self.pts[part][self.shown[part] & needed])
        return Stretch(first, last, needed, times if first == 0 else times[times >= self.pts[first]])


def index_of(source: Source, *, budget: Budget, until_s: Fraction | None = None, jump: bool = True) -> PacketIndex:
    """Read the packets of a clip; see `read_index`."""
    with open_video(source, budget=budget) as video:
        return read_index(video, until_s=until_s, jump=jump)


def read_index(video: OpenVideo, *, until_s: Fraction | None = None, jump: bool = True) -> PacketIndex:
    """Read the packets of a clip, and close it.

    Args:
        video: The clip, from which nothing has been read yet.
        until_s: Seconds after the first frame beyond which no frame is wanted; None for the whole clip.
        jump: Whether to look for anchors.

    Raises:
        Doubt: With `until_s`, as soon as there is one: who decodes everything need not know the rest of the clip.
    """
    unit, rate = video.stream.time_base, video.stream.average_rate
    pts, anchors, shown, spare = array("q"), array("q"), bytearray(), bytearray()
    start, last, length, beyond, key_frames = None, 0, 0, 0, 0
    until = float("inf") if until_s is None or not unit else floor(until_s / unit)
    look = _Look(video, jump)
    for packet in video.container.demux(video.stream):
        role = look.role(packet)
        if until_s is not None and look.doubt:
            raise Doubt(look.doubt)
        if beyond > _FAR_PACKETS:
            break
        if packet.pts is None:
            continue
        if role is Role.ANCHOR:
            anchors.append(len(pts))
        spare.append(role is Role.SPARE)
        pts.append(packet.pts)
        key_frames += packet.is_keyframe
        shown.append(not packet.is_discard)
        video.budget.check_frames(video.clip, len(pts))
        if packet.is_discard:
            continue
        if start is None or packet.pts >= last:
            last, length = packet.pts, packet.duration or 0
        start = packet.pts if start is None else min(start, packet.pts)
        beyond = beyond + 1 if packet.pts - start > until else 0
    # FFmpeg's own index of an MP4 is larger than ours; the two need not be there together.
    video.container.close()
    if start is None or unit is None:
        raise BrokenData(video.clip, "has no frame that can be shown")
    index = PacketIndex(
        unit,
        np.frombuffer(pts, np.int64),
        np.frombuffer(shown, np.bool_),
        np.array(anchors, np.int64),
        np.frombuffer(spare, np.bool_),
        1 / rate if rate and not length else length * unit,
        key_frames,
        look.doubt,
    )
    # A plan asks for frames all along the clip, so a lie about its end would ask for any number of them.
    video.budget.check_duration(video.clip, index.extent.end_s - index.extent.start_s)
    return replace(index, doubt=index.doubt or _disorder(index))


class _Look:
    """Looks at each packet as long as there is no doubt."""

    def __init__(self, video: OpenVideo, jump: bool) -> None:
        self.doubt = "" if jump else "nobody looked"
        self._check: Check | None = None
        if jump:
            try:
                self._check = checker(video.stream)
            except (Doubt, IndexError) as doubt:
                self.doubt = str(doubt)

    def role(self, packet: VideoPacket) -> Role:
        if self._check is None or self.doubt or not packet.size:
            return Role.LINK
        if packet.pts is None:
            self.doubt = "a packet has no time"
        elif packet.is_corrupt:
            self.doubt = "a packet is damaged"
        elif packet.has_sidedata("new_extradata"):
            self.doubt = "the codec's header changes on the way"
        else:
            try:
                return self._check(packet)
            except (Doubt, IndexError) as doubt:
                self.doubt = str(doubt) or "a packet is cut off"
        return Role.LINK


def _disorder(index: PacketIndex) -> str:
    """Describe what is odd about the times of a clip; empty if nothing is."""
    if np.any(np.diff(index.times) == 0):
        return "two frames have one time"
    later = index.anchors[index.anchors > 0]
    if np.any(np.maximum.accumulate(index.pts)[later - 1] >= index.pts[later]):
        return "a frame comes before an anchor and is shown after it"
    return ""


def decode_stretches(
    video: OpenVideo, index: PacketIndex, stretches: Sequence[Stretch]
) -> Iterator[tuple[int, VideoFrame]]:
    """Decode stretches and nothing else; give the frames in order, with their times in ticks.

    Where we are is proved by times: each packet must have the one that the index has for it, and each frame must be
    the next that is expected. Frames that are shown before the anchor of their stretch are left out: those they were
    coded after have not been decoded.

    Args:
        video: The clip, freshly opened.
        index: Its packets.
        stretches: In order.

    Raises:
        Doubt: Something else came; the frames that were given are right.
    """
    video.stream.thread_type = "AUTO"
    codec, budget = video.stream.codec_context, video.budget
    packets = enumerate(packet for packet in video.container.demux(video.stream) if packet.pts is not None)
    decoded = decoded_pixels = 0
    for stretch in stretches:
        expected, begin = iter(stretch.expected.tolist()), index.pts[stretch.first]
        for number, packet in packets:
            if number >= len(index.pts) or packet.pts != index.pts[number]:
                raise Doubt("the packets are others than before")
            if number < stretch.first or not stretch.needed[number - stretch.first]:
                continue
            for picture in _decoded(video, packet, last=number == stretch.last):
                decoded += 1
                decoded_pixels += picture.width * picture.height
                budget.check_frames(video.clip, decoded)
                budget.check_picture(video.clip, picture.width, picture.height)
                budget.check_decoded(video.clip, decoded_pixels)
                if stretch.first and picture.pts is not None and picture.pts < begin:
                    continue
                if picture.pts is None or picture.pts != next(expected, None) or picture.is_corrupt:
                    raise Doubt("the frames are others than the packets promise")
                yield picture.pts, picture
            if number == stretch.last:
                codec.flush_buffers()
                break
        if next(expected, None) is not None:
            raise Doubt("frames are missing")


def _decoded(video: OpenVideo, packet: VideoPacket, *, last: bool) -> Iterator[VideoFrame]:
    try:
        yield from video.stream.decode(packet)
        if last:
            yield from video.stream.decode(None)
    except av.error.FFmpegError as error:
        raise Doubt(f"cannot be decoded: {error.strerror}") from error
