import math

import numpy as np
import pytest

from cutscore.core.errors import BadInput
from cutscore.stats.ranking import rank_systems


def test_clear_order_is_certain_and_close_ones_are_not() -> None:
    """Two systems far ahead and behind, two that differ by nothing but luck."""
    generator = np.random.default_rng(1)
    ease = generator.normal(0, 0.1, 60)[:, np.newaxis]
    sums = ease + np.array([0.8, 0.5, 0.5, 0.2]) + generator.normal(0, 0.05, (60, 4))
    found = rank_systems(sums, np.ones((60, 4)), ["top", "one", "two", "last"], resamples=1000)
    assert [place.system for place in found] == ["top", "one", "two", "last"]
    assert (found[0].rank, found[0].low, found[0].high, found[0].first_share) == (1, 1, 1, 1.0)
    assert (found[3].rank, found[3].low, found[3].high, found[3].first_share) == (4, 4, 4, 0.0)
    assert [(place.low, place.high) for place in found[1:3]] == [(2, 3), (2, 3)]
    assert found[0].method == "percentile bootstrap by cluster, expanded for few clusters, 1000 resamples, seed 42"


def test_pairing_by_cluster_orders_what_luck_of_clips_would_hide() -> None:
    generator = np.random.default_rng(2)
    ease = generator.normal(0, 1, 40)
    lead = generator.normal(0.1, 0.1, 40)
    sums = np.column_stack([ease + lead, ease])
    found = rank_systems(sums, np.ones((40, 2)), ["a", "b"], resamples=500)
    assert [(place.low, place.high) for place in found] == [(1, 1), (2, 2)]
    # The same means without the pairing: nothing can be said.
    shuffled = np.column_stack([ease + lead, generator.permutation(ease)])
    loose = rank_systems(shuffled, np.ones((40, 2)), ["a", "b"], resamples=500)
    assert [(place.low, place.high) for place in loose] == [(1, 2), (1, 2)]


@pytest.mark.parametrize("study", range(8))
def test_equals_ranks_counted_in_loops(study: int) -> None:
    generator = np.random.default_rng(study)
    sums = generator.integers(0, 3, (9, 5)).astype(float)
    found = rank_systems(sums, np.full((9, 5), 2.0), list("abcde"), resamples=120, seed=3)
    best, worst = [], []
    for draw in np.random.default_rng(3).integers(0, 9, size=(120, 9)):
        means = sums[draw].sum(axis=0)
        best.append([1 + sum(other > mine for other in means) for mine in means])
        worst.append([sum(other >= mine for other in means) for mine in means])
    tail = math.erfc(2.306004 * math.sqrt(9 / 8) / math.sqrt(2)) / 2  # Student's 97.5% point, 8 degrees
    for number, place in enumerate(found):
        low, high = sorted(row[number] for row in best), sorted(row[number] for row in worst)
        assert place.low == low[math.floor(tail * 119)]
        assert place.high == high[math.ceil((1 - tail) * 119)]
        assert place.first_share == pytest.approx(np.mean([row[number] == 1 for row in best]))


def test_lower_is_better_turns_the_order() -> None:
    sums = np.array([[3.0, 1.0, 2.0]] * 8) + np.random.default_rng(0).normal(0, 0.1, (8, 3))
    up = rank_systems(sums, np.ones((8, 3)), list("abc"), resamples=100)
    down = rank_systems(sums, np.ones((8, 3)), list("abc"), higher_is_better=False, resamples=100)
    assert [place.rank for place in up] == [1, 3, 2]
    assert [place.rank for place in down] == [3, 1, 2]


def test_ties_share_the_best_rank_and_span_all_of_them() -> None:
    column = np.random.default_rng(4).random(20)
    sums = np.column_stack([column, column, column - 5])
    found = rank_systems(sums, np.ones((20, 3)), list("abc"), resamples=100)
    assert [(place.rank, place.low, place.high) for place in found] == [(1, 1, 2), (1, 1, 2), (3, 3, 3)]


@pytest.mark.parametrize(("clusters", "span"), [(5, (1, 2)), (6, (1, 1))])
def test_a_constant_lead_needs_six_clusters(clusters: int, span: tuple[int, int]) -> None:
    sums = np.array([[1.0, 0.0]] * clusters)
    found = rank_systems(sums, np.ones_like(sums), ["oracle", "null"], resamples=50)
    assert (found[0].rank, found[0].low, found[0].high) == (1, *span)


def test_too_little_is_undefined() -> None:
    one = rank_systems(np.array([[1.0, 0.0]]), np.ones((1, 2)), ["a", "b"], resamples=20)
    assert [(place.rank, place.low, place.method) for place in one] == [
        (1, None, "undefined: one cluster"),
        (2, None, "undefined: one cluster"),
    ]
    none = rank_systems(np.zeros((0, 2)), np.zeros((0, 2)), ["a", "b"], resamples=20)
    assert [(place.rank, place.method) for place in none] == [(None, "undefined: no samples")] * 2
    sums, counts = np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([[1.0, 0.0], [1.0, 1.0]])
    gap = rank_systems(sums, counts, ["a", "b"], resamples=20)
    assert gap[0].method.endswith("resamples leave a system without samples")
    with pytest.raises(BadInput, match=r"ranks: sums are \(2, 2\) for 1 systems; give clusters × systems"):
        rank_systems(sums, counts, ["a"])


def test_intervals_of_ranks_hold_the_true_rank() -> None:
    """300 studies of 5 systems a little apart, 40 clips; the true rank of each is inside at least 95 times in 100."""
    truth = np.array([0.60, 0.57, 0.54, 0.51, 0.48])
    hits = 0
    for study in range(300):
        generator = np.random.default_rng(study)
        ease = generator.normal(0, 0.2, 40)[:, np.newaxis]
        sums = truth + ease + generator.normal(0, 0.1, (40, 5))
        found = rank_systems(sums, np.ones((40, 5)), list("abcde"), resamples=300, seed=study)
        hits += sum((place.low or 9) <= rank <= (place.high or 0) for rank, place in enumerate(found, start=1))
    assert hits / 1500 >= 0.95
