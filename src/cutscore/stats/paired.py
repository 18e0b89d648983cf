"""Differences of two results on the samples that both have."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar, Unpack

import numpy as np

from cutscore.core.errors import BadInput
from cutscore.core.estimate import Difference, Estimate
from cutscore.stats.intervals import ScoreColumn, estimate_columns
from cutscore.stats.ratios import ratio_difference
from cutscore.stats.resampling import Draws

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True)
class PairedScores(Generic[K]):
    """Two results of the same samples; the arguments of `paired_difference`.

    Args:
        wholes: Of a score that is a ratio, what each value of either side is a share of. A sample whose whole is 0 is
            in here and has no value: it brings nothing to its own side, and the other side keeps what it has.
    """

    first: Mapping[K, float]
    second: Mapping[K, float]
    cluster_of: Mapping[K, str]
    name: str
    first_label: str
    second_label: str
    scale: tuple[float, float] = (0.0, 1.0)
    mode: str = ""
    group: Mapping[str, str] | None = None
    wholes: tuple[Mapping[K, float], Mapping[K, float]] | None = None

    @property
    def sides(self) -> tuple[Mapping[K, float], Mapping[K, float]]:
        """Return what has the samples of either side: its values, or its wholes where there are such."""
        return self.wholes or (self.first, self.second)

    @cached_property
    def shared(self) -> list[K]:
        """Name the samples that both have; none where a side has nothing to count in all of them."""
        mine, theirs = self.sides
        both = [key for key in mine if key in theirs]
        if self.wholes is None:
            return both
        counted = [key for key in both if mine[key] or theirs[key]]
        return counted if all(any(side[key] for key in counted) for side in self.sides) else []

    @cached_property
    def weights(self) -> list[float] | None:
        """Return what each shared sample weighs on both sides; None where its two wholes differ.

        Where all wholes are equal, each weighs 1: a ratio of sums is then a mean.
        """
        if self.wholes is None:
            return [1.0] * len(self.shared)
        mine, theirs = ([side[key] for key in self.shared] for side in self.wholes)
        if mine != theirs:
            return None
        return [1.0] * len(mine) if len(set(mine)) == 1 else mine

    @property
    def is_mean(self) -> bool:
        """Return whether all samples weigh the same, so that each side is a mean."""
        return self.weights is not None and len(set(self.weights)) <= 1

    @cached_property
    def columns(self) -> tuple[list[float], list[float], list[float], list[float]]:
        """Return parts and wholes of the first side, then those of the second, for every shared sample."""
        mine, theirs = self.wholes or (dict.fromkeys(self.shared, 1.0),) * 2
        first, second = (
            [values[key] * wholes[key] if wholes[key] else 0.0 for key in self.shared]
            for values, wholes in ((self.first, mine), (self.second, theirs))
        )
        return first, [mine[key] for key in self.shared], second, [theirs[key] for key in self.shared]

    @cached_property
    def differences(self) -> list[float]:
        """Return first minus second of every shared sample; their mean is the difference of the two sides.

        Of a ratio of sums it is what the sample adds to that difference, to first order: its parts beyond the ratio of
        all, over the mean whole.
        """
        if self.is_mean:
            return [self.first[key] - self.second[key] for key in self.shared]
        part, whole, other_part, other_whole = (np.array(each) for each in self.columns)
        mine, theirs = part.sum() / whole.sum(), other_part.sum() / other_whole.sum()
        added = (part - mine * whole) / whole.mean() - (other_part - theirs * other_whole) / other_whole.mean()
        return [float(each) for each in added + (mine - theirs)]

    @cached_property
    def clusters(self) -> list[str]:
        """Return the cluster of every shared sample."""
        return [self.cluster_of[key] for key in self.shared]


def paired_difference(
    first: Mapping[K, float],
    second: Mapping[K, float],
    cluster_of: Mapping[K, str],
    *,
    name: str,
    first_label: str,
    second_label: str,
    scale: tuple[float, float] = (0.0, 1.0),
    mode: str = "",
    wholes: tuple[Mapping[K, float], Mapping[K, float]] | None = None,
    **draws: Unpack[Draws],
) -> Difference:
    """Return first minus second, sample by sample, with its 95% interval by cluster.

    What only one side has is left out and counted. The interval follows the rules of `estimate`, on a scale from
    the worst difference to the best. `leaves_out_zero` is None where the interval is undefined, with one exception:
    when no sample tells the two apart, every interval that any method could give holds 0, so it is False.

    The scale is that of the score, not of the difference. Where values are shares of wholes, it is the difference of
    two ratios of sums.
    """
    pair = PairedScores(
        first, second, cluster_of, name, first_label, second_label, scale=scale, mode=mode, wholes=wholes
    )
    return paired_differences([pair], **draws)[0]


def paired_differences(pairs: Sequence[PairedScores[K]], **draws: Unpack[Draws]) -> tuple[Difference, ...]:
    """Return what `paired_difference` gives for each, from one set of draws for all with equally many clusters."""
    for pair in pairs:
        _check(pair)
    columns = iter(estimate_columns([_column(pair) for pair in pairs if pair.weights is not None], **draws))
    return tuple(
        _difference(pair, next(columns) if pair.weights is not None else _ratio_difference(pair, **draws))
        for pair in pairs
    )


def _check(pair: PairedScores[K]) -> None:
    what = f"{pair.first_label} − {pair.second_label}"
    for key in pair.shared:
        if key not in pair.cluster_of:
            raise BadInput(what, f"sample {key!r} has no cluster")
        one, two = pair.first.get(key, 0.0), pair.second.get(key, 0.0)
        if not math.isfinite(one - two):
            raise BadInput(what, f"sample {key!r} scored {one} and {two}", "count it as unscored")


def _column(pair: PairedScores[K]) -> ScoreColumn:
    width = pair.scale[1] - pair.scale[0]
    return ScoreColumn(
        [pair.first[key] - pair.second[key] for key in pair.shared],
        pair.clusters,
        pair.name,
        scale=(-width, width),
        mode=pair.mode,
        group=pair.group,
        wholes=pair.weights,
    )


def _ratio_difference(pair: PairedScores[K], **draws: Unpack[Draws]) -> Estimate:
    """Estimate the difference of two ratios whose wholes are not the same."""
    first, second = pair.columns[:2], pair.columns[2:]
    found = ratio_difference(first, second, pair.clusters, name=pair.name, scale=pair.scale, **draws)
    return found.model_copy(update={"mode": pair.mode, "group": dict(pair.group or {})})


def _difference(pair: PairedScores[K], found: Estimate) -> Difference:
    mine, theirs = (side.keys() for side in pair.sides)
    return Difference(
        # What unscored samples could change is told by each side's own bounds; a pair has none.
        estimate=found.model_copy(update={"bounds": None}),
        first=pair.first_label,
        second=pair.second_label,
        leaves_out_zero=_leaves_out_zero(found, tied=found.n > 0 and not any(pair.differences)),
        only_first=len(mine - theirs),
        only_second=len(theirs - mine),
    )


def _leaves_out_zero(found: Estimate, *, tied: bool) -> bool | None:
    if tied:
        return False
    if found.low is None or found.high is None:
        return None
    return not found.low <= 0 <= found.high
