"""A description of a procedure against what was told of it: borne out, contradicted, or neither.

Told steps are found in the description by their words. Then it is read what is said of them: that something else is so
(another number, verb or tool), that one is no part of it, or how two of them stand to each other. A few English words
decide that; a description that puts it otherwise is taken for a list of steps in their order.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from cutscore.benchmarks.vidwork.reader.narration import NarratedSentence, Narration
from cutscore.benchmarks.vidwork.words import content_words, word_set

Relation = Literal["order", "next", "enables", "spares"]

# Share of a step's words that a description must have to mention it; less where another one of its words is denied.
_MENTIONED, _HALF = 0.6, 0.5
# Share of a description's words that must have been told before it counts as borne out.
_COVERED = 0.5
_ALL = 0.75  # the same, from which on nothing that it mentions was left untold
_MOST_WORDS = 400  # of a clause that are looked at
_CLAUSE = re.compile(r"(?<=[.;!?])\s+")
_WORD = re.compile(r"[^\W_]+(?:['’/.][^\W_]+)*|[,:()]")
_NEGATIONS = re.compile(
    r"\b(?:not(?: to| with)?|rather than|instead of|without|never|no|cannot)\b|n't\b|\bnothing\b", re.IGNORECASE
)
# Where what is denied ends, if not at a comma: "not with the knife but …", "it is not 3 here".
_UNTIL = re.compile(r"[,;:.()]|\b(?:but|here|when|and|is|are|was|were)\b", re.IGNORECASE)
_DENIED_BEFORE = re.compile(r"\bthe ([\w -]{2,40}?) (?:is|was|are|were) (?:not|never)\b", re.IGNORECASE)
# Words about steps in general: to deny them is to deny the step that follows.
_GENERAL = word_set(
    "step steps point points one ones thing things belong belongs done do be been this that them it number other others"
    " between used use serve serves needed need what possible missing to time moment part of any another"
)
_RELATIONS: dict[Relation, re.Pattern[str]] = {
    "spares": re.compile(
        r"\b(?:without (?:this|that|the other)\b|leav\w+ out|left out|skip\w*|not needed|unnecessary"
        r"|(?:has|have) not been done)",
        re.IGNORECASE,
    ),
    "enables": re.compile(r"\b(?:possible|prepar\w+|could not|reason why|because|so that|enabl\w+|allow\w+)", re.I),
    "next": re.compile(
        r"\b(?:nothing in between|no other step|(?:very )?next (?:step|thing)|straight after|directly|immediately"
        r"|as soon as|one after another|between them|another time)\b",
        re.IGNORECASE,
    ),
}
# What follows, in the same clause, is not one of those that come one after another.
_APART = re.compile(r"\b(?:between them|another time)\b[^.;]*", re.IGNORECASE)
# In these the effect is named first: "one reason why this can be done (B) is that this was done: A".
_EFFECT_FIRST = re.compile(r"\b(?:reason why|because|possible (?:by|through))\b", re.IGNORECASE)


@dataclass(frozen=True)
class _Mention:
    """A told step in a description.

    Args:
        start, end: From which to which of the description's letters.
        changed: Whether a word of it stands in for another one.
        denied: Whether it is said not to be so.
    """

    step: NarratedSentence
    start: int
    end: int
    changed: bool
    denied: bool


def check_description(narration: Narration, description: str) -> bool | None:
    """Return whether what was told bears a description out: False when it contradicts, None when it does not decide.

    A part of which nobody told anything may be right or wrong.
    """
    mentions = [mention for clause, at in _clauses(description) for mention in _mentions(narration, clause, at)]
    if any(mention.changed or mention.denied for mention in mentions):
        return False
    told = sorted(mentions, key=lambda mention: mention.start)
    if _misplaces(narration, description, told):
        return False
    return True if _coverage(description, told) >= _COVERED else None


def _coverage(description: str, told: Sequence[_Mention]) -> float:
    """Return the share of a description's words, those about steps in general left out, that were told."""
    words = [place for place in _WORD.finditer(description) if place[0].casefold() not in _GENERAL]
    places = [place.start() for place in words if _form(place[0])]
    stretches = [(mention.start, mention.end) for mention in told]
    return sum(_inside(place, stretches) for place in places) / max(1, len(places))


