"""Whether a paired difference could be chance: exact tests for single samples and for clusters.

Were two sides alike, either could have had what the other has of a cluster. For means, to swap them is to flip the sign
of the cluster's difference; two ratios of sums with wholes of their own are swapped, parts and wholes together.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeVar, Unpack

import numpy as np

from cutscore.core.errors import BadInput
from cutscore.stats.paired import PairedScores
from cutscore.stats.resampling import (
    MAX_CELLS,
    RESAMPLES,
    ROUNDING,
    SEED,
    Draws,
    Floats,
    divide_or_nan,
    sums_by_cluster,
)

K = TypeVar("K", bound=Hashable)
# Up to this many clusters every pattern of signs is tried (2¹² of them); above, they are drawn.
_ALL_SIGNS = 12


@dataclass(frozen=True)
class PairedTest:
    """A test of two sides on the samples that both have.

    Args:
        p_value: Two-sided; None when nothing was compared.
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
    from scipy.special import bdtr  # the binomial distribution

    if len(first) != len(second):
        raise BadInput("McNemar's test", f"has {len(first)} and {len(second)} samples", "give the same samples")
    wins = sum(bool(one) and not two for one, two in zip(first, second, strict=True))
    losses = sum(bool(two) and not one for one, two in zip(first, second, strict=True))
    if len(first) == 0:
        return PairedTest(None, 0, 0, 0, 0, "undefined: no samples")
    p_value = min(1.0, 2 * float(bdtr(min(wins, losses), wins + losses, 0.5)))
    return PairedTest(p_value, len(first), len(first), wins, losses, "McNemar, exact")


def sign_flip(
    first: Mapping[K, float], second: Mapping[K, float], cluster_of: Mapping[K, str], **draws: Unpack[Draws]
) -> PairedTest:
    """Test a paired difference by cluster: were the sides alike, each cluster's sum could have the other sign.

    Every pattern of signs is tried up to 12 clusters, and that is exact; above they are drawn, and the pattern that was
    seen counts as one of them, so p is never 0. With fewer than 6 clusters p cannot fall below 5%.

    Samples without a partner are left out.
    """
    return sign_flips([PairedScores(first, second, cluster_of, "", "", "")], **draws)[0]


def sign_flips(
    pairs: Sequence[PairedScores[K]], *, resamples: int = RESAMPLES, seed: int = SEED
) -> tuple[PairedTest, ...]:
    """Return what `sign_flip` gives for each, from one set of draws for all with equally many clusters."""
    if resamples < 1:
        raise BadInput("sign-flip test", f"{resamples} resamples cannot be")
    sums = [_cluster_sums(pair) for pair in pairs]
    by_size: dict[int, list[int]] = defaultdict(list)
    for place, (pair, each) in enumerate(zip(pairs, sums, strict=True)):
        if pair.weights is not None:
            by_size[len(each)].append(place)
    p_values: dict[int, float | None] = {
        place: _swap_p_value(pair, resamples=resamples, seed=seed)
        for place, pair in enumerate(pairs)
        if pair.weights is None
    }
    for alike in by_size.values():
        columns = np.column_stack([sums[place] for place in alike])
        p_values |= zip(alike, _sign_flip_p_values(columns, resamples=resamples, seed=seed), strict=True)
    return tuple(
        PairedTest(
            p_values[place],
            len(pair.shared),
            len(each),
            int((each > 0).sum()),
            int((each < 0).sum()),
            _flip_method(len(each), resamples=resamples, seed=seed, swaps=pair.weights is None),
        )
        for place, (pair, each) in enumerate(zip(pairs, sums, strict=True))
    )


def paired_tests(pairs: Sequence[PairedScores[K]], **draws: Unpack[Draws]) -> tuple[PairedTest, ...]:
    """Test each pair as its samples allow: McNemar where all are yes or no and independent, else sign flips by cluster.

    A score is yes or no when every value of both sides is at the bottom or the top of the scale.
    """
    flips = iter(sign_flips([each for each in pairs if not _is_binary(each)], **draws))
    return tuple(_mcnemar_test(each) if _is_binary(each) else next(flips) for each in pairs)


def _is_binary(pair: PairedScores[K]) -> bool:
    shared = pair.shared
    independent = len(set(pair.clusters)) == len(shared) > 0
    alike = pair.weights is not None and len(set(pair.weights)) <= 1
    return (
        alike and independent and all(side[key] in pair.scale for side in (pair.first, pair.second) for key in shared)
    )


