"""A table on a terminal: aligned, and cut into blocks of columns where a line would be too long."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from cutscore.cli.columns import columns, width
from cutscore.core.inert_text import Clean, inert
from cutscore.results.wording import count

if TYPE_CHECKING:
    from cutscore.core.table import Table

GAP = "  "
LONGEST = 36  # of a line inside a cell; longer ones go on below
NARROWEST = 10  # of a heading that is longer than all below it


@dataclass(frozen=True)
class Strip:
    """One column, ready to be printed.

    Args:
        head: Lines of its heading, from how many samples its figures are below.
        cells: Lines of each cell.
        right: Whether it is flush right.
    """

    head: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    right: bool

    @property
    def width(self) -> int:
        return max(width(line) for lines in (self.head, *self.cells) for line in lines or ("",))


def laid_out(table: Table, *, width: int, most: int | None = None, clean: Clean = str) -> str:
    """Write a table with its finding above and its note below.

    Args:
        table: What to write.
        width: Room in a line. Wider tables are cut into blocks; each names its rows again, by number where their
            names take too much room.
        most: Rows that are shown of a longer table; all when None.
        clean: Takes secrets out of text.
    """
    from cutscore.report.tabular import in_words, reference

    def say(text: str) -> str:
        return inert(" ".join(text.split()), clean)

    words = in_words(table)
    shown = words.rows if most is None else words.rows[:most]
    strips = [
        _strip(say(head.name), head.n, [say(str(row[at])) for row in shown], right=head.numeric)
        for at, head in enumerate(words.headings)
    ]
    left = len(words.rows) - len(shown)
    below = "; ".join(filter(None, (table.note, reference(table))))
    said = [say(f"{table.title} [{table.id}]")]
    if shown:
        said.append("\n\n".join(map(_printed, _blocks(strips, keys=words.keys, room=width))))
    if left:
        said.append(f"… {count(left, 'row')} more; --only {table.id} shows all")
    if below:
        said.append(textwrap.fill(say(below), max(width, 40), break_on_hyphens=False))
    return "\n".join(said)


def _strip(name: str, n: str, cells: Sequence[str], *, right: bool) -> Strip:
    body = tuple(tuple(textwrap.wrap(cell, LONGEST, break_on_hyphens=False)) for cell in cells)
    room = max(NARROWEST, len(n), *(len(line) for lines in body for line in lines or ("",)))
    head = textwrap.wrap(name, room, break_on_hyphens=False, break_long_words=False)
    return Strip((*head, *filter(None, (n,))), body, right)


def _blocks(strips: Sequence[Strip], *, keys: int, room: int) -> Iterator[list[Strip]]:
    """Return the columns of each block: those that name a row, and as many others as fit beside them."""
    named, others = list(strips[:keys]), strips[keys:]
    if _wide(strips) <= room or not others:
        yield list(strips)
        return
    again = named
    if _wide(named) > room // 3:
        numbers = Strip(("#",), tuple((f"{number}",) for number in range(1, len(named[0].cells) + 1)), right=True)
        named, again = [numbers, *named], [numbers]
    block, fresh = list(named), len(named)
    for strip in others:
        if _wide([*block, strip]) > room and (len(block) > fresh or fresh > len(again)):
            yield block
            block, fresh = list(again), len(again)
        block.append(strip)
    yield block


def _wide(strips: Sequence[Strip]) -> int:
    return sum(strip.width for strip in strips) + len(GAP) * (len(strips) - 1)


def _printed(strips: Sequence[Strip]) -> str:
    deep = max(len(strip.head) for strip in strips)
    heads = [("",) * (deep - len(strip.head)) + strip.head for strip in strips]  # they stand right above the figures
    rows = (heads, *([strip.cells[number] for strip in strips] for number in range(len(strips[0].cells))))
    lines = (line for row in rows for line in zip_longest(*(cell or ("",) for cell in row), fillvalue=""))
    return columns(lines, right=[at for at, strip in enumerate(strips) if strip.right], gap=GAP)
