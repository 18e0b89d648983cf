"""PSNR against FFmpeg's filter and against numpy."""

import math
from itertools import product

import av
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from cutscore.scoring.metrics.metric import MetricFrame, Needs
from cutscore.scoring.metrics.one_pass import one_pass
from cutscore.scoring.metrics.psnr import Psnr, decibels, mean_squared_difference


@pytest.mark.parametrize(
    ("size", "noise", "bits"), list(product([(1, 1), (7, 5), (64, 64), (90, 161)], [1, 9, 80], [8, 10, 12, 16]))
)
def test_mean_squared_difference_equals_numpy(size, noise, bits):
    rng, peak = np.random.default_rng(noise), 2**bits - 1
    kind = np.uint8 if bits == 8 else np.uint16
    a = rng.integers(0, peak + 1, size).astype(kind)
    b = (a + rng.normal(0, noise * peak / 255, size)).clip(0, peak).astype(kind)
    assert mean_squared_difference(a, b) == pytest.approx(np.mean((a.astype(float) - b) ** 2), rel=1e-12)


def test_the_largest_difference_of_a_wide_row_does_not_overflow():
    wide = np.full((1, 40_000), 255, np.uint8)
    assert mean_squared_difference(wide, np.zeros_like(wide)) == 255**2
    deep = np.full((2, 3000), 65535, np.uint16)
    assert mean_squared_difference(deep, np.zeros_like(deep)) == 65535**2


planes = arrays.arrays(np.uint8, (6, 9), elements=st.integers(0, 255))


@settings(max_examples=50, deadline=None)
@given(a=planes, b=planes)
def test_symmetric_and_zero_only_for_equal_planes(a, b):
    assert mean_squared_difference(a, b) == mean_squared_difference(b, a)
    assert (mean_squared_difference(a, b) == 0) == np.array_equal(a, b)


def test_over_a_clip_it_equals_ffmpeg_frame_by_frame(moving, coarse, ffmpeg_values):
    psnr = one_pass(coarse, reference=moving, pairs=[Psnr()]).pairs[0]
    with av.open(str(coarse)) as test, av.open(str(moving)) as reference:
        theirs = ffmpeg_values("psnr", zip(test.decode(video=0), reference.decode(video=0), strict=True), "psnr_y")
    assert psnr.values == pytest.approx(theirs, abs=0.0051)  # its log has two decimals
    errors = 255**2 / 10 ** (psnr.values / 10)
    assert psnr.summary == pytest.approx(10 * math.log10(255**2 / errors.mean()))
    assert psnr.unit == "dB"


def test_an_equal_frame_is_infinitely_good_and_does_not_make_the_clip_so():
    flat, off = np.full((4, 4), 100, np.uint8), np.full((4, 4), 102, np.uint8)
    psnr = Psnr()
    psnr.compare(MetricFrame(0, flat), MetricFrame(0, flat))
    assert psnr.result().summary == math.inf
    psnr.compare(MetricFrame(1, flat), MetricFrame(1, off))
    assert psnr.result().values.tolist() == [math.inf, decibels(4, 255)]
    assert psnr.result().summary == pytest.approx(decibels(2, 255))


def test_the_peak_goes_with_the_depth():
    psnr = Psnr()
    psnr.compare(MetricFrame(0, np.zeros((2, 2), np.uint16), 10), MetricFrame(0, np.full((2, 2), 1023, np.uint16), 10))
    assert psnr.result().summary == pytest.approx(0)


def test_nothing_seen_is_no_number():
    assert Psnr().result().summary is None


def test_of_colours_it_is_that_of_all_three_and_sees_what_luma_does_not():
    rng = np.random.default_rng(5)
    one = rng.integers(0, 200, (20, 31, 3)).astype(np.uint8)
    other = (one + rng.integers(0, 30, one.shape)).astype(np.uint8)
    metric = Psnr(Needs(kind="rgb"))
    metric.compare(MetricFrame(0, one), MetricFrame(0, other))
    found = metric.result()
    assert found.definition == "psnr_rgb.1"
    assert found.summary == pytest.approx(10 * np.log10(255**2 / np.mean((one.astype(float) - other) ** 2)))
