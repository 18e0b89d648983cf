"""Lines → boards: the mean of every line and column with its interval, all from one set of draws.

Since the draws are shared, composites of columns and differences of lines are paired.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from cutscore.core.estimate import Estimate
from cutscore.results.lines import Line, Mark, mean_of
from cutscore.stats.resampling import RESAMPLES, SEED, bootstrap_method, percentile_ends
from cutscore.stats.tables import cluster_table, resampled_table, table_intervals

NO_ENDS = (math.nan, math.nan)


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
    asked: Callable[[Mark], str] | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Board:
    """Return the mean of every line and column with its 95% interval, all from the same draws of clusters.

    Args:
        lines: Who.
        columns: Names of the columns.
        value: Which column a mark counts in, and with what value; None when in none.
        composite: Whether the columns of a line are averaged, too.
        by_item: Whether items are drawn instead of clusters, as some papers do; too narrow where items share a clip.
        asked: Which column a mark would count in, had it been marked; where given, unscored samples are counted beside
            each mean, with the bounds of what they could have made of it.
        resamples: Bootstrap resamples.
        seed: Of the draws.
    """
    scores = [score for number, line in enumerate(lines) for score in _scores(number, line, columns, value, by_item)]
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
            cell = estimated(column, [at], ends.values[at], ends.low[at], ends.high[at])
            cells[number, column] = _with_unscored(cell, lines[number], value, asked) if asked else cell
        if composite and len(used) == len(columns):
            every = list(used.values())
            size = clusters(every)
            both = percentile_ends(drawn.means[every].mean(axis=0), clusters=size, width=1.0)[0] if size > 1 else None
            composites[number] = estimated("composite", every, float(ends.values[every].mean()), *(both or NO_ENDS))
    return Board(cells, composites)


def _scores(
    number: int, line: Line, columns: Sequence[str], value: Placed, by_item: bool
) -> list[tuple[str, str, float]]:
    """Return (unit, column, mean over epochs) of every item of a line."""
    found: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for mark in line.marks:
        placed = value(mark)
        if placed is not None and placed[0] in columns:
            found[mark.item, mark.cluster, placed[0]].append(placed[1])
    return [
        (item if by_item else cluster, f"{number} {column}", mean_of(values))
        for (item, cluster, column), values in found.items()
    ]


def _with_unscored(cell: Estimate, line: Line, value: Placed, asked: Callable[[Mark], str]) -> Estimate:
    """Count the samples of a cell that are unscored, and bound its mean by what they could have been."""
    missing = [mark for mark in line.marks if not mark.scores and asked(mark) == cell.name]
    if not missing:
        return cell
    placed = [(mark, found[1]) for mark in line.marks if (found := value(mark)) and found[0] == cell.name]
    bounds = []
    for end in (0.0, 1.0):
        values: dict[str, list[float]] = defaultdict(list)
        for mark, score in [*placed, *((mark, end) for mark in missing)]:
            values[mark.item].append(score)
        bounds.append(mean_of([mean_of(each) for each in values.values()]))
    return cell.model_copy(update={"unscored": len(missing), "bounds": tuple(bounds)})


def easiest(found: Board, lines: Sequence[Line], names: Sequence[str]) -> str:
    """Describe which column is the easiest for most of those who compete; ties are nobody's easiest."""
    tops = Counter[str]()
    competing = 0
    for number in (number for number, line in enumerate(lines) if line.competes):
        means = {name: each.value for name in names if (each := found.cells.get((number, name)))}
        best = [name for name, mean in means.items() if mean == max(each or 0.0 for each in means.values())]
        competing += bool(means)
        tops.update(best if len(best) == 1 else ())
    if not tops:
        return "none is easier than the others"
    top = max(names, key=lambda name: tops[name])
    return f"{top} is the easiest for {tops[top]} of {competing}"
