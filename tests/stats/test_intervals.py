import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.errors import BadInput
from cutscore.core.estimate import Estimate
from cutscore.stats import resampling
from cutscore.stats.intervals import estimate, resample_means, wilson_interval

samples = st.lists(st.tuples(st.floats(0, 1), st.sampled_from(["a", "b", "c", "d", "e"])), min_size=1, max_size=40)


def clustered(seed: int, clusters: int, *, spread: float = 1.0) -> tuple[list[float], list[str]]:
    """Scores of 1 to 5 questions for each clip; questions about one clip share its difficulty."""
    generator = np.random.default_rng(seed)
    values: list[float] = []
    names: list[str] = []
    for cluster in range(clusters):
        difficulty = generator.normal(0, spread)
        for _ in range(generator.integers(1, 6)):
            values.append(float(difficulty + generator.normal(0, 1)))
            names.append(f"clip {cluster:05d}")
    return values, names


def slow_bootstrap(values: list[float], names: list[str], *, resamples: int, seed: int) -> list[float]:
    """Draw clip by clip, gather every score, average: the definition, in loops."""
    ordered = sorted(set(names))
    generator = np.random.default_rng(seed)
    means = []
    for _ in range(resamples):
        drawn: list[float] = []
        for number in generator.integers(0, len(ordered), size=len(ordered)):
            drawn += [value for value, name in zip(values, names, strict=True) if name == ordered[number]]
        means.append(sum(drawn) / len(drawn))
    return means


@pytest.mark.parametrize("clusters", [2, 3, 17])
def test_equals_a_slow_bootstrap_with_the_same_draws(clusters: int) -> None:
    values, names = clustered(1, clusters)
    found = estimate(values, names, name="x", resamples=200, seed=9)
    slow = slow_bootstrap(values, names, resamples=200, seed=9)
    # Expanded percentiles: Student's 97.5% point for 1, 2 and 16 degrees of freedom, from a table.
    reach = {2: 12.7062, 3: 4.30265, 17: 2.11991}[clusters] * math.sqrt(clusters / (clusters - 1))
    tail = math.erfc(reach / math.sqrt(2)) / 2
    assert found.value == pytest.approx(sum(values) / len(values), abs=1e-12)
    assert found.low == pytest.approx(np.quantile(slow, tail), abs=1e-6)
    assert found.high == pytest.approx(np.quantile(slow, 1 - tail), abs=1e-6)


