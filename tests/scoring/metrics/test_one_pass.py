"""Who gets which frame in which form, and how two clips are paired."""

import tracemalloc
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain

import av
import cv2
import numpy as np
import pytest

from cutscore.core.errors import BadInput, BrokenData
from cutscore.media import decoder_pool
from cutscore.media.budget import Budget
from cutscore.media.frames import read_frames
from cutscore.media.plan import FramePlan
from cutscore.media.planes import iter_pictures
from cutscore.media.render import write_clip
from cutscore.scoring.metrics import metric_frames as module
from cutscore.scoring.metrics.metric import Measurement, Needs, frozen_array, spans_where
from cutscore.scoring.metrics.metric_frames import MetricSource, choose_frames, show_frames
from cutscore.scoring.metrics.one_pass import collect_frames, one_pass
from cutscore.scoring.metrics.psnr import Psnr


@dataclass(eq=False)
class Seen:
    """Keeps what it is shown."""

    needs: Needs = field(default_factory=Needs)
    looks: list = field(default_factory=list)

    def see(self, look):
        self.looks.append(look)

    def compare(self, reference, test):
        self.looks.append((reference, test))

    def result(self):
        return Measurement("seen", "seen.1", "", None, "", (), frozen_array([]))

    @property
    def times(self):
        return [look.at_s for look in self.looks]


