"""What guessing gets on the items at hand: a card speaks of the benchmark's own items, and a data pack has others.

Where guessing is a matter of counting, `oracle.py` of the benchmark has `chance(item)`, which returns it by score.
Where it has to be tried, `cutscore check` tries it, and the pack's gates say what the best blind guess got.
"""

from collections.abc import Sequence
from contextlib import suppress
from statistics import fmean

from cutscore.core.errors import Stopped
from cutscore.core.item import Item
from cutscore.registry import Benchmark


def expected_chance(found: Benchmark, items: Sequence[Item]) -> dict[str, float]:
    """Return what guessing gets on these items by score, the mean of those that have it; empty where nobody knows."""
    by_score: dict[str, list[float]] = {}
    with suppress(Stopped):  # an extra of the benchmark is not here
        if (chance := getattr(found.part("oracle"), "chance", None)) is None:
            return {}
        for item in items:
            for name, value in chance(item).items():
                by_score.setdefault(name, []).append(value)
    return {name: fmean(values) for name, values in by_score.items()}
