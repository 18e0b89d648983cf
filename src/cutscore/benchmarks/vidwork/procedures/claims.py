"""What a description claims of a procedure, as data, and whether it holds by the record alone.

Three answers are possible: it holds, it does not, or the record does not decide. Steps that run at the same time have
no order, and of two steps with the same words nobody knows which is meant. Nothing is built on what is not decided.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Final, Literal

from cutscore.benchmarks.vidwork.procedures.procedure import ProcedureRecord, ProcedureStep
from cutscore.benchmarks.vidwork.procedures.wording import (
    counted_number,
    mentioned_kinds,
    opening_verb,
    same_words,
    verb_kinds,
    with_count,
)
from cutscore.benchmarks.vidwork.words import content_words, stem, word_dice

UNLIKE = 1 / 3  # most that a step may share with every step of a procedure and surely be none of them

StatementKind = Literal["in order", "in a row", "between", "shows", "does", "uses", "counts", "enables", "spares"]


@dataclass(frozen=True)
class Statement:
    """One thing that is claimed of a procedure.

    Args:
        kind: What is said of the steps.
            in order: They happen one after another, as they are listed.
            in a row: They come directly one after another, with no other step between them.
            between: The first of three lies between the other two.
            shows: One of the procedure's steps is what `text` says.
            does: What is done in the step is what the verb `text` says.
            uses: The step is done with the tool `text`.
            counts: There are `number` of what the step's text counts.
            enables: The second step could be done because the first one had been.
            spares: The first step works without the second one having been done.
        steps: Ids of those that it is about.
        affirmed: False when it is claimed not to hold.
    """

    kind: StatementKind
    steps: tuple[str, ...] = ()
    text: str = ""
    number: int = 0
    affirmed: bool = True

    def deny(self) -> "Statement":
        """Return the claim that it does not hold."""
        return replace(self, affirmed=False)

    def holds_in(self, procedure: ProcedureRecord) -> bool | None:
        """Return whether it holds by a record; None when that is open, also where a step may be taken for another."""
        steps = [procedure.by_id[name] for name in self.steps]
        if any(sum(same_words(step.text, other.text) for other in procedure.steps) != 1 for step in steps):
            return None
        return _RULES[self.kind](self, steps, procedure)


# All that one description says; true when every part is, false when one part is false.
Claim = tuple[Statement, ...]


def is_true_of(claimed: Claim, procedure: ProcedureRecord) -> bool | None:
    """Return whether a description is true of a procedure; None when its record does not decide."""
    found = [(part.holds_in(procedure), part.affirmed) for part in claimed]
    if any(answer is not None and answer != affirmed for answer, affirmed in found):
        return False
    return None if any(answer is None for answer, _ in found) else True


def _in_order(said: Statement, steps: Sequence[ProcedureStep], procedure: ProcedureRecord) -> bool | None:
    """False when of any two the one that is listed later was over before the other began."""
    answers = {_is_before(one, two) for one, two in combinations(steps, 2)}
    return False if False in answers else None if None in answers else True


def _in_a_row(said: Statement, steps: Sequence[ProcedureStep], procedure: ProcedureRecord) -> bool | None:
    """False when a whole step lies between two neighbours; not decided while another one runs beside them."""
    answers = {_is_next(one, two, procedure) for one, two in pairwise(steps)}
    return False if False in answers else None if None in answers else True


def _between(said: Statement, steps: Sequence[ProcedureStep], procedure: ProcedureRecord) -> bool | None:
    """False when it is over before the first one begins, or begins when the last one is over."""
    step, first, last = steps
    if _is_before(first, step) and _is_before(step, last):
        return True
    return False if _is_before(step, first) or _is_before(last, step) else None


def _shows(said: Statement, steps: Sequence[ProcedureStep], procedure: ProcedureRecord) -> bool | None:
    """False only when it shares at most a third of its words with any step: else it may be one, told otherwise."""
    if any(same_words(said.text, step.text) for step in procedure.steps):
        return True
    return False if all(word_dice(said.text, step.text) <= UNLIKE for step in procedure.steps) else None


def _does(said: Statement, steps: Sequence[ProcedureStep], procedure: ProcedureRecord) -> bool | None:
    """False only for a verb of a kind that occurs nowhere in the record: it happens to nothing."""
    own, kinds = opening_verb(steps[0]), verb_kinds(said.text)
    if own is None:
        return None
    if stem(own) == stem(said.text):
        return True
    return False if kinds and kinds.isdisjoint(mentioned_kinds(procedure)) else None


def _uses(said: Statement, steps: Sequence[ProcedureStep], procedure: ProcedureRecord) -> bool | None:
    """False only for a tool that shares no word with the step's own nor with its text."""
    (step,) = steps
    if not step.tool:
        return None
    if same_words(said.text, step.tool):
        return True
    told = content_words(f"{step.text} {step.tool}")
    return False if set(told).isdisjoint(content_words(said.text)) else None


def _counts(said: Statement, steps: Sequence[ProcedureStep], procedure: ProcedureRecord) -> bool | None:
    """False unless another step says the same with this number."""
    text = steps[0].text
    own = counted_number(text)
    if own is None:
        return None
    if own == said.number:
        return True
    changed = with_count(text, said.number)
    return None if any(same_words(changed, each.text) for each in procedure.steps) else False


def _enables(said: Statement, steps: Sequence[ProcedureStep], procedure: ProcedureRecord) -> bool | None:
    """False only when it is the other way round: a record may be silent about a need."""
    first, second = said.steps
    if first in procedure.all_needs[second]:
        return True
    return False if second in procedure.all_needs[first] else None


def _spares(said: Statement, steps: Sequence[ProcedureStep], procedure: ProcedureRecord) -> bool | None:
    """False when the step needs the other; true when it was over before the other began."""
    step, other = steps
    if other.id in procedure.all_needs[step.id]:
        return False
    return True if _is_before(step, other) else None


_Rule = Callable[[Statement, Sequence[ProcedureStep], ProcedureRecord], bool | None]
_RULES: Final[dict[StatementKind, _Rule]] = {
    "in order": _in_order,
    "in a row": _in_a_row,
    "between": _between,
    "shows": _shows,
    "does": _does,
    "uses": _uses,
    "counts": _counts,
    "enables": _enables,
    "spares": _spares,
}


def _is_before(one: ProcedureStep, two: ProcedureStep) -> bool | None:
    """Return whether a step is over when the other begins; None while both run, and for two at one instant."""
    before, after = one.end_s <= two.start_s, two.end_s <= one.start_s
    return None if before == after else before


def _is_next(first: ProcedureStep, second: ProcedureStep, procedure: ProcedureRecord) -> bool | None:
    """True only when every other step is over before the first begins, or begins after the second one has begun."""
    order = _is_before(first, second)
    others = [step for step in procedure.steps if step.id not in (first.id, second.id)]
    if order is False or (order and any(_is_before(first, each) and _is_before(each, second) for each in others)):
        return False
    apart = all(each.end_s <= first.start_s or each.start_s > second.start_s for each in others)
    return True if order and apart else None
