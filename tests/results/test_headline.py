"""The sentence claims what the intervals allow, and no more."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from cutscore.core.estimate import Estimate
from cutscore.results.cells import CellName, name_cells
from cutscore.results.headline import CellHeadline, ScoreLevels, rank_headlines
from cutscore.results.headline import describe_finding as finding

LEVELS = ScoreLevels(floor=0.0, chance=0.25)


def standing(name, value, low=None, high=None, *, model="", n=10, failed=0):
    return CellHeadline(
        CellName(f"{name}-1", name, model),
        Estimate(name="accuracy", value=value, low=low, high=high, n=n, clusters=n, failed=failed),
    )


def contrast(first, second, value, *, separable):
    """What is asked of a comparison of two cells."""
    estimate = Estimate(name="accuracy", value=value, n=10, clusters=10)
    said = f"{first if value > 0 else second} is better" if separable else "no difference seen"
    comparison = SimpleNamespace(difference=SimpleNamespace(estimate=estimate), separable=separable, verdict=said)
    cells = [SimpleNamespace(id=f"{name}-1") for name in (first, second)]
    return SimpleNamespace(first=cells[0], second=cells[1], comparison=comparison)


ORACLE = standing("oracle", 1.0, 1.0, 1.0)
BLIND = standing("blind", 0.3, 0.1, 0.5)
NULL = standing("null", 0.0, 0.0, 0.0)


def test_who_is_best_is_what_the_verdict_says():
    told = [contrast("oracle", "blind", 0.7, separable=True)]
    assert (
        finding([NULL, BLIND, ORACLE], told, LEVELS)
        == "oracle is better; blind is not shown to beat chance; null is at the floor"
    )
    told = [contrast("oracle", "blind", 0.7, separable=False)]
    assert finding([BLIND, ORACLE], told, ScoreLevels()) == "oracle and blind: no difference seen"


def test_references_are_in_no_title():
    marks = [replace(each, role=role) for each, role in ((ORACLE, "ceiling"), (BLIND, "guess"), (NULL, "floor"))]
    assert finding(marks, [], LEVELS) == "nobody competed; ceiling 1.000, guess 0.300, floor 0.000"
    assert finding([*marks, standing("reader", 0.6, 0.5, 0.7)], [], LEVELS) == "reader scores 0.600"


@pytest.mark.parametrize(
    "told",
    [
        [],
        [contrast("oracle", "somebody", 0.7, separable=True)],
    ],
)
def test_without_a_difference_the_leader_is_only_highest(told):
    assert finding([BLIND, ORACLE], told, ScoreLevels()) == "oracle is highest"


def test_the_difference_may_be_told_the_other_way_round():
    assert (
        finding([BLIND, ORACLE], [contrast("blind", "oracle", -0.7, separable=True)], ScoreLevels())
        == "oracle is better"
    )


def test_equal_values_are_level():
    assert finding([standing("b", 0.5), standing("a", 0.5)], [], ScoreLevels()) == "a and b are level"


def test_chance_needs_an_interval():
    assert finding([standing("a", 0.25)], [], LEVELS) == "a scores 0.250"
    assert finding([standing("a", 0.4, 0.2, 0.6)], [], LEVELS) == "a scores 0.400; a is not shown to beat chance"
    assert "all are not shown to beat chance" in finding([BLIND, standing("c", 0.2, 0.1, 0.5)], [], LEVELS)


def test_nothing_marked_is_said():
    assert finding([], [], LEVELS) == "nothing was marked"
    assert finding([standing("a", None, n=0)], [], LEVELS) == "nothing was marked"


def test_those_without_a_value_come_last():
    order = rank_headlines([standing("a", None, n=0), standing("b", -1.0), standing("c", 0.0)])
    assert [each.label for each in order] == ["c", "b", "a"]


def test_names_of_cells_are_distinct():
    cells = [("video-aa11", "video", "m", ""), ("video-bb22", "video", "m", ""), ("oracle-cc33", "oracle", "", "")]
    whos = name_cells([*cells, ("video-dd44", "video", "m", "1 frame")])
    assert [who.label for who in whos.values()] == [
        "oracle", "video · m · aa11", "video · m · bb22", "video · m (1 frame)"
    ]  # fmt: skip


def test_who_failed_is_not_called_at_the_floor():
    broken = standing("mine", 0.0, 0.0, 0.0, failed=10)
    assert finding([broken], [], LEVELS) == "mine failed on 10 of 10 samples"
    assert finding([broken, ORACLE], [], LEVELS) == "oracle scores 1.000; mine failed on 10 of 10 samples"
    half = standing("mine", 0.0, 0.0, 0.0, failed=5)
    assert finding([half], [], LEVELS) == "mine scores 0.000; mine is at the floor"
    lucky = standing("mine", 0.25, 0.0, 0.5, failed=6)
    assert finding([lucky, NULL], [], LEVELS) == (
        "null scores 0.000; null is at the floor; mine failed on 6 of 10 samples"
    )
