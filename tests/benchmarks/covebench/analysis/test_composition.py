"""covebench: edits of a task beside each other, by worked examples, and too few are called so."""

from itertools import product
from typing import Any

import pytest

from cutscore.benchmarks.covebench.analysis.composition import (
    PairTask,
    WholeTask,
    composition_gap,
    composition_table,
    pair_gap,
    pairs_table,
    whole_tasks,
)
from cutscore.core.estimate import Estimate
from cutscore.results.tables.lines import CellLine, SampleMark

TYPES = ("Camera", "Motion", "Style")


def mark(number: int, done: dict[str, bool]) -> SampleMark:
    share = 100 * sum(done.values()) / len(done)
    return SampleMark(
        item=f"t{number}",
        epoch=1,
        cluster=f"c{number}",
        groups={},
        scores={"uas@reference": share},
        found={f"entry/{name}": 100.0 * each for name, each in done.items()},
        wholes={"uas@reference": len(done)},
    )


def test_edits_that_are_independent_have_no_gap() -> None:
    every = [PairTask(f"{number}", *each) for number, each in enumerate(list(product((True, False), repeat=2)) * 3)]
    assert pair_gap(every).value == 0
    tasks = [WholeTask(f"{number}", 2, sum(each)) for number, each in enumerate(product((1, 0), repeat=2))]
    assert composition_gap(tasks).value == 0


def test_edits_that_exclude_each_other_fall_short_of_the_product() -> None:
    gap = pair_gap([PairTask(f"{number}", number % 2 == 0, number % 2 == 1) for number in range(20)])
    assert gap.value == -0.25
    assert gap.high is not None
    assert gap.high < 0
    assert composition_gap([WholeTask(f"{number}", 2, 1) for number in range(20)]).value == -0.25


def test_tasks_of_different_size_are_held_against_rates_of_their_own() -> None:
    # One point: 1 of 2 done and expected. Two points: rate 1/2, a quarter expected, half done. Mean gap 1/8.
    tasks = [WholeTask("a", 1, 1), WholeTask("b", 1, 0), WholeTask("c", 2, 2), WholeTask("d", 2, 0)]
    assert composition_gap(tasks).value == pytest.approx(0.125)


def test_the_pair_that_interferes_is_named_first() -> None:
    marks = [
        mark(number, {"Camera": number % 2 == 0, "Motion": number % 2 == 1, "Style": number % 4 < 2})
        for number in range(16)
    ]
    table = pairs_table([CellLine("mine", "", marks)], TYPES)
    assert table.title == "Pairs of edits: Camera and Motion interfere most, for mine"
    first: dict[str, Any] = dict(zip((column.name for column in table.columns), table.rows[0], strict=True))
    assert (first["type"], first["with"], first["tasks"]) == ("Camera", "Motion", 16)
    assert (first["both"], first["product"], first["verdict"]) == (0, 0.25, "interfere")
    assert [row[-1] for row in table.rows[1:]] == ["no gap seen", "no gap seen"]


def test_too_few_tasks_are_called_so() -> None:
    marks = [mark(number, {"Camera": True, "Motion": False}) for number in range(7)]
    table = pairs_table([CellLine("mine", "", marks)], TYPES)
    assert table.rows == ()
    assert table.title == "Pairs of edits: too few tasks to decide: 7 ask for the same pair, it takes 8"
    (two, every) = composition_table([CellLine("mine", "", marks)], "reference").rows
    assert (two[3], two[4], two[-1]) == ("2", 7, None)
    assert every[3] == "all"


def test_the_table_of_composition_shows_what_was_expected() -> None:
    marks = [mark(number, {"Camera": number % 2 == 0, "Motion": number % 2 == 0}) for number in range(10)]
    row = composition_table([CellLine("mine", "", marks)], "reference").rows[0]
    assert list(row[4:8]) == [10, 0.5, 0.5, pytest.approx(0.25)]
    assert isinstance(row[8], Estimate)
    assert row[8].value == 0.25
    assert whole_tasks(marks, "reference")[0] == WholeTask("c0", 2, 2)


def test_whoever_falls_short_of_the_product_is_named() -> None:
    marks = [mark(number, {"Camera": number % 2 == 0, "Motion": number % 2 == 1}) for number in range(10)]
    noisy = [*marks, mark(10, {"Camera": True, "Motion": True})]
    title = composition_table([CellLine("mine", "", noisy)], "reference").title
    assert title == "Whole tasks beside the product of their edit points: mine falls short of it"
