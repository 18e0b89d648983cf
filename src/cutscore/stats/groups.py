"""Two groups of samples that are not paired: by how much their means differ."""

from collections.abc import Sequence
from typing import Unpack

import numpy as np

from cutscore.core.estimate import Estimate
from cutscore.stats.resampling import Draws, Floats, bootstrap_estimate, check_columns, divide_or_nan, sums_by_cluster


def difference_of_means(
    values: Sequence[float],
    in_first: Sequence[bool],
    clusters: Sequence[str],
    *,
    name: str,
    scale: tuple[float, float] = (0.0, 1.0),
    **draws: Unpack[Draws],
) -> Estimate:
    """Return the mean of the first group minus that of the others, with its 95% interval by cluster.

    Clusters are drawn with all that they hold of both groups, so what the groups share of a clip cancels as it should.
    Undefined when either group is empty.

    The scale is that of the values, not of the difference.
    """
    check_columns(name, clusters, values, in_first)
    first, column = np.asarray(in_first, dtype=np.bool_), np.asarray(values, dtype=np.float64)
    columns = np.column_stack([column * first, first, column * ~first, ~first]).astype(np.float64)
    by_cluster = sums_by_cluster(columns, clusters)

    def difference(times: Floats) -> Floats:
        mine, my_count, others, other_count = (times @ by_cluster).T
        return divide_or_nan(mine, my_count) - divide_or_nan(others, other_count)

    width = scale[1] - scale[0]
    return bootstrap_estimate(
        difference,
        clusters,
        name=name,
        scale=(-width, width),
        undefined="one of the two groups has no samples",
        **draws,
    )
