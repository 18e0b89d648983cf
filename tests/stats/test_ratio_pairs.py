"""Shares with wholes against ratios of sums that numpy computes the long way."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.core.errors import BadInput
from cutscore.stats.intervals import ScoreColumn, estimate_columns
from cutscore.stats.paired import PairedScores, paired_differences
from cutscore.stats.power import detectable_difference
from cutscore.stats.resampling import tail_probability
from cutscore.stats.significance import paired_tests

RESAMPLES = 200
Sample = tuple[int, tuple[int, int], tuple[int, int]]
PART_OF_WHOLE = st.integers(0, 6).flatmap(lambda whole: st.tuples(st.integers(0, whole), st.just(whole)))
SAMPLES = st.lists(st.tuples(st.integers(0, 6), PART_OF_WHOLE, PART_OF_WHOLE), min_size=2, max_size=16)


def pair_of(samples: list[Sample]) -> PairedScores[int]:
    sides = [[sample[side] for sample in samples] for side in (1, 2)]
    values = [{key: part / whole for key, (part, whole) in enumerate(side) if whole} for side in sides]
    wholes = [{key: float(whole) for key, (_, whole) in enumerate(side)} for side in sides]
    cluster_of = {key: f"clip {cluster}" for key, (cluster, _, _) in enumerate(samples)}
    return PairedScores(values[0], values[1], cluster_of, "x", "a", "b", wholes=(wholes[0], wholes[1]))


def drawn_rows(clusters: list[str]) -> list[list[int]]:
    """Return the rows of each resample: clusters drawn with replacement, each with all its rows."""
    names = sorted(set(clusters))
    draws = np.random.default_rng(42).integers(0, len(names), size=(RESAMPLES, len(names)))
    rows = {name: [row for row, cluster in enumerate(clusters) if cluster == name] for name in names}
    return [[row for place in draw for row in rows[names[place]]] for draw in draws]


def ratio_of(parts: list[float], wholes: list[float], rows: list[int]) -> float:
    whole = sum(wholes[row] for row in rows)
    return sum(parts[row] for row in rows) / whole if whole else float("nan")


@settings(deadline=None, max_examples=60)
@given(SAMPLES)
def test_a_column_with_wholes_is_the_ratio_of_sums_drawn_by_cluster(samples: list[Sample]) -> None:
    counted = [(f"clip {cluster}", part, whole) for cluster, (part, whole), _ in samples if whole]
    clusters = [cluster for cluster, _, _ in counted]
    parts, wholes = ([float(each[place]) for each in counted] for place in (1, 2))  # type: ignore[arg-type]
    shares = [part / whole for part, whole in zip(parts, wholes, strict=True)]
    (found,) = estimate_columns([ScoreColumn(shares, clusters, "x", wholes=wholes)], resamples=RESAMPLES)
    assert found.n == len(counted)
    if counted:
        assert found.value == pytest.approx(sum(parts) / sum(wholes))
    if found.method.startswith("percentile"):
        resampled = [ratio_of(parts, wholes, rows) for rows in drawn_rows(clusters)]
        outside = tail_probability(len(set(clusters)))
        assert (found.low, found.high) == pytest.approx(tuple(np.quantile(resampled, [outside, 1 - outside])))


@settings(deadline=None, max_examples=60)
@given(SAMPLES)
def test_a_pair_is_the_difference_of_two_ratios_that_are_drawn_together(samples: list[Sample]) -> None:
    pair = pair_of(samples)
    (found,) = paired_differences([pair], resamples=RESAMPLES)
    part, whole, other_part, other_whole = pair.columns
    if not pair.shared:
        assert found.estimate.value is None
        return
    everything = list(range(len(pair.shared)))
    gap = ratio_of(part, whole, everything) - ratio_of(other_part, other_whole, everything)
    assert found.estimate.value == pytest.approx(gap, abs=1e-9)
    assert np.mean(pair.differences) == pytest.approx(gap, abs=1e-9)
    resampled = [
        ratio_of(part, whole, rows) - ratio_of(other_part, other_whole, rows) for rows in drawn_rows(pair.clusters)
    ]
    if found.estimate.method.startswith("percentile") and not np.isnan(resampled).any():
        outside = tail_probability(len(set(pair.clusters)))
        ends = np.quantile(resampled, [outside, 1 - outside])
        assert (found.estimate.low, found.estimate.high) == pytest.approx(tuple(ends), abs=1e-9)


@settings(deadline=None, max_examples=60)
@given(SAMPLES)
def test_p_is_how_often_swapped_clusters_give_as_large_a_difference(samples: list[Sample]) -> None:
    pair = pair_of(samples)
    (found,) = paired_tests([pair])
    if not pair.shared:
        assert found.p_value is None
        return
    if found.method.startswith("McNemar"):
        return
    names = sorted(set(pair.clusters))
    part, whole, other_part, other_whole = pair.columns
    rows, gaps = list(range(len(pair.shared))), []
    for swapped in product((False, True), repeat=len(names)):
        of = dict(zip(names, swapped, strict=True))
        sides = [
            [theirs[row] if of[pair.clusters[row]] else mine[row] for row in rows]
            for mine, theirs in ((part, other_part), (whole, other_whole), (other_part, part), (other_whole, whole))
        ]
        gaps.append(abs(ratio_of(sides[0], sides[1], rows) - ratio_of(sides[2], sides[3], rows)))
    reached = [not gap < gaps[0] - 1e-9 for gap in gaps]
    assert found.p_value == pytest.approx(sum(reached) / len(reached))


@given(
    st.lists(st.tuples(st.integers(0, 9), st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20),
    st.sampled_from([1.0, 3.0]),
    st.booleans(),
)
@settings(deadline=None, max_examples=40)
def test_with_equal_wholes_it_is_the_mean_to_the_last_bit(
    samples: list[tuple[int, float, float]], whole: float, binary: bool
) -> None:
    """Estimate with wholes of 1, then pair and test with wholes of 1 or 3: all as without any."""
    values = [[round(sample[side]) if binary else sample[side] for sample in samples] for side in (1, 2)]
    clusters = [f"clip {sample[0]}" for sample in samples]
    plain, weighed = (
        estimate_columns([ScoreColumn(values[0], clusters, "x", unscored=2, wholes=wholes)], resamples=RESAMPLES)
        for wholes in (None, [1.0] * len(samples))
    )
    assert plain == weighed
    one, two = (dict(enumerate(side)) for side in values)
    cluster_of = dict(enumerate(clusters))
    alike = dict.fromkeys(one, whole)
    pairs = [PairedScores(one, two, cluster_of, "x", "a", "b", wholes=each) for each in (None, (alike, alike))]
    first, second = paired_differences(pairs, resamples=RESAMPLES)
    assert first == second
    assert len(set(paired_tests(pairs, resamples=RESAMPLES))) == 1
    assert pairs[0].differences == pairs[1].differences


def test_a_side_without_a_whole_keeps_what_the_other_side_has() -> None:
    """Precision: the first says nothing of the third clip, so the second's two false alarms there count alone."""
    pair = pair_of([(0, (1, 2), (1, 2)), (1, (2, 2), (1, 2)), (2, (0, 0), (0, 2))])
    (found,) = paired_differences([pair], resamples=50)
    assert found.estimate.value == pytest.approx(3 / 4 - 2 / 6)
    assert (found.estimate.n, found.only_first, found.only_second) == (3, 0, 0)
    (test,) = paired_tests([pair])
    assert test.method == "swaps of both sides by cluster, all 8"


