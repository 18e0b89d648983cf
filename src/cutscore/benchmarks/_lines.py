"""Rows → the lines of a table: who was measured, with all scores at hand, and boards of means with shared draws.

A benchmark with several axes prints many tables of the same lines. Here rows become lines once; a board then gives a
mean with its interval for every line and column from one set of draws, so that composites and differences are paired.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cutscore.core.estimate import Estimate
from cutscore.core.row import Row
from cutscore.core.table import Column
from cutscore.stats.resampling import RESAMPLES, SEED, bootstrap_method, percentile_ends
from cutscore.stats.tables import cluster_table, resampled_table, table_intervals

NO_ENDS = (math.nan, math.nan)
COMPUTED = "computed: nobody was asked"


@dataclass(frozen=True)
class Mark:
    """One sample, as tables see it.

    Args:
        scores: Scores by key; empty unless marked.
        found: Values of all findings by name.
        length: Words of the answer.
        because: Why it is not marked; empty when it is.
    """

    item: str
    epoch: int
    cluster: str
    groups: Mapping[str, str]
    scores: Mapping[str, float]
    found: Mapping[str, float]
    length: int = 0
    because: str = ""


@dataclass(frozen=True)
class Line:
    """One cell of a run, or a fixed answer whose marks are known.

    Args:
        subject, model: Who.
        marks: All samples.
        frames: Most frames that a sample showed; None when none were shown or counted.
        remark: What a reader must know before comparing this line.
    """

    subject: str
    model: str
    marks: Sequence[Mark]
    frames: int | None = None
    remark: str = ""

    @property
    def label(self) -> str:
        frames = f" ({self.frames} frames)" if self.frames is not None and "frames" in self.remark else ""
        return f"{self.subject} {self.model}".strip() + frames

    @property
    def computed(self) -> bool:
        return self.remark == COMPUTED

    def by_item(self, name: str) -> dict[str, float]:
        """Give a score, or another finding's value, by item: the mean over epochs of those marks that have it."""
        values: dict[str, list[float]] = defaultdict(list)
        for mark in self.marks:
            value = mark.scores.get(name, mark.found.get(name))
            if value is not None:
                values[mark.item].append(value)
        return {item: sum(each) / len(each) for item, each in sorted(values.items())}

    def mean(self, name: str) -> float | None:
        """Give the mean over items of a score or of another finding's value."""
        values = self.by_item(name).values()
        return sum(values) / len(values) if values else None

    def clusters(self) -> dict[str, str]:
        """Give the cluster of each item."""
        return {mark.item: mark.cluster for mark in self.marks}


def lines_of(rows: Iterable[Row]) -> list[Line]:
    """Make a line of each cell, in the order of subjects and models, and remark on what makes it unlike the others.

    Remarked are lines with another number of frames than most, and models that took part in filtering the items.
    """
    cells: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in rows:
        cells[row.subject, row.model, row.cell].append(row)
    lines = [
        Line(subject, model, [_mark(row) for row in mine], _frames(mine))
        for (subject, model, _), mine in sorted(cells.items())
    ]
    counted = Counter(line.frames for line in lines if line.frames is not None)
    usual = max(counted, key=lambda each: (counted[each], each), default=None)
    return [replace(line, remark="; ".join(_remarks(line, usual))) for line in lines]


def _remarks(line: Line, usual: int | None) -> list[str]:
    found = []
    if line.frames is not None and line.frames != usual:
        found.append(f"{line.frames} frames, others {usual}")
    filters = {name for mark in line.marks for name in mark.groups.get("filter", "").split("+")} - {"", "none"}
    if any(f"/{line.model}".endswith(f"/{name}") for name in filters):  # with or without its provider
        found.append("filter baseline")
    return found


def _mark(row: Row) -> Mark:
    return Mark(
        item=row.item,
        epoch=row.epoch,
        cluster=row.cluster,
        groups=row.groups,
        scores=row.ending.scores,
        found={finding.name: finding.value for finding in row.ending.findings},
        length=len(row.deliverable.text.split()),
        because="" if row.ending.status == "marked" else row.ending.because or row.ending.status,
    )