def _mcnemar_test(pair: PairedScores[K]) -> PairedTest:
    yes = pair.scale[1]
    return mcnemar(*([side[key] == yes for key in pair.shared] for side in (pair.first, pair.second)))


def _cluster_sums(pair: PairedScores[K]) -> Floats:
    """Add up each cluster's differences, which weigh as much as their wholes."""
    for key in pair.shared:
        if key not in pair.cluster_of:
            raise BadInput("sign-flip test", f"sample {key!r} has no cluster")
    parts, _, others, _ = (np.array(each, dtype=np.float64) for each in pair.columns)
    weighted = pair.weights is not None and not pair.is_mean
    differences = parts - others if weighted else np.array(pair.differences, dtype=np.float64)
    if not np.isfinite(differences).all():
        raise BadInput("sign-flip test", "a score is not a number", "leave it out and count it as unscored")
    return sums_by_cluster(differences[:, np.newaxis], pair.clusters)[:, 0]


def _swap_p_value(pair: PairedScores[K], *, resamples: int, seed: int) -> float | None:
    """Return how often swapping what two sides have of clusters gives a difference of ratios as large as that seen.

    A pattern that leaves a side without a whole has no ratio; it counts as one that reaches what was seen.
    """
    sums = sums_by_cluster(np.column_stack(pair.columns).astype(np.float64), pair.clusters)
    size = len(sums)
    if size == 0:
        return None
    middle, half = (sums[:, :2] + sums[:, 2:]).sum(axis=0) / 2, (sums[:, :2] - sums[:, 2:]) / 2

    def difference(signs: Floats) -> Floats:
        moved = signs @ half
        one, two = middle + moved, middle - moved
        return np.abs(divide_or_nan(one[:, 0], one[:, 1]) - divide_or_nan(two[:, 0], two[:, 1]))

    seen = difference(np.ones((1, size)))[0] - ROUNDING * (pair.scale[1] - pair.scale[0])
    if size <= _ALL_SIGNS:
        return float((~(difference(_all_signs(size)) < seen)).mean())
    reached = sum(int((~(difference(signs) < seen)).sum()) for signs in _drawn_signs(size, size, resamples, seed))
    return (1 + reached) / (1 + resamples)


def _sign_flip_p_values(sums: Floats, *, resamples: int, seed: int) -> list[float | None]:
    """Return p for each column of sums by cluster."""
    size = len(sums)
    if size == 0:
        return [None] * sums.shape[1]
    # What rounding could have moved counts as equal, so that ties are ties on every processor.
    seen = np.abs(sums.sum(axis=0)) - ROUNDING * np.abs(sums).sum(axis=0)
    if size <= _ALL_SIGNS:
        return [float(share) for share in (np.abs(_all_signs(size) @ sums) >= seen).mean(axis=0)]
    reached = _count_extreme_flips(sums, seen, resamples=resamples, seed=seed)
    return [float(times) for times in (1 + reached) / (1 + resamples)]


def _flip_method(size: int, *, resamples: int, seed: int, swaps: bool) -> str:
    if size == 0:
        return "undefined: no samples"
    what = "swaps of both sides by cluster" if swaps else "sign flips by cluster"
    return f"{what}, all {2**size}" if size <= _ALL_SIGNS else f"{what}, {resamples} drawn, seed {seed}"


def _all_signs(size: int) -> Floats:
    return np.array(list(product((-1.0, 1.0), repeat=size)))


def _drawn_signs(size: int, columns: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Draw patterns of signs, in blocks that fit in memory."""
    generator, left = np.random.default_rng(seed), resamples
    while left > 0:
        rows = min(left, max(1, MAX_CELLS // max(size, columns)))
        yield (generator.integers(0, 2, size=(rows, size), dtype=np.int8) * 2.0 - 1.0).astype(np.float64)
        left -= rows


def _count_extreme_flips(sums: Floats, seen: Floats, *, resamples: int, seed: int) -> Floats:
    reached = np.zeros(sums.shape[1])
    for signs in _drawn_signs(len(sums), sums.shape[1], resamples, seed):
        reached += (np.abs(signs @ sums) >= seen).sum(axis=0)
    return reached