def write(path, pts, *, pix_fmt="yuv420p", size=(64, 48), format="mp4", level=None, color_range=None, muxer=None):
    """Pictures at these milliseconds; each shows its number as its level."""
    with av.open(str(path), "w", format=format, options=muxer or {}) as out:
        stream = out.add_stream("libx264", rate=25, options={"qp": "0"})
        stream.width, stream.height, stream.pix_fmt = *size, pix_fmt
        stream.codec_context.time_base = stream.time_base = Fraction(1, 1000)
        if color_range is not None:
            stream.codec_context.color_range = color_range
        for number, at_ms in enumerate(pts):
            frame = av.VideoFrame(*size, pix_fmt)
            for plane in frame.planes:
                kind = np.uint16 if "10" in pix_fmt else np.uint8
                plane.update(np.full(plane.buffer_size // kind().itemsize, number if level is None else level, kind))
            frame.pts, frame.time_base = at_ms, Fraction(1, 1000)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


def number_of(look):
    return int(look.pixels[0, 0])


def test_every_frame_is_seen_once_and_in_order(moving):
    seen = Seen()
    measured = one_pass(moving, [seen])
    assert seen.times == [Fraction(n, 24) for n in range(24)]
    assert measured.frames == 24


TEN, SIXTEEN = (FramePlan.parse(f"released:covebench,frames={count}") for count in (10, 16))


@pytest.mark.parametrize("trusted", [True, False])
def test_frames_for_several_needs_come_from_one_decode(moving, trusted, monkeypatch):
    asked = []
    real = module.iter_pictures
    monkeypatch.setattr(module, "iter_pictures", lambda path, **how: asked.append(how) or real(path, **how))
    read = collect_frames(
        moving, [Needs(kind="rgb", plan=TEN), Needs(kind="grey_of_rgb", size=(32, 32), plan=SIXTEEN)], trusted=trusted
    )
    pictures = list(iter_pictures(moving))
    whole, small = read.frames
    assert [each.at_s for each in whole] == [pictures[number].at_s for number in TEN.numbers(24)]
    assert all(np.array_equal(each.pixels, pictures[n].rgb) for each, n in zip(whole, TEN.numbers(24), strict=True))
    for each, number in zip(small, SIXTEEN.numbers(24), strict=True):
        grey = cv2.cvtColor(pictures[number].rgb, cv2.COLOR_RGB2GRAY)
        assert np.array_equal(each.pixels, cv2.resize(grey, (32, 32), interpolation=cv2.INTER_AREA))
    assert read.extent.frames == 24
    (how,) = asked  # one decode, of those frames alone
    assert how["numbers"] == tuple(sorted({*TEN.numbers(24), *SIXTEEN.numbers(24)}))


def test_a_child_lives_on_after_frames_by_number(moving):
    collect_frames(moving, [Needs(kind="rgb", plan=TEN)])
    before = {each.child.pid for each in decoder_pool.POOL._idle}
    assert before
    collect_frames(moving, [Needs(kind="rgb", plan=TEN)])
    assert {each.child.pid for each in decoder_pool.POOL._idle} == before


def test_what_cannot_be_decoded_is_told_with_its_place(tmp_path):
    path = write(tmp_path / "clip.mp4", range(0, 800, 40), muxer={"movflags": "faststart"})
    data = path.read_bytes()
    start = data.index(b"mdat") + 4
    for at, seen in ((start, "no frame of it was seen"), (len(data) - 100, r"it was seen as far as 0\.\d\d s")):
        path.write_bytes(data[:at] + b"\xff" * (len(data) - at))
        with pytest.raises(BrokenData, match=rf"clip 'clip.mp4': cannot be decoded: .*; {seen}"):
            collect_frames(path, [Needs(plan=TEN)])


PLANS = ["uniform=5", "fps=7", "times=0;0.01;0.5;9", "every@0.25-0.5", "fps=100,max=40", "released:covebench"]


@pytest.mark.parametrize("plan", PLANS)
def test_a_plan_gives_the_frames_that_reading_by_plan_gives(moving, plan):
    seen = Seen(Needs(kind="rgb", plan=FramePlan.parse(plan)))
    one_pass(moving, [Seen(), seen])
    expected = read_frames(moving, FramePlan.parse(plan))
    assert seen.times == [frame.at_s for frame in expected]
    assert all(np.array_equal(look.pixels, frame.pixels) for look, frame in zip(seen.looks, expected, strict=True))


@pytest.mark.parametrize("format", ["mp4", "matroska"])
@pytest.mark.parametrize("start_ms", [-80, 0, 10_000])
def test_a_plan_counts_from_the_first_frame_that_is_shown(tmp_path, format, start_ms):
    times_ms = [40 * number + start_ms for number in range(12)]
    path = write(tmp_path / "clip", times_ms, format=format, muxer={"avoid_negative_ts": "disabled"})
    seen = Seen(Needs(kind="rgb", plan=FramePlan.parse("uniform=7")))
    one_pass(path, [seen])
    assert seen.times == [frame.at_s for frame in read_frames(path, FramePlan.parse("uniform=7"))]


@pytest.mark.real  # long, and needs nothing else
def test_decoding_stops_when_nobody_waits_for_more(moving):
    assert one_pass(moving, [Seen(Needs(plan=FramePlan.parse("times=0.2")))]).frames == 5
    assert one_pass(moving, [Seen(Needs(plan=FramePlan.parse("every@0-0.25")))]).frames == 6
    seen = Seen(Needs(plan=FramePlan.parse("times=0.2")))
    assert one_pass(moving, reference=moving, pairs=[seen]).frames == 5


def test_a_form_is_made_once_for_all_who_ask(moving, monkeypatch):
    made = []
    real = module._to_form
    monkeypatch.setattr(module, "_to_form", lambda picture, needs: made.append(needs.kind) or real(picture, needs))
    one_pass(moving, [Seen(Needs(kind="rgb")), Seen(Needs(kind="rgb")), Seen(Needs(kind="luma"))])
    assert (made.count("rgb"), made.count("luma")) == (24, 24)


def test_one_decode_of_each_clip_serves_all(moving, coarse, monkeypatch):
    opened = []
    real = module.iter_pictures
    monkeypatch.setattr(module, "iter_pictures", lambda path, **how: opened.append(path) or real(path, **how))
    one_pass(coarse, [Seen(), Seen()], reference=moving, pairs=[Seen(), Seen(Needs(kind="rgb"))])
    assert sorted(opened) == sorted([moving, coarse])


@pytest.mark.parametrize("plan", [None, "uniform=5", "every@0.25-0.5", "released:covebench,frames=4"])
def test_a_stranger_s_clip_gives_equal_looks(moving, coarse, plan):
    """In a child, luma and RGB arrive bit for bit, in the metrics that look alone and in those that compare."""
    kinds = [Needs(kind=kind, plan=plan and FramePlan.parse(plan)) for kind in ("luma", "grey", "rgb")]
    seen = {trusted: ([Seen(needs) for needs in kinds], [Seen(needs) for needs in kinds]) for trusted in (True, False)}
    counts = [
        one_pass(coarse, alone, reference=moving, pairs=pairs, trusted=trusted)
        for trusted, (alone, pairs) in seen.items()
    ]
    assert counts[0].frames == counts[1].frames
    for ours, theirs in zip(chain(*seen[True]), chain(*seen[False]), strict=True):
        assert len(ours.looks) == len(theirs.looks) > 0
        for one, other in zip(flattened(ours.looks), flattened(theirs.looks), strict=True):
            assert (one.at_s, one.bits) == (other.at_s, other.bits)
            assert np.array_equal(one.pixels, other.pixels)


def flattened(looks):
    return [each for look in looks for each in (look if isinstance(look, tuple) else (look,))]


def test_a_clip_is_a_stranger_s_unless_it_is_said(moving, coarse, monkeypatch):
    """Who forgets gets the child; and a child is asked for what the audience wants of that clip, and no more."""
    how_opened = {}
    real = module.iter_pictures
    monkeypatch.setattr(
        module, "iter_pictures", lambda path, **how: how_opened.update({path: how}) or real(path, **how)
    )
    one_pass(coarse, [Seen(Needs(kind="rgb"))], reference=moving, pairs=[Psnr()])
    assert [(how["trusted"], how["forms"]) for how in (how_opened[coarse], how_opened[moving])] == [
        (False, ("luma", "rgb")),
        (True, ("luma",)),
    ]
    one_pass(coarse, [Seen(Needs(kind="rgb"))])
    assert how_opened[coarse]["forms"] == ("rgb",)


def test_a_budget_is_for_the_clip(moving, coarse):
    with pytest.raises(BrokenData, match=r"clip 'coarse.mp4': has more than 10 frames, which are allowed"):
        one_pass(coarse, reference=moving, pairs=[Psnr()], budget=Budget(frames=10))


def test_a_child_is_ended_when_a_metric_fails(moving, coarse):
    class Fails(Seen):
        def see(self, look):
            raise RuntimeError("no")

    with pytest.raises(RuntimeError) as failure:
        one_pass(coarse, [Fails()])
    assert failure.value is not None  # it holds the frames of the stack; the child is gone all the same
    assert all(each.between_jobs for each in decoder_pool.POOL._idle)


def test_sizes(moving):
    exact, longest, larger = Seen(Needs(size=(32, 32))), Seen(Needs(longest=80)), Seen(Needs(kind="rgb", longest=999))
    one_pass(moving, [exact, longest, larger])
    assert [each.looks[0].pixels.shape for each in (exact, longest, larger)] == [(32, 32), (48, 80), (96, 160, 3)]
    assert not exact.looks[0].pixels.flags.writeable


@pytest.mark.parametrize("size", [(32, 32), (10, 6), (7, 5)])
def test_scaling_is_an_area_average(moving, size):
    small, whole = Seen(Needs(kind="luma", size=size)), Seen(Needs(kind="luma"))
    one_pass(moving, [small, whole])
    width, height = size
    fine = whole.looks[3].pixels.repeat(height, 0).repeat(width, 1).astype(float)
    expected = fine.reshape(height, 96, width, 160).mean((1, 3))
    assert small.looks[3].pixels == pytest.approx(expected, abs=0.51)


def test_luma_is_what_the_file_stores(moving):
    seen = Seen(Needs(kind="luma"))
    one_pass(moving, [seen])
    with av.open(str(moving)) as clip:
        for look, frame in zip(seen.looks, clip.decode(video=0), strict=True):
            assert np.array_equal(look.pixels, frame.to_ndarray()[:96])


@pytest.mark.parametrize(
    ("pix_fmt", "level", "color_range", "luma", "grey"),
    [
        ("yuv420p", 16, None, 16, 0),
        ("yuv420p", 235, None, 235, 255),
        ("yuv420p", 5, None, 5, 0),
        ("yuvj420p", 16, 2, 16, 16),
        ("yuv420p10le", 64, None, 64, 0),
        ("yuv420p10le", 940, None, 940, 255),
        ("yuv420p10le", 502, None, 502, 128),
    ],
)
def test_grey_means_the_same_at_every_depth_and_range(tmp_path, pix_fmt, level, color_range, luma, grey):
    clip = write(tmp_path / "clip.mp4", [0, 40], pix_fmt=pix_fmt, level=level, color_range=color_range)
    stored, shown, small = Seen(Needs(kind="luma")), Seen(Needs(kind="grey")), Seen(Needs(size=(8, 8)))
    one_pass(clip, [stored, shown, small])
    assert [number_of(each.looks[0]) for each in (stored, shown, small)] == [luma, grey, grey]
    assert stored.looks[0].bits == (10 if "10" in pix_fmt else 8)


def paired(tmp_path, reference_ms, test_ms, **options):
    """Numbers of the frames that were compared."""
    reference = write(tmp_path / "reference.mp4", reference_ms)
    test = write(tmp_path / "test.mkv", test_ms, **options)
    seen = Seen(Needs(kind="luma"))
    measured = one_pass(test, reference=reference, pairs=[seen])
    pairs = [(number_of(one), number_of(other)) for one, other in seen.looks]
    assert measured.paired == len(pairs)
    return pairs, measured


def test_pairs_go_by_time_and_not_by_number(tmp_path):
    pairs, measured = paired(tmp_path, [0, 40, 80, 120], [0, 20, 40, 60, 80, 100, 120, 140])
    assert pairs == [(0, 0), (1, 2), (2, 4), (3, 6)]
    assert (measured.clip_only, measured.frames) == (4, 8)


def test_a_held_frame_is_compared_again_and_again(tmp_path):
    pairs, measured = paired(tmp_path, [0, 40, 80, 120, 160], [0, 120, 160])
    assert pairs == [(0, 0), (1, 0), (2, 0), (3, 1), (4, 2)]
    assert (measured.clip_only, measured.reference_only) == (0, 0)


def test_rounded_times_find_their_partner(tmp_path):
    pairs, _ = paired(tmp_path, [0, 33, 67, 100], [0, 34, 66, 101], format="matroska")
    assert pairs == [(0, 0), (1, 1), (2, 2), (3, 3)]


def test_a_clip_that_ends_early_leaves_frames_alone(tmp_path):
    pairs, measured = paired(tmp_path, [0, 40, 80, 120, 160], [0, 40, 80])
    assert pairs == [(0, 0), (1, 1), (2, 2)]
    assert measured.reference_only == 2
    assert measured.missing_s == (Fraction(3, 25), Fraction(4, 25))


def test_a_clip_that_goes_on_is_counted_and_seen_to_its_end(tmp_path):
    reference, test = write(tmp_path / "a.mp4", [0, 40]), write(tmp_path / "b.mp4", [0, 40, 80, 120])
    alone = Seen()
    measured = one_pass(test, [alone], reference=reference, pairs=[Seen()])
    assert (measured.paired, measured.clip_only, len(alone.looks)) == (2, 2, 4)


def test_a_single_picture_is_a_still(tmp_path):
    pairs, _ = paired(tmp_path, [0, 40, 80], [0])
    assert pairs == [(0, 0), (1, 0), (2, 0)]


def test_pairs_without_a_reference_are_refused(moving):
    with pytest.raises(BadInput, match=r"clip 'moving.mp4': is to be compared, but with nothing; give a reference"):
        one_pass(moving, pairs=[Psnr()])


def test_clips_of_different_size_or_depth_are_refused(moving, tmp_path):
    small = write(tmp_path / "small.mp4", [0, 40])
    with pytest.raises(BadInput, match=r"clip 'small.mp4': is 64×48, its reference 160×96; scale one of them first"):
        one_pass(small, reference=moving, pairs=[Psnr()])
    deep = write(tmp_path / "deep.mp4", [0, 40], pix_fmt="yuv420p10le")
    with pytest.raises(BadInput, match=r"clip 'deep.mp4': has 10 bits, its reference 8; convert one of them"):
        one_pass(deep, reference=small, pairs=[Psnr()])


def test_memory_does_not_grow_with_the_clip(clip):
    def peak_bytes(path):
        tracemalloc.start()
        one_pass(path, [Nothing(Needs(kind="rgb"))])
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    class Nothing(Seen):
        def see(self, look):
            pass

    short = clip((np.full((192, 320, 3), n, np.uint8) for n in range(10)), name="short.mp4")
    long = clip((np.full((192, 320, 3), n, np.uint8) for n in range(150)), name="long.mp4")
    peak_bytes(short)  # first calls allocate for good
    assert peak_bytes(long) < peak_bytes(short) + 192 * 320 * 3  # not even by one frame


def test_pictures_are_those_of_read_frames(moving):
    every = read_frames(moving, FramePlan.parse("every@0-9"))
    pictures = list(iter_pictures(moving))
    assert [picture.at_s for picture in pictures] == [frame.at_s for frame in every]
    assert all(np.array_equal(one.rgb, other.pixels) for one, other in zip(pictures, every, strict=True))


def test_spans_join_neighbours_and_keep_the_long():
    times = [Fraction(n, 10) for n in range(8)]
    spans = spans_where(times, [0, 1, 1, 0, 1, 0, 1, 1], at_least_s=Fraction(1, 10))
    assert [(span.start_s * 10, span.end_s * 10) for span in spans] == [(1, 3), (4, 5), (6, 7)]
    assert len(spans_where(times, [0, 1, 1, 0, 1, 0, 1, 1], at_least_s=Fraction(2, 10))) == 1
    assert spans_where([], [], at_least_s=Fraction(0)) == ()


@pytest.mark.parametrize(
    ("late_ms", "pairs"),
    [(40, [(0, 1), (1, 2), (2, 3)]), (20, [(0, 0), (1, 1), (2, 2), (3, 3)]), (-80, [(2, 0), (3, 1)])],
)
def test_a_clip_that_is_late_or_early_is_looked_at_later_or_earlier(tmp_path, late_ms, pairs):
    path = write(tmp_path / "clip.mp4", [0, 40, 80, 120])
    seen = Seen(Needs(kind="luma"))
    measured = one_pass(path, reference=path, pairs=[seen], late_s=Fraction(late_ms, 1000), trusted=True)
    assert [(number_of(one), number_of(other)) for one, other in seen.looks] == pairs
    assert (measured.paired, measured.reference_only) == (len(pairs), 4 - len(pairs))


def test_steps_without_a_cap_are_those_with_one(tmp_path):
    """2.3 s at 10 pictures a second; nobody reads the file for its length."""
    write_clip(tmp_path / "clip.mp4", [np.zeros((16, 16, 3), np.uint8)] * 23, rate=Fraction(10))

    def shown(plan: str) -> list[Fraction]:
        source = MetricSource(tmp_path / "clip.mp4", (Needs(kind="grey"),))
        choice = choose_frames(FramePlan.parse(plan), source)
        return [each.at_s for each in show_frames(source) for _ in range(choice.times_of(each))]

    for rate in ("2", "3", "7.5", "20"):
        assert shown(f"fps={rate}") == shown(f"fps={rate},max=1000")
