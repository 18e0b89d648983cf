"""Decoding a part gives what decoding everything gives, to the bit; where in doubt, everything is decoded."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.core.errors import BrokenData
from cutscore.media import frames as frames_module
from cutscore.media.budget import DEFAULT_BUDGET, Budget
from cutscore.media.container import open_video
from cutscore.media.frames import Frame, iter_frames, read_frames
from cutscore.media.packets import PacketIndex, UnsafeSeek, decode_stretches, read_index
from cutscore.media.plan import Every, FramePlan, Released
from cutscore.media.source import open_source

EVEN = [40 * number for number in range(48)]
KEEP_NEGATIVE = {"avoid_negative_ts": "disabled"}
CLOSED = {"g": "12", "bf": "3", "x264-params": "scenecut=0:b-pyramid=normal"}
HEVC = "log-level=none:scenecut=0:keyint=12:min-keyint=12:bframes=3:pools=none:frame-threads=1"
VP9 = {"g": "12", "deadline": "realtime", "cpu-used": "8", "lag-in-frames": "0"}
SMALL = {"size": (96, 64)}

# What to encode; how many stretches are decoded for the first and the last frame; why not two, if there is a reason.
GRID: dict[str, tuple[dict[str, object], int, str]] = {
    "B-frames that others refer to": ({"options": CLOSED}, 2, ""),
    "variable rate": ({"pts": [at + 7 * (at % 120 > 40) for at in EVEN], "options": CLOSED}, 2, ""),
    "starts at 10 s": ({"pts": [10_000 + at for at in EVEN], "options": CLOSED}, 2, ""),
    "cut by an edit list": ({"pts": [at - 80 for at in EVEN], "options": CLOSED, "muxer": KEEP_NEGATIVE}, 2, ""),
    "no edit list": ({"options": CLOSED, "muxer": {"use_editlist": "0"}}, 2, ""),
    "fragmented": ({"options": CLOSED, "muxer": {"movflags": "+frag_keyframe+empty_moov"}}, 2, ""),
    "quicktime": ({"options": CLOSED, "format": "mov"}, 2, ""),
    "matroska": ({"options": CLOSED, "format": "matroska"}, 2, ""),
    "turned": ({"options": CLOSED, "turn": 90}, 2, ""),
    "odd size": ({"options": CLOSED, "pix_fmt": "yuv444p", "size": (97, 63)}, 2, ""),
    "10 bit": ({"options": CLOSED, "pix_fmt": "yuv420p10le"}, 2, ""),
    "parameter sets at every key frame": (
        {"options": CLOSED | {"x264-params": "scenecut=0:repeat-headers=1:annexb=0"}}, 2, "",
    ),
    "open GOP": ({"options": CLOSED | {"x264-params": "open-gop=1:scenecut=0"}}, 2, ""),
    "refreshed bit by bit": (
        {"options": {"g": "12", "x264-params": "intra-refresh=1"}}, 2, "frames are missing",
    ),
    "one key frame": ({"options": {"g": "999", "bf": "2"}}, 1, ""),
    "hevc": ({"codec": "libx265", "options": {"x265-params": HEVC + ":open-gop=0"}}, 2, ""),
    "hevc, open GOP": ({"codec": "libx265", "options": {"x265-params": HEVC + ":open-gop=1"}}, 2, ""),
    "vp8": ({"codec": "libvpx", "format": "webm", "options": VP9}, 2, ""),
    "vp9": ({"codec": "libvpx-vp9", "format": "webm", "options": VP9}, 2, ""),
    "vp9 with frames that are not shown": (
        {"codec": "libvpx-vp9", "format": "webm", "options": {"g": "12", "cpu-used": "8", "auto-alt-ref": "1"}}, 2, "",
    ),
    "mjpeg": ({"codec": "mjpeg", "format": "mov", "pix_fmt": "yuvj422p"}, 0, "mjpeg is always decoded from the start"),
    "prores": ({"codec": "prores_ks", "format": "mov", "pix_fmt": "yuv422p10le", "options": {"profile": "0"}}, 2, ""),
    "starts before 0": ({"pts": [at - 80 for at in EVEN], "format": "matroska", "muxer": KEEP_NEGATIVE}, 0, "no time"),
    "mpeg4": ({"codec": "mpeg4", "options": {"g": "12", "bf": "2"}}, 0, "mpeg4 is always decoded from the start"),
    "interlaced": (
        {
            "codec": "mpeg2video", "pts": range(48), "unit": Fraction(1, 25),
            "options": {"g": "12", "flags": "+ildct+ilme"},
        },
        0, "mpeg2video is always decoded from the start",
    ),
    "ffv1": ({"codec": "ffv1", "format": "matroska", "options": {"g": "12"}}, 0, "ffv1 is always decoded"),
}  # fmt: skip
# Much like others of the grid: `make test-real` has time for them.
COUSINS = {"starts at 10 s", "no edit list", "fragmented", "quicktime", "turned", "odd size", "10 bit", "hevc", "vp8"}
COUSINS |= {"vp9", "prores", "ffv1"}
PLANS = ["uniform=3", "fps=2,max=3", "times=0;0.4799;0.48;1.51;99", "every@0.9-1.2", "released:covebench,frames=4"]


def index_of(path: Path, until_s: Fraction | None = None) -> PacketIndex:
    with open_video(path) as video:
        return read_index(video, until_s=until_s)


def scanned(path: Path, plan: FramePlan) -> list[Frame]:
    with open_source(path) as source:
        return list(frames_module._scan_frames(source, plan, index_of(path), DEFAULT_BUDGET))


def assert_same(got: list[Frame], wanted: list[Frame]) -> None:
    assert [frame.at_s for frame in got] == [frame.at_s for frame in wanted]
    for frame, other in zip(got, wanted, strict=True):
        np.testing.assert_array_equal(frame.pixels, other.pixels)


def wanted_of(every: list[Frame], plan: FramePlan, duration_s: Fraction) -> list[Frame]:
    """Choose among all frames of a clip, the naive way."""
    if isinstance(plan, Every):
        return [frame for frame in every if plan.start_s <= frame.at_s < plan.end_s]
    if isinstance(plan, Released):
        return [every[number] for number in plan.numbers(len(every))]
    return [[frame for frame in every if frame.at_s <= at_s][-1] for at_s in plan.times(duration_s)]


def assert_jump_is_scan(path: Path, *specs: str) -> None:
    for spec in specs or PLANS:
        plan = FramePlan.parse(spec)
        assert_same(read_frames(path, plan), scanned(path, plan))


def jump_doubt(path: Path, index: PacketIndex) -> str:
    with open_source(path) as source, pytest.raises(UnsafeSeek) as doubt:
        list(frames_module._seek_frames(source, FramePlan.parse("uniform=3"), index, DEFAULT_BUDGET))
    return str(doubt.value)


@pytest.fixture
def written(tmp_path: Path, encode: type) -> Callable[..., Path]:
    def write(**wishes: object) -> Path:
        return encode(**{"pts": EVEN, **SMALL, **wishes}).write(tmp_path / f"clip{len(list(tmp_path.iterdir()))}.mp4")

    return write


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.real if name in COUSINS else ()) for name in GRID]
)
def test_a_jump_gives_the_frames_of_a_scan(name: str, written: Callable[..., Path]) -> None:
    wishes, stretches, doubt = GRID[name]
    path = written(**wishes)
    index = index_of(path)
    if doubt:
        found = index.seek_problem or jump_doubt(path, index)
        assert doubt in found
        assert_jump_is_scan(path)
        return
    assert (index.seek_problem, len(index.stretches([len(index.times) - 1]))) == ("", stretches)
    every = scanned(path, FramePlan.parse("every@0-99"))
    for spec in PLANS:  # nothing is left to a scan
        plan = FramePlan.parse(spec)
        with open_source(path) as source:
            got = list(frames_module._seek_frames(source, plan, index, DEFAULT_BUDGET))
        assert_same(got, wanted_of(every, plan, index.extent.end_s - index.extent.start_s))


@pytest.mark.real
def test_a_jump_in_av1_gives_the_frames_of_a_scan(written: Callable[..., Path]) -> None:
    path = written(codec="libsvtav1", options={"g": "12", "preset": "12", "svtav1-params": "lp=1"})
    assert len(index_of(path).keys) == 4
    assert_jump_is_scan(path)


def test_a_strangers_clip_is_decoded_from_its_start(written: Callable[..., Path]) -> None:
    path, plan = written(options=CLOSED), FramePlan.parse("uniform=3")
    assert_same(read_frames(path, plan, trusted=False), scanned(path, plan))
    with pytest.raises(BrokenData, match="decodes to more than"):
        read_frames(path, plan, trusted=False, budget=Budget(decoded_pixels=96 * 64 * 30))
    read_frames(path, plan, budget=Budget(decoded_pixels=96 * 64 * 30))


def remuxed(path: Path, change: Callable[[int, av.Packet], av.Packet], *, format: str = "mp4") -> Path:
    """Write the packets of a clip anew, each as it is after the change."""
    out_path = path.with_name(f"changed {path.name}")
    with av.open(str(path)) as clip, av.open(str(out_path), "w", format=format) as out:
        stream = out.add_stream_from_template(clip.streams.video[0])
        for number, packet in enumerate(clip.demux(video=0)):
            if packet.size:
                changed = change(number, packet)
                changed.stream = stream
                out.mux(changed)
    return out_path


def with_data(packet: av.Packet, data: bytes) -> av.Packet:
    twin = av.Packet(data)
    twin.pts, twin.dts, twin.time_base, twin.is_keyframe = packet.pts, packet.dts, packet.time_base, packet.is_keyframe
    return twin


@pytest.mark.parametrize("marked", [True, False])
def test_marks_that_lie_are_not_believed(written: Callable[..., Path], marked: bool) -> None:
    def lie(number: int, packet: av.Packet) -> av.Packet:
        packet.is_keyframe = marked or number == 0
        return packet

    for codec in ({"options": CLOSED}, {"codec": "libx265", "options": {"x265-params": HEVC}}):
        path = written(**codec)
        lying = remuxed(path, lie, format="mov")
        assert_jump_is_scan(lying, "uniform=3")


def test_an_index_that_lies_is_found_out(written: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Key frames where there are none: frames do not come, or come damaged, and everything is decoded after all."""
    read = frames_module.index_of
    jumps: list[bool] = []

    def lying(*args: object, **wishes: object) -> PacketIndex:
        index = read(*args, **wishes)  # type: ignore[arg-type]
        jumps.append(True)
        return replace(index, keys=np.arange(5, len(index.pts), 12), seek_problem="")

    for codec in ({"options": CLOSED}, {"codec": "libvpx-vp9", "format": "webm", "options": VP9}):
        path = written(**codec)
        specs = ["uniform=3", "every@0.9-1.2"]
        expected = [scanned(path, FramePlan.parse(spec)) for spec in specs]
        monkeypatch.setattr(frames_module, "index_of", lying)
        for spec, wanted in zip(specs, expected, strict=True):
            assert_same(read_frames(path, FramePlan.parse(spec)), wanted)
        monkeypatch.undo()
    assert len(jumps) == 4


