"""What clusters cost: the standard error of a mean by cluster, in closed form, beside that of independent rows."""

import math
from collections.abc import Sequence

import numpy as np

from cutscore.stats.resampling import ROUNDING, check_columns, sums_by_cluster


def clustered_standard_error(values: Sequence[float], clusters: Sequence[str]) -> float | None:
    """Return the standard error of the mean over samples: √(k/(k−1) · Σ(sum of a cluster's residuals)²) / n.

    None when it is undefined: fewer than 2 clusters, or residuals that add up to nothing in each.

    >>> clustered_standard_error([0, 0, 1, 1], ["a", "a", "b", "b"])
    0.5
    >>> round(clustered_standard_error([0, 0, 1, 1], ["a", "b", "c", "d"]) or 0, 4)
    0.2887
    """
    check_columns("standard error", clusters, values)
    size = len(set(clusters))
    if size < 2:
        return None
    column = np.asarray(values, dtype=np.float64)[:, np.newaxis]
    residuals = sums_by_cluster(column - column.mean(), clusters)
    error = math.sqrt(size / (size - 1) * float((residuals**2).sum())) / len(column)
    return error if error > ROUNDING * float(np.abs(column).max()) else None


def design_effect(values: Sequence[float], clusters: Sequence[str]) -> float | None:
    """Return how many times the variance by cluster is that by row: how many samples are worth one independent one.

    None where either is undefined. Below 1 when samples of one cluster differ more than samples of several do.
    """
    by_cluster = clustered_standard_error(values, clusters)
    by_row = clustered_standard_error(values, [f"{row}" for row in range(len(values))])
    return None if by_cluster is None or by_row is None else (by_cluster / by_row) ** 2


def effective_size(values: Sequence[float], clusters: Sequence[str]) -> float:
    """Return how many independent samples these are worth: n over the design effect, never more than n.

    Where the samples show no spread it cannot be known, and each cluster counts as one.
    """
    effect = design_effect(values, clusters)
    return float(len(set(clusters))) if effect is None else len(values) / max(effect, 1.0)
