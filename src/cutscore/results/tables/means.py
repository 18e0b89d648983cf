"""Lines → means: the mean of every line and column with its interval, all from one set of draws.

Since the draws are shared, composites of columns and differences of lines are paired.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from cutscore.core.estimate import Estimate
from cutscore.results.estimates import weighted_mean
from cutscore.results.tables.lines import CellLine, SampleMark
from cutscore.stats.intervals import item_estimate
from cutscore.stats.resampling import RESAMPLES, SEED, bootstrap_method, percentile_interval
from cutscore.stats.tables import (
    ClusterTable,
    Intervals,
    ResampledTable,
    cluster_table,
    resample_table,
    table_intervals,
)

NO_ENDS = (math.nan, math.nan)


@dataclass(frozen=True)
class MeanTable:
    """Means by (line, column), missing where a line has no sample of the column.

    A composite is the unweighted mean of a line's columns, where it has all of them.
    """

    cells: Mapping[tuple[int, str], Estimate]
    composites: Mapping[int, Estimate] = field(default_factory=dict)


ColumnValue = Callable[[SampleMark], tuple[str, float] | None]
Whole = Callable[[SampleMark], float]


def mean_table(
    lines: Sequence[CellLine],
    columns: Sequence[str],
    value: ColumnValue,
    *,
    composite: bool = False,
    whole: Whole = lambda _mark: 1.0,
    asked: Callable[[SampleMark], str] | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> MeanTable:
    """Return the mean of every line and column with its 95% interval, all from the same draws of clusters.

    `value` gives the column that a mark counts in, and its value; `whole` what that is a share of, and then means are
    ratios of sums. Where `asked` is given, which names the column that a
    mark would count in, had it been marked, unscored samples are counted beside each mean, with the bounds of what they
    could have made of it.
    """
    scores = [
        score for number, line in enumerate(lines) for score in _scores(number, line, columns, value, whole=whole)
    ]
    if not scores:
        return MeanTable({})
    draws = _Draws.of(scores, resamples=resamples, seed=seed)
    cells: dict[tuple[int, str], Estimate] = {}
    composites: dict[int, Estimate] = {}
    for number, line in enumerate(lines):
        used = {column: draws.place[name] for column in columns if (name := f"{number} {column}") in draws.place}
        for column, at in used.items():
            cell = draws.mean(column, at)
            cells[number, column] = _with_unscored(cell, line, value, whole, asked) if asked else cell
        if composite and len(used) == len(columns):
            composites[number] = draws.composite(list(used.values()))
    return MeanTable(cells, composites)


def item_mean_table(
    lines: Sequence[CellLine],
    columns: Sequence[str],
    value: ColumnValue,
    *,
    asked: Callable[[SampleMark], str],
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> MeanTable:
    """Return the means of `mean_table` as papers have them: plain percentiles over the items of each column alone.

    That is too narrow where items share a clip, and where they are few. Composites have no interval.
    """
    cells: dict[tuple[int, str], Estimate] = {}
    composites: dict[int, Estimate] = {}
    for number, line in enumerate(lines):
        scores = _scores(number, line, columns, value, whole=lambda _mark: 1.0)
        found = {
            column: item_estimate(values, name=column, resamples=resamples, seed=seed)
            for column in columns
            if (values := [mean for _, name, mean, _ in scores if name == f"{number} {column}"])
        }
        for column, cell in found.items():
            cells[number, column] = _with_unscored(cell, line, value, lambda _mark: 1.0, asked)
        means = [cell.value for cell in found.values() if cell.value is not None]
        if len(means) == len(columns):
            n = sum(cell.n for cell in found.values())
            composites[number] = Estimate(
                name="composite",
                value=math.fsum(means) / len(means),
                n=n,
                clusters=n,
                method="no interval, as in print",
            )
    return MeanTable(cells, composites)


@dataclass(frozen=True)
class _Draws:
    """The means of all columns, drawn again and again by cluster."""

    table: ClusterTable
    drawn: ResampledTable
    ends: Intervals
    method: str
    place: Mapping[str, int]

    @classmethod
    def of(cls, scores: Sequence[tuple[str, str, float, float]], *, resamples: int, seed: int) -> "_Draws":
        """Draw from (cluster, column, value, whole) of every item."""
        table = cluster_table([each[:3] for each in scores], [each[3] for each in scores])
        drawn = resample_table(table.sums, table.counts, resamples=resamples, seed=seed)
        method = bootstrap_method(resamples, seed)
        place = {name: column for column, name in enumerate(table.columns)}
        return cls(table, drawn, table_intervals(drawn), method, place)

    def mean(self, name: str, at: int) -> Estimate:
        """Return the mean of one column."""
        return self._estimate(name, [at], self.ends.values[at], self.ends.low[at], self.ends.high[at])

    def composite(self, columns: Sequence[int]) -> Estimate:
        """Return the unweighted mean of some columns."""
        size = self._clusters(columns)
        means = self.drawn.means[columns].mean(axis=0)
        ends = percentile_interval(means, clusters=size, width=1.0)[0] if size > 1 else None
        return self._estimate("composite", columns, float(self.ends.values[columns].mean()), *(ends or NO_ENDS))

    def _clusters(self, columns: Sequence[int]) -> int:
        return int((self.table.counts[:, columns] > 0).any(axis=1).sum())

    def _estimate(self, name: str, columns: Sequence[int], mean: float, low: float, high: float) -> Estimate:
        known = not math.isnan(low) and not math.isnan(high)
        constant = "Wilson by cluster, since all samples are at one end of the scale"
        how = constant if mean in (0.0, 1.0) else self.method
        return Estimate(
            name=name,
            value=mean,
            low=low if known else None,
            high=high if known else None,
            n=sum(self.table.sizes[column] for column in columns),
            clusters=self._clusters(columns),
            method=how if known else "undefined: one cluster, or no spread among them",
        )


def _scores(
    number: int, line: CellLine, columns: Sequence[str], value: ColumnValue, *, whole: Whole
) -> list[tuple[str, str, float, float]]:
    """Return (cluster, column, mean over epochs, mean whole) of every item of a line."""
    found: dict[tuple[str, str, str], list[tuple[float, float]]] = defaultdict(list)
    for mark in line.marks:
        placed = value(mark)
        if placed is not None and placed[0] in columns:
            found[mark.item, mark.cluster, placed[0]].append((placed[1], whole(mark)))
    return [
        (cluster, f"{number} {column}", weighted_mean(each), _mean_whole(each))
        for (_, cluster, column), each in found.items()
    ]


def _mean_whole(samples: Sequence[tuple[float, float]]) -> float:
    return math.fsum(whole for _, whole in samples) / len(samples)


def _with_unscored(
    cell: Estimate, line: CellLine, value: ColumnValue, whole: Whole, asked: Callable[[SampleMark], str]
) -> Estimate:
    """Count the samples of a cell that are unscored, and bound its mean by what they could have been.

    They weigh what their item weighs elsewhere in the line, or as much as the heaviest.
    """
    missing = [mark for mark in line.marks if (mark.because or mark.gaps) and asked(mark) == cell.name]
    if not missing:
        return cell
    placed = [(mark, found[1]) for mark in line.marks if (found := value(mark)) and found[0] == cell.name]
    known = {mark.item: whole(mark) for mark, _ in placed}
    heaviest = max(known.values(), default=1.0)
    bounds = []
    for end in (0.0, 1.0):
        samples: dict[str, list[tuple[float, float]]] = defaultdict(list)
        for mark, score in placed:
            samples[mark.item].append((score, whole(mark)))
        for mark in missing:
            samples[mark.item].append((end, known.get(mark.item, heaviest)))
        bounds.append(weighted_mean([(weighted_mean(each), _mean_whole(each)) for each in samples.values()]))
    return cell.model_copy(update={"unscored": len(missing), "bounds": tuple(bounds)})


def describe_easiest(means: MeanTable, lines: Sequence[CellLine], names: Sequence[str]) -> str:
    """Describe which column is the easiest for most of those who compete; ties are nobody's easiest."""
    asked = [name for name in names if any(name == column for _, column in means.cells)]
    if len(asked) == 1:
        return f"only {asked[0]} was asked"  # of one column it is true by construction
    tops = Counter[str]()
    competing = 0
    for number in (number for number, line in enumerate(lines) if line.competes):
        values = {name: each.value for name in names if (each := means.cells.get((number, name)))}
        best = [name for name, mean in values.items() if mean == max(each or 0.0 for each in values.values())]
        competing += bool(values)
        tops.update(best if len(best) == 1 else ())
    if not tops:
        return "none is easier than the others"
    top = max(names, key=lambda name: tops[name])
    if competing == 1:
        return f"{top} is the easiest"
    return f"{top} is the easiest for {tops[top]} of {competing} contestants"
