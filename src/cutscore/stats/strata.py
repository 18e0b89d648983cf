"""Stratified samples: a few names that are distributed like all of them."""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from math import floor
from random import Random


def stratified_sample(stratum_of: Mapping[str, str], n: int, *, seed: int = 0) -> list[str]:
    """Draw names so that each stratum has its share, to the nearest whole name.

    Every stratum gets the whole part of its share; what is left goes to the largest remainders, and the seed decides
    between equal ones. Within a stratum each name has the same chance.

    All names are drawn when there are no more than `n`; their order does not matter.

    >>> len(stratified_sample({"a": "easy", "b": "easy", "c": "hard", "d": "hard"}, 2))
    2
    """
    if n < 0:
        raise ValueError(f"cannot draw {n} of {len(stratum_of)}")
    if n >= len(stratum_of):
        return sorted(stratum_of)
    members: dict[str, list[str]] = defaultdict(list)
    for name in sorted(stratum_of):
        members[stratum_of[name]].append(name)
    draw = Random(f"strata {seed}")
    shares = {stratum: Fraction(n * len(names), len(stratum_of)) for stratum, names in sorted(members.items())}
    counts = {stratum: floor(share) for stratum, share in shares.items()}
    by_chance = draw.sample(sorted(shares), len(shares))
    neediest = sorted(by_chance, key=lambda stratum: counts[stratum] - shares[stratum])
    for stratum in neediest[: n - sum(counts.values())]:
        counts[stratum] += 1
    return sorted(name for stratum, count in counts.items() for name in draw.sample(members[stratum], count))
