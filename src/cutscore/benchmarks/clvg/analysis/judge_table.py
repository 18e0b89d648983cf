"""Rows → what a judge is worth: its verdicts and weaknesses beside a second judge's, and beside who always says one."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from cutscore.core.table import Table, TableCell
from cutscore.results.tables.lines import CellLine, SampleMark, plain_columns
from cutscore.results.tables.means import mean_table

AGREES, RECALL = "judge_agrees", "recall/"


def judge_table(lines: Sequence[CellLine], source: str) -> Table:
    """Return how often a judge says what a second one says, and which weaknesses of the second it names, too.

    Who always passes and who always fails, naming every weakness, is asked about the videos that the judge answered
    about. The videos of all generators count together, by case.
    """
    marks = [
        replace(mark, item=f"{number}/{mark.item}")  # the same case, and another video
        for number, line in enumerate(lines)
        for mark in line.marks
        if AGREES in mark.found or mark.lacks(AGREES)
    ]
    answered = [replace(mark, because="", gaps=()) for mark in marks if AGREES in mark.found]
    names = [AGREES, *sorted({name for mark in answered for name in mark.found if name.startswith(RECALL)})]
    columns = {source: marks, "always pass": _constant(answered, 0.0), "always fail": _constant(answered, 1.0)}
    judges = [CellLine(who, "", those) for who, those in columns.items()]
    body: list[tuple[TableCell, ...]] = []
    for name in names if answered else ():
        cells = mean_table(judges, (name,), _read(name), asked=lambda mark: AGREES if mark.lacks(AGREES) else "").cells
        what = "same verdict" if name == AGREES else f"names {name.removeprefix(RECALL)}"
        body.append((what, cells[0, name].n, *(cells[number, name] for number in range(len(judges)))))
    return Table(
        id="judge",
        title=f"The {source} beside a second judge",
        columns=plain_columns("where both answer", "videos", *columns),
        rows=tuple(body),
        note="shares of videos, or of those in which the second judge (--role control) names it, 95% by case",
    )


def _constant(marks: Sequence[SampleMark], fails: float) -> list[SampleMark]:
    """Return marks of somebody who passes every video, or fails every one with every weakness."""
    return [
        replace(
            mark,
            found={
                AGREES: float(any(name.startswith(RECALL) for name in mark.found) == bool(fails)),
                **{name: fails for name in mark.found if name.startswith(RECALL)},
            },
        )
        for mark in marks
    ]


def _read(name: str) -> Callable[[SampleMark], tuple[str, float] | None]:
    return lambda mark: (name, mark.found[name]) if name in mark.found else None
