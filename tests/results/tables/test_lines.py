"""Lines: whose, on which input, and one value for each item."""

from typing import Any

import pytest

from cutscore.core.ending import Ending
from cutscore.core.row import Row
from cutscore.results.tables.lines import COMPUTED, MEDIAN, REFERENCE, CellLine, SampleMark, cell_lines, constant_line

USUAL = "fps=1,max=8"


def mark(item: str, cluster: str, *, epoch: int = 1, **scores: float) -> SampleMark:
    return SampleMark(item, epoch, cluster, {}, scores, {})


def row(cell: str, *, model: str = "m", **more: Any) -> Row:
    marked = Ending(status="marked", scores={"a": 1.0})
    named = {"benchmark": "b", "version": "1", "cell": f"model-{cell}", "subject": "model", "model": model}
    return Row(**(named | {"item": "x", "epoch": 1, "cluster": "c", "ending": marked} | more))


def told(*rows: Row, plan: str = USUAL) -> list[tuple[str, str]]:
    return [(line.label, line.remark) for line in cell_lines(rows, plan=plan)]


def test_a_line_says_which_frames_and_which_input_it_had() -> None:
    assert told(
        row("1", frames=USUAL),
        row("2", frames="fps=1,max=1"),
        row("3", frames="fps=1,max=4,head"),
        row("4", frames=USUAL, input="transcript"),
        row("5", frames=f"shuffled:{USUAL}", input="shuffled"),
        row("6", frames="fps=1,max=4", input="frames"),
        row("7", frames=USUAL, input="upside down"),
    ) == [
        ("model m", ""),
        ("model m (1 frame)", f"fps=1,max=1, others {USUAL}"),
        ("model m (fps=1,max=4,head)", f"fps=1,max=4,head, others {USUAL}"),
        ("model m (frames only, 4 frames)", f"fps=1,max=4, others {USUAL}"),
        ("model m (shuffled frames)", ""),
        ("model m (transcript only)", ""),
        ("model m (upside down)", ""),
    ]


def test_only_the_whole_input_with_the_usual_frames_is_a_whole_line() -> None:
    rows = [row("1", frames=USUAL), row("2", frames="uniform=1"), row("3", frames=USUAL, input="question")]
    assert [line.whole for line in cell_lines(rows, plan=USUAL)] == [True, False, False]
    assert not constant_line("always", cell_lines(rows), lambda mark: mark).whole


def test_the_oracle_competes_only_where_nobody_else_does() -> None:
    known, other = row("1", subject="oracle", model=""), row("2", subject="reader", model="")
    assert [(line.competes, line.remark) for line in cell_lines([known])] == [(True, "")]
    assert [(line.competes, line.remark) for line in cell_lines([known, other])] == [(False, REFERENCE), (True, "")]


def test_the_commonest_plan_is_the_usual_one_where_nobody_has_the_cards() -> None:
    rows = [row("1", frames="uniform=8"), row("2", model="n", frames="uniform=8"), row("3", frames="uniform=4")]
    assert [label for label, _ in told(*rows)] == ["model m", "model m (4 frames)", "model n"]
    parts = [row(str(n), model=str(n), frames="uniform=2", input="frames") for n in range(5)]
    assert [label for label, _ in told(*rows, *parts)][-3:] == ["model m", "model m (4 frames)", "model n"]


def test_two_cells_that_nothing_else_tells_apart_go_by_the_end_of_their_ids() -> None:
    found = told(row("3fa91c02", frames=USUAL), row("77aa", frames=USUAL), row("8", frames=USUAL, input="frames"))
    assert [label for label, _ in found] == ["model m (3fa91c02)", "model m (77aa)", "model m (frames only)"]


def test_a_fixed_line_takes_each_item_once_from_whoever_marked_it() -> None:
    lost = SampleMark("x", 1, "clip 1", {}, {}, {}, because="503")
    first = CellLine("s", "m", [lost, mark("y", "clip 1", a=0.2), mark("y", "clip 1", epoch=2, a=0.4)])
    second = CellLine("s", "n", [mark("x", "clip 1", a=0.6), mark("y", "clip 1", a=0.8)])
    line = constant_line("always", [first, second], lambda mark: mark)
    assert [(each.item, each.epoch, each.scores["a"]) for each in line.marks] == [("x", 1, 0.6), ("y", 1, 0.2)]
    assert (line.remark, line.computed) == (COMPUTED, True)


def test_epochs_are_averaged_by_item() -> None:
    line = CellLine("s", "m", [mark("y", "c", a=0.2), mark("y", "c", epoch=2, a=0.4), mark("x", "c", a=1.0)])
    assert line.by_item("a") == pytest.approx({"x": 1.0, "y": 0.3})
    assert line.by_item("b") == {}
    assert line.clusters() == {"x": "c", "y": "c"}


def test_people_together_are_one_more_line_that_competes_with_nobody() -> None:
    def one(number: int, value: float) -> Row:
        marked = Ending(status="marked", scores={"a": value})
        return row(f"h{number}", subject=f"human-{number}", model="", ending=marked)

    lines = cell_lines([one(1, 0.0), one(2, 0.5), one(3, 1.0)])
    assert [(line.label, line.remark, line.competes, line.mean("a")) for line in lines] == [
        ("human (3 editors)", MEDIAN, False, 0.5),
        ("human-1", "", True, 0.0),
        ("human-2", "", True, 0.5),
        ("human-3", "", True, 1.0),
    ]


def test_references_compete_only_where_nobody_else_does() -> None:
    guess, floor, other = (row(str(n), subject=who, model="") for n, who in enumerate(("blind", "null", "reader")))
    assert [line.competes for line in cell_lines([guess, floor])] == [True, True]
    assert [(line.subject, line.competes) for line in cell_lines([guess, floor, other])] == [
        ("blind", False),
        ("null", False),
        ("reader", True),
    ]
