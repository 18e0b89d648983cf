"""Ranks of many systems with their intervals: what a leaderboard may claim and what it may not."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cutscore.core.errors import BadInput
from cutscore.stats.resampling import (
    RESAMPLES,
    ROUNDING,
    SEED,
    Floats,
    bootstrap_method,
    divide_or_nan,
    tail_probability,
)
from cutscore.stats.tables import resample_table

# A lead that is the same in every cluster has no spread to judge it by. The sign test can: from 6 clusters on, a
# lead in all of them has a two-sided probability of at most 2 / 2⁶ = 3% without a difference.
_CLUSTERS_OF_A_CONSTANT_LEAD = 6


@dataclass(frozen=True)
class RankInterval:
    """The rank of a system with its interval.

    Args:
        rank: 1 for the best; systems with equal means share the best of their ranks. None without samples.
        low, high: Best and worst rank of its 95% interval; None when undefined.
        first_share: Share of resamples in which it is first, alone or not; None when undefined.
        method: How the interval was made, or why there is none.
    """

    system: str
    rank: int | None
    low: int | None
    high: int | None
    first_share: float | None
    method: str


def rank_systems(
    sums: Floats,
    counts: Floats,
    systems: Sequence[str],
    *,
    higher_is_better: bool = True,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> tuple[RankInterval, ...]:
    """Rank systems by their means over samples, with 95% intervals of their ranks, in the order given.

    All systems share the draws of clusters. In a resample a system may stand anywhere between the rank that it has if
    all ties go its way and the rank that it has if none does; the interval runs from the 2.5% point of the one to the
    97.5% point of the other, expanded for few clusters. A lead that is the same in each of fewer than 6
    clusters counts as a tie. Undefined with fewer than 2 clusters, or when a resample leaves a system without a sample.

    Sums and counts are clusters × systems.
    """
    if sums.ndim != 2 or sums.shape[1] != len(systems):
        raise BadInput("ranks", f"sums are {sums.shape} for {len(systems)} systems", "give clusters × systems")
    table = resample_table(sums if higher_is_better else -sums, counts, resamples=resamples, seed=seed)
    values = table.values
    # Means that differ by rounding alone are equal.
    near = ROUNDING * max(1.0, float(np.fmax.reduce(np.abs(values), initial=0.0)))
    ranks = [None if np.isnan(value) else 1 + int((values > value + near).sum()) for value in values]
    clusters = len(sums)
    why = _why_undefined(clusters, table.means)
    if why:
        return tuple(RankInterval(*each, None, None, None, why) for each in zip(systems, ranks, strict=True))
    distinct = _distinct_pairs(divide_or_nan(table.sums, counts))
    outside = tail_probability(clusters)
    found = []
    for system, rank, mean, different in zip(systems, ranks, table.means, distinct, strict=True):
        ahead = ((table.means > mean + near) & different[:, np.newaxis]).sum(axis=0)
        behind = ((table.means < mean - near) & different[:, np.newaxis]).sum(axis=0)
        low = int(np.quantile(1 + ahead, outside, method="lower"))
        high = int(np.quantile(len(systems) - behind, 1 - outside, method="higher"))
        # Counted without the rule for constant leads: this is a share of resamples, not a claim.
        first = float((table.means <= mean + near).all(axis=0).mean())
        found.append(RankInterval(system, rank, low, high, first, bootstrap_method(resamples, seed)))
    return tuple(found)


def _why_undefined(clusters: int, means: Floats) -> str:
    if clusters < 2:
        return "undefined: one cluster" if clusters else "undefined: no samples"
    missing = int(np.isnan(means).any(axis=0).sum())
    return f"undefined: {missing} resamples leave a system without samples" if missing else ""


def _distinct_pairs(means: Floats) -> npt.NDArray[np.bool_]:
    """Return for each pair whether the clusters can tell them apart: their gap varies, or there are enough."""
    clusters, systems = means.shape
    if clusters >= _CLUSTERS_OF_A_CONSTANT_LEAD:
        return np.ones((systems, systems), dtype=np.bool_)
    gaps = means[:, :, np.newaxis] - means[:, np.newaxis, :]
    widest = np.fmax.reduce(gaps, axis=0) - np.fmin.reduce(gaps, axis=0)
    varies: npt.NDArray[np.bool_] = widest > ROUNDING * max(1.0, float(np.fmax.reduce(np.abs(means), axis=None)))
    return varies
