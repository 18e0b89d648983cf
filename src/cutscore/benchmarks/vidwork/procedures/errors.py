"""A procedure → descriptions that are wrong in one of eight ways, each with a correct twin and the proof of both.

True and false claims become sentences in the same way, so that their words tell nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Final

from cutscore.benchmarks.vidwork.procedures.claims import Claim, is_true_of
from cutscore.benchmarks.vidwork.procedures.error_rules import RULES, ErrorDraft
from cutscore.benchmarks.vidwork.procedures.procedure import ProcedureRecord
from cutscore.benchmarks.vidwork.procedures.wording import (
    after_verb,
    as_clause,
    spell_number,
    with_count,
    with_tool,
    without_article,
)
from cutscore.benchmarks.vidwork.words import words

ERROR_TYPES = tuple(RULES)
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


@dataclass(frozen=True)
class ErrorPair:
    """A wrong description and its correct twin, of the same form; the record proves what both claim."""

    error_type: str
    wrong: str
    right: str
    proof: ErrorDraft


def error_pairs(
    procedure: ProcedureRecord, draw: Random, *, others: Sequence[ProcedureRecord] = (), most: int = 1
) -> list[ErrorPair]:
    """Return wrong descriptions with their twins, of every kind that the procedure allows, in the order of the kinds.

    Every pair is proven before it is given out, and both of its descriptions have the same words. There are at most
    `most` pairs of each kind. Steps and tools may be borrowed from others, those of the same domain first.
    """
    pairs: list[ErrorPair] = []
    for error_type, rule in RULES.items():
        drafts = list(rule.drafts(procedure, others))
        told = (_write_pair(error_type, draft, procedure, draw) for draft in draw.sample(drafts, len(drafts)))
        pairs += islice((pair for pair in told if pair is not None), most)
    return pairs


def error_refusals(procedure: ProcedureRecord, *, others: Sequence[ProcedureRecord] = ()) -> dict[str, str]:
    """Name the kinds of errors that cannot be made of a procedure, each with what it lacks."""
    made = {pair.error_type for pair in error_pairs(procedure, Random(0), others=others)}
    return {name: rule.lacking for name, rule in RULES.items() if name not in made}


def _write_pair(error_type: str, draft: ErrorDraft, procedure: ProcedureRecord, draw: Random) -> ErrorPair | None:
    """Return a draft in words; None unless it is proven, and told with the same words both times."""
    form = draw.randrange(MOST_FORMS)
    wrong, right = (write_sentence(each, procedure, form) for each in (draft.wrong, draft.right))
    if wrong is None or right is None or sorted(words(wrong)) != sorted(words(right)):
        return None
    proven = is_true_of(draft.wrong, procedure) is False and is_true_of(draft.right, procedure) is True
    return ErrorPair(error_type, wrong, right, draft) if proven else None


def write_sentence(claim: Claim, procedure: ProcedureRecord, form: int) -> str | None:
    """Return the sentence of this form that makes a claim, or None when the step's text cannot take it in."""
    blanks = _blanks(claim, procedure)
    if blanks is None:
        return None
    text = FORMS[claim[0].kind][form].format(*blanks)
    return text[:1].upper() + text[1:]


def _blanks(claim: Claim, procedure: ProcedureRecord) -> tuple[str, ...] | None:
    """Return what fills the blanks of a form: of what is so, and then of what is not so in its place."""
    said, denied = claim[0], claim[-1]
    texts = [as_clause(procedure.by_id[name].text) for name in said.steps]
    match said.kind:
        case "in a row":
            return (*texts, as_clause(procedure.by_id[denied.steps[0]].text))
        case "shows":
            return as_clause(said.text), as_clause(denied.text)
        case "does":
            return said.text, denied.text, after_verb(texts[0])
        case "uses":
            named = with_tool(procedure.by_id[said.steps[0]], said.text)
            return (as_clause(named), without_article(denied.text)) if named else None
        case "counts":
            return with_count(texts[0], said.number), spell_number(denied.number, texts[0])
    return tuple(texts)
