"""JSON from strangers: read only when every reader would read the same."""

import json
import math
import re
from typing import NoReturn

from pydantic import JsonValue, ValidationError

MOST_DEPTH = 100  # no record of ours comes near it
# A string, also one that never ends, or a bracket. It never goes back, so a text takes as long as it is.
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)
MOST_DIGITS = 4_300  # of a whole number; where Python's own limit lies, which whoever runs it may move


def read_json(text: str) -> JsonValue:
    """Parse JSON and refuse what is ambiguous or built to hurt.

    Refused, each as a ValueError with a short reason: a key twice in one object (readers differ on which one
    counts), NaN, infinities and numbers too large for a float, whole numbers of thousands of digits, nesting
    deeper than a hundred brackets, and everything that is not JSON.

    >>> read_json('{"answer": "blue"}')
    {'answer': 'blue'}
    >>> read_json('{"answer": "red", "answer": "blue"}')
    Traceback (most recent call last):
    ValueError: has the key 'answer' twice
    """
    if _depth(text) > MOST_DEPTH:
        raise ValueError("is nested too deeply")
    try:
        value: JsonValue = json.loads(
            text, object_pairs_hook=_distinct, parse_constant=_no_constant, parse_float=_finite, parse_int=_whole
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON from character {error.pos + 1} on") from None
    return value


def first_fault(error: ValueError) -> str:
    """Return the first thing that is wrong with a stranger's data, by its place; what stands there is not repeated."""
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place, said = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
    return f"{place}: {said}" if place else said


def _depth(text: str) -> int:
    """Return how deeply brackets are nested, without parsing: how deep a parser may go depends on the Python."""
    depth = deepest = 0
    if text.count("[") + text.count("{") <= MOST_DEPTH:
        return depth
    for token in _TOKEN.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        deepest = max(deepest, depth)
    return deepest


def _distinct(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    made: dict[str, JsonValue] = {}
    for key, value in pairs:
        if key in made:
            raise ValueError(f"has the key {key[:40]!r} twice")
        made[key] = value
    return made


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"has the number {name}")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"has the number {text[:40]}")
    return value


def _whole(text: str) -> int:
    if (digits := len(text.removeprefix("-"))) > MOST_DIGITS:
        raise ValueError(f"has a number of {digits:,} digits")
    return int(text)
