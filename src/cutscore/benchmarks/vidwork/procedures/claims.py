"""What a description claims of a procedure, as data, and whether it holds by the record alone.

Three answers are possible: it holds, it does not, or the record does not decide. Steps that run at the same time have
no order, and of two steps with the same words nobody knows which is meant. Nothing is built on what is not decided.
"""

from itertools import combinations, pairwise
from typing import Annotated, Literal

from pydantic import Field

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
from cutscore.core.frozen import FrozenModel, SafeName

UNLIKE = 1 / 3  # most that a step may share with every step of a procedure and surely be none of them


class Statement(FrozenModel):
    """One thing that is claimed; `holds_in` of each kind says whether it holds by a record, None when that is open.

    Args:
        affirmed: False when it is claimed not to hold.
    """

    affirmed: bool = True


class OrderStatement(Statement):
    """The steps happen one after another, as they are listed."""

    kind: Literal["in order"] = "in order"
    steps: Annotated[tuple[SafeName, ...], Field(min_length=2)]

    def holds_in(self, procedure: ProcedureRecord) -> bool | None:
        """False when of any two the one that is listed later was over before the other began."""
        if not _are_distinct(procedure, *self.steps):
            return None
        pairs = combinations([procedure.by_id[name] for name in self.steps], 2)
        answers = {_is_before(one, two) for one, two in pairs}
        return False if False in answers else None if None in answers else True


class AdjacencyStatement(Statement):
    """The steps come directly one after another, with no other step between them."""

    kind: Literal["in a row"] = "in a row"
    steps: Annotated[tuple[SafeName, ...], Field(min_length=2)]

    def holds_in(self, procedure: ProcedureRecord) -> bool | None:
        """False when a whole step lies between two neighbours; not decided while another one runs beside them."""
        if not _are_distinct(procedure, *self.steps):
            return None
        answers = {_is_next(procedure.by_id[one], procedure.by_id[two], procedure) for one, two in pairwise(self.steps)}
        return False if False in answers else None if None in answers else True


class BetweenStatement(Statement):
    """The step lies between two others."""

    kind: Literal["between"] = "between"
    step: SafeName
    first: SafeName
    last: SafeName

    def holds_in(self, procedure: ProcedureRecord) -> bool | None:
        """False when it is over before the first one begins, or begins when the last one is over."""
        if not _are_distinct(procedure, self.step, self.first, self.last):
            return None
        step, first, last = (procedure.by_id[name] for name in (self.step, self.first, self.last))
        if _is_before(first, step) and _is_before(step, last):
            return True
        return False if _is_before(step, first) or _is_before(last, step) else None


class OccurrenceStatement(Statement):
    """One of the steps is this one."""

    kind: Literal["shows"] = "shows"
    text: str

    def holds_in(self, procedure: ProcedureRecord) -> bool | None:
        """False only when it shares at most a third of its words with any step: else it may be one, told otherwise."""
        if any(same_words(self.text, step.text) for step in procedure.steps):
            return True
        return False if all(word_dice(self.text, step.text) <= UNLIKE for step in procedure.steps) else None


class ActionStatement(Statement):
    """What is done in the step is what the verb says."""

    kind: Literal["does"] = "does"
    step: SafeName
    verb: str

    def holds_in(self, procedure: ProcedureRecord) -> bool | None:
        """False only for a verb of a kind that occurs nowhere in the record: it happens to nothing."""
        own = opening_verb(procedure.by_id[self.step])
        if own is None or not _are_distinct(procedure, self.step):
            return None
        if stem(own) == stem(self.verb):
            return True
        own_kinds = verb_kinds(self.verb)
        return False if own_kinds and own_kinds.isdisjoint(mentioned_kinds(procedure)) else None


class ToolStatement(Statement):
    """The step is done with this tool."""

    kind: Literal["uses"] = "uses"
    step: SafeName
    tool: str

    def holds_in(self, procedure: ProcedureRecord) -> bool | None:
        """False only for a tool that shares no word with the step's own nor with its text."""
        step = procedure.by_id[self.step]
        if not step.tool or not _are_distinct(procedure, self.step):
            return None
        if same_words(self.tool, step.tool):
            return True
        told = content_words(f"{step.text} {step.tool}")
        return False if set(told).isdisjoint(content_words(self.tool)) else None


class CountStatement(Statement):
    """There are so many of what the step's text counts."""

    kind: Literal["counts"] = "counts"
    step: SafeName
    number: int

    def holds_in(self, procedure: ProcedureRecord) -> bool | None:
        """False unless another step says the same with this number."""
        text = procedure.by_id[self.step].text
        own = counted_number(text)
        if own is None or not _are_distinct(procedure, self.step):
            return None
        if own == self.number:
            return True
        changed = with_count(text, self.number)
        return None if any(same_words(changed, each.text) for each in procedure.steps) else False


class EnablingStatement(Statement):
    """The second step could be done because the first one had been."""

    kind: Literal["enables"] = "enables"
    first: SafeName
    second: SafeName

    def holds_in(self, procedure: ProcedureRecord) -> bool | None:
        """False only when it is the other way round: a record may be silent about a need."""
        if not _are_distinct(procedure, self.first, self.second):
            return None
        if self.first in procedure.all_needs[self.second]:
            return True
        return False if self.second in procedure.all_needs[self.first] else None


class IndependenceStatement(Statement):
    """The step works without the other one having been done."""

    kind: Literal["spares"] = "spares"
    step: SafeName
    other: SafeName

    def holds_in(self, procedure: ProcedureRecord) -> bool | None:
        """False when the step needs the other; true when it was over before the other began."""
        if not _are_distinct(procedure, self.step, self.other):
            return None
        if self.other in procedure.all_needs[self.step]:
            return False
        return True if _is_before(procedure.by_id[self.step], procedure.by_id[self.other]) else None


_Kinds = (
    OrderStatement
    | AdjacencyStatement
    | BetweenStatement
    | OccurrenceStatement
    | ActionStatement
    | ToolStatement
    | CountStatement
    | EnablingStatement
    | IndependenceStatement
)
AnyStatement = Annotated[_Kinds, Field(discriminator="kind")]


class Claim(FrozenModel):
    """All that one description says; true when every part is, false when one part is false."""

    parts: Annotated[tuple[AnyStatement, ...], Field(min_length=1)]


def make_claim(*parts: AnyStatement) -> Claim:
    """Return the claim that all parts hold."""
    return Claim(parts=parts)


def make_contrast(claimed: AnyStatement, denied: AnyStatement) -> Claim:
    """Return the claim that one statement holds, and not another one in its place."""
    return make_claim(claimed, denied.model_copy(update={"affirmed": False}))


def is_true_of(claimed: Claim, procedure: ProcedureRecord) -> bool | None:
    """Return whether a description is true of a procedure; None when its record does not decide."""
    found = [(part.holds_in(procedure), part.affirmed) for part in claimed.parts]
    if any(answer is not None and answer != affirmed for answer, affirmed in found):
        return False
    return None if any(answer is None for answer, _ in found) else True


def _are_distinct(procedure: ProcedureRecord, *names: str) -> bool:
    """Return whether none of the steps could be taken for another one."""
    texts = [procedure.by_id[name].text for name in names]
    return all(sum(same_words(text, step.text) for step in procedure.steps) == 1 for text in texts)


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