def test_frames_that_no_other_needs_are_not_decoded(written: Callable[..., Path]) -> None:
    path = written(options=CLOSED)
    index = index_of(path)
    (stretch,) = index.stretches([11])
    with open_video(path) as video:
        got = [time for time, _ in decode_stretches(video, index, [stretch])]
    assert index.times[11] in got
    assert set(got) < set(stretch.expected.tolist())
    assert len(got) <= len(stretch.expected) - 3


def test_packets_that_change_between_two_readings_are_found_out(written: Callable[..., Path]) -> None:
    path = written(options=CLOSED)
    index = index_of(path)
    stretches = index.stretches([30])
    moved = replace(index, pts=np.where(np.arange(len(index.pts)) == 20, index.pts + 1, index.pts))
    with open_video(path) as video, pytest.raises(UnsafeSeek, match="the packets are others than before"):
        list(decode_stretches(video, moved, stretches))
    late = replace(stretches[0], expected=index.times, wanted=frozenset({0, int(index.order[40])}))
    with open_video(path) as video, pytest.raises(UnsafeSeek, match="frames are missing"):
        list(decode_stretches(video, index, [late]))


def test_a_strangers_parameter_sets_may_change(written: Callable[..., Path]) -> None:
    """From 24 on the stream is another one, whose sets come once, inside packet 24: a jump to 36 would miss them."""
    path = written(options=CLOSED | {"x264-params": "scenecut=0:bframes=0"})
    other = written(options=CLOSED | {"x264-params": "scenecut=0:bframes=0:cabac=0"})
    with av.open(str(other)) as clip:
        extra = clip.streams.video[0].codec_context.extradata
        others = [bytes(packet) for packet in clip.demux(video=0)]
    sps_bytes = int.from_bytes(extra[6:8])
    pps = extra[8 + sps_bytes + 1 :][: 2 + int.from_bytes(extra[9 + sps_bytes : 11 + sps_bytes])]
    sets = b"\0\0" + extra[6 : 8 + sps_bytes] + b"\0\0" + pps

    def change(number: int, packet: av.Packet) -> av.Packet:
        return with_data(packet, (sets if number == 24 else b"") + others[number]) if number >= 24 else packet

    joined = remuxed(path, change)
    got = read_frames(joined, FramePlan.parse("times=1.5"), trusted=False)
    assert_same(got, read_frames(other, FramePlan.parse("times=1.5")))


