"""Arms × stacks in points: the mean lifts of the papers from marks of five stacks."""

import pytest

from cutscore.core.estimate import Estimate
from cutscore.results.tables.lifts import lift_table
from cutscore.results.tables.lines import REFERENCE, CellLine, SampleMark

SCORE = "reward@paper"
ITEMS = range(18)


def line(model: str, value: float, *, arm: str = "", remark: str = "", items: range = ITEMS) -> CellLine:
    """A stack whose marks lie around a value, by the number of the item."""
    marks = [
        SampleMark(f"task-{n}", 1, f"clip-{n}", {}, {SCORE: value + (n % 3 - 1) * (0.02 if arm else 0.01)}, {})
        for n in items
    ]
    return CellLine("codex", model, marks, arm=arm, remark=remark)


def cell(found: object) -> Estimate:
    assert isinstance(found, Estimate)
    return found


def test_the_mean_lift_of_five_stacks_is_that_of_the_paper() -> None:
    """§3.4 of AgenticVBench: an oracle location lifts the mean of the top five stacks by 13 points."""
    wholes = (0.30, 0.25, 0.21, 0.19, 0.15)
    lifts = (0.05, 0.10, 0.13, 0.17, 0.20)
    lines = [line(f"m{n}", value) for n, value in enumerate(wholes)]
    lines += [line(f"m{n}", a + b, arm="location") for n, (a, b) in enumerate(zip(wholes, lifts, strict=True))]
    table = lift_table(lines, SCORE)
    (row,) = table.rows
    assert row[:2] == ("location", 5)
    assert [cell(each).value for each in row[2:7]] == pytest.approx([5, 10, 13, 17, 20])
    mean = cell(row[-1])
    assert mean.value == pytest.approx(13.0)
    assert (mean.n, mean.clusters) == (18, 18)
    assert mean.low is not None
    assert mean.high is not None
    assert 12 < mean.low < 13 < mean.high < 14
    assert table.title == "'location' moves the mean most: +13.0 points over 5 stacks"
    assert [(column.name, column.unit, column.digits) for column in table.columns[-2:]] == [
        ("codex m4", "points", 1),
        ("mean lift", "points", 1),
    ]


def test_a_field_left_out_drops_the_mean_and_another_hardly_moves_it() -> None:
    """§3.4: without descriptions −27 points, without camera movement 1."""
    lines = [
        *(line("a", 0.38), line("b", 0.36)),
        *(line("a", 0.10, arm="no description"), line("b", 0.10, arm="no description")),
        *(line("a", 0.37, arm="no camera movement"), line("b", 0.35, arm="no camera movement")),
    ]
    table = lift_table(lines, SCORE, scale=(-0.5, 1.0))
    found = {row[0]: cell(row[-1]).value for row in table.rows}
    assert found == pytest.approx({"no description": -27.0, "no camera movement": -1.0})
    assert table.title == "'no description' moves the mean most: −27.0 points over 2 stacks"


def test_a_stack_without_an_arm_is_blank_and_no_part_of_its_mean() -> None:
    lines = [line("a", 0.2), line("b", 0.2), line("a", 0.4, arm="fix"), line("b", 0.3, arm="location")]
    rows = {row[0]: row[1:] for row in lift_table(lines, SCORE).rows}
    assert rows["fix"][0] == 1
    assert rows["fix"][2] is None
    assert cell(rows["fix"][-1]).value == pytest.approx(20)
    assert cell(rows["location"][-1]).value == pytest.approx(10)


def test_the_mean_is_over_items_that_all_stacks_have() -> None:
    lines = [line("a", 0.2), line("a", 0.4, arm="fix"), line("b", 0.2), line("b", 0.3, arm="fix", items=range(6))]
    (row,) = lift_table(lines, SCORE).rows
    assert [cell(each).n for each in row[2:]] == [18, 6, 6]


def test_who_knows_the_answers_is_no_stack() -> None:
    table = lift_table([line("a", 1.0, remark=REFERENCE), line("a", 1.0, arm="fix")], SCORE)
    assert table.rows == ()
    assert table.title == "No lift: nobody was measured on the whole task and on a variant of it"
