"""Whether two scores put samples in the same order: Kendall's tau-b and Spearman's rho, with intervals by cluster.

Ranks change from resample to resample, so both are computed anew in each: tau from how many pairs of two clusters
are in order, rho from ranks in which a sample drawn three times takes up three places.
"""

from collections.abc import Sequence
from typing import Unpack

import numpy as np

from cutscore.core.estimate import Estimate
from cutscore.stats.resampling import (
    Draws,
    Floats,
    Indices,
    bootstrap_estimate,
    check_columns,
    cluster_indices,
    divide_or_nan,
)

_FLAT = "one of the scores is the same for all samples"


def kendall_tau(
    first: Sequence[float],
    second: Sequence[float],
    clusters: Sequence[str],
    *,
    name: str = "Kendall tau-b",
    **draws: Unpack[Draws],
) -> Estimate:
    """Return Kendall's tau-b with its 95% interval by cluster.

    Pairs in order minus pairs out of order, over the geometric mean of the pairs that either score tells apart.
    Undefined when a score ties all samples. Time grows with samples² and with resamples × clusters².
    """
    check_columns(name, clusters, first, second)
    place, size = cluster_indices(clusters)
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    ordered, apart_x, apart_y = np.zeros((3, size, size))
    for row in range(size):
        # A cluster against all samples at a time, so that memory grows with samples and not with their square.
        signs_x = np.sign(np.subtract.outer(x[place == row], x))
        signs_y = np.sign(np.subtract.outer(y[place == row], y))
        for table, signs in ((ordered, signs_x * signs_y), (apart_x, signs_x != 0), (apart_y, signs_y != 0)):
            table[row] = np.bincount(place, weights=signs.sum(axis=0), minlength=size)

    def tau(times: Floats) -> Floats:
        in_order, by_x, by_y = (((times @ table) * times).sum(axis=1) for table in (ordered, apart_x, apart_y))
        return divide_or_nan(in_order, np.sqrt(by_x * by_y))

    return bootstrap_estimate(tau, clusters, name=name, scale=(-1.0, 1.0), undefined=_FLAT, **draws)


def spearman_rho(
    first: Sequence[float],
    second: Sequence[float],
    clusters: Sequence[str],
    *,
    name: str = "Spearman rho",
    **draws: Unpack[Draws],
) -> Estimate:
    """Return Spearman's rho (tied samples share their middle rank) with its 95% interval by cluster.

    Undefined when a score ties all samples.
    """
    check_columns(name, clusters, first, second)
    place, _ = cluster_indices(clusters)
    levels = [np.unique(np.asarray(scores, dtype=np.float64), return_inverse=True)[1] for scores in (first, second)]

    def rho(times: Floats) -> Floats:
        weights = times[:, place]
        x, y = (_centred_ranks(weights, level) for level in levels)
        across, in_x, in_y = ((weights * one * two).sum(axis=1) for one, two in ((x, y), (x, x), (y, y)))
        return divide_or_nan(across, np.sqrt(in_x * in_y))

    return bootstrap_estimate(rho, clusters, name=name, scale=(-1.0, 1.0), undefined=_FLAT, **draws, columns=len(place))


def _centred_ranks(weights: Floats, level: Indices) -> Floats:
    """Return each sample's middle rank less the mean rank, in every resample.

    `weights` is how often each sample was drawn, resamples × samples; `level` numbers each sample's value among the
    sorted values.
    """
    order = np.argsort(level, kind="stable")
    starts = np.flatnonzero(np.diff(level[order], prepend=-1))
    drawn = np.add.reduceat(weights[:, order], starts, axis=1)
    upto = np.cumsum(drawn, axis=1)
    # Halves of whole numbers: exact, so all samples at one level are exactly 0 apart.
    middle: Floats = upto - drawn / 2 - upto[:, -1:] / 2
    return middle[:, level]