@pytest.mark.parametrize(
    ("times", "doubt"),
    [
        ({20: 1205}, "a frame comes before a key frame"),
        ({20: 840}, "two frames have one time"),
    ],
)
def test_times_out_of_order_are_a_doubt(written: Callable[..., Path], times: dict[int, int], doubt: str) -> None:
    def change(number: int, packet: av.Packet) -> av.Packet:
        packet.pts = int(times.get(number, 40 * number) / (1000 * packet.time_base))
        return packet

    path = remuxed(written(options=CLOSED | {"bf": "0"}), change, format="matroska")
    assert index_of(path).seek_problem.startswith(doubt)
    assert_jump_is_scan(path, "uniform=3", "every@0.9-1.2")


def test_a_time_far_beyond_the_end_means_the_last_frame(written: Callable[..., Path]) -> None:
    index = index_of(written(options=CLOSED))
    assert index.shown_at([Fraction(10**30)]) == [len(index.times) - 1]
    assert index.between(Fraction(1, 5), Fraction(10**30)) == list(range(5, 48))


def test_less_is_decoded(written: Callable[..., Path]) -> None:
    counted: list[int] = []

    class Counting(Budget):
        def check_frames(self, clip: str, frames: int) -> None:
            counted.append(frames)

    path = written(options=CLOSED)
    index = index_of(path)
    with open_video(path, budget=Counting()) as video:
        assert index.times[38] in [time for time, _ in decode_stretches(video, index, index.stretches([38]))]
    assert counted[-1] < 8


