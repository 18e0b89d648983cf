"""A `Bench` → the list of its items, in pages: who got what for which item."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cutscore.report.gather import Bench, Entry, anchor
from cutscore.results.report_data import Who
from cutscore.results.wording import digits_for, number, tone

PAGE_ITEMS = 200


@dataclass(frozen=True)
class Mark:
    """What one cell got for one item, in the list: a value or a word, and where it leads."""

    text: str
    tone: str
    href: str
    value: float | None = None


@dataclass(frozen=True)
class ListLine:
    """One item in the list; `picture` is the strip of its first film, from the site's root."""

    entry: Entry
    groups: str
    marks: tuple[Mark | None, ...]
    picture: str = ""


@dataclass(frozen=True)
class ListPage:
    """One page of the list."""

    number: int
    pages: int
    lines: tuple[ListLine, ...]

    @staticmethod
    def name(number: int) -> str:
        """Return the file name of a page of the list."""
        return "index.html" if number == 1 else f"items-{number}.html"


def list_lines(bench: Bench, pictures: Mapping[str, str]) -> list[ListLine]:
    """Return a line for each item, with its picture where there is one."""
    return [_line(bench, entry, pictures.get(entry.item, "")) for entry in bench.entries]


def list_pages(lines: Sequence[ListLine]) -> list[ListPage]:
    """Cut the list of items into pages; one page even when there is no item."""
    pages = max(1, math.ceil(len(lines) / PAGE_ITEMS))
    return [
        ListPage(number=page + 1, pages=pages, lines=tuple(lines[page * PAGE_ITEMS :][:PAGE_ITEMS]))
        for page in range(pages)
    ]


def _line(bench: Bench, entry: Entry, picture: str) -> ListLine:
    groups = ", ".join(entry.rows[0].groups[name] for name in sorted(entry.rows[0].groups))
    return ListLine(entry, groups, tuple(_mark(bench, entry, who) for who in bench.whos), picture)


def _mark(bench: Bench, entry: Entry, who: Who) -> Mark | None:
    """Return the mean over epochs of one cell; what kept us from marking where nothing was marked."""
    rows = [row for row in entry.rows if row.cell == who.cell]
    if not rows:
        return None
    scored = [(score, row) for row in rows if (score := bench.score(row)) is not None]
    if not scored:
        return Mark(
            rows[0].ending.status, rows[0].ending.status, f"items/{entry.stem}.html#{anchor(bench, entry, rows[0])}"
        )
    value = math.fsum(score for score, _ in scored) / len(scored)
    worst = min(scored, key=lambda each: each[0])[1]
    missing = f" ({len(rows) - len(scored)} not)" if len(scored) < len(rows) else ""
    text = number(value, digits_for(bench.scale)) + missing
    return Mark(text, tone(value, bench.scale), f"items/{entry.stem}.html#{anchor(bench, entry, worst)}", value)
