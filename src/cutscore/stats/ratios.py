"""Ratios of sums, such as errors found over errors present, with intervals, and with bounds for what is unscored.

Every sample brings a part and the whole that it is a part of; a sample without a whole brings nothing.
"""

from collections.abc import Sequence
from typing import Unpack

import numpy as np

from cutscore.core.errors import BadInput
from cutscore.core.estimate import Estimate
from cutscore.stats.resampling import Draws, Floats, bootstrap_estimate, check_columns, divide_or_nan, sums_by_cluster


def ratio(
    parts: Sequence[float],
    wholes: Sequence[float],
    clusters: Sequence[str],
    *,
    name: str,
    scale: tuple[float, float] = (0.0, 1.0),
    unscored_wholes: Sequence[float] = (),
    **draws: Unpack[Draws],
) -> Estimate:
    """Return Σ parts / Σ wholes with its 95% interval by cluster.

    A clip with twenty errors weighs as twenty clips with one: a mean over errors, not over clips. Undefined when the
    wholes add up to 0. The bounds put every unscored sample at the bottom of the scale, and at the top, with
    all the weight that it may have.

    A whole is 0 or more; that of an unscored sample is the largest that it may be, where it is not known. The scale is
    the smallest and largest share of any one sample.
    """
    check_columns(name, clusters, parts, wholes)
    bottom, top = scale
    for part, whole in zip(parts, wholes, strict=True):
        # The allowance is for sums of decimals, which miss their mark by rounding.
        if whole < 0 or not bottom * whole - 1e-9 <= part <= top * whole + 1e-9:
            raise BadInput(f"estimate '{name}'", f"{part} of {whole} lies outside of the scale {bottom} … {top}")
    if any(not 0 <= whole < np.inf for whole in unscored_wholes):
        raise BadInput(f"estimate '{name}'", "the whole of an unscored sample is 0 or more, and finite")
    by_cluster = sums_by_cluster(np.column_stack([parts, wholes]).astype(np.float64), clusters)

    def ratio_of_sums(times: Floats) -> Floats:
        totals = times @ by_cluster
        return divide_or_nan(totals[:, 0], totals[:, 1])

    found = bootstrap_estimate(
        ratio_of_sums, clusters, name=name, scale=scale, undefined="the wholes add up to 0", **draws
    )
    part, whole = (float(total) for total in by_cluster.sum(axis=0)) if len(by_cluster) else (0.0, 0.0)
    open_whole = float(sum(unscored_wholes))
    bounds = None
    if whole + open_whole > 0:
        bounds = tuple((part + end * open_whole) / (whole + open_whole) for end in scale)
    return found.model_copy(update={"bounds": bounds, "unscored": len(unscored_wholes)})


def ratio_difference(
    first: tuple[Sequence[float], Sequence[float]],
    second: tuple[Sequence[float], Sequence[float]],
    clusters: Sequence[str],
    *,
    name: str,
    scale: tuple[float, float] = (0.0, 1.0),
    **draws: Unpack[Draws],
) -> Estimate:
    """Return the ratio of sums of one side minus that of the other, with its 95% interval by cluster.

    Each side is parts and wholes of the same samples. A cluster is drawn with what both sides have of it, so what they
    share of a clip cancels. The scale is that of the ratios, not of their difference.
    """
    check_columns(name, clusters, *first, *second)
    by_cluster = sums_by_cluster(np.column_stack([*first, *second]).astype(np.float64), clusters)

    def difference(times: Floats) -> Floats:
        part, whole, other_part, other_whole = (times @ by_cluster).T
        return divide_or_nan(part, whole) - divide_or_nan(other_part, other_whole)

    width = scale[1] - scale[0]
    return bootstrap_estimate(
        difference, clusters, name=name, scale=(-width, width), undefined="the wholes of a side add up to 0", **draws
    )
