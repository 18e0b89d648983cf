"""Lines of tables that also know how many actions a sample took."""

from collections.abc import Callable, Iterable, Sequence

from cutscore.core.card import Card
from cutscore.core.estimate import Estimate
from cutscore.core.finding import Finding
from cutscore.core.row import Row
from cutscore.results.tables.lines import CellLine, SampleMark, cell_lines
from cutscore.results.tables.means import mean_table

STEPS = "steps"
MOST_STEPS = 1000  # that the card allows


def step_lines(rows: Iterable[Row], card: Card) -> list[CellLine]:
    """Return a line for each cell, whose marks have the number of actions among their findings."""
    return cell_lines([_with_steps(row) for row in rows], plan=card.frames)


def _with_steps(row: Row) -> Row:
    steps = row.environment.get(STEPS)
    if not isinstance(steps, int) or row.ending.status != "marked":
        return row
    told = Finding(name=STEPS, value=steps, because="actions in the browser")
    return row.model_copy(update={"ending": row.ending.model_copy(update={"findings": (*row.ending.findings, told)})})


def share_by(
    lines: Sequence[CellLine], columns: Sequence[str], placed: Callable[[SampleMark], Iterable[str]], score: str
) -> dict[tuple[int, str], Estimate]:
    """Return the mean of a score by line and column; a mark may stand in several columns, or in none."""
    found: dict[tuple[int, str], Estimate] = {}
    for column in columns:

        def value(mark: SampleMark, column: str = column) -> tuple[str, float] | None:
            return (column, mark.scores[score]) if score in mark.scores and column in placed(mark) else None

        def asked(mark: SampleMark, column: str = column) -> str:
            return column if mark.lacks(score) and column in placed(mark) else ""

        found |= mean_table(lines, (column,), value, asked=asked).cells
    return found


def steps_by(
    lines: Sequence[CellLine], columns: Sequence[str], placed: Callable[[SampleMark], Iterable[str]]
) -> dict[tuple[int, str], Estimate]:
    """Return the mean number of actions by line and column."""
    found: dict[tuple[int, str], Estimate] = {}
    for column in columns:

        def value(mark: SampleMark, column: str = column) -> tuple[str, float] | None:
            return (column, mark.found[STEPS] / MOST_STEPS) if STEPS in mark.found and column in placed(mark) else None

        found |= mean_table(lines, (column,), value).cells
    return {where: _in_steps(cell) for where, cell in found.items()}


def _in_steps(share: Estimate) -> Estimate:
    # Wilson's interval is of shares: where nobody acts it would reach hundreds of steps.
    if share.value in (0.0, 1.0):
        share = share.model_copy(update={"low": None, "high": None, "method": "undefined: no spread"})
    scaled = {each: None if (end := getattr(share, each)) is None else end * MOST_STEPS for each in _ENDS}
    return share.model_copy(update=scaled)


_ENDS = ("value", "low", "high")
