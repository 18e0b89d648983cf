import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.errors import BadInput
from cutscore.core.estimate import Difference
from cutscore.stats.intervals import estimate, resample_means, wilson_interval
from cutscore.stats.paired import PairedScores, paired_difference, paired_differences
from cutscore.stats.significance import paired_tests, sign_flip


def difference(
    first: dict[str, float], second: dict[str, float], cluster_of: dict[str, str] | None = None, **options: object
) -> Difference:
    clusters = cluster_of or {key: key for key in {**first, **second}}
    return paired_difference(first, second, clusters, name="x", first_label="a", second_label="b", **options)  # type: ignore[arg-type]


def rows(*values: float) -> dict[str, float]:
    return {f"item {number:03d}": value for number, value in enumerate(values)}


def test_is_the_estimate_of_the_differences_of_shared_samples() -> None:
    generator = np.random.default_rng(2)
    keys = [f"item {number}" for number in range(60)]
    first = {key: float(generator.random()) for key in keys[:50]}
    second = {key: float(generator.random()) for key in keys[5:]}
    cluster_of = {key: f"clip {number % 12}" for number, key in enumerate(keys)}
    found = difference(first, second, cluster_of, resamples=500, seed=3)
    shared = keys[5:50]
    alone = estimate(
        [first[key] - second[key] for key in shared],
        [cluster_of[key] for key in shared],
        name="x",
        scale=(-1, 1),
        resamples=500,
        seed=3,
    )
    assert found.estimate == alone.model_copy(update={"bounds": None})
    assert (found.estimate.n, found.estimate.clusters) == (45, 12)
    assert (found.only_first, found.only_second) == (5, 10)
    assert (found.first, found.second) == ("a", "b")


def test_pairing_separates_what_two_intervals_would_not() -> None:
    """Hard and easy items, and one side a little better on most of them."""
    generator = np.random.default_rng(4)
    level = generator.random(40) * 0.8
    gain = generator.normal(0.03, 0.03, 40)
    first, second = rows(*(level + gain).tolist()), rows(*level.tolist())
    found = difference(first, second)
    assert found.leaves_out_zero is True
    assert found.estimate.low is not None
    assert found.estimate.low > 0
    ends = [estimate(list(side.values()), list(side), name="x") for side in (first, second)]
    assert ends[0].low is not None
    assert ends[1].high is not None
    assert ends[0].low < ends[1].high


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=30))
def test_the_other_way_round_has_the_other_sign_and_the_same_verdict(pairs: list[tuple[float, float]]) -> None:
    first, second = rows(*(one for one, _ in pairs)), rows(*(two for _, two in pairs))
    there, back = difference(first, second, resamples=100), difference(second, first, resamples=100)
    assert there.leaves_out_zero == back.leaves_out_zero
    assert there.estimate.value == -(back.estimate.value or 0.0)
    if there.estimate.low is not None and there.estimate.high is not None:
        assert back.estimate.high == pytest.approx(-there.estimate.low, abs=1e-9)


def test_identical_results_are_not_separable_and_have_no_narrow_interval() -> None:
    found = difference(rows(0, 1, 1, 0.5), rows(0, 1, 1, 0.5))
    assert (found.estimate.value, found.estimate.low, found.estimate.high) == (0, None, None)
    assert found.estimate.method == "undefined: all clusters have the same mean"
    assert found.leaves_out_zero is False


def test_full_marks_against_none_is_separable_by_wilson() -> None:
    found = difference(rows(*[1.0] * 10), rows(*[0.0] * 10))
    low, _ = wilson_interval(10, 10)
    assert found.estimate.low == pytest.approx(2 * low - 1)
    assert found.estimate.high == 1
    assert found.leaves_out_zero is True
    # … but three items are too few to tell, however clear they look.
    assert difference(rows(1, 1, 1), rows(0, 0, 0)).leaves_out_zero is False


def test_a_constant_gain_in_the_middle_of_the_scale_is_undefined() -> None:
    found = difference(rows(0.5, 0.75, 1.0), rows(0.25, 0.5, 0.75))
    assert found.estimate.value == 0.25
    assert (found.estimate.low, found.leaves_out_zero) == (None, None)


def test_one_sample_and_one_cluster_decide_nothing() -> None:
    one = difference(rows(1.0), rows(0.0))
    assert (one.estimate.value, one.estimate.n, one.leaves_out_zero) == (1.0, 1, None)
    assert one.estimate.method == "undefined: one cluster"
    same_clip = difference(rows(1, 1, 0), rows(0, 0, 0), dict.fromkeys(rows(0, 0, 0), "clip"))
    assert (same_clip.estimate.clusters, same_clip.leaves_out_zero) == (1, None)
    assert difference(rows(1.0), rows(1.0)).leaves_out_zero is False


