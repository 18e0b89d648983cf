"""Krippendorff's alpha: agreement of any number of raters, any of whom may have skipped any unit."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Literal, Unpack

import numpy as np

from cutscore.core.errors import BadInput
from cutscore.core.estimate import Estimate
from cutscore.stats.resampling import (
    ROUNDING,
    Draws,
    Floats,
    Statistic,
    bootstrap_estimate,
    check_columns,
    divide_or_nan,
    sums_by_cluster,
)

Level = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(
    ratings: Sequence[Sequence[Hashable | None]],
    clusters: Sequence[str],
    *,
    level: Level = "nominal",
    name: str = "alpha",
    **draws: Unpack[Draws],
) -> Estimate:
    """Return Krippendorff's alpha with its 95% interval by cluster.

    Alpha is 1 minus disagreement seen over disagreement expected, over all pairs of values of one unit against all
    pairs of values (Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011). Units with fewer than two
    values pair with nothing and are left out of n. Undefined when nothing can be paired or all values are the same.

    A unit has one value for each rater, None where there is none, and numbers unless nominal. Two values are apart by
    whether they differ (`nominal`), their squared distance in ranks (`ordinal`) or their squared distance (`interval`).
    """
    check_columns(name, clusters, ratings)
    given = [[value for value in unit if value is not None] for unit in ratings]
    paired = [(unit, cluster) for unit, cluster in zip(given, clusters, strict=True) if len(unit) > 1]
    units, paired_clusters = [unit for unit, _ in paired], [cluster for _, cluster in paired]
    values = {value for unit in units for value in unit}
    _check_values(values, level, name=name)
    columns = _moment_columns(units) if level == "interval" else _coincidence_columns(units, values, level)
    by_cluster = sums_by_cluster(columns, paired_clusters)
    if level == "interval":
        statistic = _alpha_by_moments(by_cluster)
    else:
        statistic = _alpha_by_coincidences(by_cluster, len(values), ordinal=level == "ordinal")
    return bootstrap_estimate(
        statistic,
        paired_clusters,
        name=name,
        scale=(-1.0, 1.0),
        undefined="all values are the same",
        **draws,
        columns=columns.shape[1],
    )


def _check_values(values: Iterable[Hashable], level: Level, *, name: str) -> None:
    if level not in ("nominal", "ordinal", "interval"):
        raise BadInput(f"estimate '{name}'", f"level '{level}' is not known", "use nominal, ordinal or interval")
    for value in values if level != "nominal" else ():
        if not isinstance(value, int | float) or not np.isfinite(value):
            raise BadInput(f"estimate '{name}'", f"{value!r} is no number", f"an {level} scale needs numbers")


def _moment_columns(units: Sequence[Sequence[Any]]) -> Floats:
    """Return the moments of each unit, about a value in their midst."""
    numbers = [np.asarray(unit, dtype=np.float64) for unit in units]
    # Far from zero, squares would forget how far values are apart.
    origin = float(np.median(np.concatenate(numbers))) if numbers else 0.0
    return np.array([_moments(unit - origin) for unit in numbers]).reshape(len(units), 4)


def _coincidence_columns(units: Sequence[Sequence[Any]], values: Iterable[Any], level: Level) -> Floats:
    """Return the coincidences of each unit, for values in their order."""
    order = sorted(values, key=repr if level == "nominal" else float)
    number = {value: position for position, value in enumerate(order)}
    columns = np.array([_coincidences([number[value] for value in unit], len(order)) for unit in units])
    return columns.reshape(len(units), len(order) ** 2)


def _alpha(observed: Floats, expected: Floats, count: Floats) -> Floats:
    return 1 - (count - 1) * divide_or_nan(observed, expected)


def _coincidences(unit: Sequence[int], k: int) -> Floats:
    """Count the ordered pairs of values of one unit, each worth 1 / (values - 1), so that a unit weighs its values."""
    counts = np.bincount(unit, minlength=k).astype(np.float64)
    pairs: Floats = (np.outer(counts, counts) - np.diag(counts)) / (len(unit) - 1)
    return pairs.ravel()


def _alpha_by_coincidences(by_cluster: Floats, k: int, *, ordinal: bool) -> Statistic:
    def alpha(times: Floats) -> Floats:
        seen = (times @ by_cluster).reshape(len(times), k, k)
        totals = seen.sum(axis=2)
        if ordinal:
            # Distance in ranks: from the middle of one value's ranks to the middle of the other's, in this resample.
            middle = np.cumsum(totals, axis=1) - totals / 2
            apart = (middle[:, :, np.newaxis] - middle[:, np.newaxis, :]) ** 2
        else:
            apart = np.broadcast_to(1 - np.eye(k), seen.shape)
        observed = (seen * apart).sum(axis=(1, 2))
        expected = np.einsum("ri,rij,rj->r", totals, apart, totals)
        return _alpha(observed, expected, totals.sum(axis=1))

    return alpha


def _moments(values: Floats) -> tuple[float, float, float, float]:
    """Return disagreement, count, sum and sum of squares: all that squared distances need, however many values."""
    centred = values - values.mean()
    disagreement = 2 * len(values) * float(centred @ centred) / (len(values) - 1)
    return disagreement, float(len(values)), float(values.sum()), float(values @ values)


def _alpha_by_moments(by_cluster: Floats) -> Statistic:
    def alpha(times: Floats) -> Floats:
        observed, count, total, squares = (times @ by_cluster).T
        expected = 2 * (count * squares - total**2)
        # Where all values drawn are the same, rounding leaves a little that is not there.
        return _alpha(observed, np.where(expected > ROUNDING * count * squares, expected, 0.0), count)

    return alpha
