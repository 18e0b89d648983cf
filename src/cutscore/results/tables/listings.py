"""Parts of listings that tell a sample step by step: shortened words, and the middle of a long one left out."""

from collections.abc import Sequence

from cutscore.core.table import TableCell
from cutscore.results.wording import count

MOST_CHARS = 140  # of what was said, called with, or came back
Line = tuple[TableCell, ...]


def shorten(text: str) -> str:
    r"""Return a text on one line, cut off where it is long.

    >>> shorten("a\n  b")
    'a b'
    """
    plain = " ".join(text.split())
    return plain if len(plain) <= MOST_CHARS else f"{plain[:MOST_CHARS]}…"


def abridge(lines: Sequence[Line], *, first: int, last: int, noun: str, at: int) -> list[Line]:
    """Return a listing with the first and the last lines; between them one that counts, in column `at`, the others.

    >>> abridge([(n, "") for n in range(9)], first=1, last=1, noun="call", at=1)
    [(0, ''), ('…', '7 calls left out'), (8, '')]
    """
    left = len(lines) - first - last
    if left <= 0:
        return list(lines)
    told = ["…", *[""] * (len(lines[0]) - 1)]
    told[at] = f"{count(left, noun)} left out"
    return [*lines[:first], tuple(told), *lines[-last:]]