def test_nothing_shared() -> None:
    found = difference({"p": 1.0}, {"q": 0.0})
    assert (found.estimate.value, found.estimate.n, found.leaves_out_zero) == (None, 0, None)
    assert (found.only_first, found.only_second) == (1, 1)


@pytest.mark.parametrize("clusters", [10, 30])
def test_equal_sides_are_called_separable_about_5_times_in_100(clusters: int) -> None:
    """600 seeded studies of two equally good sides, three questions a clip, scores 0 or 1."""
    wrong = decided = 0
    for study in range(600):
        generator = np.random.default_rng(study)
        ease = generator.random(clusters).repeat(3)
        keys = [f"{number}" for number in range(3 * clusters)]
        first, second = (dict(zip(keys, map(float, generator.random(3 * clusters) < ease), strict=True)) for _ in "ab")
        found = difference(first, second, {key: f"clip {int(key) // 3}" for key in keys}, resamples=500, seed=study)
        decided += found.leaves_out_zero is not None
        wrong += found.leaves_out_zero is True
    assert decided == 600
    assert 0.015 <= wrong / decided <= 0.085


@pytest.mark.parametrize("clusters", [10, 40])
def test_intervals_cover_a_true_difference_95_times_in_100(clusters: int) -> None:
    """800 seeded studies, grades 0, ¼ … 1 with many ties, 3 questions a clip; one side gains on half of the clips."""

    def grades(generator: np.random.Generator, clips: int) -> tuple[list[float], list[float]]:
        level = generator.integers(0, 3, clips).repeat(3) / 4
        gain = (generator.random(clips) < 0.5).repeat(3) * 0.25
        noise = generator.integers(0, 2, (2, 3 * clips)) / 4
        return (level + gain + noise[0]).clip(0, 1).tolist(), (level + noise[1]).clip(0, 1).tolist()

    first, second = grades(np.random.default_rng(999), 400_000)
    truth = float(np.mean(first) - np.mean(second))
    keys = [f"{number:03d}" for number in range(3 * clusters)]
    clip_of = {key: f"clip {int(key) // 3}" for key in keys}
    hits = 0
    for study in range(800):
        sides = [dict(zip(keys, side, strict=True)) for side in grades(np.random.default_rng(study), clusters)]
        found = difference(*sides, clip_of, resamples=500, seed=study).estimate
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= truth <= found.high
    assert 0.93 <= hits / 800 <= 0.97


def test_wrong_input_is_named() -> None:
    with pytest.raises(BadInput, match=r"a − b: sample 'item 000' scored nan and 1.0; count it as unscored"):
        difference(rows(math.nan), rows(1.0))
    with pytest.raises(BadInput, match="a − b: sample 'item 001' has no cluster"):
        difference(rows(0, 1), rows(1, 1), {"item 000": "clip"})


def studies() -> list[PairedScores[str]]:
    """Pairs of every kind: 5 and 30 clusters, a tie, full marks against none, no sample in common."""
    generator = np.random.default_rng(8)
    keys = [f"item {number:02d}" for number in range(60)]
    few, many = ({key: f"clip {number % size}" for number, key in enumerate(keys)} for size in (5, 30))
    draw = [{key: float(generator.random()) for key in keys} for _ in range(4)]
    full, none = dict.fromkeys(keys, 1.0), dict.fromkeys(keys, 0.0)
    chosen = [(draw[0], draw[1], few), (draw[2], draw[3], many), (draw[0], draw[3], many), (draw[0], draw[0], few)]
    chosen += [(full, none, many), (draw[0], {"other": 1.0}, few)]
    return [PairedScores(first, second, clusters, "x", "a", "b") for first, second, clusters in chosen]


def test_many_at_once_are_as_one_by_one() -> None:
    pairs = studies()
    for sides, found, tested in zip(pairs, paired_differences(pairs), paired_tests(pairs), strict=True):
        assert found == difference(dict(sides.first), dict(sides.second), dict(sides.cluster_of))
        assert tested == sign_flip(sides.first, sides.second, sides.cluster_of)


def test_they_share_their_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three of these pairs need draws, in two numbers of clusters."""
    from cutscore.stats import intervals

    drawn = []

    def counted(sums, counts, **options):  # type: ignore[no-untyped-def]
        drawn.append(sums.shape)
        return resample_means(sums, counts, **options)

    monkeypatch.setattr(intervals, "resample_means", counted)
    paired_differences(studies())
    assert drawn == [(5, 1), (30, 2)]