def test_draws_do_not_depend_on_how_much_memory_we_take(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(0)
    sums, counts = generator.normal(size=37), generator.integers(1, 9, 37).astype(float)
    at_once = resample_means(sums, counts, resamples=500, seed=3)
    monkeypatch.setattr(resampling, "MAX_CELLS", 37 * 7)
    np.testing.assert_allclose(resample_means(sums, counts, resamples=500, seed=3), at_once, rtol=1e-12)
    monkeypatch.setattr(resampling, "MAX_CELLS", 1)
    np.testing.assert_allclose(resample_means(sums, counts, resamples=500, seed=3), at_once, rtol=1e-12)


@given(samples, st.randoms(use_true_random=False), st.integers(0, 5))
def test_order_of_samples_changes_nothing(
    rows: list[tuple[float, str]], shuffler: random.Random, unscored: int
) -> None:
    def of(rows: list[tuple[float, str]]) -> Estimate:
        values, names = zip(*rows, strict=True)
        return estimate(values, names, name="x", unscored=unscored, resamples=50)

    mixed = list(rows)
    shuffler.shuffle(mixed)
    assert of(mixed) == of(rows)


def test_order_does_not_matter_even_where_floats_forget() -> None:
    names = ["a", "a", "a", "b", "c"]
    there = estimate([1e16, 1.0, -1e16, 0.5, 0.75], names, name="x", resamples=50)
    assert there == estimate([1e16, -1e16, 1.0, 0.5, 0.75], names, name="x", resamples=50)
    assert there.value == 2.25 / 5


@given(samples, st.integers(0, 10))
def test_every_estimate_is_sane(rows: list[tuple[float, str]], unscored: int) -> None:
    values, names = zip(*rows, strict=True)
    found = estimate(values, names, name="x", unscored=unscored, resamples=50)
    assert found.value is not None
    assert found.bounds is not None
    assert (found.n, found.clusters, found.unscored) == (len(rows), len(set(names)), unscored)
    assert -1e-9 <= found.bounds[0] <= found.value + 1e-9 <= found.bounds[1] + 2e-9
    assert (found.low is None) == found.method.startswith("undefined: ")
    if found.low is not None and found.high is not None:
        assert 0 <= found.low <= found.high <= 1


def test_closed_form_standard_error_of_clustered_means() -> None:
    """√Σ(Σ residuals of a cluster)² / n, the cluster-robust error of a mean; a tenth of it would be wrong by rows."""
    values, names = clustered(5, 2000)
    residuals: dict[str, float] = {}
    mean = sum(values) / len(values)
    for value, name in zip(values, names, strict=True):
        residuals[name] = residuals.get(name, 0.0) + value - mean
    error = math.sqrt(sum(residual**2 for residual in residuals.values())) / len(values)
    by_rows = np.std(values) / math.sqrt(len(values))
    assert error > 1.4 * by_rows  # the data is really clustered
    found = estimate(values, names, name="x", scale=(-10, 10), resamples=4000)
    assert found.low is not None
    assert found.high is not None
    assert (found.high - found.low) / (2 * 1.96) == pytest.approx(error, rel=0.04)


@pytest.mark.parametrize(("clusters", "spread"), [(10, 1.0), (40, 1.0), (40, 0.0)])
def test_intervals_cover_the_truth_95_times_in_100(clusters: int, spread: float) -> None:
    """Simulated clips whose true mean is 0; 800 studies, seeded; 95 ± 2."""
    studies = 800
    hits = 0
    for study in range(studies):
        values, names = clustered(10_000 + study, clusters, spread=spread)
        found = estimate(values, names, name="x", scale=(-10, 10), resamples=1000, seed=study)
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= 0 <= found.high
    assert 0.93 <= hits / studies <= 0.97


def test_by_rows_the_same_data_would_not_be_covered() -> None:
    """The reason for clusters: 800 studies again, every question taken as independent."""
    hits = 0
    for study in range(800):
        values, _ = clustered(10_000 + study, 40)
        found = estimate(values, [str(row) for row in range(len(values))], name="x", scale=(-10, 10), resamples=300)
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= 0 <= found.high
    assert hits / 800 < 0.85


def test_what_is_printed_names_method_resamples_and_seed() -> None:
    found = estimate(
        [0, 1, 1, 0], list("abcd"), name="accuracy", resamples=300, seed=7, mode="strict", group={"a": "b"}
    )
    assert found.method == "percentile bootstrap by cluster, expanded for few clusters, 300 resamples, seed 7"
    assert (found.name, found.mode, found.group, found.scale) == ("accuracy", "strict", {"a": "b"}, (0, 1))


def test_bounds_put_unscored_samples_at_both_ends() -> None:
    found = estimate([1, 1, 0], list("abc"), name="x", unscored=1)
    assert found.bounds == (0.5, 0.75)
    assert found.value == pytest.approx(2 / 3)
    found = estimate([6.0, 8.0], list("ab"), name="x", unscored=2, scale=(1, 10))
    assert found.bounds == (4.0, 8.5)


def test_nothing_to_average() -> None:
    found = estimate([], [], name="x", unscored=3)
    assert (found.value, found.low, found.high, found.n, found.clusters) == (None, None, None, 0, 0)
    assert found.bounds == (0, 1)
    assert found.method == "undefined: no samples"
    assert estimate([], [], name="x").bounds is None


def test_one_cluster_has_no_interval() -> None:
    found = estimate([0, 1, 1], ["a"] * 3, name="x")
    assert (found.low, found.high, found.clusters) == (None, None, 1)
    assert found.method == "undefined: one cluster"
    assert estimate([1.0], ["a"], name="x").method == "undefined: one cluster"


@pytest.mark.parametrize(("value", "k"), [(0.0, 0), (1.0, 10)])
def test_all_at_one_end_is_wilson_on_clusters(value: float, k: int) -> None:
    names = [f"clip {row % 10}" for row in range(40)]
    found = estimate([value] * 40, names, name="x")
    assert (found.low, found.high) == wilson_interval(k, 10)
    assert found.method == "Wilson by cluster, since all samples are at one end of the scale"
    ten = estimate([1 + 9 * value] * 40, names, name="x", scale=(1, 10))
    assert (ten.low, ten.high) == pytest.approx(tuple(1 + 9 * end for end in wilson_interval(k, 10)))


@pytest.mark.parametrize(
    "rows",
    [
        [(0.5, "a"), (0.5, "b"), (0.5, "c")],
        [(0.0, "a"), (1.0, "a"), (0.0, "b"), (1.0, "b")],  # clips agree though questions differ
        [(0.1, "a"), (0.2, "a"), (0.3, "a"), (0.2, "b")],  # equal but for rounding
    ],
)
def test_without_variation_between_clusters_the_interval_is_undefined(rows: list[tuple[float, str]]) -> None:
    values, names = zip(*rows, strict=True)
    found = estimate(values, names, name="x")
    assert (found.low, found.high) == (None, None)
    assert found.method == "undefined: all clusters have the same mean"


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (1, 10, 0.0179, 0.4042),
        (8, 10, 0.4902, 0.9433),
        (81, 263, 0.2553, 0.3662),  # Newcombe (1998), Table I, method 3
        (15, 148, 0.0624, 0.1605),
    ],
)
def test_wilson_against_published_values(k: int, n: int, low: float, high: float) -> None:
    assert wilson_interval(k, n) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 500), st.data())
def test_wilson_ends_solve_the_score_equation(n: int, data: st.DataObject) -> None:
    """Its definition: the proportions from which what was seen is 1.96 standard errors away."""
    k = data.draw(st.integers(0, n))
    for end in wilson_interval(k, n):
        if 0 < end < 1:
            assert abs(k / n - end) / math.sqrt(end * (1 - end) / n) == pytest.approx(1.959964, abs=1e-5)


def test_wilson_refuses_the_impossible() -> None:
    for k, n in ((-1, 3), (4, 3), (0, 0)):
        with pytest.raises(BadInput, match=f"{k} successes in {n} trials cannot be"):
            wilson_interval(k, n)


@pytest.mark.parametrize(
    ("values", "options", "text"),
    [
        ([0.5, math.nan], {}, "estimate 'x': value number 1 is nan; leave it out and count it as unscored"),
        ([math.inf, 0.5], {}, "estimate 'x': value number 0 is inf"),
        ([0.5], {}, "estimate 'x': has 1 values and 2 clusters; give one cluster for each value"),
        ([0, 1], {"scale": (1, 1)}, "estimate 'x': the scale goes from 1 to 1; give bottom and top"),
        ([0, 1], {"unscored": -1}, "estimate 'x': -1 unscored and 10000 resamples cannot be"),
    ],
)
def test_wrong_input_is_named(values: list[float], options: dict[str, object], text: str) -> None:
    with pytest.raises(BadInput) as caught:
        estimate(values, ["a", "b"], name="x", **options)  # type: ignore[arg-type]
    assert str(caught.value).startswith(text)
