"""The eight kinds of errors: for each one rule that finds where a procedure could be told wrongly, with its true twin.

A rule proposes and proves nothing; what it proposes is kept only when the record decides both claims (`errors.py`).
What makes the twins worth having: **a false description has exactly the words of its true twin.** Either two steps
change places in it, or what is said to be so and what is said not to be so.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cutscore.benchmarks.vidwork.procedures.claims import Claim, Statement, StatementKind
from cutscore.benchmarks.vidwork.procedures.procedure import ProcedureRecord, ProcedureStep, stretch_of
from cutscore.benchmarks.vidwork.procedures.wording import (
    counted_number,
    has_pronoun,
    mentioned_kinds,
    near_numbers,
    opening_verb,
    plainest_verbs,
    same_words,
    verb_kinds,
    without_article,
)
from cutscore.core.timeline import Span


@dataclass(frozen=True)
class ErrorDraft:
    """A false claim and its true twin, not yet proven: what was changed, in words, and where the clip settles it."""

    wrong: Claim
    right: Claim
    change: str
    at: Span


@dataclass(frozen=True)
class ErrorRule:
    """How drafts of one kind are made of a procedure and others to borrow from, and what it lacks if there are none."""

    drafts: Callable[[ProcedureRecord, Sequence[ProcedureRecord]], Iterable[ErrorDraft]]
    lacking: str


def step_swap(procedure: ProcedureRecord, others: Sequence[ProcedureRecord]) -> Iterator[ErrorDraft]:
    """Of three steps that follow one another, two neighbours in the other order."""
    chain = _succession(procedure)
    for a, b, c in zip(chain, chain[1:], chain[2:], strict=False):
        for wrong, (one, two) in (((b, a, c), (a, b)), ((a, c, b), (b, c))):
            yield ErrorDraft(
                wrong=(Statement("in order", tuple(step.id for step in wrong)),),
                right=(Statement("in order", (a.id, b.id, c.id)),),
                change=f"steps {_number(one, procedure)} and {_number(two, procedure)} swapped",
                at=stretch_of(one, two),
            )


def step_omission(procedure: ProcedureRecord, others: Sequence[ProcedureRecord]) -> Iterator[ErrorDraft]:
    """Of four steps in a row an inner one is left out of the row; its twin leaves out the first or the last one."""
    chain = _succession(procedure)
    for a, b, c, d in zip(chain, chain[1:], chain[2:], chain[3:], strict=False):
        for inner, outer in ((b, a), (c, d)):
            yield ErrorDraft(
                wrong=_row([step for step in (a, b, c, d) if step is not inner], inner),
                right=_row([step for step in (a, b, c, d) if step is not outer], outer),
                change=f"step {_number(inner, procedure)} left out",
                at=stretch_of(a, d),
            )


def step_modification(procedure: ProcedureRecord, others: Sequence[ProcedureRecord]) -> Iterator[ErrorDraft]:
    """A step of another procedure stands in the place of one that is shown, and the shown one is denied."""
    strange = [step.text for other in _nearest(procedure, others) for step in other.steps if not has_pronoun(step.text)]
    for step in procedure.steps:
        for text in () if has_pronoun(step.text) else strange:
            truth, error = (Statement("shows", text=each) for each in (step.text, text))
            yield _contrast_draft(step, truth, error, f"step {_number(step, procedure)} replaced by “{text}”")


def action_modification(procedure: ProcedureRecord, others: Sequence[ProcedureRecord]) -> Iterator[ErrorDraft]:
    """A step's verb changes places with one of a kind that does not occur in the procedure.

    Verbs that other procedures begin their steps with come first: they are the likelier mistakes.
    """
    told = mentioned_kinds(procedure)
    used = [opening_verb(step) for other in _nearest(procedure, others) for step in other.steps]
    strange = [verb for verb in dict.fromkeys(used) if verb and told.isdisjoint(verb_kinds(verb))]
    strange = strange or [verb for verb in plainest_verbs() if told.isdisjoint(verb_kinds(verb))]
    for step in procedure.steps:
        own = opening_verb(step) or ""
        for verb in strange if own else ():
            truth, error = (Statement("does", (step.id,), each) for each in (own, verb))
            yield _contrast_draft(step, truth, error, f"“{own}” became “{verb}” in step {_number(step, procedure)}")


def tool_substitution(procedure: ProcedureRecord, others: Sequence[ProcedureRecord]) -> Iterator[ErrorDraft]:
    """A step's tool changes places with one of another step, or of another procedure when no other step has one."""
    here = _tools(procedure)
    for step in procedure.steps:
        own = without_article(step.tool)
        strange = [tool for tool in here if not same_words(tool, own)]
        if own and not strange:
            strange = [tool for other in _nearest(procedure, others) for tool in _tools(other)]
        for tool in strange if own else ():
            truth, error = (Statement("uses", (step.id,), each) for each in (own, tool))
            change = f"the {own} became the {tool} in step {_number(step, procedure)}"
            yield _contrast_draft(step, truth, error, change)


