"""A whole table of means at once: models × axes over the same clips, and every difference in it.

All columns share the draws of clusters, so the difference of any two is paired, and a table of the papers' size
costs about as much as one of its cells.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np

from cutscore.core.errors import BadInput
from cutscore.stats.intervals import wilson_interval
from cutscore.stats.resampling import (
    DECIMALS,
    RESAMPLES,
    ROUNDING,
    SEED,
    Floats,
    divide_or_nan,
    draw_cluster_counts,
    percentile_interval,
    tail_probability,
)


@dataclass(frozen=True)
class ClusterTable:
    """Scores added up by cluster and column.

    Args:
        clusters: Names of the rows, sorted.
        columns: Names of the columns, in the order in which they were first seen.
        sums: Sum of the scores, clusters × columns.
        counts: How many scores, clusters × columns; 0 where a cluster has none of that column. Of a ratio, wholes.
        sizes: How many scores each column has.
    """

    clusters: tuple[str, ...]
    columns: tuple[str, ...]
    sums: Floats
    counts: Floats
    sizes: tuple[int, ...]


@dataclass(frozen=True)
class ResampledTable:
    """Means of every column over samples, and in every resample (columns × resamples); not-a-number without samples."""

    sums: Floats
    counts: Floats
    values: Floats
    means: Floats
    scale: tuple[float, float]


@dataclass(frozen=True)
class Intervals:
    """Values with 95% intervals, one each; not-a-number where an interval is undefined."""

    values: Floats
    low: Floats
    high: Floats


def cluster_table(scores: Iterable[tuple[str, str, float]], wholes: Sequence[float] = ()) -> ClusterTable:
    """Add up (cluster, column, score); exact sums make the result the same for any order of the scores.

    Scores may be shares of wholes above 0; means are then ratios of sums. For differences paired by sample, give only
    samples that every column has.
    """
    members: dict[str, dict[str, list[tuple[float, float]]]] = {}
    columns: dict[str, int] = {}
    for (cluster, column, score), whole in zip(scores, wholes or repeat(1.0), strict=False):
        if not math.isfinite(score):
            raise BadInput(f"table column '{column}'", f"cluster '{cluster}' scored {score}", "count it as unscored")
        columns.setdefault(column, len(columns))
        members.setdefault(cluster, {}).setdefault(column, []).append((score, whole))
    names = tuple(sorted(members))
    sums, counts = np.zeros((2, len(names), len(columns)))
    for row, cluster in enumerate(names):
        for column, group in members[cluster].items():
            sums[row, columns[column]] = math.fsum(score * whole for score, whole in group)
            counts[row, columns[column]] = math.fsum(whole for _, whole in group)
    sizes = tuple(sum(len(own.get(column, ())) for own in members.values()) for column in columns)
    return ClusterTable(clusters=names, columns=tuple(columns), sums=sums, counts=counts, sizes=sizes)


def resample_table(
    sums: Floats,
    counts: Floats,
    *,
    scale: tuple[float, float] = (0.0, 1.0),
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> ResampledTable:
    """Draw clusters with replacement and give the mean of every column in every resample.

    Sums and counts are clusters × columns. A table of one column has the draws of `estimate`.
    """
    if sums.shape != counts.shape or sums.ndim != 2:
        raise BadInput("table", f"sums are {sums.shape} and counts {counts.shape}", "give clusters × columns for both")
    if not np.isfinite(sums).all() or (counts < 0).any() or (sums[counts == 0] != 0).any():
        raise BadInput("table", "a sum without scores, a negative count or a sum that is no number cannot be")
    if resamples < 1 or not scale[0] < scale[1]:
        raise BadInput("table", f"{resamples} resamples on a scale from {scale[0]} to {scale[1]} cannot be")
    clusters, columns = sums.shape
    means = np.full((columns, resamples), np.nan)
    both = np.hstack([sums, counts])
    done = 0
    for times in draw_cluster_counts(clusters, resamples=resamples, seed=seed, columns=2 * columns) if clusters else ():
        totals = times @ both
        # Columns become rows here: quantiles are taken along a column, and run along memory.
        means[:, done : done + len(times)] = divide_or_nan(totals[:, :columns], totals[:, columns:]).T
        done += len(times)
    return ResampledTable(
        sums=sums, counts=counts, values=divide_or_nan(sums.sum(axis=0), counts.sum(axis=0)), means=means, scale=scale
    )


def table_intervals(table: ResampledTable) -> Intervals:
    """Return every mean with its 95% interval, by the rules of `estimate` (undefined ones included)."""
    low, high = _row_intervals(table.means, (table.counts > 0).sum(axis=0), table.scale[1] - table.scale[0])
    bottom, top = table.scale
    means = divide_or_nan(table.sums, table.counts)
    highest = np.where(table.counts > 0, means, -np.inf).max(axis=0, initial=-np.inf)
    spread = highest - np.where(table.counts > 0, means, np.inf).min(axis=0, initial=np.inf)
    for column in range(len(table.values)):
        seen = int((table.counts[:, column] > 0).sum())
        # A flat column has no interval by resampling; at an end of the scale Wilson's has an answer.
        if seen > 1 and spread[column] <= ROUNDING * (top - bottom):
            low[column], high[column] = _constant_interval(table.values[column], seen, scale=table.scale)
    return Intervals(values=table.values, low=low, high=high)


def table_differences(table: ResampledTable, pairs: Sequence[tuple[int, int]]) -> Intervals:
    """Return first minus second for pairs of columns, with 95% intervals by the rules of `paired_difference`.

    Clusters that only one column of a pair has still count on that side: to pair by sample, leave them out first.

    Pairs are numbers of columns.
    """
    if not pairs:
        return Intervals(values=np.empty(0), low=np.empty(0), high=np.empty(0))
    first, second = np.array(pairs).T
    shared = (table.counts[:, first] > 0) & (table.counts[:, second] > 0)
    width = table.scale[1] - table.scale[0]
    low, high = _row_intervals(table.means[first] - table.means[second], shared.sum(axis=0), 2 * width)
    values = table.values[first] - table.values[second]
    means = divide_or_nan(table.sums, table.counts)
    gaps = np.where(shared, means[:, first] - means[:, second], np.nan)
    for pair in range(len(pairs)):
        seen = gaps[shared[:, pair], pair]
        if len(seen) > 1 and np.ptp(seen) <= 2 * ROUNDING * width:
            low[pair], high[pair] = _constant_interval(values[pair], len(seen), scale=(-width, width))
    return Intervals(values=values, low=low, high=high)


def all_pairs(models: int, axes: int) -> list[tuple[int, int]]:
    """Return every pair of models on every axis, for columns in the order model by model, axis by axis.

    >>> all_pairs(3, 1)
    [(0, 1), (0, 2), (1, 2)]
    """
    return [
        (one * axes + axis, other * axes + axis)
        for one in range(models)
        for other in range(one + 1, models)
        for axis in range(axes)
    ]


def _row_intervals(resampled: Floats, clusters: Floats, width: float) -> tuple[Floats, Floats]:
    """Return low and high ends of the interval of each row, cut for the number of its clusters."""
    low, high = np.full((2, len(resampled)), np.nan)
    broken = np.isnan(resampled.sum(axis=1))
    for size in np.unique(clusters[(clusters > 1) & ~broken]):
        rows = np.flatnonzero((clusters == size) & ~broken)
        outside = tail_probability(int(size))
        low[rows], high[rows] = _quantiles(resampled[rows], (outside, 1 - outside))
    for row in np.flatnonzero((clusters > 1) & broken):
        ends, _ = percentile_interval(resampled[row], clusters=int(clusters[row]), width=width)
        low[row], high[row] = ends or (math.nan, math.nan)
    return np.round(low, DECIMALS), np.round(high, DECIMALS)


def _quantiles(rows: Floats, shares: tuple[float, float]) -> list[Floats]:
    """Return what `np.quantile` would along each row, by one partition in place, in half its time."""
    places = [part * (rows.shape[1] - 1) for part in shares]
    below = [math.floor(place) for place in places]
    above = [min(place + 1, rows.shape[1] - 1) for place in below]
    rows.partition(sorted({*below, *above}), axis=1)
    return [
        rows[:, under] + (place - under) * (rows[:, over] - rows[:, under])
        for place, under, over in zip(places, below, above, strict=True)
    ]


def _constant_interval(value: float, clusters: int, *, scale: tuple[float, float]) -> tuple[float, float]:
    """Return Wilson's interval where all clusters are at one end of the scale, not-a-number elsewhere."""
    bottom, top = scale
    if value not in scale:
        return math.nan, math.nan
    low, high = wilson_interval(clusters if value == top else 0, clusters)
    return bottom + (top - bottom) * low, bottom + (top - bottom) * high
