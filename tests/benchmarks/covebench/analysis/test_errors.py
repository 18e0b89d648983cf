"""covebench: errors in their own units beside the paper's stacks, and what nobody looked for is not known."""

from collections.abc import Mapping
from typing import Any

import pytest

from cutscore.benchmarks.covebench.analysis.error_table import errors_table, sum_errors
from cutscore.benchmarks.covebench.analysis.errors import find_errors
from cutscore.benchmarks.covebench.checklist import Checklist
from cutscore.core.estimate import Estimate
from cutscore.core.table import Table
from cutscore.results.tables.lines import CellLine, SampleMark


def question(id: str, dimension: str) -> dict[str, Any]:
    form = "Score-MCQ" if dimension == "Semantic Preservation" else "Single-TF"
    return {"id": id, "format": form, "dimension": dimension, "text": "?", "expected": "Yes"}


CHECKLIST = Checklist.model_validate(
    {
        "points": [
            {"target": "ball", "questions": [question("Q1", "Execution Accuracy"), question("Q2", "Physical Logic")]},
            {
                "target": "light",
                "questions": [question("Q3", "Execution Accuracy"), question("Q4", "Execution Accuracy")],
            },
            {
                "target": "rest",
                "questions": [question("Q5", "Semantic Preservation"), question("Q6", "Semantic Preservation")],
            },
        ]
    }
)
RIGHT: dict[str, Any] = {"Q1": "yes", "Q2": "yes", "Q3": "yes", "Q4": "yes", "Q5": 9, "Q6": 6}


@pytest.mark.parametrize(
    ("others", "errors"),
    [
        ({}, {"execution": (0, 2), "entanglement": (0, 2)}),
        ({"Q2": "no"}, {"execution": (0, 2), "entanglement": (0, 2)}),  # realism is no matter of execution
        ({"Q3": "no", "Q4": "no"}, {"execution": (1, 2), "entanglement": (0, 2)}),  # a point fails once
        ({"Q1": None}, {"execution": (0, 1), "entanglement": (0, 2)}),
        ({"Q6": 5, "Q5": 1}, {"execution": (0, 2), "entanglement": (2, 2)}),
        ({"Q5": None, "Q6": None}, {"execution": (0, 2)}),
    ],
)
def test_errors_are_counted_in_their_own_units(
    others: dict[str, Any], errors: Mapping[str, tuple[float, float]]
) -> None:
    found = find_errors(CHECKLIST, RIGHT | others)
    assert {each.name.removeprefix("error/"): (each.value, each.whole) for each in found} == errors


def test_an_error_names_what_it_is_about() -> None:
    execution, entanglement = find_errors(CHECKLIST, RIGHT | {"Q3": "no", "Q6": 4})
    assert execution.because == "1 of 2 edit points have a wrong answer about execution: light"
    assert entanglement.because == "1 of 2 preservation scores are 5 or less: Q6 has 4"


def mark(item: str, counts: Mapping[str, tuple[float, float]]) -> SampleMark:
    named = {f"error/{kind}": each for kind, each in counts.items()}
    return SampleMark(
        item=item,
        epoch=1,
        cluster=item,
        groups={},
        scores={"uas@reference": 50.0},
        found={name: part / whole for name, (part, whole) in named.items()},
        wholes={name: whole for name, (_, whole) in named.items()},
    )


def shown(table: Table) -> dict[str, tuple[Any, ...]]:
    return {
        str(row[3]): (row[5], row[6], row[7].value if isinstance(row[7], Estimate) else row[7], row[8])
        for row in table.rows
    }


def test_shares_are_over_the_sum_of_counts_and_rates_over_units() -> None:
    first = mark("a", {"execution": (2, 3), "entanglement": (1, 4), "physics": (1, 1), "degradation": (0, 1)})
    second = mark("b", {"execution": (2, 2), "entanglement": (0, 4), "physics": (1, 1), "degradation": (1, 1)})
    found = shown(errors_table([CellLine("mine", "", [first, second])]))
    assert found["execution"] == (4, 5, pytest.approx(0.8), pytest.approx(0.5))
    assert found["entanglement"] == (1, 8, pytest.approx(0.125), pytest.approx(0.125))
    assert found["physics"] == (2, 2, pytest.approx(1), pytest.approx(0.25))
    assert found["degradation"] == (1, 2, pytest.approx(0.5), pytest.approx(0.125))


def test_what_nobody_looked_for_is_blank_and_so_are_the_shares() -> None:
    table = errors_table([CellLine("mine", "", [mark("a", {"execution": (2, 3), "entanglement": (1, 4)})])])
    found = shown(table)
    assert found["physics"] == found["degradation"] == (None, None, None, None)
    assert found["execution"][:2] == (2, 3)
    assert found["execution"][3] is None
    assert table.title == "Errors: execution is the commonest in its own unit"


def test_an_item_that_was_done_twice_counts_once() -> None:
    once, twice = mark("a", {"execution": (2, 2)}), mark("a", {"execution": (0, 2)})
    assert sum_errors([once, twice], "execution") == (1, 2)
