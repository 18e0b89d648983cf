"""Luma, black, freeze, letterbox: made truth, and FFmpeg's detectors as the second opinion."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.scoring.metrics.freeze import Freeze
from cutscore.scoring.metrics.letterbox import Bars, Letterbox, bars_of
from cutscore.scoring.metrics.light import Black, Light
from cutscore.scoring.metrics.metric import MetricFrame
from cutscore.scoring.metrics.one_pass import one_pass

RATE = 25


def scene(number, *, width=160, height=96):
    """A bright checkerboard that moves 3 pixels a frame."""
    y, x = np.mgrid[0:height, 0:width]
    board = ((x + 3 * number) // 16 + y // 16) % 2
    return np.repeat((90 + 120 * board)[..., None], 3, 2).astype(np.uint8)


def black():
    return np.zeros((96, 160, 3), np.uint8)


def places(measurement):
    return [(float(span.start_s), float(span.end_s)) for span in measurement.spans]


@pytest.fixture
def faded(clip):
    """50 frames of scene, 20 of black, 30 of scene, 25 of black."""
    shown = [*map(scene, range(50)), *[black()] * 20, *map(scene, range(30)), *[black()] * 25]
    return clip(shown, rate=RATE)


def test_black_spans_are_where_they_were_made_and_where_ffmpeg_finds_them(faded, ffmpeg_notes):
    found = one_pass(faded, [Black()]).alone[0]
    assert places(found) == [(2.0, 2.8), (4.0, 4.96)]  # the last one ends with the last frame's time
    assert found.summary == pytest.approx(45 / 125)
    notes = ffmpeg_notes(faded, "blackdetect=d=0.1:pix_th=0.10")
    assert notes[:3] == [("black_start", 2.0), ("black_end", 2.8), ("black_start", 4.0)]


def test_a_short_black_is_not_named(clip):
    path = clip([*map(scene, range(10)), black(), *map(scene, range(10))], rate=RATE)
    assert one_pass(path, [Black()]).alone[0].spans == ()
    assert len(one_pass(path, [Black(at_least_s=Fraction(1, RATE))]).alone[0].spans) == 1


def test_the_share_of_black_pixels_is_counted():
    look = np.full((10, 10), 200, np.uint8)
    look[:3] = 25  # just black
    look[3] = 26  # just not
    metric = Black()
    metric.see(MetricFrame(Fraction(0), look))
    assert metric.result().values.tolist() == [0.3]


@given(level=st.integers(0, 255), sides=st.tuples(st.integers(1, 40), st.integers(1, 40)))
@settings(max_examples=30, deadline=None)
def test_luma_of_a_flat_frame_is_its_level(level, sides):
    metric = Light()
    metric.see(MetricFrame(Fraction(0), np.full(sides, level, np.uint8)))
    assert metric.result().summary == level


def test_luma_of_a_clip(clip):
    path = clip([np.full((64, 64, 3), level, np.uint8) for level in (0, 100, 255)], rate=RATE)
    light = one_pass(path, [Light()]).alone[0]
    assert light.values == pytest.approx([0, 100, 255], abs=2)
    assert light.at_s == (0, Fraction(1, 25), Fraction(2, 25))


def test_freezes_are_where_they_were_made_and_where_ffmpeg_finds_them(clip, ffmpeg_notes):
    held = [*map(scene, range(20)), *[scene(19)] * 25, *map(scene, range(20, 40))]
    path = clip(held, rate=RATE)
    found = one_pass(path, [Freeze()]).alone[0]
    assert places(found) == [(19 / 25, 45 / 25)]
    assert found.summary == pytest.approx(25 / 64)
    notes = dict(ffmpeg_notes(path, "freezedetect=n=0.001:d=0.5"))
    assert (notes["freezedetect.freeze_start"], notes["freezedetect.freeze_end"]) == (0.76, 1.8)


def test_two_stills_with_a_cut_between_are_two(clip):
    path = clip([*[scene(0)] * 20, *[scene(5)] * 20], rate=RATE)
    assert places(one_pass(path, [Freeze()]).alone[0]) == [(0, 0.8), (0.8, 39 / 25)]


def test_a_moving_clip_and_a_single_frame_have_no_freeze(moving, clip):
    assert one_pass(moving, [Freeze()]).alone[0].spans == ()
    single = one_pass(clip([scene(0)]), [Freeze()]).alone[0]
    assert (single.spans, single.summary, len(single.values)) == ((), None, 0)


@pytest.mark.parametrize("rows", [(0, 0), (12, 12), (20, 14)])
@pytest.mark.parametrize("columns", [(0, 0), (20, 20), (11, 30)])
@pytest.mark.parametrize("crf", [4, 36])
def test_bars_are_found(clip, rows, columns, crf):
    def boxed(number):
        pixels = scene(number)
        pixels[: rows[0]] = pixels[96 - rows[1] :] = 0
        pixels[:, : columns[0]] = pixels[:, 160 - columns[1] :] = 0
        return pixels

    metric = Letterbox()
    found = one_pass(clip(map(boxed, range(20)), crf=crf), [metric]).alone[0]
    bars = metric.bars
    smeared = 2 if crf == 4 else 8
    assert (bars.top, bars.bottom, bars.left, bars.right) == pytest.approx((*rows, *columns), abs=smeared)
    truth = 1 - (96 - sum(rows)) * (160 - sum(columns)) / (96 * 160)
    assert found.summary == pytest.approx(truth, abs=smeared / 50)
    assert bool(found.spans) == (truth > 0)


def test_what_is_not_a_bar():
    dark_floor = np.full((100, 100), 120, np.uint8)
    dark_floor[70:] = 0
    assert bars_of(dark_floor) == bars_of(dark_floor.T) == Bars(0, 0, 0, 0)  # nothing faces it
    thin = np.full((100, 100), 120, np.uint8)
    thin[:1] = thin[-1:] = 0
    assert bars_of(thin) == Bars(0, 0, 0, 0)
    assert bars_of(np.zeros((50, 50), np.uint8)) is None


def test_a_fade_to_black_does_not_change_the_bars(clip):
    def boxed(number):
        pixels = scene(number)
        pixels[:12] = pixels[84:] = 0
        return pixels

    metric = Letterbox()
    found = one_pass(clip([*map(boxed, range(10)), *[black()] * 10, *map(boxed, range(10))]), [metric]).alone[0]
    assert (metric.bars.top, metric.bars.left) == (12, 0)
    assert places(found) == [(0, 29 / 25)]
