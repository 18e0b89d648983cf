"""Rules about a number: `< 5`, `>= 3 |OR| == 0`."""

import operator
import sys
from collections.abc import Callable, Sequence

from cutscore.benchmarks.videowebarena.evaluators.verdict import (
    Mode,
    Verdict,
    invalid_task,
    show_value,
    split_alternatives,
)

TOLERANCE = 1e-8  # of the released code, for every operator, so that 5 is both "< 5" and "> 5"

# In the order in which they are looked for.
_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}


def parse_whole(text: str) -> int | None:
    """Return the whole number that a text is, commas left out; None for anything else.

    >>> parse_whole(" 1,234 "), parse_whole("12.5"), parse_whole("$7")
    (1234, None, None)
    """
    try:
        return int(text.strip().replace(",", ""))
    except ValueError:
        return None


def holds(value: float, inequality: str, mode: Mode = "reference") -> bool:
    """Return whether a number satisfies an inequality; Unscored for one that cannot be read.

    >>> holds(5, "< 5"), holds(5, "< 5", "strict")
    (True, False)
    """
    sign = next((each for each in _OPERATORS if each in inequality), None)
    if sign is None:
        raise invalid_task(f"inequality {show_value(inequality)}", f"has none of {', '.join(_OPERATORS)}")
    try:
        bound = float(inequality.split(sign)[1])
    except ValueError:
        raise invalid_task(f"inequality {show_value(inequality)}", f"has no number after '{sign}'") from None
    if mode == "strict":
        return _OPERATORS[sign](value, bound)
    if sign == "==":
        return abs(value) < sys.float_info.max and abs(value - bound) <= TOLERANCE
    return _OPERATORS[sign](value, bound + TOLERANCE if "<" in sign else bound - TOLERANCE)


def match_values(wanted: Sequence[str], seen: object, mode: Mode) -> list[Verdict]:
    """Check that a number satisfies every entry, one of its alternatives each; text that is no number never does."""
    number = parse_whole(seen) if isinstance(seen, str) else seen
    if not isinstance(number, int | float):
        return [Verdict(False, f"seen {show_value(seen)}, wanted a whole number that is {' and '.join(wanted)}")]
    return [
        Verdict(
            any(holds(number, each, mode) for each in split_alternatives(entry, mode)),
            f"seen {show_value(number)}, wanted {entry}",
        )
        for entry in wanted
    ]
