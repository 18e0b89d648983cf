"""A table on a terminal: aligned, and cut into blocks of columns where a line would be too long."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from cutscore.cli.columns import columns, width
from cutscore.report.text import Clean, inert
from cutscore.report.wording import count

if TYPE_CHECKING:
    from cutscore.core.table import Table

GAP = "  "
LONGEST = 36  # of a line inside a cell; longer ones go on below


def laid_out(table: Table, *, width: int, most: int | None = None, clean: Clean = str) -> str:
    """Write a table with its finding above and its note below.

    Args:
        table: What to write.
        width: Room in a line. Wider tables are cut into blocks that repeat the columns which name a row.
        most: Rows that are shown of a longer table; all when None.
        clean: Takes secrets out of text.
    """
    from cutscore.report.tabular import in_words, reference

    words = in_words(table)
    shown = words.rows if most is None else words.rows[:most]
    heads = [[each.name for each in words.headings], [each.n for each in words.headings]]
    body = [[str(cell) for cell in row] for row in shown]
    lines = [[inert(" ".join(cell.split()), clean) for cell in line] for line in (*heads, *body)]
    names, counts, *rest = lines
    made = [names, counts, *rest] if any(counts) else [names, *rest]
    right = {at for at, each in enumerate(words.headings) if each.numeric}
    blocks = [_block(made, use, right) for use in _blocks(made, keys=words.keys, most=width)] if body else []
    left = len(words.rows) - len(shown)
    below = "; ".join(filter(None, (table.note, reference(table))))
    said = [inert(f"{table.title}  [{table.id}]", clean), "\n\n".join(blocks)]
    said += [f"… {count(left, 'row')} more; --only {table.id} shows all"] if left else []
    said += [textwrap.fill(inert(below, clean), max(width, 40), break_on_hyphens=False)] if below else []
    return "\n".join(filter(None, said))


def _blocks(lines: Sequence[Sequence[str]], *, keys: int, most: int) -> Iterator[list[int]]:
    """Give the columns of each block: those that name a row, and as many others as fit beside them."""
    sizes = [max(min(width(cell), LONGEST) for cell in column) for column in zip(*lines, strict=True)]
    named = list(range(keys))
    block, room = [*named], most - sum(sizes[:keys]) - len(GAP) * (keys - 1)
    for at in range(keys, len(sizes)):
        wanted = sizes[at] + len(GAP)
        if wanted > room and len(block) > keys:
            yield block
            block, room = [*named], most - sum(sizes[:keys]) - len(GAP) * (keys - 1)
        block.append(at)
        room -= wanted
    yield block


def _block(lines: Sequence[Sequence[str]], use: Sequence[int], right: set[int]) -> str:
    flush = [place for place, at in enumerate(use) if at in right]
    broken = (row for line in lines for row in _broken([line[at] for at in use]))
    return columns(broken, right=flush, gap=GAP)


def _broken(cells: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Give the lines of a row in which long cells go on below."""
    wrapped = [textwrap.wrap(cell, LONGEST, break_on_hyphens=False) or [""] for cell in cells]
    yield from zip_longest(*wrapped, fillvalue="")
