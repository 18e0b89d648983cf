"""The one bootstrap of this package: clusters drawn with replacement, as counts, for any statistic of sums by cluster.

A resample is a row of whole numbers: how often each cluster was drawn. A statistic that depends on the data
through sums by cluster (a mean, a table of agreement, pairs in order) is then arithmetic on `times @ sums`, for
thousands of resamples at once, and whatever shares the draws stays paired.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from statistics import NormalDist
from typing import TypedDict

import numpy as np
import numpy.typing as npt

from cutscore.core.errors import BadInput
from cutscore.core.estimate import Estimate

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]
Statistic = Callable[[Floats], Floats]

LEVEL = 0.95
RESAMPLES = 10_000
SEED = 42
# Cells of a matrix held at one time; bounds memory at about 30 MB whatever the number of clusters.
MAX_CELLS = 1_000_000
# Ends are rounded to this many decimals: the last bits of a matrix product depend on the processor.
DECIMALS = 12
# Values that differ by less than this share of the scale differ by rounding alone.
ROUNDING = 1e-12


class Draws(TypedDict, total=False):
    """Options of everything that draws: how many resamples, and the seed of the draws."""

    resamples: int
    seed: int


def draw_cluster_counts(clusters: int, *, resamples: int, seed: int, columns: int = 1) -> Iterator[Floats]:
    """Yield how often each cluster was drawn, with replacement and as often as there are clusters; one row a resample.

    Rows come in blocks that fit in memory beside the `columns` numbers that the caller will hold for each; the draws do
    not depend on the size of the blocks.
    """
    generator = np.random.default_rng(seed)
    at_once = max(1, MAX_CELLS // max(clusters, columns))
    for start in range(0, resamples, at_once):
        rows = min(at_once, resamples - start)
        draws = generator.integers(0, clusters, size=(rows, clusters))
        # How often each cluster was drawn, row by row: shift every row to numbers of its own and count once.
        draws += clusters * np.arange(rows)[:, np.newaxis]
        yield np.bincount(draws.ravel(), minlength=rows * clusters).reshape(rows, clusters).astype(np.float64)


def cluster_indices(clusters: Sequence[str]) -> tuple[Indices, int]:
    """Return the number of each sample's cluster, counted in the order of sorted names, and how many there are."""
    names, found = np.unique(np.asarray(clusters, dtype=np.str_), return_inverse=True)
    return found.astype(np.intp), len(names)


def sums_by_cluster(columns: Floats, clusters: Sequence[str]) -> Floats:
    """Add up the rows (samples) of each cluster; samples × columns in, clusters × columns out, sorted by name."""
    place, size = cluster_indices(clusters)
    sums = np.zeros((size, columns.shape[1]))
    np.add.at(sums, place, columns)
    return sums


def divide_or_nan(part: Floats, whole: Floats) -> Floats:
    """Divide; the result is not-a-number where the whole is 0."""
    shares = np.full(np.broadcast(part, whole).shape, np.nan)
    np.divide(part, whole, out=shares, where=whole != 0)
    return shares


def bootstrap_estimate(
    statistic: Statistic,
    clusters: Sequence[str],
    *,
    name: str,
    scale: tuple[float, float],
    undefined: str,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    columns: int = 1,
) -> Estimate:
    """Return a statistic of clusters with its 95% percentile interval, expanded for few clusters.

    A resample in which the statistic has no value could lie anywhere, so it counts at both ends; the interval is
    undefined when there are more of them than an end leaves outside. It is also undefined with one cluster, and when
    every resample has the same value: the data then show no spread, which does not mean that there is none.

    The statistic takes counts of draws (resamples × clusters) and returns a value for each resample, not-a-number where
    it has none; the value itself is that of every cluster drawn once. `undefined` says why there is no value, when
    there is none; `columns` is how many numbers the statistic holds for each resample, if more than clusters.
    """
    if resamples < 1:
        raise BadInput(f"estimate '{name}'", f"{resamples} resamples cannot be")
    size = len(set(clusters))
    value = float(statistic(np.ones((1, size)))[0]) if size else math.nan
    ends: tuple[float, float] | None = None
    why = "no samples" if size == 0 else undefined if math.isnan(value) else "one cluster" if size == 1 else ""
    if not why:
        drawn = draw_cluster_counts(size, resamples=resamples, seed=seed, columns=columns)
        resampled = np.concatenate([statistic(times) for times in drawn])
        ends, why = percentile_interval(resampled, clusters=size, width=scale[1] - scale[0])
    return Estimate(
        name=name,
        value=None if math.isnan(value) else clip(round(value, DECIMALS), scale),
        low=ends and clip(ends[0], scale),
        high=ends and clip(ends[1], scale),
        n=len(clusters),
        clusters=size,
        scale=scale,
        method=f"undefined: {why}" if why else bootstrap_method(resamples, seed),
    )


def clip(value: float, scale: tuple[float, float] = (0.0, 1.0)) -> float:
    """Return the nearest value on the scale."""
    return min(max(value, scale[0]), scale[1])


def percentile_interval(resampled: Floats, *, clusters: int, width: float) -> tuple[tuple[float, float] | None, str]:
    """Return the ends of the interval, or None and why there are none."""
    missing = np.isnan(resampled)
    if missing.all():
        return None, "no resample has a value"
    if np.ptp(resampled[~missing]) <= ROUNDING * width:
        return None, "all resamples have the same value"
    outside = tail_probability(clusters)
    if missing.mean() >= outside:
        return None, f"{int(missing.sum())} of {len(resampled)} resamples have no value"
    low = np.quantile(np.where(missing, -np.inf, resampled), outside, method="higher" if missing.any() else "linear")
    high = np.quantile(np.where(missing, np.inf, resampled), 1 - outside, method="lower" if missing.any() else "linear")
    return (round(float(low), DECIMALS), round(float(high), DECIMALS)), ""


def bootstrap_method(resamples: int, seed: int) -> str:
    """Return the words for how an interval was made."""
    return f"percentile bootstrap by cluster, expanded for few clusters, {resamples} resamples, seed {seed}"


def tail_probability(clusters: int) -> float:
    """Return the share of resamples to cut off at either end, for at least 2 clusters.

    A bootstrap of k clusters is too narrow by √((k-1)/k) and ignores that the spread itself is estimated. Cutting
    where the normal curve has what Student's t leaves outside mends both; with many clusters it is 2.5%.
    """
    reach = t_quantile((1 + LEVEL) / 2, clusters - 1) * math.sqrt(clusters / (clusters - 1))
    return NormalDist().cdf(-reach)


def t_quantile(probability: float, degrees: int) -> float:
    """Return the value that Student's t with so many degrees of freedom stays below with this probability.

    >>> round(t_quantile(0.975, 9), 4)
    2.2622
    """
    from scipy.special import stdtrit  # slow to import, and only intervals need it

    return float(stdtrit(degrees, probability))


def check_columns(name: str, clusters: Sequence[str], *columns: Sequence[object]) -> None:
    """Raise BadInput where columns have unequal lengths or hold something that is no finite number."""
    what = f"estimate '{name}'"
    for column in columns:
        if len(column) != len(clusters):
            raise BadInput(what, f"has {len(column)} values and {len(clusters)} clusters", "give one for each sample")
        for position, value in enumerate(column):
            if isinstance(value, float) and not math.isfinite(value):
                raise BadInput(what, f"value number {position} is {value}", "leave it out and count it as unscored")
