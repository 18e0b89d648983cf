"""The identity of a cell: what it was before there were conditions, and what they add to it."""

from cutscore.cells.cell import Cell
from cutscore.cells.request import request_from_settings
from cutscore.core.subject import SubjectSpec

CELL = Cell(
    benchmark="colorbars",
    version="1",
    data="d" * 64,
    subject=SubjectSpec.parse("model"),
    model="openai/x",
    params={"takes": "frames"},
    roles={"a": "openai/y"},
    prompts={"ask": "p" * 64},
    frames="fps=1,max=8",
    scoring="s" * 64,
    source_digest="m" * 64,
)


def test_a_cell_under_the_usual_conditions_is_the_cell_of_before_there_were_any() -> None:
    assert CELL.identity() == "e4f37f3647ea6a7df1cd0569ce5d21bb84aa99132a0806fd686bdda1ec98e0c0"


def test_a_condition_and_the_code_around_are_in_the_identity() -> None:
    changes = ({}, {"conditions": {"temperature": "0"}}, {"conditions": {"temperature": "1"}}, {"around": "a" * 64})
    assert len({CELL.model_copy(update=change).identity() for change in changes}) == 4


def test_cells_that_differ_in_conditions_do_not_say_the_rest_twice() -> None:
    changes = {"conditions": {"script": "openai/z"}, "around": "a" * 64, "roles": {**CELL.roles, "script": "openai/z"}}
    assert set(CELL.differs(CELL.model_copy(update=changes))) == {"conditions"}
    assert set(CELL.differs(CELL.model_copy(update={"around": "a" * 64}))) == {"around"}


def test_arguments_of_a_task_are_conditions_as_text() -> None:
    asked = request_from_settings("colorbars", {"subject": "reader", "conditions": {"temperature": 0, "seed": None}})
    assert asked.conditions == {"temperature": "0", "seed": "none"}
