"""Labels of pairs: which of two results somebody prefers, on the whole or by one score.

Such a label is of kind `pairwise`. Its subject names both, the first being A (`kiwi vs ditto`), and its question is the
score that was asked about, or nothing.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cutscore.core.errors import BadInput
from cutscore.core.label import Label

VERSUS = " vs "
OTHER_SIDE = {"A": "B", "B": "A", "neither": "neither"}


class ShownPair(NamedTuple):
    """Two results for one item; the subjects are in the order of their names."""

    item: str
    epoch: int
    first: str
    second: str


@dataclass(frozen=True)
class PairLabel:
    """What one person prefers of two results; `score` is empty where it is about the whole."""

    item: str
    epoch: int
    first: str
    second: str
    score: str
    person: str
    said: str

    @property
    def pair(self) -> ShownPair:
        """What was shown, whichever was called A."""
        one, two = sorted((self.first, self.second))
        return ShownPair(self.item, self.epoch, one, two)

    @property
    def swapped(self) -> bool:
        """Whether A was the second of the pair."""
        return self.first > self.second

    @property
    def of_pair(self) -> str:
        """What was said with the first of the pair as A."""
        return OTHER_SIDE[self.said] if self.swapped else self.said


def pair_labels(labels: Iterable[Label], benchmark: str) -> list[PairLabel]:
    """Return the labels of pairs of a benchmark; who could not say is left out."""
    found = []
    for label in labels:
        if label.kind != "pairwise" or label.benchmark != benchmark or label.answer is None:
            continue
        first, versus, second = (part.strip() for part in label.subject.partition(VERSUS))
        if not (first and versus and second) or first == second:
            what = f"label of '{label.person}' about item '{label.item}'"
            fact = f"its subject '{label.subject}' does not name two"
            raise BadInput(what, fact, "write both, such as kiwi vs ditto")
        found.append(PairLabel(label.item, label.epoch, first, second, label.question, label.person, str(label.answer)))
    return found


def person_against_rest(labels: Sequence[PairLabel]) -> float | None:
    """Return how often a person says what most of the others say of a pair; None where nobody can be compared."""
    by_pair: dict[ShownPair, list[tuple[str, str]]] = defaultdict(list)
    for label in labels:
        by_pair[label.pair].append((label.person, label.of_pair))
    same = []
    for said in by_pair.values():
        for person, answer in said:
            others = [other for who, other in said if who != person]
            most = [each for each in set(others) if others.count(each) * 2 > len(others)]
            same += [answer == most[0]] if most else []
    return sum(same) / len(same) if same else None
