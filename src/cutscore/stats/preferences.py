"""Whether a metric prefers what people prefer, of two results shown side by side.

People say A, B or neither. A metric gives each a score, and prefers the higher one. Where people see no difference, it
should have next to none either; how small that is, is read off the metric itself, so that metrics on any scale can be
compared (CoVEBench, G.2):

    τ           the X-th percentile of all absolute differences, where X% of what people said is `neither`
    agreement   (clear preferences that match + `neither` with a difference of τ at most) / all
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from cutscore.core.estimate import Estimate
from cutscore.stats.agreement import cohen_kappa
from cutscore.stats.intervals import estimate
from cutscore.stats.resampling import ROUNDING, Draws, check_columns

A, B, NEITHER = "A", "B", "neither"
SIDES = (A, B, NEITHER)


@dataclass(frozen=True)
class PreferenceAgreement:
    """How far a metric agrees with people.

    Args:
        rate: The agreement of the paper.
        chance: What a metric with these differences reaches that knows nothing of the pairs.
        kappa: Cohen's, of people and of the metric where a difference of τ at most is `neither` throughout.
    """

    rate: Estimate
    chance: float | None
    kappa: Estimate


def tie_threshold(differences: Sequence[float], tie_share: float) -> float:
    """Return τ: the percentile of the absolute differences that is the share of ties, linear between two of them.

    It is 0 where nobody saw a tie.

    >>> tie_threshold([-1, 2, -3, 4, 5], 0.25)
    2.0
    """
    if not tie_share:
        return 0.0
    return float(np.percentile(np.abs(np.asarray(differences, dtype=np.float64)), 100 * tie_share))


def agrees(said: str, difference: float, threshold: float) -> bool:
    """Return whether a metric agrees with one person; `difference` is the score of A less that of B.

    A clear preference goes by the sign alone, however small the difference; equal scores prefer nobody.

    >>> agrees("A", 0.01, 0.5), agrees("A", 0.0, 0.5), agrees("neither", -0.5, 0.5)
    (True, False, True)
    """
    if said == NEITHER:
        return _is_near(difference, threshold)
    return difference > 0 if said == A else difference < 0


def preference_agreement(
    said: Sequence[str],
    differences: Sequence[float],
    clusters: Sequence[str],
    *,
    threshold: float,
    name: str = "agreement",
    **draws: Unpack[Draws],
) -> PreferenceAgreement:
    """Return the agreement of a metric with what people said, with 95% intervals by cluster.

    Chance is the mean over all ways to deal what people said to the pairs, either side being A as often: half of the
    clear preferences wherever the metric has one, and `neither` as often as differences are τ at most.
    """
    check_columns(name, clusters, said, [float(each) for each in differences])
    right = [float(agrees(one, gap, threshold)) for one, gap in zip(said, differences, strict=True)]
    ties = _share([one == NEITHER for one in said])
    apart, near = _share([gap != 0 for gap in differences]), _share([_is_near(gap, threshold) for gap in differences])
    metric = [NEITHER if _is_near(gap, threshold) else A if gap > 0 else B for gap in differences]
    return PreferenceAgreement(
        rate=estimate(right, clusters, name=name, **draws),
        chance=(1 - ties) * apart / 2 + ties * near if said else None,
        kappa=cohen_kappa(said, metric, clusters, categories=SIDES, **draws).kappa,
    )


def preference_shares(wins: Mapping[tuple[str, str], Sequence[str]]) -> dict[str, float]:
    """Return how often each system is preferred, `neither` being half a win: the mean over its opponents.

    By pairs of systems with what people said of them. Opponents count alike, however often each was met.

    >>> preference_shares({("x", "y"): ["A", "A", "neither", "B"], ("x", "z"): ["A"]})
    {'x': 0.8125, 'y': 0.375, 'z': 0.0}
    """
    against: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    worth = {A: 1.0, B: 0.0, NEITHER: 0.5}
    for (first, second), said in wins.items():
        against[first][second] += [worth[one] for one in said]
        against[second][first] += [1 - worth[one] for one in said]
    shares = {who: [sum(met) / len(met) for met in others.values() if met] for who, others in against.items()}
    return {who: sum(each) / len(each) for who, each in sorted(shares.items()) if each}


def _is_near(difference: float, threshold: float) -> bool:
    # A percentile that falls on a difference may miss it by the last bit.
    return abs(difference) <= threshold * (1 + ROUNDING)


def _share(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags) if flags else 0.0
