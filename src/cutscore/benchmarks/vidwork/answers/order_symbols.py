"""A sentence about two steps → the few symbols that say which came first.

The steps are known by the letters A and B, under which the prompt shows them, and by words that only one of them has.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal

from cutscore.benchmarks.vidwork.words import content_words, is_content, negates, stem, word_set, words

# A and B are the steps. before, after: stand between two steps. then: the next step follows. first, last: one of the
# two. until, not, "," (a clause ends), hedge, same (both at once), it (what was last spoken of), other: any other word.
Kind = Literal[
    "A", "B", "before", "after", "then", "first", "last", "until", "not", ",", "hedge", "same", "it", "other"
]


@dataclass(frozen=True)
class Symbol:
    """What a word or phrase does in a sentence.

    Args:
        bare: Answers "before or after?" by itself: before, earlier, but not first.
        at_s: A time, which belongs to the step beside it; its kind is `other`.
    """

    kind: Kind
    bare: bool = False
    at_s: float | None = None


MOST_TOKENS = 200  # of a sentence; the time to read it grows with their square

_HEDGES = word_set(
    "maybe perhaps possibly either unclear unsure uncertain unknown or if may might could whether neither"
)
# Longer phrases come first. A phrase is written as `words` writes it.
_PHRASES: dict[str, Kind] = {
    "as opposed to": "not",
    "at the same time": "same",
    "as soon as": "after",
    "to begin with": "first",
    "prior to": "before",
    "earlier than": "before",
    "sooner than": "before",
    "ahead of": "before",
    "later than": "after",
    "subsequent to": "after",
    "followed by": "before",
    "preceded by": "after",
    "rather than": "not",
    "instead of": "not",
    "after that": "then",
    "only then": "then",
    "and then": "then",
    "starts with": "first",
    "begins with": "first",
    "first aid": "other",
    "first frame": "other",
    "second frame": "other",
    "last frame": "other",
    "the other": "it",
    "hard to": "hedge",
    **dict.fromkeys(("before", "precedes", "preceded", "preceding", "prior"), "before"),
    **dict.fromkeys(("after", "follows", "followed", "following", "once"), "after"),
    **dict.fromkeys(("then", "next", "afterwards", "afterward", "thereafter", "subsequently"), "then"),
    **dict.fromkeys(("first", "initially", "earlier", "earliest", "sooner"), "first"),
    **dict.fromkeys(("last", "lastly", "later", "latest", "second", "finally"), "last"),
    **dict.fromkeys(("simultaneously", "concurrently"), "same"),
    **dict.fromkeys(("but", "and", "while", "whereas", "however", "although", "though"), ","),
    **dict.fromkeys(("that", "this", "it", "which"), "it"),
    **dict.fromkeys(_HEDGES, "hedge"),
    "until": "until",
    "than": ",",
}
_LONGEST = max(len(phrase.split()) for phrase in _PHRASES)
_BARE = word_set("before after earlier later prior afterwards")
# "Later, B": the next step follows; "B came later": it is the last.
_OPENS = word_set("later finally last lastly")
# Say that something is done, and nothing of what.
_EMPTY = frozenset(
    stem(word)
    for word in word_set(
        "happen occur come came take took place do action step event thing clip video frame answer final say think"
        " believe guess best likely probably most seem appear look go went start begin began finish already order"
        " sequence boxed actually fact therefore hence thus conclusion 2 both be shown seen see"
    )
)
_AFTER_LABEL = word_set(
    "happened happens happen occurred occurs occur came comes come is was were did does do has had takes took precedes"
    " preceded follows followed before after then and or first last earlier later goes went starts started begins"
    " began must only seems appears probably likely might may could not never nor prior at"
)
_TOKEN = re.compile(
    r"(?P<time>\b\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?|\b\d+(?:\.\d+)? ?(?:s|sec|secs|seconds)\b)"
    r"|(?P<word>[^\W_]+(?:['’][^\W\d_]+)*)|(?P<arrow>→|->|=>|⇒)|(?P<clause>[,;:–—]|\s-+\s)|(?P<mark>[^\s\w])"
)


def read_symbols(sentence: str, first: frozenset[str], second: frozenset[str]) -> list[Symbol]:
    """Return the symbols of a sentence, where the steps are known by these stems.

    >>> [symbol.kind for symbol in read_symbols("B happened before A.", frozenset({"chop"}), frozenset({"heat"}))]
    ['B', 'before', 'A']
    """
    tokens = list(islice(_TOKEN.finditer(sentence), MOST_TOKENS))
    plain = [_word(token["word"]) if token["word"] else "" for token in tokens]
    found: list[Symbol] = []
    place = 0
    while place < len(tokens):
        symbol, taken = _symbol(sentence, tokens, plain, place, (first, second))
        place += taken
        if symbol and not (found and found[-1] == symbol and symbol.kind in ("A", "B", ",", "other")):
            found.append(symbol)
    return found


def step_stems(first: str, second: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems by which two steps are told apart: those that the other one does not have."""
    one, two = frozenset(content_words(first)), frozenset(content_words(second))
    return one - two, two - one


def _symbol(
    sentence: str,
    tokens: list[re.Match[str]],
    plain: list[str],
    place: int,
    steps: tuple[frozenset[str], frozenset[str]],
) -> tuple[Symbol | None, int]:
    """Return the symbol of what begins at a place, and how many tokens it takes."""
    token = tokens[place]
    if token["time"]:
        return Symbol("other", at_s=_seconds(token["time"])), 1
    if not plain[place]:
        kind: Kind | None = "then" if token["arrow"] else "," if token["clause"] else None
        return kind and Symbol(kind), 1
    label = _label(sentence, tokens, plain, place)
    if label:
        return Symbol(label), 1
    for size in range(_LONGEST, 0, -1):
        phrase = " ".join(plain[place : place + size])
        if phrase in _PHRASES:
            return _phrase(phrase, plain, place), size
    kind = "," if place == 0 and plain[0] in ("yes", "no") else _word_kind(plain[place], steps)
    return kind and Symbol(kind), 1


def _word_kind(word: str, steps: tuple[frozenset[str], frozenset[str]]) -> Kind | None:
    if negates(word):
        return "not"
    if stem(word) in steps[0]:
        return "A"
    if stem(word) in steps[1]:
        return "B"
    return "other" if is_content(word) and stem(word) not in _EMPTY else None


def _phrase(phrase: str, plain: list[str], place: int) -> Symbol:
    kind = _PHRASES[phrase]
    if phrase in _OPENS and (place == 0 or plain[place - 1] in ("", "and", "but")):
        kind = "then"
    return Symbol(kind, bare=phrase in _BARE)


def _label(sentence: str, tokens: list[re.Match[str]], plain: list[str], place: int) -> Literal["A", "B"] | None:
    """Return the step that a letter stands for: "A" is an article where a word follows that is no verb of happening."""
    if plain[place] == "b" or plain[place] == "latter":
        return "B"
    if plain[place] == "former":
        return "A"
    if plain[place] != "a":
        return None
    said = tokens[place]["word"] == "A" and place > 0 and plain[place - 1] != "" and not sentence.isupper()
    following = plain[place + 1] if place + 1 < len(plain) else ""
    return "A" if said or not following or following in _AFTER_LABEL else None


def _seconds(text: str) -> float:
    if ":" not in text:
        return float(re.match(r"[\d.]+", text)[0])  # type: ignore[index]
    seconds = 0.0
    for part in text.split(":"):
        seconds = 60 * seconds + float(part)
    return seconds


@lru_cache(maxsize=4096)
def _word(text: str) -> str:
    return next(iter(words(text)), text.casefold())
