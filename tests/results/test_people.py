"""The human reference: of each task the median over people, and of these the mean."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.ending import Ending
from cutscore.core.finding import Finding
from cutscore.core.row import Row
from cutscore.registry import benchmark
from cutscore.results.estimates import estimates
from cutscore.results.people import CELL, human_reference


def row(who: str, item: str, value: float | None, *, epoch: int = 1, **more: Any) -> Row:
    ending = Ending(status="unscored", because="we failed")
    if value is not None:
        found = (Finding(name="nd", value=value / 2, because="x", mode="paper"),)
        ending = Ending(status="marked", scores={"score@paper": value, "score@strict": 0.0}, findings=found)
    cell = f"{who}-0a1b"
    plain = {"benchmark": "b", "version": "1", "cell": cell, "subject": who, "item": item, "epoch": epoch}
    return Row(**(plain | {"cluster": item, "groups": {"tier": "easy"}, "ending": ending} | more))


def scores(*rows: Row) -> dict[str, float | None]:
    made = human_reference(rows)
    assert made is not None
    return {row.item: row.ending.scores.get("score@paper") for row in made.rows}


def test_one_bad_day_moves_nothing() -> None:
    rows = [row(f"human-{name}", "a", value) for name, value in zip("123", (0.0, 0.6, 0.8), strict=True)]
    rows += [row(f"human-{name}", "b", value) for name, value in zip("123", (0.2, 0.4, 0.0), strict=True)]
    made = human_reference([*rows, row("oracle", "a", 1.0), row("oracle", "b", 1.0)])
    assert made is not None
    assert (made.editors, made.label) == (3, "human (3 editors)")
    assert {(each.cell, each.subject, each.epoch, each.cluster) for each in made.rows} == {
        (CELL, "human (3 editors)", 1, "a"),
        (CELL, "human (3 editors)", 1, "b"),
    }
    assert scores(*rows) == {"a": 0.6, "b": 0.2}
    (nd,) = made.rows[0].ending.findings
    assert (nd.name, nd.mode, nd.value, nd.because) == ("nd", "paper", 0.3, "median of 3")
    first = estimates(made.rows, benchmark("sequencing").card)[0]
    assert (first.name, first.mode, first.value, first.n) == ("score", "paper", 0.4, 2)


def test_repeats_of_one_person_count_once_and_who_was_not_marked_not_at_all() -> None:
    rows = [row("human-1", "a", 0.0, epoch=1), row("human-1", "a", 1.0, epoch=2)]
    rows += [row("human-2", "a", 0.7), row("human-3", "a", None)]
    assert scores(*rows) == {"a": pytest.approx(0.6)}
    open_task = human_reference([row("human-1", "a", None), row("human-2", "a", None)])
    assert open_task is not None
    assert open_task.rows[0].ending == Ending(status="unscored", because="nobody was marked")


def test_one_person_alone_or_with_a_hint_is_no_reference() -> None:
    assert human_reference([row("human-1", "a", 1.0), row("humanoid", "a", 1.0)]) is None
    assert human_reference([row("human-1", "a", 1.0), row("human-2", "a", 1.0, input="location")]) is None
    assert human_reference([]) is None


@given(st.lists(st.floats(0, 1), min_size=2, max_size=5), st.randoms())
def test_the_reference_lies_between_people_whatever_their_order(values: list[float], draw: Any) -> None:
    rows = [row(f"human-{number}", "a", value) for number, value in enumerate(values)]
    value = scores(*rows)["a"]
    assert value is not None
    assert min(values) <= value <= max(values)
    draw.shuffle(rows)
    assert scores(*rows) == {"a": value}
