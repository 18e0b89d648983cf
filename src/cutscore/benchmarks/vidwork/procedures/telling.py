"""A claim → a sentence. True and false ones go the same way, so that their words tell nothing."""

from typing import Final

from cutscore.benchmarks.vidwork.procedures.claims import (
    AnyPart,
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
)
from cutscore.benchmarks.vidwork.procedures.procedure import Procedure
from cutscore.benchmarks.vidwork.procedures.wording import after_verb, bare, inside, spelled, with_count, with_tool

# Forms by kind of claim, with blanks {0}, {1} … as `_blanks` fills them.
FORMS: Final[dict[str, tuple[str, ...]]] = {
    "in order": (
        "{0}, then {1}, then {2}.",
        "{0}. After that, {1}. Later, {2}.",
        "Three of the steps come in this order: {0}; {1}; {2}.",
        "Of three steps, the first is this: {0}. The second: {1}. The third: {2}.",
    ),
    "in a row": (
        "These three come directly one after another: {0}; {1}; {2}. This one does not come between them: {3}.",
        "{0}, straight after that {1}, and straight after that {2}; it is not between them that this is done: {3}.",
        "With no other step in between: {0}; {1}; {2}. At another time than that: {3}.",
        "At another time, {3}; but directly one after another, {0}, {1}, {2}.",
    ),
    "shows": (
        "One of the steps is this: {0}. This is not one of them: {1}.",
        "Here is a step that does not belong to it: {1}. Here is one that does: {0}.",
        "At some point, {0}; at no point, {1}.",
        "It is not this that is done at one point: {1}. It is this: {0}.",
    ),
    "does": (
        "{0} rather than {1} {2}.",
        "In one step, {0}, not {1}, {2}.",
        "Do not {1} but {0} {2}.",
        "What is done at one point is to {0}, not to {1}, {2}.",
    ),
    "uses": (
        "{0}; the {1} is not used for it.",
        "The {1} is not what serves here: {0}.",
        "Not with the {1} but like this: {0}.",
        "Without the {1}, this is done: {0}.",
    ),
    "counts": (
        "{0}, not {1}.",
        "It is not {1} here: {0}.",
        "In one of the steps, {0} and not {1}.",
        "The number is not {1} when this is done: {0}.",
    ),
    "enables": (
        "{0}; that makes another step possible: {1}.",
        "One step prepares another one. The one that prepares: {0}. The one that is prepared: {1}.",
        "Without one step, namely {0}, there could not be this one: {1}.",
        "One reason why this can be done ({1}) is that this was done: {0}.",
    ),
    "spares": (
        "{0}: that works even without this step: {1}.",
        "One may leave out this step, {1}, and can still do this one: {0}.",
        "For this step, {0}, another one is not needed: {1}.",
        "Nothing is missing when this is done ({0}) and one thing has not been done: {1}.",
    ),
}
MOST_FORMS: Final = 4  # of any kind


def tell(claim: Claim, procedure: Procedure, form: int) -> str | None:
    """Return the sentence that makes a claim.

    Args:
        claim: What is claimed; one part, or one and what is not so in its place.
        procedure: Has the texts of the steps.
        form: Which of the forms, counted on from the first one again after the last.

    Returns:
        The sentence, or None when the step's text cannot take it in.
    """
    forms = FORMS[claim.parts[0].kind]
    blanks = _blanks(claim, procedure)
    if blanks is None:
        return None
    text = forms[form % len(forms)].format(*blanks)
    return text[:1].upper() + text[1:]


def _blanks(claim: Claim, procedure: Procedure) -> tuple[str, ...] | None:
    text = {step.id: inside(step.text) for step in procedure.steps}
    match claim.parts:
        case (InOrder(steps=names),):
            return tuple(text[name] for name in names)
        case (InARow(steps=names), Between(step=other)):
            return (*(text[name] for name in names), text[other])
        case (Enables(first=one, second=two),) | (Spares(step=one, other=two),):
            return text[one], text[two]
        case (one, two):
            return _contrast(one, two, procedure)
    return None


def _contrast(one: AnyPart, two: AnyPart, procedure: Procedure) -> tuple[str, ...] | None:
    """Fill the blanks for what is so, and for what is not so in its place."""
    match one, two:
        case Shows(text=there), Shows(text=absent):
            return inside(there), inside(absent)
        case Does(step=name, verb=verb), Does(verb=other):
            return verb, other, after_verb(procedure.by_id[name].text)
        case Uses(step=name, tool=tool), Uses(tool=other):
            named = with_tool(procedure.by_id[name], tool)
            return (inside(named), bare(other)) if named else None
        case Counts(step=name, number=number), Counts(number=other):
            text = inside(procedure.by_id[name].text)
            return with_count(text, number), spelled(other, text)
    return None
