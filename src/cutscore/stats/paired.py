"""Differences of two results on the samples that both have."""

import math
from collections.abc import Mapping
from typing import TypeVar

from cutscore.core.errors import BadInput
from cutscore.core.estimate import Difference, Estimate
from cutscore.stats.intervals import estimate
from cutscore.stats.resampling import RESAMPLES, SEED

K = TypeVar("K")


def paired_difference(
    first: Mapping[K, float],
    second: Mapping[K, float],
    cluster_of: Mapping[K, str],
    *,
    name: str,
    first_label: str,
    second_label: str,
    scale: tuple[float, float] = (0.0, 1.0),
    resamples: int = RESAMPLES,
    seed: int = SEED,
    mode: str = "",
) -> Difference:
    """Give first minus second, sample by sample, with its 95% interval by cluster.

    What only one side has is left out and counted. The interval follows the rules of `estimate`, on a scale from
    the worst difference to the best. `separable` is None where the interval is undefined, with one exception:
    when no sample tells the two apart, every interval that any method could give holds 0, so they are
    not separable and `separable` is False.

    Args:
        first: Scores by sample.
        second: Scores of the other, with the same keys for the same samples.
        cluster_of: Cluster of every shared sample.
        name: Name of the score or of the difference.
        first_label: Who the first is.
        second_label: Who the second is.
        scale: Bottom and top of the score (not of the difference).
        resamples: Bootstrap resamples.
        seed: Of the draws.
        mode: Scoring mode.
    """
    what = f"{first_label} − {second_label}"
    shared = [key for key in first if key in second]
    for key in shared:
        if key not in cluster_of:
            raise BadInput(what, f"sample {key!r} has no cluster")
        if not math.isfinite(first[key] - second[key]):
            raise BadInput(what, f"sample {key!r} scored {first[key]} and {second[key]}", "count it as unscored")
    differences = [first[key] - second[key] for key in shared]
    width = scale[1] - scale[0]
    found = estimate(
        differences,
        [cluster_of[key] for key in shared],
        name=name,
        scale=(-width, width),
        resamples=resamples,
        seed=seed,
        mode=mode,
    )
    return Difference(
        # What unscored samples could change is told by each side's own bounds; a pair has none.
        estimate=found.model_copy(update={"bounds": None}),
        first=first_label,
        second=second_label,
        separable=_separable(found, tied=bool(shared) and not any(differences)),
        only_first=len(first) - len(shared),
        only_second=len(second) - len(shared),
    )


def _separable(found: Estimate, *, tied: bool) -> bool | None:
    if tied:
        return False
    if found.low is None or found.high is None:
        return None
    return not found.low <= 0 <= found.high