def _frames(rows: Sequence[Row]) -> int | None:
    return max((sum(len(seen.frames) for seen in row.seen) for row in rows if row.seen), default=None)


def fixed_line(name: str, lines: Sequence[Line], answer: Callable[[Mark], Mark]) -> Line:
    """Make the line of somebody who always answers the same.

    Args:
        name: Who.
        lines: Measured lines; each item is taken once, from the first that marked it.
        answer: Gives the mark that the fixed answer gets for the item of a mark.
    """
    once: dict[str, Mark] = {}
    for line in lines:
        for mark in line.marks:
            if mark.scores:
                once.setdefault(mark.item, mark)
    marks = [replace(answer(mark), epoch=1, length=0) for _, mark in sorted(once.items())]
    return Line(name, "", marks, remark=COMPUTED)


@dataclass(frozen=True)
class Board:
    """Means of lines (by number) and columns.

    Args:
        cells: Estimates by (line, column); missing where a line has no sample of the column.
        composites: Unweighted mean of a line's columns, where it has all of them.
    """

    cells: Mapping[tuple[int, str], Estimate]
    composites: Mapping[int, Estimate] = field(default_factory=dict)


Placed = Callable[[Mark], tuple[str, float] | None]


def board(
    lines: Sequence[Line],
    columns: Sequence[str],
    value: Placed,
    *,
    composite: bool = False,
    by_item: bool = False,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Board:
    """Give the mean of every line and column with its 95% interval, all from the same draws of clusters.

    Args:
        lines: Who.
        columns: Names of the columns.
        value: Which column a mark counts in, and with what value; None when in none.
        composite: Whether the columns of a line are averaged, too.
        by_item: Whether items are drawn instead of clusters, as some papers do; too narrow where items share a clip.
        resamples: Bootstrap resamples.
        seed: Of the draws.
    """
    scores = [
        (mark.item if by_item else mark.cluster, f"{number} {found[0]}", found[1])
        for number, line in enumerate(lines)
        for mark in line.marks
        if (found := value(mark)) is not None and found[0] in columns
    ]
    if not scores:
        return Board({})
    table = cluster_table(scores)
    drawn = resampled_table(table.sums, table.counts, resamples=resamples, seed=seed)
    ends = table_intervals(drawn)
    unit = "item" if by_item else "cluster"
    method = bootstrap_method(resamples, seed).replace("cluster", unit)
    place = {name: column for column, name in enumerate(table.columns)}

    def clusters(used: Sequence[int]) -> int:
        return int((table.counts[:, used] > 0).any(axis=1).sum())

    def estimated(name: str, used: Sequence[int], mean: float, low: float, high: float) -> Estimate:
        known = not math.isnan(low) and not math.isnan(high)
        how = f"Wilson by {unit}, since all samples are at one end of the scale" if mean in (0.0, 1.0) else method
        return Estimate(
            name=name,
            value=mean,
            low=low if known else None,
            high=high if known else None,
            n=int(table.counts[:, used].sum()),
            clusters=clusters(used),
            method=how if known else f"undefined: one {unit}, or no spread among them",
        )

    cells: dict[tuple[int, str], Estimate] = {}
    composites: dict[int, Estimate] = {}
    for number in range(len(lines)):
        used = {column: place[name] for column in columns if (name := f"{number} {column}") in place}
        for column, at in used.items():
            cells[number, column] = estimated(column, [at], ends.values[at], ends.low[at], ends.high[at])
        if composite and len(used) == len(columns):
            every = list(used.values())
            size = clusters(every)
            both = percentile_ends(drawn.means[every].mean(axis=0), clusters=size, width=1.0)[0] if size > 1 else None
            composites[number] = estimated("composite", every, float(ends.values[every].mean()), *(both or NO_ENDS))
    return Board(cells, composites)


def headed(*names: str) -> tuple[Column, ...]:
    """Give columns by their names alone."""
    return tuple(Column(name=name) for name in names)
