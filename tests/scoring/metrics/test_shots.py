"""Cuts that were made, and content values counted pixel by pixel."""

import colorsys
from fractions import Fraction
from itertools import pairwise

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.scoring.metrics.one_pass import one_pass
from cutscore.scoring.metrics.shots import CUT, Shots, content_value, cuts


def counted(first, second):
    """The definition, one pixel after the other."""
    total = 0
    for (h1, s1, v1), (h2, s2, v2) in zip(first.reshape(-1, 3).tolist(), second.reshape(-1, 3).tolist(), strict=True):
        total += min(abs(h1 - h2), 180 - abs(h1 - h2)) + abs(s1 - s2) + abs(v1 - v2)
    return total / first.size


@pytest.mark.parametrize("size", [(1, 1), (7, 5), (32, 48)])
def test_content_value_equals_the_count(size):
    rng = np.random.default_rng(4)
    first, second = (rng.integers(0, (180, 256, 256), (*size, 3)).astype(np.uint8) for _ in range(2))
    assert content_value(first, second) == pytest.approx(counted(first, second))
    assert content_value(first, second) == content_value(second, first)
    assert content_value(first, first) == 0


def test_hsv_is_what_others_mean_by_it():
    rgb = np.random.default_rng(5).integers(0, 256, (1, 200, 3), dtype=np.uint8)
    for pixel, (h, s, v) in zip(rgb[0], cv2.cvtColor(rgb, cv2.COLOR_RGB2HSV)[0].tolist(), strict=True):
        hue, saturation, value = colorsys.rgb_to_hsv(*(pixel / 255))
        assert min(abs(hue * 180 - h), 180 - abs(hue * 180 - h)) <= 1
        assert (saturation * 255, value * 255) == pytest.approx((s, v), abs=1)


@given(st.lists(st.sampled_from([0.0, CUT - 1, CUT, 90.0]), max_size=40))
def test_cuts_lie_apart_and_none_is_made_up(values):
    found = cuts(values, CUT)
    assert all(values[number] >= CUT for number in found)
    assert all(later - earlier > 2 for earlier, later in pairwise(found))
    loud = [number for number, value in enumerate(values) if value >= CUT]
    assert found[:1] == loud[:1]


def shot(colour, count):
    """A coloured ground with a light square that moves 2 pixels a frame."""
    for number in range(count):
        pixels = np.full((96, 160, 3), colour, np.uint8)
        pixels[30:60, 2 * number : 2 * number + 30] += 40
        yield pixels


@pytest.fixture
def three_shots(clip):
    """Blue for 20 frames, orange for 15, dark green for 25."""
    return clip([*shot((20, 30, 160), 20), *shot((200, 120, 20), 15), *shot((10, 70, 10), 25)])


def test_shots_are_where_they_were_cut(three_shots):
    found = one_pass(three_shots, [Shots()]).alone[0]
    assert found.summary == 3
    assert [(span.start_s * 25, span.end_s * 25) for span in found.spans] == [(0, 20), (20, 35), (35, 59)]
    assert found.values[[19, 34]].min() > CUT > 3 * np.delete(found.values, [19, 34]).max()
    assert found.at_s[19] == Fraction(20, 25)


def test_a_flash_of_one_frame_is_one_cut(clip):
    frames = [*shot((20, 30, 160), 12), np.full((96, 160, 3), 255, np.uint8), *shot((20, 30, 160), 12)]
    assert one_pass(clip(frames), [Shots()]).alone[0].summary == 2


def test_movement_and_a_single_frame_are_one_shot(moving, clip):
    assert one_pass(moving, [Shots()]).alone[0].summary == 1
    single = one_pass(clip(shot((9, 9, 90), 1)), [Shots()]).alone[0]
    assert (single.summary, len(single.spans), len(single.values)) == (1, 1, 0)
