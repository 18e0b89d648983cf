"""Words in columns, as wide as they need to be."""

import textwrap
import unicodedata
from collections.abc import Iterable, Sequence

GAP = "   "


def columns(rows: Iterable[Sequence[str]], *, right: Iterable[int] = (), gap: str = GAP) -> str:
    """Line words up under each other.

    Args:
        rows: Lines of words; shorter lines end early.
        right: Columns whose words are flush right.
        gap: What stands between two columns.

    >>> print(columns([("a", "1"), ("bcd", "22")], right=(1,)))
    a      1
    bcd   22
    """
    lines = [list(row) for row in rows]
    widths = [
        max((width(row[place]) for row in lines if place < len(row)), default=0)
        for place in range(max((len(row) for row in lines), default=0))
    ]
    flush = set(right)
    made = []
    for row in lines:
        words = [pad(word, widths[place], right=place in flush) for place, word in enumerate(row)]
        made.append(gap.join(words).rstrip())
    return "\n".join(made)


def hanging(head: str, text: str, *, most: int) -> str:
    """Break a text so that it hangs beside its head; words longer than a line stay whole.

    >>> print(hanging("frames   ", "uniform=4 (a), uniform=8 (b)", most=24))
    frames   uniform=4 (a),
             uniform=8 (b)
    """
    indent = " " * width(head)
    made = textwrap.wrap(
        text,
        max(most, len(indent) + 20),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return head + "\n".join(made)[len(indent) :]


def width(text: str) -> int:
    """Return the number of cells that a text takes on a terminal; wide East Asian letters take two, marks none."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def pad(text: str, wanted: int, *, right: bool = False) -> str:
    """Fill a text up with blanks."""
    blanks = " " * max(0, wanted - width(text))
    return blanks + text if right else text + blanks
