"""What people reach who did the same tasks: of each task the median over them, and of these the mean (Appendix C).

The median of three is not moved by one who had a bad day. The reference is made as rows of one more cell, so that
whatever reads rows can show it; each person stays a line of its own.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from statistics import median
from typing import TypeVar

from cutscore.core.ending import Ending
from cutscore.core.finding import Finding
from cutscore.core.row import Row
from cutscore.core.subject import is_person

FEWEST = 2  # the median of one person is that person
CELL = "human"  # no cell of a run has an id without a digest

Name = TypeVar("Name")


@dataclass(frozen=True)
class HumanReference:
    """The human reference of one benchmark."""

    editors: int
    rows: tuple[Row, ...]

    @property
    def label(self) -> str:
        """Name the reference as tables do."""
        return f"human ({self.editors} editors)"


def human_reference(rows: Iterable[Row]) -> HumanReference | None:
    """Return the reference; None where fewer than two people did the tasks of a benchmark as they are.

    Whoever did a task several times counts once, with the mean. A person without a mark for a task is left out of its
    median; a task that nobody was marked for stays unscored. A finding counts where everybody who was marked has it.
    """
    theirs: dict[str, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if is_person(row.subject) and not row.input:
            theirs[row.cell][row.item].append(row)
    if len(theirs) < FEWEST:
        return None
    items = sorted({item for each in theirs.values() for item in each})
    made = HumanReference(len(theirs), ())
    rows = (_median_row(made.label, [each[item] for each in theirs.values() if item in each]) for item in items)
    return HumanReference(len(theirs), tuple(rows))


def _median_row(label: str, people: Sequence[Sequence[Row]]) -> Row:
    """Return the row of one task that several people did."""
    marked = [own for each in people if (own := [row for row in each if row.ending.scores])]
    first = people[0][0]
    return Row(
        benchmark=first.benchmark,
        version=first.version,
        cell=CELL,
        subject=label,
        frames=first.frames,
        item=first.item,
        epoch=1,
        cluster=first.cluster,
        groups=first.groups,
        ending=_ending(marked) if marked else Ending(status="unscored", because="nobody was marked"),
    )


def _ending(marked: Sequence[Sequence[Row]]) -> Ending:
    found = _medians([_means([_found(row) for row in own]) for own in marked])
    reason = f"median of {len(marked)}"
    return Ending(
        status="marked",
        scores=_medians([_means([row.ending.scores for row in own]) for own in marked]),
        wholes=_medians([_means([row.ending.wholes for row in own]) for own in marked]),
        findings=tuple(
            Finding(name=name, mode=mode, value=value, because=reason) for (name, mode), value in found.items()
        ),
    )


def _found(row: Row) -> dict[tuple[str, str], float]:
    found = ((each.name, each.mode, each.score) for each in row.ending.findings)
    return {(name, mode): score for name, mode, score in found if score is not None}


def _means(tables: Sequence[Mapping[Name, float]]) -> dict[Name, float]:
    return {name: fsum(each[name] for each in tables) / len(tables) for name in _shared(tables)}


def _medians(tables: Sequence[Mapping[Name, float]]) -> dict[Name, float]:
    return {name: median(each[name] for each in tables) for name in _shared(tables)}


def _shared(tables: Sequence[Mapping[Name, float]]) -> list[Name]:
    return [name for name in tables[0] if all(name in each for each in tables)]
