"""A verdict of one check, and the two modes in which a task is marked."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from cutscore.benchmarks.videowebarena.released import OR
from cutscore.core.errors import Unscored

Mode = Literal["reference", "strict"]
MODES: tuple[Mode, ...] = ("reference", "strict")

_ANY_OR = re.compile(r"\s*\|or\|\s*", re.IGNORECASE)
SHOWN_CHARACTERS = 120
_PAGE = re.compile(r"\s*<(?:!doctype|!--|html)", re.IGNORECASE)


@dataclass(frozen=True)
class Verdict:
    """What one check says.

    Args:
        because: What was seen, what was wanted, and why it passed or not, in a sentence.
    """

    passed: bool
    because: str


@dataclass(frozen=True)
class CheckOutcome:
    """What all checks of one kind say together.

    Args:
        passed: Mostly that all of them passed; the reference also throws verdicts away.
    """

    passed: bool
    verdicts: tuple[Verdict, ...]


def all_passed(verdicts: Iterable[Verdict]) -> CheckOutcome:
    """Return the outcome where every verdict counts."""
    every = tuple(verdicts)
    return CheckOutcome(all(each.passed for each in every), every)


def split_alternatives(text: str, mode: Mode) -> list[str]:
    """Return the alternatives of a wanted text: the reference splits at ` |OR| ` alone, `strict` however it is spelt.

    >>> split_alternatives("red |or| blue", "reference"), split_alternatives("red |or| blue", "strict")
    (['red |or| blue'], ['red', 'blue'])
    """
    return text.split(OR) if mode == "reference" else _ANY_OR.split(text)


def invalid_task(what: str, fact: str) -> Unscored:
    """Return the error for a check that cannot be made as it is written; the reference crashes on it."""
    return Unscored(what, fact, "the task is invalid; mend it in the overlay")


def show_value(value: object) -> str:
    """Quote what was seen, cut short; of a whole page, whose start says nothing and may change by the hour, nothing.

    >>> show_value("red"), show_value("a" * 500)[-24:], show_value("<!DOCTYPE html PUBLIC" + 500 * " ")
    ("'red'", "aaaaa…' (500 characters)", 'a whole page')
    """
    if not isinstance(value, str):
        return repr(value)[:SHOWN_CHARACTERS]
    if len(value) <= SHOWN_CHARACTERS:
        return f"'{value}'"
    if _PAGE.match(value):
        return "a whole page"
    return f"'{value[:SHOWN_CHARACTERS]}…' ({len(value):,} characters)"
