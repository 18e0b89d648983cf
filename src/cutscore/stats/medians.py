"""Medians with intervals by cluster: of measurements in which a few are very far off."""

from collections.abc import Sequence
from typing import Unpack

import numpy as np

from cutscore.core.estimate import Estimate
from cutscore.stats.resampling import Draws, Floats, bootstrap_estimate, cluster_indices


def median_estimate(
    values: Sequence[float],
    clusters: Sequence[str],
    *,
    name: str,
    scale: tuple[float, float],
    **draws: Unpack[Draws],
) -> Estimate:
    """Return the median of some values with its 95% interval, clusters drawn with replacement.

    A cluster that is drawn twice counts twice with all its values. Of evenly many it is the mean of the middle two. The
    scale has all values that there could be.
    """
    order = np.argsort(np.asarray(values, dtype=np.float64), kind="stable")
    ranked = np.asarray(values, dtype=np.float64)[order]
    place, _ = cluster_indices(clusters)

    def statistic(times: Floats) -> Floats:
        counted = np.cumsum(times[:, place[order]], axis=1)
        half = counted[:, -1:] / 2
        below, above = (counted >= half).argmax(axis=1), (counted > half).argmax(axis=1)
        medians: Floats = (ranked[below] + ranked[above]) / 2
        return medians

    return bootstrap_estimate(
        statistic, clusters, name=name, scale=scale, undefined="no values", columns=max(1, len(values)), **draws
    )