def test_swaps_are_drawn_above_twelve_clusters() -> None:
    samples: list[Sample] = [(clip, (2, 3), (1, 4)) for clip in range(20)]
    (test,) = paired_tests([pair_of(samples)], resamples=500)
    assert test.method == "swaps of both sides by cluster, 500 drawn, seed 42"
    assert test.p_value == pytest.approx(1 / 501)
    assert (test.only_first, test.only_second) == (20, 0)


def test_what_a_study_could_show_weighs_clips_by_their_wholes() -> None:
    """By simulation: the error of a difference of ratios is the spread of that difference over many studies."""
    generator = np.random.default_rng(7)
    seen, errors = [], []
    for _ in range(300):
        wholes = generator.integers(1, 9, 40)
        others = generator.integers(1, 9, 40)
        mine, theirs = generator.binomial(wholes, 0.6), generator.binomial(others, 0.5)
        pair = pair_of(
            [(clip, (int(mine[clip]), int(wholes[clip])), (int(theirs[clip]), int(others[clip]))) for clip in range(40)]
        )
        seen.append(mine.sum() / wholes.sum() - theirs.sum() / others.sum())
        errors.append(detectable_difference(pair.differences, pair.clusters).error or 0.0)
    assert np.mean(errors) == pytest.approx(np.std(seen), rel=0.15)


def test_a_value_without_a_whole_is_named() -> None:
    with pytest.raises(BadInput, match="estimate 'x': has a value without a whole above 0; leave out what has nothing"):
        estimate_columns([ScoreColumn([1.0], ["a"], "x", wholes=[0.0])])
