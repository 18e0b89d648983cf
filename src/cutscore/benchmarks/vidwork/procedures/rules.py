"""The eight kinds of errors: for each one rule that finds where a procedure could be told wrongly, with its true twin.

A rule proposes and proves nothing; what it proposes is kept only when the record decides both claims (`errors.py`).
What makes the twins worth having: **a false description has exactly the words of its true twin.** Either two steps
change places in it, or what is said to be so and what is said not to be so.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cutscore.benchmarks.vidwork.procedures.claims import (
    Between,
    Claim,
    Counts,
    Does,
    Enables,
    InARow,
    InOrder,
    Shows,
    Spares,
    Uses,
    claim,
)
from cutscore.benchmarks.vidwork.procedures.procedure import Procedure, Step
from cutscore.benchmarks.vidwork.procedures.wording import (
    bare,
    counted,
    has_pronoun,
    kinds,
    near_numbers,
    opening_verb,
    same_words,
    told_kinds,
    verbs,
)
from cutscore.core.timeline import Span


@dataclass(frozen=True)
class Draft:
    """A false claim and its true twin, not yet proven.

    Args:
        wrong, right: What is claimed.
        change: What was done to the truth, for the reader of a report.
        at: Stretch of the clip that settles it.
    """

    wrong: Claim
    right: Claim
    change: str
    at: Span


@dataclass(frozen=True)
class Rule:
    """How one kind of error is made.

    Args:
        drafts: Takes a procedure and others (of which tools and steps may be borrowed), gives drafts.
        lacking: What a procedure lacks for which it gives none.
    """

    drafts: Callable[[Procedure, Sequence[Procedure]], Iterable[Draft]]
    lacking: str


def step_swap(procedure: Procedure, others: Sequence[Procedure]) -> Iterator[Draft]:
    """Of three steps that follow one another, two neighbours in the other order."""
    chain = _succession(procedure)
    for a, b, c in zip(chain, chain[1:], chain[2:], strict=False):
        for wrong, (one, two) in (((b, a, c), (a, b)), ((a, c, b), (b, c))):
            yield Draft(
                wrong=claim(InOrder(steps=tuple(step.id for step in wrong))),
                right=claim(InOrder(steps=(a.id, b.id, c.id))),
                change=f"steps {_number(one, procedure)} and {_number(two, procedure)} swapped",
                at=_over(one, two),
            )


def step_omission(procedure: Procedure, others: Sequence[Procedure]) -> Iterator[Draft]:
    """Of four steps in a row an inner one is left out of the row; its twin leaves out the first or the last one."""
    chain = _succession(procedure)
    for a, b, c, d in zip(chain, chain[1:], chain[2:], chain[3:], strict=False):
        for inner, outer in ((b, a), (c, d)):
            yield Draft(
                wrong=_row([step for step in (a, b, c, d) if step is not inner], inner),
                right=_row([step for step in (a, b, c, d) if step is not outer], outer),
                change=f"step {_number(inner, procedure)} left out",
                at=_over(a, d),
            )


def step_modification(procedure: Procedure, others: Sequence[Procedure]) -> Iterator[Draft]:
    """A step of another procedure stands in the place of one that is shown, and the shown one is denied."""
    strange = [step.text for other in _nearest(procedure, others) for step in other.steps if not has_pronoun(step.text)]
    for step in procedure.steps:
        for text in () if has_pronoun(step.text) else strange:
            yield Draft(
                wrong=claim(Shows(text=text), Shows(text=step.text, so=False)),
                right=claim(Shows(text=step.text), Shows(text=text, so=False)),
                change=f"step {_number(step, procedure)} replaced by “{text}”",
                at=_over(step),
            )


def action_modification(procedure: Procedure, others: Sequence[Procedure]) -> Iterator[Draft]:
    """A step's verb changes places with one of a kind that does not occur in the procedure.

    Verbs that other procedures begin their steps with come first: they are the likelier mistakes.
    """
    told = told_kinds(procedure)
    used = [opening_verb(step) for other in _nearest(procedure, others) for step in other.steps]
    strange = [verb for verb in dict.fromkeys(used) if verb and told.isdisjoint(kinds(verb))]
    strange = strange or [verb for verb in verbs() if told.isdisjoint(kinds(verb))]
    for step in procedure.steps:
        own = opening_verb(step) or ""
        for verb in strange if own else ():
            yield Draft(
                wrong=claim(Does(step=step.id, verb=verb), Does(step=step.id, verb=own, so=False)),
                right=claim(Does(step=step.id, verb=own), Does(step=step.id, verb=verb, so=False)),
                change=f"“{own}” became “{verb}” in step {_number(step, procedure)}",
                at=_over(step),
            )


def tool_substitution(procedure: Procedure, others: Sequence[Procedure]) -> Iterator[Draft]:
    """A step's tool changes places with one of another step, or of another procedure when no other step has one."""
    here = _tools(procedure)
    for step in procedure.steps:
        own = bare(step.tool)
        strange = [tool for tool in here if not same_words(tool, own)]
        if own and not strange:
            strange = [tool for other in _nearest(procedure, others) for tool in _tools(other)]
        for tool in strange if own else ():
            yield Draft(
                wrong=claim(Uses(step=step.id, tool=tool), Uses(step=step.id, tool=own, so=False)),
                right=claim(Uses(step=step.id, tool=own), Uses(step=step.id, tool=tool, so=False)),
                change=f"the {own} became the {tool} in step {_number(step, procedure)}",
                at=_over(step),
            )


