"""Five decks of labels, each shuffled and dealt without replacement, and shuffled anew when it is empty.

So every value comes up as often as any other of its deck, give or take one, however many scripts there are.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

from cutscore.core.frozen import FrozenModel


class ScriptLabels(FrozenModel):
    """What a script is written about: one value of each element."""

    subject: str
    vocal: str
    shots: str
    camera: str
    genre: str


@cache
def read_elements() -> dict[str, tuple[str, ...]]:
    """Return the values of every element."""
    with (Path(__file__).parent / "elements.toml").open("rb") as stream:
        return {name: tuple(values) for name, values in tomllib.load(stream).items()}


def deal(values: Sequence[str], draw: Random) -> Iterator[str]:
    """Deal values for ever: all of them in a random order, then all of them in another.

    >>> dealt = list(islice(deal("abc", Random(1)), 6))
    >>> sorted(dealt[:3]) == sorted(dealt[3:]) == ["a", "b", "c"]
    True
    """
    while True:
        yield from draw.sample(list(values), len(values))


def deal_labels(count: int, seed: int) -> list[ScriptLabels]:
    """Return the labels of as many scripts, the same for the same seed."""
    decks = {name: islice(deal(values, Random(f"{seed} {name}")), count) for name, values in read_elements().items()}
    return [ScriptLabels(**dict(zip(decks, hand, strict=True))) for hand in zip(*decks.values(), strict=True)]


def count_labels(labels: Sequence[ScriptLabels]) -> dict[str, Counter[str]]:
    """Count every value of every element, those that never came up with 0."""
    return {
        name: Counter({value: sum(getattr(each, name) == value for each in labels) for value in values})
        for name, values in read_elements().items()
    }
