"""Flow against motion that was made; smoothness by its bounds."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.ndimage import gaussian_filter, shift

from cutscore.scoring.metrics.flow import Flow, Smoothness, evenness, flow
from cutscore.scoring.metrics.one_pass import one_pass

PICTURE = gaussian_filter(np.random.default_rng(3).normal(0, 1, (200, 300)), 2)
PICTURE = (128 + 400 * PICTURE).clip(0, 255)


def view(right, down, *, noise=0.0):
    """120×180 pixels of the picture, in which everything has moved right and down by so many pixels."""
    moved = shift(PICTURE, (down, right), order=3, mode="mirror")[40:160, 60:240]
    return (moved + np.random.default_rng(1).normal(0, noise, moved.shape)).clip(0, 255).astype(np.uint8)


@pytest.mark.parametrize("method", ["dis", "farneback"])
@pytest.mark.parametrize("motion", [(0, 0), (1, 0), (0, -2), (2.5, 1.5), (-4, 3)])
@pytest.mark.parametrize("noise", [0, 4])
def test_the_field_is_the_motion_that_was_made(method, motion, noise):
    field = flow(view(0, 0), view(*motion, noise=noise), method=method)
    inner = field[20:-20, 20:-20].reshape(-1, 2)
    assert np.median(inner, 0) == pytest.approx(motion, abs=0.25)
    assert np.linalg.norm(inner - motion, axis=1).mean() < 0.6


def test_the_number_of_threads_does_not_change_it():
    before = cv2.getNumThreads()
    try:
        fields = []
        for threads in (1, 2, 4):
            cv2.setNumThreads(threads)
            fields.append([flow(view(0, 0), view(3, 1), method=method) for method in ("dis", "farneback")])
    finally:
        cv2.setNumThreads(before)
    assert all(np.array_equal(one, other) for each in fields[1:] for one, other in zip(fields[0], each, strict=True))


def rgb(grey):
    return np.repeat(grey[..., None], 3, 2)


@pytest.mark.parametrize("method", ["dis", "farneback"])
def test_a_clip_moves_by_the_share_that_was_made(clip, method):
    path = clip([rgb(view(2 * number, 0)) for number in range(6)])
    found = one_pass(path, [Flow(method)]).alone[0]
    assert found.values == pytest.approx([2 / 180] * 5, rel=0.2)
    assert found.definition == f"flow_{method}_320.1"


def test_a_still_clip_does_not_move_and_is_smooth(clip):
    path = clip([rgb(view(0, 0))] * 6)
    still, smooth = one_pass(path, [Flow(), Smoothness()]).alone
    assert still.summary == pytest.approx(0, abs=1e-3)
    assert smooth.summary == pytest.approx(1, abs=0.1)


def test_steady_motion_is_smoother_than_stop_and_go(clip):
    steady = [rgb(view(2 * number, 0)) for number in range(10)]
    jumpy = [rgb(view(4 * (number // 2), 0)) for number in range(10)]
    smooth = [
        one_pass(clip(frames, name=f"{n}.mp4"), [Smoothness()]).alone[0] for n, frames in enumerate((steady, jumpy))
    ]
    assert smooth[0].summary > 0.9
    assert smooth[1].summary < 0.2
    assert len(smooth[0].values) == 8


@settings(max_examples=60)
@given(st.integers(0, 1000), st.floats(0, 20), st.floats(0, 20))
def test_evenness_lies_between_0_and_1_and_is_symmetric(seed, first, second):
    rng = np.random.default_rng(seed)
    a = (first * rng.normal(0, 1, (8, 8, 2))).astype(np.float32)
    b = (second * rng.normal(0, 1, (8, 8, 2))).astype(np.float32)
    assert 0 <= evenness(a, b) <= 1
    assert evenness(a, b) == pytest.approx(evenness(b, a))
    assert evenness(a, a) == 1


def test_evenness_of_opposite_and_of_broken_motion_is_0_but_for_the_floor():
    right = np.full((8, 8, 2), (10, 0), np.float32)
    assert evenness(right, -right) == pytest.approx(0.2 / 20.2, rel=1e-4)
    assert evenness(right, 0 * right) == pytest.approx(0.2 / 10.2, rel=1e-4)


def test_a_tiny_picture_has_no_flow_and_one_frame_no_value(clip):
    tiny = np.zeros((8, 8), np.uint8)
    assert not flow(tiny, tiny).any()
    assert [each.summary for each in one_pass(clip([rgb(view(0, 0))]), [Flow(), Smoothness()]).alone] == [None, None]
