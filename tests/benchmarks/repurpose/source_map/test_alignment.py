"""The cheapest account of a film, on hashes alone: planted stays are found again, to the picture."""

from itertools import pairwise
from random import Random

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cutscore.benchmarks.repurpose.source_map.alignment import StateTrack, TrackStay, cheapest_path

SOURCE = [Random(f"state {number}").getrandbits(63) for number in range(60)]
TRACKS = [StateTrack(np.array(SOURCE, np.uint64)[:, None]), StateTrack(np.array(SOURCE, np.uint64)[:, None], held=True)]


def account(hashes, *, blank=None, tracks=TRACKS, steps=None):
    film = np.array(hashes, np.uint64)[:, None]
    blank = blank or [False] * len(hashes)
    return cheapest_path(film, steps or [1] * len(hashes), blank, tracks, jump_bits=16, foreign_bits=12)


def noisy(hashes, bits, seed):
    draw = Random(seed)
    for each in hashes:
        yield each ^ sum(1 << bit for bit in draw.sample(range(63), bits))


@st.composite
def edits(draw):
    """Two to five stays: going on, held or foreign, each of at least five pictures and none the next of the other."""
    made, last = [], None
    for _ in range(draw(st.integers(2, 5))):
        kind = draw(st.sampled_from([each for each in (0, 1, None) if each is not None or last != "foreign"]))
        length = draw(st.integers(5, 12))
        made.append((kind, draw(st.integers(0, 40)), length))
        last = "foreign" if kind is None else ""
    return made


@settings(max_examples=25)
@given(edits(), st.integers(0, 4), st.integers(0, 99))
def test_planted_stays_are_found_to_the_picture(planted, bits, seed):
    hashes, expected = [], []
    for number, (kind, state, length) in enumerate(planted):
        shown = {
            0: SOURCE[state : state + length],
            1: [SOURCE[state]] * length,
            None: [Random(f"foreign {seed} {number} {each}").getrandbits(63) for each in range(length)],
        }[kind]
        expected.append(TrackStay(kind, len(hashes), len(hashes) + length, 0 if kind is None else state))
        hashes += shown
    assume(not any(_goes_on(one, other) for one, other in pairwise(expected)))  # a cut to the next picture is none
    assert account(list(noisy(hashes, bits, seed))) == expected


def _goes_on(one, other):
    """Whether a picture at the join could be of either."""
    ends = one.state + (one.end - one.first) * (one.track == 0)
    return one.track is not None and other.track is not None and abs(ends - other.state) <= 1


def test_a_picture_that_looks_like_another_place_by_chance_is_no_cut():
    hashes = SOURCE[10:20]
    hashes[4] = SOURCE[50]
    assert account(hashes) == [TrackStay(0, 0, 10, 10)]


def test_what_is_blank_is_of_no_track_unless_it_is_a_flash():
    hashes = SOURCE[10:30]
    flags = [5 <= number < 10 for number in range(20)]
    assert account(hashes, blank=flags) == [TrackStay(0, 0, 5, 10), TrackStay(None, 5, 10, 0), TrackStay(0, 10, 20, 20)]
    assert account(hashes, blank=[number == 5 for number in range(20)]) == [TrackStay(0, 0, 20, 10)]


def test_pictures_that_are_missing_are_steps_over_states():
    hashes = [SOURCE[10], SOURCE[11], SOURCE[15], SOURCE[16]]
    assert account(hashes, steps=[0, 1, 4, 1]) == [TrackStay(0, 0, 4, 10)]


def test_the_nearest_crop_and_the_nearest_view_count():
    crops = np.array([[Random(f"x{number}").getrandbits(63), each] for number, each in enumerate(SOURCE)], np.uint64)
    film = np.array(
        [[Random(f"y{number}").getrandbits(63), each] for number, each in enumerate(SOURCE[5:15])], np.uint64
    )
    found = cheapest_path(film, [1] * 10, [False] * 10, [StateTrack(crops)], jump_bits=16, foreign_bits=12)
    assert found == [TrackStay(0, 0, 10, 5)]


def test_a_track_that_costs_more_is_taken_only_where_it_fits_better():
    twice = StateTrack(np.array(SOURCE[::2], np.uint64)[:, None], extra_bits=1)
    assert account(SOURCE[10:20], tracks=[TRACKS[0], twice]) == [TrackStay(0, 0, 10, 10)]
    assert account(SOURCE[10:30:2], tracks=[TRACKS[0], twice]) == [TrackStay(1, 0, 10, 5)]


def test_the_end_of_a_track_is_no_way_into_the_next():
    hashes = [*SOURCE[-3:], *SOURCE[:3]]
    other = StateTrack(np.array(SOURCE, np.uint64)[:, None])
    assert [(stay.first, stay.state) for stay in account(hashes, tracks=[TRACKS[0], other])] == [(0, 57), (3, 0)]
