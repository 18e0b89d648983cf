import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.errors import BadInput
from cutscore.stats import resampling
from cutscore.stats.resampling import (
    Floats,
    bootstrap_estimate,
    check_columns,
    cluster_indices,
    divide_or_nan,
    draw_cluster_counts,
    percentile_interval,
    sums_by_cluster,
    t_quantile,
    tail_probability,
)


def test_every_row_draws_as_many_clusters_as_there_are() -> None:
    times = np.concatenate(list(draw_cluster_counts(7, resamples=5000, seed=1)))
    assert times.shape == (5000, 7)
    assert (times.sum(axis=1) == 7).all()
    # Each count is binomial(7, 1/7): mean 1, variance 6/7, the same for every cluster.
    assert times.mean(axis=0) == pytest.approx(np.ones(7), abs=0.06)
    assert times.var(axis=0) == pytest.approx(np.full(7, 6 / 7), abs=0.08)


def test_blocks_do_not_change_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = list(draw_cluster_counts(11, resamples=200, seed=2))
    monkeypatch.setattr(resampling, "MAX_CELLS", 11 * 13)
    parts = list(draw_cluster_counts(11, resamples=200, seed=2))
    wide = list(draw_cluster_counts(11, resamples=200, seed=2, columns=50))
    assert len(whole) == 1
    assert len(parts) == 16
    assert len(wide) == 100
    assert (np.concatenate(parts) == whole[0]).all()
    assert (np.concatenate(wide) == whole[0]).all()


@pytest.mark.parametrize(
    ("degrees", "tabled"), [(1, 12.7062), (2, 4.3027), (9, 2.2622), (30, 2.0423), (1000, 1.9623), (10_000_000, 1.96)]
)
def test_students_two_sided_95_percent_as_in_any_table(degrees: int, tabled: float) -> None:
    assert t_quantile(0.975, degrees) == pytest.approx(tabled, abs=5e-5)
    assert t_quantile(0.025, degrees) == pytest.approx(-tabled, abs=5e-5)


@pytest.mark.parametrize("clusters", [2, 5, 10, 171])
def test_tail_is_students(clusters: int) -> None:
    reach = scipy.stats.t.ppf(0.975, clusters - 1) * math.sqrt(clusters / (clusters - 1))
    assert tail_probability(clusters) == pytest.approx(scipy.stats.norm.sf(reach))
    assert tail_probability(clusters) < 0.025


@given(st.lists(st.sampled_from(["clip b", "clip a", "", "ü"]), max_size=20))
def test_places_follow_sorted_names(clusters: list[str]) -> None:
    place, size = cluster_indices(clusters)
    ordered = sorted(set(clusters))
    assert size == len(ordered)
    assert [ordered[number] for number in place] == clusters
    sums = sums_by_cluster(np.ones((len(clusters), 2)), clusters)
    assert sums.tolist() == [[clusters.count(name)] * 2 for name in ordered]


def test_share_says_where_there_is_none() -> None:
    found = divide_or_nan(np.array([1.0, 0.0, 3.0]), np.array([2.0, 0.0, 0.0]))
    assert found[0] == 0.5
    assert np.isnan(found[1:]).all()


def test_resamples_without_a_value_count_at_both_ends() -> None:
    values = np.arange(1000.0)
    whole, _ = percentile_interval(values, clusters=100, width=1000)
    holes = values.copy()
    holes[500:505] = np.nan
    open_ends, why = percentile_interval(holes, clusters=100, width=1000)
    assert whole is not None
    assert open_ends is not None
    assert why == ""
    # Five that could lie below move the low end five places down, and the high end five up.
    assert open_ends[0] == math.ceil(tail_probability(100) * 999) - 5
    assert open_ends[1] == math.floor((1 - tail_probability(100)) * 999) + 5
    assert whole[0] - 5 <= open_ends[0] < whole[0] < whole[1] < open_ends[1] <= whole[1] + 5
    holes[500:530] = np.nan
    assert percentile_interval(holes, clusters=100, width=1000) == (None, "30 of 1000 resamples have no value")
    assert percentile_interval(values * np.nan, clusters=9, width=1) == (None, "no resample has a value")
    assert percentile_interval(np.full(9, 0.3), clusters=9, width=1) == (None, "all resamples have the same value")


def test_values_and_ends_stay_on_the_scale() -> None:
    def off(times: Floats) -> Floats:
        return times[:, 0] * 2 - 0.5

    found = bootstrap_estimate(off, ["a", "b", "c"], name="x", scale=(0.0, 1.0), undefined="?", resamples=200)
    assert (found.value, found.low, found.high) == (1.0, 0.0, 1.0)


def test_wrong_columns_are_named() -> None:
    check_columns("x", ["a"], [1.0], ["any"])
    with pytest.raises(BadInput, match="estimate 'x': has 2 values and 1 clusters; give one for each sample"):
        check_columns("x", ["a"], [1.0, 2.0])
    with pytest.raises(BadInput, match="estimate 'x': value number 0 is inf; leave it out and count it as unscored"):
        check_columns("x", ["a"], [math.inf])
