"""Does guessing score what the card says?"""

import math
from collections.abc import Sequence

from cutscore.core.card import ScoreCard

# An honest `blind` leaves this interval once in a thousand benchmarks.
CONFIDENCE = 0.999


def chance_faults(who: str, values: Sequence[float], card: ScoreCard, *, above_only: bool = False) -> list[str]:
    """Return a fault when the mean of guesses is not what the card calls chance.

    With `above_only` it may be less: a fixed choice may well score nothing, and must not score more.
    """
    if card.chance is None or not values:
        return []
    low, high = chance_interval(card.chance, len(values), card.scale, binary=set(values) <= set(card.scale))
    mean = math.fsum(values) / len(values)
    if mean <= high and (above_only or low <= mean):
        return []
    return [f"{who} scores {mean:.3f}, chance is {card.chance:g} (99.9% of n={len(values)}: {low:.3f} to {high:.3f})"]


def chance_interval(chance: float, n: int, scale: tuple[float, float], *, binary: bool) -> tuple[float, float]:
    """Return the range that holds the mean of n independent guesses with 99.9%.

    Scores at the ends of their scale only (`binary`) have the exact binomial interval, others Hoeffding's bound.

    >>> chance_interval(0.25, 60, (0.0, 1.0), binary=True)
    (0.08333333333333333, 0.45)
    """
    from scipy.stats import binom  # slow to import

    bottom, width = scale[0], scale[1] - scale[0]
    if not binary:
        away = width * math.sqrt(math.log(2 / (1 - CONFIDENCE)) / (2 * n))
        return chance - away, chance + away
    share = (chance - bottom) / width
    low, high = (int(hits) for hits in binom.interval(CONFIDENCE, n, share))
    return bottom + width * low / n, bottom + width * high / n
