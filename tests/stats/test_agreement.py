import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.errors import BadInput
from cutscore.stats.agreement import Weights, cohen_kappa, disagreement

GRADES = ["bad", "fair", "good", "best"]


def naive_kappa(first: list[str], second: list[str], weights: str) -> float:
    """Every pair of samples in loops: seen disagreement over that of all pairs of one's labels with the other's."""

    def cost(one: str, two: str) -> float:
        steps = abs(GRADES.index(one) - GRADES.index(two))
        return {"none": float(steps > 0), "linear": float(steps), "quadratic": float(steps**2)}[weights]

    seen = sum(cost(*pair) for pair in zip(first, second, strict=True)) / len(first)
    expected = sum(cost(*pair) for pair in itertools.product(first, second)) / len(first) ** 2
    return 1 - seen / expected


def table(cells: list[list[int]], labels: list[str]) -> tuple[list[str], list[str]]:
    pairs = [
        (labels[row], labels[column])
        for row, counts in enumerate(cells)
        for column, count in enumerate(counts)
        for _ in range(count)
    ]
    return [one for one, _ in pairs], [two for _, two in pairs]


def names(n: int) -> list[str]:
    return [f"{number}" for number in range(n)]


def test_published_kappa() -> None:
    """The textbook's 50 proposals: 20 both yes, 15 both no, 5 and 10 split; rate 0.7, chance 0.5, kappa 0.4."""
    first, second = table([[20, 5], [10, 15]], ["yes", "no"])
    found = cohen_kappa(first, second, names(50), categories=["yes", "no"], resamples=300)
    assert found.kappa.value == pytest.approx(0.4)
    assert (found.rate.value, found.chance) == pytest.approx((0.7, 0.5))
    assert found.base_rates == {"yes": (0.5, 0.6), "no": (0.5, 0.4)}


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
@given(labels=st.lists(st.tuples(st.sampled_from(GRADES), st.sampled_from(GRADES)), min_size=2, max_size=25))
def test_equals_the_definition_in_loops(weights: Weights, labels: list[tuple[str, str]]) -> None:
    first, second = [one for one, _ in labels], [two for _, two in labels]
    found = cohen_kappa(first, second, names(len(labels)), categories=GRADES, weights=weights, resamples=20).kappa
    if len({*first, *second}) == 1:
        assert found.value is None
        assert found.method == "undefined: both raters gave one and the same category throughout"
    else:
        assert found.value == pytest.approx(naive_kappa(first, second, weights), abs=1e-9)


def test_interval_equals_a_slow_bootstrap_with_the_same_draws() -> None:
    generator = np.random.default_rng(4)
    first = [GRADES[number] for number in generator.integers(0, 4, 60)]
    second = [label if generator.random() < 0.6 else GRADES[generator.integers(0, 4)] for label in first]
    clips = [f"clip {number // 3:02d}" for number in range(60)]
    found = cohen_kappa(first, second, clips, categories=GRADES, weights="linear", resamples=200, seed=8).kappa
    draws = np.random.default_rng(8).integers(0, 20, size=(200, 20))
    slow = []
    for draw in draws:
        rows = [3 * clip + row for clip in draw for row in range(3)]
        slow.append(naive_kappa([first[row] for row in rows], [second[row] for row in rows], "linear"))
    reach = 2.093024 * math.sqrt(20 / 19)  # Student's 97.5% point for 19 degrees of freedom
    tail = math.erfc(reach / math.sqrt(2)) / 2
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(slow, [tail, 1 - tail])), abs=1e-6)


def test_interval_covers_the_truth_95_times_in_100() -> None:
    """600 studies of 60 clips with 3 verdicts; both raters err by clip, some clips are hard for both."""
    hits, studies = 0, 600

    def study(generator: np.random.Generator, clips: int) -> tuple[list[str], list[str]]:
        truth = (generator.random(clips) < 0.4).repeat(3) ^ (generator.random(3 * clips) < 0.1)
        error = np.where(generator.random(clips) < 0.3, 0.35, 0.05).repeat(3)
        sides = [truth ^ (generator.random(3 * clips) < error) for _ in "ab"]
        return [["no", "yes"][int(said)] for said in sides[0]], [["no", "yes"][int(said)] for said in sides[1]]

    first, second = study(np.random.default_rng(99), 200_000)
    code = np.array([(one == "yes") + 2 * (two == "yes") for one, two in zip(first, second, strict=True)])
    no, only_first, only_second, both = np.bincount(code) / len(code)
    chance = (both + only_first) * (both + only_second) + (no + only_first) * (no + only_second)
    truth = (both + no - chance) / (1 - chance)
    clips = [f"{number // 3}" for number in range(180)]
    for number in range(studies):
        sides = study(np.random.default_rng(number), 60)
        found = cohen_kappa(*sides, clips, categories=["no", "yes"], resamples=600, seed=number).kappa
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= truth <= found.high
    assert 0.93 <= hits / studies <= 0.97


def test_perfect_agreement_has_a_value_and_no_narrow_interval() -> None:
    labels = ["yes", "no"] * 10
    found = cohen_kappa(labels, labels, names(20), categories=["yes", "no"], resamples=50)
    assert (found.kappa.value, found.kappa.low) == (1, None)
    assert found.kappa.method.startswith("undefined: ")
    assert found.rate.method == "undefined: all resamples have the same value"
    nothing = cohen_kappa([], [], [], categories=["yes", "no"])
    assert (nothing.kappa.value, nothing.chance, nothing.kappa.method) == (None, None, "undefined: no samples")
    one = cohen_kappa(["yes", "no"], ["no", "no"], ["a", "a"], categories=["yes", "no"])
    assert (one.kappa.value, one.kappa.method) == (0, "undefined: one cluster")


def test_wrong_labels_are_named() -> None:
    with pytest.raises(BadInput, match="estimate 'kappa': 'maybe' is none of its 2 categories; add it"):
        cohen_kappa(["maybe"], ["yes"], ["a"], categories=["yes", "no"])
    with pytest.raises(BadInput, match="estimate 'kappa': a category is named twice"):
        cohen_kappa(["yes"], ["yes"], ["a"], categories=["yes", "yes"])
    with pytest.raises(BadInput, match="has 2 values and 1 clusters"):
        cohen_kappa(["yes", "no"], ["yes"], ["a"], categories=["yes", "no"])
    with pytest.raises(BadInput, match="weights 'cubic' are not known; use none, linear or quadratic"):
        disagreement(3, "cubic")  # type: ignore[arg-type]
