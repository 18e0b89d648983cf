"""Answers to "did A happen before or after B?", from the closing line, else from who precedes whom in the sentences."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from cutscore.benchmarks.vidwork.answers.closing_line import read_closing_line, remove_answer_lines
from cutscore.benchmarks.vidwork.answers.order_symbols import Symbol, read_symbols, step_stems

Order = Literal["before", "after"]
Step = Literal["A", "B"]

OPPOSITE: dict[Order, Order] = {"before": "after", "after": "before"}
OTHER: dict[Step, Step] = {"A": "B", "B": "A"}

# Both together repeat the question; they answer nothing.
_BOTH = re.compile(r"\bbefore (?:or|and|/) ?after\b|\bafter (?:or|and|/) ?before\b|\bbefore/after\b", re.I)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
# "After - the roof is on": the answer itself, and then the reason.
_OPENING = re.compile(r"[\W_]*(before|after)[*_\"'`]*(?:\s*[.:;–—]|\s+-)[\W_]", re.I)
_CONCLUDES = re.compile(
    r"\W*(?:so|thus|hence|therefore|actually|in fact|in short|overall|in conclusion|conclusion)\b", re.I
)
_NUMBERED = re.compile(r"\s*\d+[.)]\s+(.*)")
MOST_SENTENCES = 400


@dataclass(frozen=True)
class OrderAnswer:
    """What was answered.

    Args:
        order: Where A lies from B; None for no answer.
        reading: How that was read, as the start of a sentence.
        unreadable: It may say an order, but nobody can tell which; who says that it cannot be told is read well.
    """

    order: Order | None
    reading: str
    unreadable: bool = False


def read_order(text: str, first: str, second: str) -> OrderAnswer:
    """Read whether an answer puts A, the first step of the question, before or after B, the second one.

    A last line `ANSWER: before` or `ANSWER: after` decides. A last line of that form with other words is read alone,
    as sentences are, and such a line that is not the last does not count. Sentences are read by which step, known by
    its letter or its words, stands on which side of before, after, earlier, later, first, then and the like; a
    negation turns them around. A clause that hedges says nothing. Where sentences contradict each other, the last one
    that concludes ("so", "therefore") decides. Where none tells an order, the times of both steps do, their places in
    a numbered list, and at last a word for an order in a sentence about nothing else ("It was before.").

    >>> read_order("They sliced the bread after toasting it.", "toast the bread", "slice the bread").order
    'before'
    >>> read_order("B happened before A.", "toast the bread", "slice the bread").order
    'after'
    """
    stems = step_stems(first, second)
    closed = read_closing_line(text)
    if closed is not None:
        if closed in ("before", "after"):
            return OrderAnswer("before" if closed == "before" else "after", f"the last line answers '{closed}'")
        found = _read_sentences(closed, stems)
        if found.order:
            return OrderAnswer(found.order, f"the last line answers '{closed[:40]}'")
        neither = f"the last line answers '{closed[:40]}', which is neither before nor after"
        return OrderAnswer(None, neither, unreadable=found.unreadable)
    if not text.strip():
        return OrderAnswer(None, "nothing was answered")
    return _read_sentences(remove_answer_lines(text), stems)


@dataclass
class _Readings:
    """What the sentences of an answer say, by how sure that is."""

    opening: set[Order] = field(default_factory=set)
    resolved: set[Order] = field(default_factory=set)
    bare: set[Order] = field(default_factory=set)
    concluded: Order | None = None
    times: dict[Step, float] = field(default_factory=dict)
    places: dict[Step, int] = field(default_factory=dict)
    declines: bool = False


def _read_sentences(text: str, stems: tuple[frozenset[str], frozenset[str]]) -> OrderAnswer:
    said = _Readings()
    previous: Step | None = None
    text = unicodedata.normalize("NFKC", _BOTH.sub(" or ", text))
    for number, sentence in enumerate(_SENTENCE.split(text)[:MOST_SENTENCES]):
        opening = _OPENING.match(f"{sentence} ")
        if opening:
            said.opening.add("before" if opening[1].casefold() == "before" else "after")
        symbols = read_symbols(sentence, *stems)
        _note_times(said.times, symbols)
        orders = _read_symbols(symbols, previous)
        said.resolved |= orders
        if len(orders) == 1 and _CONCLUDES.match(sentence):
            (said.concluded,) = orders
        said.bare |= set() if orders else _read_bare(symbols)
        said.declines |= any(symbol.kind in ("hedge", "same") for symbol in symbols)
        steps = _steps(symbols)
        previous = steps[-1] if steps else previous
        if len(set(steps)) == 1:
            said.places.setdefault(steps[0], number)
    return _decide(said, numbered=len(_NUMBERED.findall(text)) > 1)


def _decide(said: _Readings, *, numbered: bool) -> OrderAnswer:
    by_place = [
        {_first_of(places)} if len(places) == len(OTHER) and places["A"] != places["B"] else set[Order]()
        for places in (said.times, said.places if numbered else {})
    ]
    contradicts = bool(said.opening or said.resolved)
    for found, how in (
        (said.opening, "as its first word"),
        (said.resolved, "by who precedes whom"),
        ({said.concluded} if said.concluded else set[Order](), "from its conclusion"),
        (set() if contradicts else by_place[0], "from the times of both"),
        (set() if contradicts else by_place[1], "from its list"),
        (set() if contradicts else said.bare, "as the only word for an order"),
    ):
        if len(found) == 1:
            (order,) = found
            return OrderAnswer(order, f"without a closing line, '{order}' was read {how}")
    if contradicts or said.bare:
        return OrderAnswer(None, "the answer says both before and after", unreadable=True)
    if said.declines:
        return OrderAnswer(None, "the answer does not decide between before and after")
    return OrderAnswer(None, "the answer does not say before or after", unreadable=True)


def _first_of(places: Mapping[Step, float]) -> Order:
    return "before" if places["A"] < places["B"] else "after"


def _steps(symbols: list[Symbol]) -> list[Step]:
    return ["A" if symbol.kind == "A" else "B" for symbol in symbols if symbol.kind in ("A", "B")]


def _read_symbols(symbols: list[Symbol], previous: Step | None) -> set[Order]:
    """Return where A lies from B by each word for an order in a sentence."""
    symbols = _drop_contrasts(symbols)
    found: set[Order] = set()
    for place, symbol in enumerate(symbols):
        if symbol.kind in ("A", "B", "not", ",", "hedge", "same", "it", "other") or _hedged(symbols, place):
            continue
        negated = _negated(symbols, place)
        if symbol.kind == "until":
            order = _binary(symbols, place, "after") if negated else None
            negated = False
        elif symbol.kind in ("before", "after"):
            order = _binary(symbols, place, "before" if symbol.kind == "before" else "after")
        elif symbol.kind == "then":
            order = _sequence(symbols, place, previous)
        else:
            order = _ordinal(symbols, place, "before" if symbol.kind == "first" else "after")
        if order:
            found.add(OPPOSITE[order] if negated else order)
    return found


def _binary(symbols: list[Symbol], place: int, word: Order) -> Order | None:
    """Read a word that stands between two steps, or before both of them: "Before B, A was done"."""
    left, right = _steps(symbols[:place]), _steps(symbols[place + 1 :])
    rest = [symbol.kind for symbol in symbols[place + 1 :]]
    subject: Step | None
    thing: Step | None
    if rest[:1] == ["it"]:  # "B, and before that A"
        told = len(set(left)) == 1
        subject, thing = (right[0], left[-1]) if left and right else (left[0], OTHER[left[0]]) if told else (None, None)
    elif left and right:
        between = rest[: next(at for at, kind in enumerate(rest) if kind in ("A", "B"))]
        # "before frying, and B …": what follows the word is no step.
        blocked = ("other" in between and "," in between) or _lists_both(symbols[:place])
        subject, thing = (None, None) if blocked else (left[-1], right[0])
    elif right:
        fronted = not any(symbol.kind == "other" for symbol in symbols[:place])
        alone = len(set(right)) == 1
        subject, thing = (right[-1], right[0]) if not alone else (OTHER[right[0]], right[0])
        if not fronted or (alone and place == 0 and "other" in rest):
            subject = None
    else:
        told = len(set(left)) == 1 and "other" not in rest
        subject, thing = (left[0], OTHER[left[0]]) if told else (None, None)
    if subject is None or subject == thing:
        return None
    return word if subject == "A" else OPPOSITE[word]


def _lists_both(symbols: list[Symbol]) -> bool:
    """Return whether what stands before a word are both steps, as in "A and B were done before"."""
    places = [place for place, symbol in enumerate(symbols) if symbol.kind in ("A", "B")][-2:]
    return len(places) == 2 and all(symbol.kind == "," for symbol in symbols[places[0] + 1 : places[1]])


def _sequence(symbols: list[Symbol], place: int, previous: Step | None) -> Order | None:
    """Read "A, then B"; where one of them is in an earlier sentence, too."""
    left, right = _steps(symbols[:place]), _steps(symbols[place + 1 :])
    before = left[-1] if left else previous
    if right:
        return None if before is None or before == right[0] else "before" if before == "A" else "after"
    if not left or any(symbol.kind == "other" for symbol in symbols[place + 1 :]):
        return None
    return "after" if left[-1] == "A" else "before"


def _ordinal(symbols: list[Symbol], place: int, word: Order) -> Order | None:
    """Read "A came first": the step before the word in its clause, else the next one."""
    clause = symbols[_clause_start(symbols, place) : place]
    near = _steps(clause)[-1:] or _steps(symbols[place + 1 :])[:1]
    if not near:
        return None
    return word if near[0] == "A" else OPPOSITE[word]


def _read_bare(symbols: list[Symbol]) -> set[Order]:
    """Return what a sentence says that is about nothing but the order."""
    if any(symbol.kind in ("A", "B", "other", "hedge", "same") for symbol in symbols):
        return set()
    found: set[Order] = set()
    for place, symbol in enumerate(symbols):
        if symbol.bare:
            order: Order = "before" if symbol.kind in ("before", "first") else "after"
            found.add(OPPOSITE[order] if _negated(symbols, place) else order)
    return found


def _drop_contrasts(symbols: list[Symbol]) -> list[Symbol]:
    """Leave out a step that is only named to be set aside: "B, not A, came first"."""
    kept: list[Symbol] = []
    dropped = False
    for symbol in symbols:
        contrast = len(kept) > 1 and kept[-1].kind == "not" and kept[-2].kind == ","
        if symbol.kind in ("A", "B") and contrast:
            del kept[-2:]
            dropped = True
            continue
        if not (dropped and symbol.kind == ","):
            kept.append(symbol)
        dropped = False
    return kept


def _clause_start(symbols: list[Symbol], place: int) -> int:
    return next((at + 1 for at in range(place - 1, -1, -1) if symbols[at].kind == ","), 0)


def _negated(symbols: list[Symbol], place: int) -> bool:
    clause = symbols[_clause_start(symbols, place) : place]
    return sum(symbol.kind == "not" for symbol in clause) % 2 == 1


def _hedged(symbols: list[Symbol], place: int) -> bool:
    end = next((at for at in range(place, len(symbols)) if symbols[at].kind == ","), len(symbols))
    return any(symbol.kind == "hedge" for symbol in symbols[_clause_start(symbols, place) : end])


def _note_times(times: dict[Step, float], symbols: list[Symbol]) -> None:
    """Note when a step is said to happen: the time that stands behind it, or at the start of the sentence."""
    for place, symbol in enumerate(symbols):
        if symbol.at_s is not None:
            near = _steps(symbols[:place])[-1:] or _steps(symbols[place + 1 :])[:1]
            if near:
                times.setdefault(near[0], symbol.at_s)
