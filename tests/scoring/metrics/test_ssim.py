"""Each definition against a second implementation: FFmpeg's filter, and sums written out with scipy."""

from itertools import product

import av
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.ndimage import convolve1d, uniform_filter

from cutscore.core.errors import BadInput
from cutscore.scoring.metrics.metric import Needs
from cutscore.scoring.metrics.one_pass import one_pass
from cutscore.scoring.metrics.ssim import Ssim, ssim_ffmpeg, ssim_uniform7, ssim_wang

DEFINITIONS = [ssim_ffmpeg, ssim_wang, ssim_uniform7]
SIZES = [(8, 8), (9, 13), (33, 47), (64, 130), (120, 161)]
NOISES = [0, 1, 9, 60]


def noisy_pair(height, width, noise, bits=8):
    """A ramp with texture and the same with noise; both in the whole range of the depth."""
    rng = np.random.default_rng(height * 1000 + width + noise)
    peak = 2**bits - 1
    y, x = np.mgrid[0:height, 0:width]
    first = (x * peak / width * 0.7 + rng.integers(0, peak // 4 + 1, (height, width)) + y % 2).clip(0, peak)
    second = (first + rng.normal(0, noise * peak / 255, first.shape)).clip(0, peak)
    kind = np.uint8 if bits == 8 else np.uint16
    return first.astype(kind), second.astype(kind)


def yuv(luma, pix_fmt):
    frame = av.VideoFrame(luma.shape[1], luma.shape[0], pix_fmt)
    for plane in frame.planes:
        plane.update(bytes(plane.buffer_size))
    plane = frame.planes[0]
    rows = np.frombuffer(plane, luma.dtype).reshape(plane.height, -1).copy()
    rows[:, : luma.shape[1]] = luma
    plane.update(rows.tobytes())
    return frame


@pytest.mark.parametrize("bits", [8, 10])
@pytest.mark.parametrize("size", SIZES)
def test_equals_the_filter_of_ffmpeg(size, bits, ffmpeg_values):
    pix_fmt = "yuv444p" if bits == 8 else "yuv444p10le"
    pairs = [noisy_pair(*size, noise, bits) for noise in NOISES]
    theirs = ffmpeg_values("ssim", [(yuv(b, pix_fmt), yuv(a, pix_fmt)) for a, b in pairs], "Y", pix_fmt)
    ours = [ssim_ffmpeg(a, b, bits=bits) for a, b in pairs]
    assert ours == pytest.approx(theirs, abs=2e-6)


def by_the_book(first, second, bits, means, unbiased, side):
    """Wang's equation 13 in float64, from means that a callable takes."""
    a, b, peak = first.astype(float), second.astype(float), 2**bits - 1
    c1, c2 = (0.01 * peak) ** 2, (0.03 * peak) ** 2
    ma, mb = means(a), means(b)
    va, vb, co = (unbiased * v for v in (means(a * a) - ma * ma, means(b * b) - mb * mb, means(a * b) - ma * mb))
    values = (2 * ma * mb + c1) * (2 * co + c2) / ((ma**2 + mb**2 + c1) * (va + vb + c2))
    edge = side // 2
    return values[edge:-edge, edge:-edge].mean()


def gauss(image):
    weights = np.exp(-0.5 * (np.arange(-5, 6) / 1.5) ** 2)
    weights /= weights.sum()
    return convolve1d(convolve1d(image, weights, axis=0), weights, axis=1)


@pytest.mark.parametrize(("size", "noise", "bits"), list(product(SIZES[2:], NOISES, [8, 10, 12])))
def test_gaussian_and_uniform_equal_the_equation(size, noise, bits):
    a, b = noisy_pair(*size, noise, bits)
    wang = by_the_book(a, b, bits, gauss, 1, 11)
    uniform = by_the_book(a, b, bits, lambda x: uniform_filter(x, 7), 49 / 48, 7)
    assert ssim_wang(a, b, bits=bits) == pytest.approx(wang, abs=2e-6)
    assert ssim_uniform7(a, b, bits=bits) == pytest.approx(uniform, abs=2e-6)


planes = arrays.arrays(np.uint8, (19, 23), elements=st.integers(0, 255))


@pytest.mark.parametrize("measure", DEFINITIONS)
@settings(max_examples=25, deadline=None)
@given(a=planes, b=planes)
def test_symmetric_at_most_one_and_one_for_equal_frames(measure, a, b):
    assert measure(a, a) == pytest.approx(1, abs=1e-6)
    assert measure(a, b) == pytest.approx(measure(b, a), abs=1e-9)
    assert measure(a, b) <= 1 + 1e-6


def test_padding_of_the_rows_does_not_count():
    a, b = noisy_pair(40, 64, 9)
    padded = np.random.default_rng(3).integers(0, 256, (40, 96), dtype=np.uint8)
    padded[:, :64] = a
    assert ssim_ffmpeg(padded[:, :64], b) == ssim_ffmpeg(a, b)
    turned = np.rot90(np.ascontiguousarray(np.rot90(a)), 3)  # not one row after the other in memory
    assert ssim_ffmpeg(turned, b) == ssim_ffmpeg(a, b)


def test_the_three_definitions_are_three_numbers():
    a, b = noisy_pair(120, 161, 9)
    values = [measure(a, b) for measure in DEFINITIONS]
    assert min(abs(one - other) for one, other in [values[:2], values[1:], values[::2]]) > 1e-4


@pytest.mark.parametrize(("measure", "side"), [(ssim_ffmpeg, 8), (ssim_wang, 11), (ssim_uniform7, 7)])
def test_frames_that_are_too_small_are_refused(measure, side):
    tiny = np.zeros((side - 1, 40), np.uint8)
    with pytest.raises(BadInput, match=rf"{measure.__name__}: frames are 40×{side - 1}; it needs at least {side}×"):
        measure(tiny, tiny)


def test_over_a_clip_it_equals_ffmpeg_frame_by_frame(moving, coarse, ffmpeg_values):
    grey = Ssim(needs=Needs(kind="grey"))
    measured = one_pass(coarse, reference=moving, pairs=[Ssim(), Ssim(ssim_wang), grey])
    with av.open(str(coarse)) as test, av.open(str(moving)) as reference:
        theirs = ffmpeg_values("ssim", zip(test.decode(video=0), reference.decode(video=0), strict=True), "Y")
    ssim, wang, plain = measured.pairs
    assert ssim.values == pytest.approx(theirs, abs=1e-6)
    assert ssim.summary == pytest.approx(np.mean(theirs), abs=1e-6)
    assert (ssim.definition, wang.definition) == ("ssim_ffmpeg.1", "ssim_wang.1")
    assert plain.definition == "ssim_ffmpeg_grey.1"
    assert plain.summary == pytest.approx(ssim.summary, abs=0.02)  # another range, so other constants beside it
    assert 0.3 < ssim.summary < 0.999
    assert measured.paired == len(ssim.at_s) == 24
