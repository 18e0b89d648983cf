"""Whether a paired difference could be chance: exact tests for single samples and for clusters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

import numpy as np

from cutscore.core.errors import BadInput
from cutscore.stats.resampling import DRAWS, RESAMPLES, SAME, SEED, Floats, places, sums_by_cluster

K = TypeVar("K")
# Up to this many clusters every pattern of signs is tried (2¹² of them); above, they are drawn.
_ALL_SIGNS = 12


@dataclass(frozen=True)
class PairedTest:
    """A test of two sides on the samples that both have.

    Args:
        p_value: Two-sided; None when nothing was compared.
        n: Samples that both sides have.
        clusters: Independent units among them.
        only_first, only_second: Samples that only the one side got right (McNemar), or clusters that it won.
        method: How it was computed, or why there is no value.
    """

    p_value: float | None
    n: int
    clusters: int
    only_first: int
    only_second: int
    method: str


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> PairedTest:
    """Test two yes-or-no results on the same, independent samples, exactly: a fair coin for each that they differ on.

    It takes every sample as independent. Where several belong to one clip, use `sign_flip`. When the sides
    differ on no sample, p is 1.

    >>> round(mcnemar([True] * 7 + [False], [False] * 7 + [True]).p_value or 0, 4)
    0.0703
    """
    if len(first) != len(second):
        raise BadInput("McNemar's test", f"has {len(first)} and {len(second)} samples", "give the same samples")
    wins = sum(bool(one) and not two for one, two in zip(first, second, strict=True))
    losses = sum(bool(two) and not one for one, two in zip(first, second, strict=True))
    if len(first) == 0:
        return PairedTest(None, 0, 0, 0, 0, "undefined: no samples")
    ways, term = 0, 1
    for fewer in range(min(wins, losses) + 1):
        ways += term
        term = term * (wins + losses - fewer) // (fewer + 1)
    # Whole numbers until the last division: no rounding, whatever the number of samples.
    p_value = min(1.0, 2 * ways / 2 ** (wins + losses))
    return PairedTest(p_value, len(first), len(first), wins, losses, "McNemar, exact")


def sign_flip(
    first: Mapping[K, float],
    second: Mapping[K, float],
    cluster_of: Mapping[K, str],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> PairedTest:
    """Test a paired difference by cluster: were the sides alike, each cluster's sum could have the other sign.

    Every pattern of signs is tried up to 12 clusters, and that is exact; above they are drawn, and the pattern that was
    seen counts as one of them, so p is never 0. With fewer than 6 clusters p cannot fall below 5%.

    Args:
        first: Scores by sample.
        second: Scores of the other; samples without a partner are left out.
        cluster_of: Cluster of every shared sample.
        resamples: Patterns to draw.
        seed: Of the draws.
    """
    shared = [key for key in first if key in second]
    if not shared:
        return PairedTest(None, 0, 0, 0, 0, "undefined: no samples")
    for key in shared:
        if key not in cluster_of:
            raise BadInput("sign-flip test", f"sample {key!r} has no cluster")
    if resamples < 1:
        raise BadInput("sign-flip test", f"{resamples} resamples cannot be")
    place, size = places([cluster_of[key] for key in shared])
    differences = np.array([[first[key] - second[key]] for key in shared], dtype=np.float64)
    if not np.isfinite(differences).all():
        raise BadInput("sign-flip test", "a score is not a number", "leave it out and count it as unscored")
    sums = sums_by_cluster(differences, place, size)[:, 0]
    # What rounding could have moved counts as equal, so that ties are ties on every processor.
    seen = abs(float(sums.sum())) - SAME * float(np.abs(sums).sum())
    if size <= _ALL_SIGNS:
        signs = np.array(list(product((-1.0, 1.0), repeat=size)))
        p_value = float((np.abs(signs @ sums) >= seen).mean())
        method = f"sign flips by cluster, all {len(signs)}"
    else:
        reached = _drawn_flips_that_reach(sums, seen, resamples=resamples, seed=seed)
        p_value = (1 + reached) / (1 + resamples)
        method = f"sign flips by cluster, {resamples} drawn, seed {seed}"
    return PairedTest(p_value, len(shared), size, int((sums > 0).sum()), int((sums < 0).sum()), method)


def _drawn_flips_that_reach(sums: Floats, seen: float, *, resamples: int, seed: int) -> int:
    generator = np.random.default_rng(seed)
    reached, left = 0, resamples
    while left > 0:
        rows = min(left, max(1, DRAWS // len(sums)))
        signs = generator.integers(0, 2, size=(rows, len(sums)), dtype=np.int8) * 2.0 - 1.0
        reached += int((np.abs(signs @ sums) >= seen).sum())
        left -= rows
    return reached
