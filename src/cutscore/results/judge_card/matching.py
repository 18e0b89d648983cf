"""Faults that a judge named beside those that people named: which are the same, one to one.

Whether two sentences mean the same fault is itself an opinion. The default compares words, finds a fault that is told
in other words not at all, and says so in the name of its results; pass a better `alike` where there is one.

There are two more matchers by words, stricter or for another purpose: `scoring.judges.votes.has_same_words` (between
votes of one judge) and that of the steps in `benchmarks/vidwork`. They are not the same yet.
"""

import re
from collections.abc import Callable, Sequence

from cutscore.core.judgement import Weakness
from cutscore.stats.matching import maximum_matching

SameFault = Callable[[Weakness, Weakness], bool]

# Shared words over those of the shorter text: half of what was said.
ENOUGH_WORDS = 0.5
_EMPTY = frozenset(
    ["a", "an", "and", "are", "as", "at", "by", "for", "in", "is", "it", "its", "of", "on", "or", "the", "to", "with"]
)


def shares_half_of_words(one: Weakness, other: Weakness) -> bool:
    """Return whether two faults share half of their words, and where both have a place, some time.

    >>> shares_half_of_words(Weakness(text="The hand melts"), Weakness(text="left hand melts into the cup"))
    True
    """
    if one.at is not None and other.at is not None and not one.at.overlap(other.at) and one.at != other.at:
        return False
    mine, theirs = (set(re.findall(r"\w+", each.text.casefold())) - _EMPTY for each in (one, other))
    shorter = min(len(mine), len(theirs))
    return shorter > 0 and len(mine & theirs) >= ENOUGH_WORDS * shorter


def count_matches(
    named: Sequence[Weakness], true: Sequence[Weakness], *, alike: SameFault = shares_half_of_words
) -> int:
    """Count how many faults can be matched at most, each with one other."""
    return len(maximum_matching([[place for place, other in enumerate(true) if alike(one, other)] for one in named]))


def confusion_shares(*, named: int, true: int, matched: int) -> tuple[float, float, float, float]:
    """Return what one clip adds to hits, false alarms, misses and quiet, in shares that add up to 1.

    The verdict (some faults or none) counts once; where both name faults, so does every fault: matched ones as hits,
    others as false alarms or misses (CLVG-Bench, Algorithm 1). A right verdict for a wrong reason still earns a share.

    >>> confusion_shares(named=3, true=2, matched=1)
    (0.4, 0.4, 0.2, 0.0)
    """
    if not named or not true:
        return 0.0, float(named > 0), float(true > 0), float(not named and not true)
    counts = (1 + matched, named - matched, true - matched)
    hits, alarms, misses = (count / sum(counts) for count in counts)
    return hits, alarms, misses, 0.0