def _misplaces(narration: Narration, description: str, told: Sequence[_Mention]) -> bool:
    """Return whether a description puts told steps into an order that they did not have."""
    relation = next((name for name, cue in _RELATIONS.items() if cue.search(description)), "order")
    if relation == "order":
        return _is_out_of_order([mention.step for mention in told])
    if relation == "next":
        apart = [place.span() for place in _APART.finditer(description)]
        row = [mention.step for mention in told if not _inside(mention.start, apart)]
        all_told = _coverage(description, told) >= _ALL
        return _is_out_of_order(row) or _has_step_between(narration, row, count_gaps=all_told)
    if len(told) != 2:
        return False
    one, two = (mention.step for mention in told)
    if relation == "enables":
        return one.at_s < two.at_s if _EFFECT_FIRST.search(description) else one.at_s > two.at_s
    cue = _RELATIONS["spares"].search(description)
    is_first = cue is not None and cue.start() < told[0].start  # what is spared follows the words for it
    spared, other = (one, two) if is_first else (two, one)
    return spared.at_s < other.at_s


def _is_out_of_order(steps: Sequence[NarratedSentence]) -> bool:
    return any(one.at_s > two.at_s for one, two in pairwise(steps))


def _has_step_between(narration: Narration, row: Sequence[NarratedSentence], *, count_gaps: bool) -> bool:
    """Return whether another step was told of between those of a row, or else had time to be done."""
    if len(row) < 2:
        return False
    start_s, end_s = row[0].at_s, row[-1].at_s
    others = (step for step in narration.steps if all(step is not each for each in row))
    if any(start_s < step.at_s < end_s for step in others):
        return True
    # A gap may be where one of the row was done that nobody told of.
    return count_gaps and any(start_s <= gap.at_s < end_s for gap in narration.gaps)


def _mentions(narration: Narration, clause: str, at: int) -> list[_Mention]:
    """Find told steps in one clause: each once where it fits best, none within another."""
    found: list[_Mention] = []
    for _, mention in sorted(_candidates(narration, clause, at), key=lambda each: (each[0], each[1].start)):
        taken = any(mention.start < other.end and other.start < mention.end for other in found)
        if not taken and all(mention.step is not other.step for other in found):
            found.append(mention)
    return found


def _candidates(narration: Narration, clause: str, at: int) -> Iterator[tuple[tuple[float, int], _Mention]]:
    """Return all places where a told step may be mentioned, each with how badly it fits."""
    denied, whole = _denials(clause)
    places = list(_WORD.finditer(clause))[:_MOST_WORDS]
    words = [(place.start(), place.end(), _form(place[0])) for place in places]
    kept = [each for each in words if each[2] and not _inside(each[0], denied)]
    refused = {word for start, _, word in words if word and _inside(start, denied)}
    for step in narration.steps:
        own = set(content_words(step.text))
        least = (_HALF if own & refused else _MENTIONED) * len(own)
        for first, (start, _, word) in enumerate(kept):
            window = kept[first : first + len(own)]
            said = {each[2] for each in window}
            if word in own and len(said & own) >= least:
                missing = own - said
                changed = bool(missing & refused) or bool(missing and said - own and len(window) == len(own))
                is_denied = whole is not None and start > whole
                spot = (at + start, at + window[-1][1])
                mention = _Mention(step, *spot, changed=changed and not is_denied, denied=is_denied)
                yield (-len(said & own) / len(own), -len(own)), mention


def _form(word: str) -> str:
    """Return the one form of a content word; empty for any other word."""
    found = content_words(f"{word} thing")  # beside another one, a stop word is left out
    return found[0] if len(found) > 1 else ""


def _clauses(text: str) -> list[tuple[str, int]]:
    starts = [0, *(place.end() for place in _CLAUSE.finditer(text)), len(text)]
    return [(text[one:two], one) for one, two in pairwise(starts) if text[one:two].strip()]


def _denials(clause: str) -> tuple[list[tuple[int, int]], int | None]:
    """Return the stretches that are denied, and from where on a whole step is, if one is.

    A negation of words about steps in general ("at no point", "this is not one of them") denies the step that follows,
    unless it relates two steps ("there is no other step between them").
    """
    stretches = [place.span(1) for place in _DENIED_BEFORE.finditer(clause)]
    whole: int | None = None
    for place in _NEGATIONS.finditer(clause):
        stop = _UNTIL.search(clause, place.end())
        end = stop.start() if stop else len(clause)
        plain = {word.casefold() for word in _WORD.findall(clause[place.end() : end])}
        named = any(place.start() <= stretch[1] + 12 and stretch[0] < place.start() for stretch in stretches)
        if plain - _GENERAL and not plain & {"between", "step"}:
            stretches.append((place.end(), end))
        elif not named and not any(cue.search(clause) for cue in _RELATIONS.values()):
            whole = place.end() if whole is None else whole
    return stretches, whole


def _inside(place: int, stretches: Sequence[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in stretches)