def test_only_what_a_plan_needs_is_read(written: Callable[..., Path]) -> None:
    path = written(options=CLOSED, pts=[40 * number for number in range(200)])
    assert len(index_of(path).pts) == 200
    assert 50 < len(index_of(path, until_s=Fraction(1)).pts) < 70
    with pytest.raises(UnsafeSeek, match="mpeg4 is always"):
        index_of(written(codec="mpeg4"), until_s=Fraction(1))


def test_budgets_hold_for_a_jump(written: Callable[..., Path]) -> None:
    path, plan = written(options=CLOSED), FramePlan.parse("uniform=3")
    for budget, reason in [
        (Budget(frames=47), "more than 47 frames"),
        (Budget(decoded_pixels=96 * 64 * 3), "decodes to more than"),
        (Budget(duration_s=1), "lasts 2 s"),
    ]:
        with pytest.raises(BrokenData, match=reason):
            read_frames(path, plan, budget=budget)


def test_frames_come_one_by_one(written: Callable[..., Path]) -> None:
    frames = iter_frames(written(options=CLOSED), FramePlan.parse("uniform=3"))
    assert next(frames).at_s == Fraction(8, 25)
    frames.close()  # type: ignore[attr-defined]


@st.composite
def indexes(draw: st.DrawFn) -> PacketIndex:
    """Groups of pictures, open or closed, in an order of coding that is not the one of presentation."""
    pts: list[int] = []
    keys: list[int] = []
    for _ in range(draw(st.integers(1, 6))):
        start = len(pts)
        leading = draw(st.integers(0, 2)) if start else 0
        later = draw(st.permutations(range(start + leading + 1, start + leading + draw(st.integers(1, 6)))))
        if draw(st.booleans()):
            keys.append(start)
        pts += [start + leading, *range(start, start + leading), *later]
    shown = np.array([draw(st.integers(0, 9)) > 0 for _ in pts[1:]] + [True])
    tick_s = Fraction(1, 25)
    return PacketIndex(tick_s, np.array(pts), shown, np.array(keys, dtype=np.int64), tick_s, "")


@settings(max_examples=40)
@given(indexes(), st.data())
def test_stretches_hold_what_each_frame_needs_and_no_packet_twice(index: PacketIndex, data: st.DataObject) -> None:
    places = data.draw(st.lists(st.integers(0, len(index.times) - 1), min_size=1).map(sorted))
    stretches = index.stretches(places)
    assert all(one.last < other.first for one, other in pairwise(stretches))
    for place in (0, *places):
        number, time = index.order[place], index.times[place]
        (holder,) = [each for each in stretches if each.first <= number <= each.last]
        assert holder.first == 0 or holder.first in index.keys
        assert holder.first == 0 or index.pts[holder.first] <= time
        assert time in holder.expected
        assert number in holder.wanted
    wanted = {int(index.order[place]) for place in (0, *places)}
    for each in stretches:
        assert each.wanted == wanted & set(range(each.first, each.last + 1))
        between = {int(key) for key in index.keys if each.first < key <= each.last}
        # No key frame inside could have been jumped to: some frame needs what lies right before it.
        assert all(any(number < key or index.pts[number] < index.pts[key] for number in each.wanted) for key in between)


def naive(shown: Iterator[int], at: Fraction) -> int:
    return max((place for place, time in enumerate(shown) if time <= at), default=0)


@settings(max_examples=40)
@given(indexes(), st.lists(st.fractions(min_value=0, max_value=2, max_denominator=90), min_size=1).map(sorted))
def test_the_frame_on_screen_is_the_last_that_has_begun(index: PacketIndex, at_s: list[Fraction]) -> None:
    ticks = [int(time - index.times[0]) for time in index.times]
    assert index.shown_at(at_s) == [naive(iter(ticks), at * 25) for at in at_s]
    start, end = at_s[0], at_s[-1]
    assert index.between(start, end) == [n for n, tick in enumerate(ticks) if start * 25 <= tick < end * 25]
