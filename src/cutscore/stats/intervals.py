"""Means with intervals that respect clusters.

Questions about one clip are not independent, so what is drawn again is the clip with all that belongs to it.
A cluster enters a resample only through its sum and its count, so a mean over 10,000 resamples is one product of
a matrix of draws with two vectors. Where samples have wholes, values weigh as much as their wholes: the mean is then
the ratio of the sums of parts and wholes.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Unpack

import numpy as np

from cutscore.core.errors import BadInput
from cutscore.core.estimate import Estimate
from cutscore.stats.resampling import (
    DECIMALS,
    LEVEL,
    RESAMPLES,
    ROUNDING,
    SEED,
    Draws,
    Floats,
    bootstrap_method,
    draw_cluster_counts,
    tail_probability,
)

Interval = tuple[float, float] | None


@dataclass(frozen=True)
class ScoreColumn:
    """What one estimate is made of; the arguments of `estimate`.

    Args:
        wholes: What each value is a share of, above 0: its weight; 1 for each when None.
        unscored_whole: All that unscored samples may weigh together; 1 for each when None.
    """

    values: Sequence[float]
    clusters: Sequence[str]
    name: str
    scale: tuple[float, float] = (0.0, 1.0)
    unscored: int = 0
    mode: str = ""
    group: Mapping[str, str] | None = None
    wholes: Sequence[float] | None = None
    unscored_whole: float | None = None

    @property
    def weights(self) -> Sequence[float]:
        """Return what each value weighs."""
        return self.wholes if self.wholes is not None else (1.0,) * len(self.values)


def estimate(
    values: Sequence[float],
    clusters: Sequence[str],
    *,
    name: str,
    scale: tuple[float, float] = (0.0, 1.0),
    unscored: int = 0,
    mode: str = "",
    group: Mapping[str, str] | None = None,
    **draws: Unpack[Draws],
) -> Estimate:
    """Return the mean over samples with its 95% interval, the same for any order of the samples.

    The interval is the percentile bootstrap over clusters, cut at Hesterberg's expanded percentiles (What Teachers
    Should Know About the Bootstrap, 2015), because plain percentiles of 10 clusters cover 90% and not 95%.

    It is undefined, and said to be, with a single cluster and when all clusters have the same mean: a bootstrap
    could then only show a width of nothing. One such case has an honest answer. When every sample is at the
    bottom or at the top of the scale, it is Wilson's interval for as many yes-or-no trials as there are
    *clusters*. That is conservative: samples of one cluster count as one, and whatever was not seen is taken to
    lie at the far end of the scale.

    Unscored samples, which we failed to mark, widen the bounds and leave value and interval alone. Equal input and seed
    give equal ends.
    """
    column = ScoreColumn(values, clusters, name, scale=scale, unscored=unscored, mode=mode, group=group)
    return estimate_columns([column], **draws)[0]


def estimate_columns(
    columns: Sequence[ScoreColumn], *, resamples: int = RESAMPLES, seed: int = SEED
) -> tuple[Estimate, ...]:
    """Return what `estimate` gives for each, from one set of draws for all that have equally many clusters.

    Draws depend on the number of clusters and the seed alone, so nothing changes but the time: most of it goes into
    drawing.
    """
    for column in columns:
        _check(column, resamples=resamples)
    added = [_by_cluster(column) for column in columns]
    found = _intervals(columns, added, resamples=resamples, seed=seed)
    return tuple(
        _estimate(column, len(sums), ends, method)
        for column, (sums, _), (ends, method) in zip(columns, added, found, strict=True)
    )


def _estimate(column: ScoreColumn, clusters: int, ends: Interval, method: str) -> Estimate:
    n, whole = len(column.values), math.fsum(column.weights)
    total = math.fsum(value * weight for value, weight in zip(column.values, column.weights, strict=True))
    return Estimate(
        name=column.name,
        value=total / whole if n else None,
        low=ends and ends[0],
        high=ends and ends[1],
        n=n,
        clusters=clusters,
        unscored=column.unscored,
        bounds=_bounds(column, total, whole),
        scale=column.scale,
        method=method,
        mode=column.mode,
        group=dict(column.group or {}),
    )


def item_estimate(
    values: Sequence[float],
    *,
    name: str,
    scale: tuple[float, float] = (0.0, 1.0),
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Estimate:
    """Return the mean of items with the plain 95% percentile bootstrap that papers print.

    Items are drawn as if none shared a clip, and the ends are the percentiles 2.5 and 97.5. That is too narrow for few
    items and for clusters, which is why `estimate` does otherwise.

    >>> found = item_estimate([0, 1, 1, 1, 0, 1, 1, 0], name="accuracy")
    >>> found.low, found.high
    (0.25, 0.875)
    """
    column = ScoreColumn(values, [str(place) for place in range(len(values))], name, scale=scale)
    _check(column, resamples=resamples)
    ends, method = None, "undefined: no samples"
    if values:
        items = np.array(values, dtype=np.float64)
        resampled = resample_means(items, np.ones(len(items)), resamples=resamples, seed=seed)
        low, high = np.quantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
        ends = round(float(low), DECIMALS), round(float(high), DECIMALS)
        method = f"plain percentile bootstrap by item, {resamples} resamples, seed {seed}"
    return _estimate(column, len(values), ends, method)


def wilson_interval(successes: float, trials: float) -> tuple[float, float]:
    """Return Wilson's 95% score interval of a proportion; trials need not be whole where samples weigh less.

    >>> low, high = wilson_interval(10, 10)
    >>> round(low, 4), high
    (0.7225, 1.0)
    """
    if not 0 <= successes <= trials or trials <= 0:
        raise BadInput("Wilson's interval", f"{successes} successes in {trials} trials cannot be")
    z2 = NormalDist().inv_cdf((1 + LEVEL) / 2) ** 2
    share = successes / trials
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = math.sqrt(z2 * (share * (1 - share) / trials + z2 / (4 * trials**2))) / (1 + z2 / trials)
    # The ends at 0 and 1 are exact; only rounding keeps the formula from saying so.
    return (0.0 if successes == 0 else centre - half), (1.0 if successes == trials else centre + half)


def resample_means(sums: Floats, counts: Floats, *, resamples: int, seed: int) -> Floats:
    """Draw clusters with replacement, as many as there are, and give the mean over samples of every resample.

    Every count is above 0. Sums and counts may be clusters × columns, for several that share the draws; these do not
    depend on how much memory we take.
    """
    drawn = draw_cluster_counts(len(sums), resamples=resamples, seed=seed, columns=2 * sums.size // len(sums))
    return np.concatenate([(times @ sums) / (times @ counts) for times in drawn])


def _check(column: ScoreColumn, *, resamples: int) -> None:
    what, (bottom, top) = f"estimate '{column.name}'", column.scale
    values, clusters = column.values, column.clusters
    if len(values) != len(clusters):
        raise BadInput(
            what, f"has {len(values)} values and {len(clusters)} clusters", "give one cluster for each value"
        )
    for position, value in enumerate(values):
        if not math.isfinite(value):
            raise BadInput(what, f"value number {position} is {value}", "leave it out and count it as unscored")
    if len(column.weights) != len(values) or not all(0 < whole < math.inf for whole in column.weights):
        raise BadInput(what, "has a value without a whole above 0", "leave out what has nothing to count")
    if not bottom < top:
        raise BadInput(what, f"the scale goes from {bottom} to {top}", "give bottom and top")
    if column.unscored < 0 or resamples < 1:
        raise BadInput(what, f"{column.unscored} unscored and {resamples} resamples cannot be")


def _by_cluster(column: ScoreColumn) -> tuple[Floats, Floats]:
    """Add up each cluster. Sorted names and exact sums make the result the same for any order of the samples."""
    parts: dict[str, list[float]] = defaultdict(list)
    wholes: dict[str, list[float]] = defaultdict(list)
    for value, whole, cluster in zip(column.values, column.weights, column.clusters, strict=True):
        parts[cluster].append(value * whole)
        wholes[cluster].append(whole)
    sums, counts = ([math.fsum(each[cluster]) for cluster in sorted(each)] for each in (parts, wholes))
    return np.array(sums), np.array(counts)


def _bounds(column: ScoreColumn, total: float, whole: float) -> tuple[float, float] | None:
    """Return the mean if every unscored sample were at the bottom, and at the top."""
    open_whole = column.unscored if column.unscored_whole is None else column.unscored_whole
    everything = whole + open_whole
    if everything == 0:
        return None
    return (total + open_whole * column.scale[0]) / everything, (total + open_whole * column.scale[1]) / everything


def _intervals(
    columns: Sequence[ScoreColumn], added: Sequence[tuple[Floats, Floats]], *, resamples: int, seed: int
) -> list[tuple[Interval, str]]:
    found = [_without_draws(column, *both) for column, both in zip(columns, added, strict=True)]
    to_draw: dict[int, list[int]] = defaultdict(list)
    for place, (sums, _) in enumerate(added):
        if not found[place][1]:
            to_draw[len(sums)].append(place)
    for clusters, places in to_draw.items():
        sums, counts = (np.column_stack([added[place][part] for place in places]) for part in (0, 1))
        resampled = resample_means(sums, counts, resamples=resamples, seed=seed)
        outside = tail_probability(clusters)
        lows, highs = np.quantile(resampled, [outside, 1 - outside], axis=0)
        for place, low, high in zip(places, lows, highs, strict=True):
            ends = round(float(low), DECIMALS), round(float(high), DECIMALS)
            found[place] = ends, bootstrap_method(resamples, seed)
    return found


def _without_draws(column: ScoreColumn, sums: Floats, counts: Floats) -> tuple[Interval, str]:
    """Return the interval where no draw can tell it, or no method where draws can."""
    if len(sums) == 0:
        return None, "undefined: no samples"
    if len(sums) == 1:
        return None, "undefined: one cluster"
    values, (bottom, top) = column.values, column.scale
    if all(value == values[0] for value in values) and values[0] in column.scale:
        low, high = wilson_interval(len(sums) if values[0] == top else 0, len(sums))
        ends = (bottom + (top - bottom) * low, bottom + (top - bottom) * high)
        return ends, "Wilson by cluster, since all samples are at one end of the scale"
    if np.ptp(sums / counts) <= ROUNDING * (top - bottom):
        return None, "undefined: all clusters have the same mean"
    return None, ""
