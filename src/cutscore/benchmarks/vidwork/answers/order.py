"""Answers to "did A happen before or after B?", from the closing line, else from who precedes whom in the sentence."""

import re
from dataclasses import dataclass
from typing import Literal

from cutscore.benchmarks.vidwork.answers.closing_line import read_closing_line, remove_answer_lines
from cutscore.benchmarks.vidwork.words import content_words, negates, stem, word_set, words

Order = Literal["before", "after"]

OPPOSITE: dict[Order, Order] = {"before": "after", "after": "before"}

# Both together repeat the question; they answer nothing.
_BOTH = re.compile(r"\bbefore (?:or|and|/) ?after\b|\bafter (?:or|and|/) ?before\b|\bbefore/after\b", re.I)
_SAYS: dict[str, Order] = {
    **dict.fromkeys(("before", "precedes", "preceded", "earlier", "prior", "then"), "before"),
    **dict.fromkeys(("after", "follows", "followed", "later", "afterwards", "afterward"), "after"),
}
# Say nothing of an order unless a step stands on either side.
_JOINS = word_set("then")
_HEDGES = word_set("maybe perhaps possibly either unclear unsure uncertain unknown or if may might could")
_SENTENCE = re.compile(r"[.!?;\n]+")
MOST_SENTENCES = 400


@dataclass(frozen=True)
class OrderAnswer:
    """Where A lies from B, or None for no answer, and how that was read, as the start of a sentence."""

    order: Order | None
    reading: str


def read_order(text: str, first: str, second: str) -> OrderAnswer:
    """Read whether an answer puts A, the first step of the question, before or after B, the second one.

    A last line `ANSWER: before` or `ANSWER: after` decides. A last line of that form with anything else in it is no
    answer, and such a line that is not the last does not count. Without one, each sentence with one of the words
    before, after, earlier, later, prior, precedes, follows, then is read by which step stands on which side of it ("B
    came after A", "Before B, A", "A was followed by B"), and a sentence with one step and "first" by that. A sentence
    that hedges or negates says nothing. Sentences that contradict each other are no answer. Where none can be read so,
    a word for an order in sentences that name no step is the answer ("It was before."), if it is the only one.

    >>> read_order("They sliced the bread after toasting it.", "toast the bread", "slice the bread").order
    'before'
    """
    closed = read_closing_line(text)
    if closed is not None:
        if closed in ("before", "after"):
            return OrderAnswer("before" if closed == "before" else "after", f"the last line answers '{closed}'")
        return OrderAnswer(None, f"the last line answers '{closed[:40]}', which is neither before nor after")
    if not text.strip():
        return OrderAnswer(None, "nothing was answered")
    # A step is known by the words that the other one does not have.
    one, two = frozenset(content_words(first)), frozenset(content_words(second))
    resolved: set[Order] = set()
    bare: set[Order] = set()
    for sentence in _SENTENCE.split(_BOTH.sub(" ", remove_answer_lines(text)))[:MOST_SENTENCES]:
        plain = words(sentence)
        if any(word in _HEDGES or negates(word) for word in plain):
            continue
        order, named = _resolve(plain, one - two, two - one)
        (resolved if named else bare).update({order} if order else ())
    for found, how in ((resolved, "by who precedes whom"), (bare, "as the only word for an order")):
        if len(found) == 1:
            (said,) = found
            return OrderAnswer(said, f"without a closing line, '{said}' was read {how}")
        if found:
            return OrderAnswer(None, "the answer says both before and after")
    return OrderAnswer(None, "the answer does not say before or after")


def _resolve(plain: list[str], first: frozenset[str], second: frozenset[str]) -> tuple[Order | None, bool]:
    """Return where A lies from B in one sentence, and whether the sentence names a step at all."""
    names = [("A" if stem(word) in first else "B" if stem(word) in second else "") for word in plain]
    named = {name for name in names if name}
    places = [place for place, word in enumerate(plain) if word in _SAYS]
    if not places and "first" in plain and len(named) == 1:
        return ("before" if "A" in named else "after"), True
    if len(places) != 1 or (not named and plain[places[0]] in _JOINS):
        return None, bool(named or places)
    (place,) = places
    word = _SAYS[plain[place]]
    if not named:
        return word, False
    if plain[place + 1 : place + 2] == ["by"]:  # "followed by" is the other way round
        word = OPPOSITE[word]
    left, right = [name for name in names[:place] if name], [name for name in names[place + 1 :] if name]
    # "Before B, A was done": with nothing on the left, what follows at once is what the word belongs to.
    subject, thing = (left[-1], right[0]) if left and right else (right[-1], right[0]) if right else ("", "")
    if subject == thing or len(set(left)) > 1 or (left and len(set(right)) > 1):
        return None, True  # one step alone, or both on one side: who is meant cannot be told
    return (word if subject == "A" else OPPOSITE[word]), True
