"""Tracks of motion that was made, their restart at cuts, and matching against all permutations."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.ndimage import gaussian_filter

from cutscore.perception.points import find_corners, track_points
from cutscore.scoring.metrics.one_pass import one_pass
from cutscore.scoring.metrics.tracks import Track, Tracks
from cutscore.scoring.metrics.trajectories import match_trajectories, track_distances

NOISE = gaussian_filter(np.random.default_rng(8).normal(0, 1, (300, 400)), 2)
GROUND = (128 + 300 * NOISE).clip(0, 255).astype(np.uint8)


def view(number, colour=(1.0, 1.0, 1.0)):
    """160×240 pixels of the ground; everything moves 3 pixels left and 1 up with every frame."""
    grey = GROUND[number : number + 160, 3 * number : 3 * number + 240]
    return (grey[..., None] * np.array(colour)).astype(np.uint8)


def test_tracks_go_the_way_that_was_made(clip):
    metric = Tracks()
    found = one_pass(clip(map(view, range(12))), [metric]).alone[0]
    assert found.summary > 0.9
    whole = [track for track in metric.tracks if len(track.at_s) == 12]
    assert len(whole) > 80
    for track in whole:
        assert np.diff(track.points, axis=0) * 240 == pytest.approx(np.tile([-3, -1], (11, 1)), abs=0.5)
        assert track.at_s == tuple(Fraction(number, 25) for number in range(12))


def test_no_track_crosses_a_cut(clip):
    frames = [*map(view, range(10)), *(view(number, (0.1, 0.3, 1)) for number in range(10))]
    metric = Tracks()
    found = one_pass(clip(frames), [metric]).alone[0]
    cut = Fraction(10, 25)
    assert all(track.at_s[-1] < cut or track.at_s[0] >= cut for track in metric.tracks)
    begun = {track.at_s[0] for track in metric.tracks}
    assert {Fraction(0), cut} <= begun
    assert cut not in found.at_s  # nothing could survive, so nothing is said
    assert len(found.values) == 18
    assert found.summary > 0.9


def test_points_that_do_not_come_back_are_lost():
    grey = view(0)[..., 0]
    points = find_corners(grey, 50, avoid=np.empty((0, 2), np.float32))
    end, kept = track_points(grey, view(1)[..., 0], points)
    assert kept.mean() > 0.8
    astray = np.linalg.norm(end[kept] - points[kept] - (-3, -1), axis=1)
    assert np.median(astray) < 0.1
    assert astray.max() <= 1  # at the border, where half of the window moves out of sight
    other = np.random.default_rng(0).integers(0, 256, grey.shape).astype(np.uint8)
    assert track_points(grey, other, points)[1].mean() < 0.3


def test_corners_keep_away_from_points_that_are_followed():
    grey = view(0)[..., 0]
    first = find_corners(grey, 40, avoid=np.empty((0, 2), np.float32))
    second = find_corners(grey, 40, avoid=first)
    assert np.linalg.norm(first[:, None] - second[None], axis=2).min() >= 6.5
    assert find_corners(np.zeros((50, 50), np.uint8), 10, avoid=first[:0]).shape == (0, 2)


def test_a_flat_clip_has_no_tracks(clip):
    metric = Tracks()
    found = one_pass(clip([np.full((64, 64, 3), 99, np.uint8)] * 4), [metric]).alone[0]
    assert (metric.tracks, found.summary) == ((), None)


def track(points, start=0):
    array = np.array(points, np.float32)
    return Track(tuple(Fraction(start + number, 25) for number in range(len(array))), array)


def straight(x, y, *, count=5, start=0):
    return track([(x + 0.01 * number, y) for number in range(count)], start)


def test_shuffled_tracks_find_themselves():
    tracks = [straight(0.1 * number, 0.05 * number) for number in range(9)]
    order = np.random.default_rng(0).permutation(9)
    matching = match_trajectories(tracks, [tracks[number] for number in order])
    assert [order[match.second] for match in matching.matches] == list(range(9))
    assert (matching.distance, matching.share) == (0, 1)


def test_far_and_short_tracks_find_nobody():
    first = [straight(0.1, 0.1), straight(0.5, 0.5)]
    second = [straight(0.12, 0.1), straight(0.9, 0.9), straight(0.5, 0.5, start=3)]  # two frames in common
    matching = match_trajectories(first, second)
    assert [(match.first, match.second) for match in matching.matches] == [(0, 0)]
    assert matching.distance == pytest.approx(0.02, abs=1e-6)
    assert matching.share == pytest.approx(1 / 3)


def test_nothing_matches_nothing():
    assert match_trajectories([], []).share is None
    assert match_trajectories([straight(0, 0)], []).share == 0
    assert match_trajectories([straight(0, 0)], []).distance is None


def test_distance_is_the_mean_over_common_times():
    first, second = straight(0.1, 0.1, count=6), track([(0.1, 0.2), (0.1, 0.3), (0.1, 0.1)], 2)
    naive = [np.hypot(0.12 - 0.1, 0.1), np.hypot(0.13 - 0.1, 0.2), np.hypot(0.14 - 0.1, 0)]
    assert track_distances([first], [second])[0, 0] == pytest.approx(np.mean(naive), abs=1e-6)


places = st.lists(st.tuples(st.floats(0, 1, width=16), st.floats(0, 1, width=16)), max_size=4)


@settings(max_examples=80, deadline=None)
@given(first=places, second=places)
def test_the_assignment_is_the_cheapest_of_all(first, second):
    one, other = [straight(*place) for place in first], [straight(*place) for place in second]
    gate, costs = 0.3, track_distances(one, other)
    matching = match_trajectories(one, other, gate=gate)
    short, long = sorted([len(one), len(other)])
    table = np.minimum(costs if len(one) <= len(other) else costs.T, gate)
    cheapest = min(sum(table[i, j] for i, j in enumerate(order)) for order in permutations(range(long), short))
    ours = sum(match.distance for match in matching.matches) + gate * (short - len(matching.matches))
    assert ours == pytest.approx(cheapest, abs=1e-9)
    assert match_trajectories(other, one, gate=gate).share == matching.share