def quantity_error(procedure: Procedure, others: Sequence[Procedure]) -> Iterator[Draft]:
    """The number of a step changes places with one near it."""
    for step in procedure.steps:
        own = counted(step.text) or 0
        for number in near_numbers(step.text):
            yield Draft(
                wrong=claim(Counts(step=step.id, number=number), Counts(step=step.id, number=own, so=False)),
                right=claim(Counts(step=step.id, number=own), Counts(step=step.id, number=number, so=False)),
                change=f"{own} became {number} in step {_number(step, procedure)}",
                at=_over(step),
            )


def causal_reversal(procedure: Procedure, others: Sequence[Procedure]) -> Iterator[Draft]:
    """The step that needs another is given as what makes the other one possible."""
    for cause, effect in _needs(procedure):
        yield Draft(
            wrong=claim(Enables(first=effect.id, second=cause.id)),
            right=claim(Enables(first=cause.id, second=effect.id)),
            change=f"steps {_number(cause, procedure)} and {_number(effect, procedure)}: cause and effect reversed",
            at=_over(cause, effect),
        )


def insufficient_input(procedure: Procedure, others: Sequence[Procedure]) -> Iterator[Draft]:
    """A step is said to work without one that it needs; truly, the needed one worked without it, being earlier."""
    for cause, effect in _needs(procedure):
        yield Draft(
            wrong=claim(Spares(step=effect.id, other=cause.id)),
            right=claim(Spares(step=cause.id, other=effect.id)),
            change=f"step {_number(cause, procedure)}, which {_number(effect, procedure)} needs, called needless",
            at=_over(cause, effect),
        )


RULES: Final[dict[str, Rule]] = {
    "step_swap": Rule(step_swap, "no three steps each of which is over before the next begins"),
    "step_omission": Rule(step_omission, "no four steps in a row without another one beside or between them"),
    "step_modification": Rule(step_modification, "no step of another procedure that is unlike all of its own"),
    "action_modification": Rule(action_modification, "no step that begins with a verb of the table and its object"),
    "tool_substitution": Rule(tool_substitution, "no step with a tool, or no other tool to put in its place"),
    "quantity_error": Rule(quantity_error, "no step that counts something, with one number of 2 or more"),
    "causal_reversal": Rule(causal_reversal, "no step that is known to need an earlier one"),
    "insufficient_input": Rule(insufficient_input, "no step that needs one which was over before it began"),
}


def _succession(procedure: Procedure) -> list[Step]:
    """Return steps each of which begins when the one before is over; what runs beside them is passed over."""
    chain: list[Step] = []
    for step in procedure.steps:
        if not chain or chain[-1].end_s <= step.start_s:
            chain.append(step)
    return chain


def _row(steps: Sequence[Step], other: Step) -> Claim:
    """Claim that steps come directly one after another, and another one not between them."""
    names = tuple(step.id for step in steps)
    return claim(InARow(steps=names), Between(step=other.id, first=names[0], last=names[-1], so=False))


def _needs(procedure: Procedure) -> Iterator[tuple[Step, Step]]:
    """Return each step that another one needs, with that other one."""
    for effect in procedure.steps:
        for name in effect.needs:
            yield procedure.by_id[name], effect


def _tools(procedure: Procedure) -> list[str]:
    return list(dict.fromkeys(bare(step.tool) for step in procedure.steps if step.tool))


def _nearest(procedure: Procedure, others: Sequence[Procedure]) -> list[Procedure]:
    """Return other procedures of the same domain; those of all domains when there are none."""
    strange = [other for other in others if other.name != procedure.name]
    return [other for other in strange if other.domain == procedure.domain] or strange


def _number(step: Step, procedure: Procedure) -> int:
    return procedure.steps.index(step) + 1


def _over(*steps: Step) -> Span:
    return Span(start_s=min(step.start_s for step in steps), end_s=max(step.end_s for step in steps))
