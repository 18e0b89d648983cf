"""Differences of two results on the samples that both have."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar, Unpack

from cutscore.core.errors import BadInput
from cutscore.core.estimate import Difference, Estimate
from cutscore.stats.intervals import ScoreColumn, estimate_columns
from cutscore.stats.resampling import Draws

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True)
class PairedScores(Generic[K]):
    """Two results of the same samples; the arguments of `paired_difference`."""

    first: Mapping[K, float]
    second: Mapping[K, float]
    cluster_of: Mapping[K, str]
    name: str
    first_label: str
    second_label: str
    scale: tuple[float, float] = (0.0, 1.0)
    mode: str = ""
    group: Mapping[str, str] | None = None

    @cached_property
    def shared(self) -> list[K]:
        """Name the samples that both have."""
        return [key for key in self.first if key in self.second]

    @cached_property
    def differences(self) -> list[float]:
        """Return first minus second of every shared sample."""
        return [self.first[key] - self.second[key] for key in self.shared]

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
    **draws: Unpack[Draws],
) -> Difference:
    """Return first minus second, sample by sample, with its 95% interval by cluster.

    What only one side has is left out and counted. The interval follows the rules of `estimate`, on a scale from
    the worst difference to the best. `leaves_out_zero` is None where the interval is undefined, with one exception:
    when no sample tells the two apart, every interval that any method could give holds 0, so it is False.

    The scale is that of the score, not of the difference.
    """
    pair = PairedScores(first, second, cluster_of, name, first_label, second_label, scale=scale, mode=mode)
    return paired_differences([pair], **draws)[0]


def paired_differences(pairs: Sequence[PairedScores[K]], **draws: Unpack[Draws]) -> tuple[Difference, ...]:
    """Return what `paired_difference` gives for each, from one set of draws for all with equally many clusters."""
    found = estimate_columns([_column(pair) for pair in pairs], **draws)
    return tuple(_difference(pair, each) for pair, each in zip(pairs, found, strict=True))


def _column(pair: PairedScores[K]) -> ScoreColumn:
    what = f"{pair.first_label} − {pair.second_label}"
    for key in pair.shared:
        one, two = pair.first[key], pair.second[key]
        if key not in pair.cluster_of:
            raise BadInput(what, f"sample {key!r} has no cluster")
        if not math.isfinite(one - two):
            raise BadInput(what, f"sample {key!r} scored {one} and {two}", "count it as unscored")
    width = pair.scale[1] - pair.scale[0]
    return ScoreColumn(
        pair.differences, pair.clusters, pair.name, scale=(-width, width), mode=pair.mode, group=pair.group
    )


def _difference(pair: PairedScores[K], found: Estimate) -> Difference:
    return Difference(
        # What unscored samples could change is told by each side's own bounds; a pair has none.
        estimate=found.model_copy(update={"bounds": None}),
        first=pair.first_label,
        second=pair.second_label,
        leaves_out_zero=_leaves_out_zero(found, tied=found.n > 0 and not any(pair.differences)),
        only_first=len(pair.first) - found.n,
        only_second=len(pair.second) - found.n,
    )


def _leaves_out_zero(found: Estimate, *, tied: bool) -> bool | None:
    if tied:
        return False
    if found.low is None or found.high is None:
        return None
    return not found.low <= 0 <= found.high