def quantity_error(procedure: ProcedureRecord, others: Sequence[ProcedureRecord]) -> Iterator[ErrorDraft]:
    """The number of a step changes places with one near it."""
    for step in procedure.steps:
        own = counted_number(step.text) or 0
        for number in near_numbers(step.text):
            truth, error = (Statement("counts", (step.id,), number=each) for each in (own, number))
            yield _contrast_draft(step, truth, error, f"{own} became {number} in step {_number(step, procedure)}")


def causal_reversal(procedure: ProcedureRecord, others: Sequence[ProcedureRecord]) -> Iterator[ErrorDraft]:
    """The step that needs another is given as what makes the other one possible."""
    for cause, effect in _needs(procedure):
        change = f"steps {_number(cause, procedure)} and {_number(effect, procedure)}: cause and effect reversed"
        yield _turned_draft("enables", cause, effect, change)


def insufficient_input(procedure: ProcedureRecord, others: Sequence[ProcedureRecord]) -> Iterator[ErrorDraft]:
    """A step is said to work without one that it needs; truly, the needed one worked without it, being earlier."""
    for cause, effect in _needs(procedure):
        change = f"step {_number(cause, procedure)}, which {_number(effect, procedure)} needs, called needless"
        yield _turned_draft("spares", cause, effect, change)


RULES: Final[dict[str, ErrorRule]] = {
    "step_swap": ErrorRule(step_swap, "no three steps each of which is over before the next begins"),
    "step_omission": ErrorRule(step_omission, "no four steps in a row without another one beside or between them"),
    "step_modification": ErrorRule(step_modification, "no step of another procedure that is unlike all of its own"),
    "action_modification": ErrorRule(
        action_modification, "no step that begins with a verb of the table and its object"
    ),
    "tool_substitution": ErrorRule(tool_substitution, "no step with a tool, or no other tool to put in its place"),
    "quantity_error": ErrorRule(quantity_error, "no step that counts something, with one number of 2 or more"),
    "causal_reversal": ErrorRule(causal_reversal, "no step that is known to need an earlier one"),
    "insufficient_input": ErrorRule(insufficient_input, "no step that needs one which was over before it began"),
}


def _contrast_draft(step: ProcedureStep, truth: Statement, error: Statement, change: str) -> ErrorDraft:
    """Return the draft in which what holds of a step and what is said not to hold change places."""
    return ErrorDraft((error, truth.deny()), (truth, error.deny()), change, stretch_of(step))


def _turned_draft(kind: StatementKind, cause: ProcedureStep, effect: ProcedureStep, change: str) -> ErrorDraft:
    """Return the draft in which what holds of a step and one that needs it is said the other way round."""
    wrong, right = (Statement(kind, steps) for steps in ((effect.id, cause.id), (cause.id, effect.id)))
    return ErrorDraft((wrong,), (right,), change, stretch_of(cause, effect))


def _succession(procedure: ProcedureRecord) -> list[ProcedureStep]:
    """Return steps each of which begins when the one before is over; what runs beside them is passed over."""
    chain: list[ProcedureStep] = []
    for step in procedure.steps:
        if not chain or chain[-1].end_s <= step.start_s:
            chain.append(step)
    return chain


def _row(steps: Sequence[ProcedureStep], other: ProcedureStep) -> Claim:
    """Claim that steps come directly one after another, and another one not between them."""
    names = tuple(step.id for step in steps)
    return Statement("in a row", names), Statement("between", (other.id, names[0], names[-1])).deny()


def _needs(procedure: ProcedureRecord) -> Iterator[tuple[ProcedureStep, ProcedureStep]]:
    """Return each step that another one needs, with that other one."""
    for effect in procedure.steps:
        for name in effect.needs:
            yield procedure.by_id[name], effect


def _tools(procedure: ProcedureRecord) -> list[str]:
    return list(dict.fromkeys(without_article(step.tool) for step in procedure.steps if step.tool))


def _nearest(procedure: ProcedureRecord, others: Sequence[ProcedureRecord]) -> list[ProcedureRecord]:
    """Return other procedures of the same domain; those of all domains when there are none."""
    strange = [other for other in others if other.name != procedure.name]
    return [other for other in strange if other.domain == procedure.domain] or strange


def _number(step: ProcedureStep, procedure: ProcedureRecord) -> int:
    return procedure.steps.index(step) + 1
