"""Tables of repair: parts of the reward by group and kind, and a loss split that adds up."""

import pytest

from cutscore import registry
from cutscore.benchmarks.repair.tables import LOST, tables
from cutscore.core.ending import Ending
from cutscore.core.estimate import Estimate
from cutscore.core.finding import Finding
from cutscore.core.row import Row
from cutscore.core.table import Table

CARD = registry.benchmark("repair").card


def row(item: str, reward: float, *, input: str = "", s_out: float | None = None, kind: str = "blur") -> Row:
    findings = [Finding(name="reward", value=reward, because="x", mode="paper")]
    findings += [] if s_out is None else [Finding(name="s_out", value=s_out, because="x")]
    return Row(
        benchmark="repair",
        version="1",
        cell=f"model-{input or 'whole'}",
        subject="model",
        model="m",
        input=input,
        item=item,
        epoch=1,
        cluster=item,
        groups={"group": "visual" if kind == "blur" else "timeline", "kind": kind},
        ending=Ending(status="marked", scores={"reward@paper": reward}, findings=tuple(findings)),
    )


def by_id(rows: list[Row]) -> dict[str, Table]:
    return {table.id: table for table in tables(rows, CARD)}


def value(cell: object) -> float:
    assert isinstance(cell, Estimate)
    assert cell.value is not None
    return cell.value


def test_the_reward_is_shown_by_group_and_kind() -> None:
    found = by_id([row("a", 0.2, s_out=1), row("b", 0.4, s_out=1), row("c", 1, kind="filler_words")])
    assert [column.name for column in found["kinds"].columns[3:]] == ["blur", "filler_words"]
    assert [value(cell) for cell in found["groups"].rows[0][3:]] == pytest.approx([0.3, 1.0])
    assert found["loss"].rows == ()
    assert found["loss"].title.startswith("No loss split: nobody was measured")


def test_what_is_lost_adds_up_to_one() -> None:
    rows = [
        *(row("a", 0.10, s_out=1.0), row("b", 0.0, kind="filler_words")),
        *(row("a", 0.40, s_out=1.0, input="location"), row("b", 0.5, kind="filler_words", input="location")),
        *(row("a", 0.60, s_out=0.5, input="fix"), row("b", 1.0, kind="filler_words", input="fix")),
    ]
    (line,) = by_id(rows)["loss"].rows
    reward, *lost = (value(cell) for cell in line[2:])
    assert reward == pytest.approx(0.05)
    assert dict(zip(LOST, lost, strict=True)) == pytest.approx(
        {"not found": 0.40, "not recognised": 0.35, "not mended": (0.35 + 0) / 2, "damaged elsewhere": 0.05 / 2}
    )
    assert reward + sum(lost) == pytest.approx(1)
    assert by_id(rows)["loss"].title == "Most is lost by what was not found: 0.400 of the reward on average"


def test_hints_lift_the_reward_in_points() -> None:
    (line,) = by_id([row("a", 0.1), row("b", 0.2), row("a", 0.2, input="location"), row("b", 0.36, input="location")])[
        "lift"
    ].rows
    assert line[:2] == ("location", 1)
    assert [value(cell) for cell in line[2:]] == pytest.approx([13.0, 13.0])


def late(model: str, item: str, *starts_s: float, epoch: int = 1) -> Row:
    """A report whose ranges begin this many seconds after the true ones; without any, none was reported."""
    made = row(item, 0.0)
    found = tuple(Finding(name="start_error_s", value=each, because="x") for each in starts_s)
    ending = made.ending.model_copy(update={"findings": (*made.ending.findings, *found)})
    return made.model_copy(update={"model": model, "cell": model, "ending": ending, "epoch": epoch})


def test_delta_start_is_a_median_of_seconds_whichever_way() -> None:
    """§3.2 of the paper: medians of 15 to over 100 seconds, by stack."""
    rows = [
        *(late("a", "1", 15), late("a", "2", -120.0, 2.0, 0.5), late("a", "3", -40.0)),
        *(late("b", "1", 104.0), late("b", "2"), late("b", "3", 100.0)),
    ]
    table = by_id(rows)["start-errors"]
    assert [value(each) for each in table.cells("median Δstart")] == [15, 102]
    assert [each.n for each in table.cells("median Δstart") if isinstance(each, Estimate)] == [3, 2]
    assert [value(each) for each in table.cells("no range")] == pytest.approx([0, 1 / 3])
    assert [value(each) for each in table.cells("within 1 s")] == [0, 0]
    assert table.title == "Reported ranges begin 15.00 to 102.00 s off, by the median of each"
    assert [column.unit for column in table.columns if column.name == "median Δstart"] == ["s"]


def test_delta_start_of_epochs_is_their_mean() -> None:
    table = by_id([late("a", "1", 0.5), late("a", "1", 1.5, epoch=2)])["start-errors"]
    assert [value(each) for each in table.cells("median Δstart")] == [1.0]
    assert [value(each) for each in table.cells("within 1 s")] == [0.5]
    assert by_id([late("a", "1")])["start-errors"].title == "No Δstart: nobody reported a range"


def test_one_hint_alone_parts_less() -> None:
    (line,) = by_id([row("a", 0.1, s_out=1), row("a", 0.4, s_out=1, input="location")])["loss"].rows
    assert line[4] is None
    assert [value(line[at]) for at in (2, 3, 5, 6)] == pytest.approx([0.1, 0.3, 0.6, 0])
