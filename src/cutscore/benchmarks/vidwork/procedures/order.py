"""Pairs of steps whose order can be asked: one is over before the other begins."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product, zip_longest
from random import Random

from cutscore.benchmarks.vidwork.procedures.procedure import Procedure, Step
from cutscore.benchmarks.vidwork.words import content_words
from cutscore.core.timeline import Span

MARGIN_S = Fraction(1, 2)  # between the end of one and the beginning of the other: people mark ends by eye
TOLD = Fraction(1, 2)  # share of a step's words that must be said during it


@dataclass(frozen=True)
class OrderPair:
    """Two steps; `told` when what is said, and when, gives their order away."""

    earlier: Step
    later: Step
    told: bool

    @property
    def at(self) -> Span:
        return Span(start_s=self.earlier.start_s, end_s=self.later.end_s)


def order_pairs(procedure: Procedure, draw: Random, *, most: int) -> list[OrderPair]:
    """Draw pairs of steps, by turns untold and told, beginning with an untold one.

    So at least half of them cannot be put in order by listening, as long as there are such. Among equals those come
    first of which neither needs the other: what must come first can be guessed. A pair that the words of the two steps
    cannot tell apart is left out, and so is a step whose text occurs twice.
    """
    mentioned = {step.id: is_told(step, procedure) for step in procedure.steps}
    needed = _needed(procedure)
    texts = Counter(step.text for step in procedure.steps)
    once = [(step, set(content_words(step.text))) for step in procedure.steps if texts[step.text] == 1]
    pairs = [
        OrderPair(one, other, told=_heard(one, other, procedure, mentioned))
        for (one, first), (other, second) in product(once, once)
        if one.end_s + MARGIN_S <= other.start_s and first - second and second - first
    ]
    draw.shuffle(pairs)
    pairs.sort(key=lambda pair: pair.earlier.id in needed[pair.later.id])
    untold, told = ([pair for pair in pairs if pair.told is wanted] for wanted in (False, True))
    turns = [pair for both in zip_longest(untold, told) for pair in both if pair is not None]
    return turns[:most]


def _heard(one: Step, other: Step, procedure: Procedure, mentioned: Mapping[str, bool]) -> bool:
    """Return whether a listener knows the order: both are mentioned, or one is and all gaps are on one side of it."""
    if mentioned[one.id] == mentioned[other.id]:
        return mentioned[one.id]
    known = one if mentioned[one.id] else other
    gaps = [step for step in procedure.steps if not mentioned[step.id]]
    return len({gap.start_s < known.start_s for gap in gaps}) == 1


def is_told(step: Step, procedure: Procedure) -> bool:
    """Return whether a step is mentioned while it is done."""
    wanted = set(content_words(step.text))
    heard = set(content_words(procedure.transcript.during(step))) if procedure.transcript is not None else set()
    return len(wanted & heard) >= TOLD * len(wanted)


def _needed(procedure: Procedure) -> Mapping[str, set[str]]:
    """Return all that each step needs, directly or not."""
    found: dict[str, set[str]] = {}
    for step in procedure.steps:  # what it needs stands above it
        found[step.id] = set(step.needs).union(*(found[name] for name in step.needs))
    return found
