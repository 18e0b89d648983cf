"""Rules about one text: equal, included, excluded, one of several. Pure, and as the released code compares."""

import re
from collections.abc import Sequence

from cutscore.benchmarks.videowebarena.evaluators.tokens import has_word, tokens
from cutscore.benchmarks.videowebarena.evaluators.verdict import (
    Mode,
    Verdict,
    invalid_task,
    show_value,
    split_alternatives,
)

_AROUND = 20  # characters shown on both sides of what was found
_PLACEHOLDER = re.compile(r"__[a-z][a-z0-9_]*__")
_QUOTES = ("'", '"')


def clean_answer(text: str) -> str:
    """Return a text in lower case, without one pair of quotes around it; nothing else is trimmed.

    >>> clean_answer('"Hello"'), clean_answer(" 'Hello'"), clean_answer("''Hello''"), clean_answer("'")
    ('hello', " 'hello'", "'hello'", '')
    """
    for quote in _QUOTES:
        if text.startswith(quote) and text.endswith(quote):
            return text[1:-1].lower()
    return text.lower()


def is_exact(wanted: str, seen: str | int) -> bool:
    """Return whether two texts are equal when cleaned; a whole number counts as its text."""
    return clean_answer(str(seen)) == clean_answer(wanted)


def is_included(wanted: str, seen: str) -> bool:
    """Return whether a text contains what is wanted: one word as a word of it, anything else letter by letter.

    >>> is_included("0", "10"), is_included("5 km", "15 km"), is_included("12%", "112%")
    (False, True, True)
    """
    ref, text = clean_answer(wanted), clean_answer(seen)
    return has_word(ref, text) if is_one_word(ref) else ref in text


def is_one_word(cleaned: str) -> bool:
    """Return whether a wanted text is compared as a word; the address behind a placeholder never is one."""
    return not _PLACEHOLDER.search(cleaned) and len(tokens(cleaned)) == 1


def match_exactly(wanted: str, seen: str | int) -> Verdict:
    """Check that a text is the wanted one."""
    passed = is_exact(wanted, seen)
    return Verdict(passed, f"seen {show_value(seen)}, wanted exactly {show_value(wanted)}")


def match_included(wanted: str, seen: str, mode: Mode) -> Verdict:
    """Check that a text contains one of the alternatives."""
    options = split_alternatives(wanted, mode)
    found = next((each for each in options if is_included(each, seen)), None)
    if found is not None:
        return Verdict(True, f"{show_place(found, seen)} contains {show_value(found)}")
    inside = next((each for each in options if clean_answer(each) in clean_answer(seen)), None)
    if inside is not None:
        where = show_place(inside, seen)
        return Verdict(False, f"seen {where}, wanted {show_value(inside)} as a word: it stands inside a longer one")
    return Verdict(False, f"seen {show_value(seen)}, wanted {_one_of(options)} in it")


def match_excluded(wanted: str, seen: str, mode: Mode) -> Verdict:
    """Check that a text contains nothing of what is named, by the same test; the reference splits no alternatives."""
    options = [wanted] if mode == "reference" else split_alternatives(wanted, mode)
    found = next((each for each in options if is_included(each, seen)), None)
    if found is not None:
        return Verdict(False, f"seen {show_place(found, seen)}, which must not contain {show_value(found)}")
    return Verdict(True, f"{show_value(seen)} does not contain {_one_of(options)}")


def match_one_of(wanted: Sequence[str], seen: str) -> Verdict:
    """Check that one of several stands in a text, letter by letter; of none of them nothing does."""
    text = clean_answer(seen)
    found = next((each for each in wanted if clean_answer(each) in text), None)
    if found is not None:
        return Verdict(True, f"{show_value(seen)} contains {show_value(found)}")
    return Verdict(False, f"seen {show_value(seen)}, wanted {_one_of(wanted)} in it")


def require_text(kind: str, seen: object) -> str:
    """Return what was seen as text; the reference crashes on a number where text is compared."""
    if isinstance(seen, str):
        return seen
    raise invalid_task(f"check '{kind}'", f"compares text, and {show_value(seen)} was read")


def show_place(wanted: str, seen: str) -> str:
    """Quote a text around the place where the letters stand."""
    at = clean_answer(seen).find(clean_answer(wanted)) if len(seen) > 2 * _AROUND + len(wanted) else -1
    if at < 0:
        return show_value(seen)
    start, end = max(0, at - _AROUND), at + len(wanted) + _AROUND
    return f"{'…' if start else ''}'{seen[start:end]}'{'…' if end < len(seen) else ''}"


def _one_of(options: Sequence[str]) -> str:
    return " or ".join(map(show_value, options)) or "one of nothing"
