"""What scores differ by: analyses of variance by hand, and components that these data cannot tell apart."""

from itertools import product

import numpy as np
import pytest

from cutscore.stats.variance import CELL, HARNESS, MODEL, REPETITION, STACK, TASK, RepeatedScore, split_variance


def one(model: str, harness: str, task: str, *scores: float, cluster: str = "") -> list[RepeatedScore]:
    return [RepeatedScore(model, harness, task, cluster or task, score) for score in scores]


# Cell means 0.2, 0.6, 0.6, 0.8 about 0.55: between models and between tasks 0.18, interaction and repetition 0.02.
TWO_BY_TWO = [
    *one("a", "h", "t1", 0.1, 0.3),
    *one("a", "h", "t2", 0.5, 0.7),
    *one("b", "h", "t1", 0.5, 0.7),
    *one("b", "h", "t2", 0.7, 0.9),
]


def test_two_models_two_tasks_done_twice_by_hand() -> None:
    """Models and tasks (0.18 − 0.02) / 4 = 0.04 each, interaction (0.02 − 0.02) / 2 = 0, repetition 0.02."""
    split = split_variance(TWO_BY_TWO, resamples=50)
    assert split.variance == pytest.approx(0.10)
    assert list(split.shares) == [MODEL, TASK, CELL, REPETITION]
    assert [each.value for each in split.shares.values()] == pytest.approx([0.4, 0.4, 0.0, 0.2], abs=1e-9)
    assert (split.shares[MODEL].n, split.shares[MODEL].clusters) == (8, 2)


def test_the_harness_is_told_from_the_model_where_they_are_crossed() -> None:
    """Models ±0.1, harnesses ±0.2, tasks ±0.3, nothing else: variances of two values, which are twice the squares."""
    made = [
        *(
            each
            for (m, model), (h, harness), (t, task) in product(
                *([(-0.1, "a"), (0.1, "b")], [(-0.2, "x"), (0.2, "y")], [(-0.3, "t1"), (0.3, "t2")])
            )
            for each in one(model, harness, task, m + h + t, m + h + t)
        )
    ]
    split = split_variance(made, resamples=50)
    assert split.variance == pytest.approx(0.02 + 0.08 + 0.18)
    told = {name: each.value for name, each in split.shares.items()}
    expected = {MODEL: 2 / 28, HARNESS: 8 / 28, STACK: 0.0, TASK: 18 / 28, CELL: 0.0, REPETITION: 0.0}
    assert told == pytest.approx(expected, abs=1e-9)


def test_without_repetition_it_is_part_of_what_a_stack_makes_of_a_task() -> None:
    """One score a cell: between models (0.4, 0.7) 2 · 0.045, interaction 0.01."""
    once = [*one("a", "h", "t1", 0.2), *one("a", "h", "t2", 0.6), *one("b", "h", "t1", 0.6), *one("b", "h", "t2", 0.8)]
    split = split_variance(once, resamples=50)
    assert list(split.shares) == [MODEL, TASK, CELL]
    assert [each.value for each in split.shares.values()] == pytest.approx([0.04 / 0.09, 0.04 / 0.09, 0.01 / 0.09])


def test_harnesses_with_a_model_of_their_own_are_one_component_with_it() -> None:
    rows = [*one("a", "x", "t1", 0.1, 0.2), *one("b", "y", "t1", 0.5, 0.6), *one("a", "x", "t2", 0.3, 0.2)]
    split = split_variance([*rows, *one("b", "y", "t2", 0.7, 0.6)], resamples=50)
    assert list(split.shares) == [STACK, TASK, CELL, REPETITION]


@pytest.mark.parametrize("rows", [[], one("a", "x", "t", 0.5, 0.5), one("a", "x", "t", 0.5)])
def test_where_nothing_differs_nothing_is_split(rows: list[RepeatedScore]) -> None:
    assert (split_variance(rows).variance, split_variance(rows).shares) == (None, {})


def test_one_stack_has_tasks_and_repetitions() -> None:
    split = split_variance([*one("a", "x", "t1", 0.1, 0.3), *one("a", "x", "t2", 0.5, 0.7)], resamples=50)
    assert list(split.shares) == [TASK, REPETITION]


def test_one_cluster_has_no_interval() -> None:
    rows = [RepeatedScore(each.model, each.harness, each.task, "film", each.score) for each in TWO_BY_TWO]
    share = split_variance(rows).shares[MODEL]
    assert (share.value, share.low, share.method) == (pytest.approx(0.4), None, "undefined: one cluster")


def test_an_unbalanced_design_gives_back_what_went_in() -> None:
    """Twenty stacks as in the paper: native harnesses have two models each, two open ones have all seven."""
    draw = np.random.default_rng(7)
    models, harnesses, tasks = draw.normal(0, 0.3, 7), draw.normal(0, 0.3, 5), draw.normal(0, 0.3, 120)
    made = [
        RepeatedScore(f"m{m}", f"h{h}", f"t{t}", f"t{t}", float(models[m] + harnesses[h] + tasks[t] + noise))
        for m, h in product(range(7), range(5))
        if h >= 3 or m // 2 == h
        for t in range(120)
        for noise in draw.normal(0, 0.2, 3)
    ]
    split = split_variance(made, resamples=200)
    assert split.variance is not None
    found = {name: (each.value or 0.0) * split.variance for name, each in split.shares.items()}
    wanted = {MODEL: models.var(ddof=1), TASK: tasks.var(ddof=1), STACK: 0.0, CELL: 0.0, REPETITION: 0.04}
    assert {name: found[name] for name in wanted} == pytest.approx(wanted, abs=0.02)
    share = split.shares[TASK]
    assert share.low is not None
    assert share.high is not None
    assert share.low < (share.value or 0) < share.high
