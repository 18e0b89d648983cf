"""A benchmark → the list of its items: pages that show who got what, and the same as data for the page's script."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cutscore.core.inert_text import Clean, make_inert
from cutscore.report.benchmark_site import BenchmarkSite, SiteItem, row_anchor
from cutscore.results.cells import CellName
from cutscore.results.wording import digits_for, number, tone

PAGE_ITEMS = 200
DATA_FILE = "items.js"
TONES = ("q0", "q1", "q2", "q3", "q4", "unscored", "stopped", "excluded")
_LOAD = "globalThis.cutscoreItems = JSON.parse({});\n"


@dataclass(frozen=True)
class ItemMark:
    """What one cell got for one item, in the list: a value or a word, where it leads, and how the subject failed."""

    text: str
    tone: str
    href: str
    value: float | None = None
    failure: str = ""


@dataclass(frozen=True)
class ItemLine:
    """One item in the list; `picture` is the strip of its first film, from the site's root."""

    item: SiteItem
    groups: str
    marks: tuple[ItemMark | None, ...]
    picture: str = ""


@dataclass(frozen=True)
class ListPage:
    """One page of the list."""

    number: int
    pages: int
    lines: tuple[ItemLine, ...]

    @staticmethod
    def name(number: int) -> str:
        """Return the file name of a page of the list."""
        return "index.html" if number == 1 else f"items-{number}.html"


def list_lines(bench: BenchmarkSite, pictures: Mapping[str, str]) -> list[ItemLine]:
    """Return a line for each item, with its picture where there is one."""
    return [_line(bench, item, pictures.get(item.id, "")) for item in bench.items]


def list_pages(lines: Sequence[ItemLine]) -> list[ListPage]:
    """Cut the list of items into pages; one page even when there is no item."""
    pages = max(1, math.ceil(len(lines) / PAGE_ITEMS))
    return [
        ListPage(number=page + 1, pages=pages, lines=tuple(lines[page * PAGE_ITEMS :][:PAGE_ITEMS]))
        for page in range(pages)
    ]


def _line(bench: BenchmarkSite, item: SiteItem, picture: str) -> ItemLine:
    groups = ", ".join(item.rows[0].groups[name] for name in sorted(item.rows[0].groups))
    return ItemLine(item, groups, tuple(_mark(bench, item, name) for name in bench.names), picture)


def _mark(bench: BenchmarkSite, item: SiteItem, name: CellName) -> ItemMark | None:
    """Return the mean over epochs of one cell; what kept us from marking where nothing was marked."""
    rows = [row for row in item.rows if row.cell == name.cell]
    if not rows:
        return None
    page = f"items/{item.stem}.html"
    scored = [(score, row) for row in rows if (score := bench.score(row)) is not None]
    if not scored:
        status = bench.status(rows[0])
        return ItemMark(status, status, f"{page}#{row_anchor(bench, item, rows[0])}")
    value = math.fsum(score for score, _ in scored) / len(scored)
    worst = min(scored, key=lambda each: each[0])[1]
    missing = f" ({len(rows) - len(scored)} not)" if len(scored) < len(rows) else ""
    failures = [row.ending.failure_class for row in rows if row.ending.failure_class]
    failed = (" failed" if len(failures) == len(rows) else f" ({len(failures)} failed)") if failures else ""
    text = number(value, digits_for(bench.scale)) + missing + failed
    href = f"{page}#{row_anchor(bench, item, worst)}"
    return ItemMark(text, tone(value, bench.scale), href, value, failures[0] if failures else "")


def failure_classes(lines: Sequence[ItemLine]) -> list[str]:
    """Return the classes of failure that a list has, to choose items by."""
    return sorted({mark.failure for line in lines for mark in line.marks if mark and mark.failure})


def list_script(bench: BenchmarkSite, lines: Sequence[ItemLine], clean: Clean) -> str:
    """Write what `static/list.js` filters and sorts: items by name, stem, groups and picture, and each subject's marks.

    It is a script and not JSON, because a page that was opened from disk may load its own scripts and nothing else.
    Columns instead of objects keep 20,000 items at a few megabytes. Every text is inert here already.
    """
    pictures = sorted({line.picture for line in lines} - {""})
    numbered = {picture: number for number, picture in enumerate(pictures)}
    groups = sorted({name for item in bench.items for name in item.rows[0].groups})
    plain: dict[str, Any] = {
        "items": [make_inert(line.item.id, clean) for line in lines],
        "stems": [line.item.stem for line in lines],
        "pictures": pictures,
        "picture": [numbered.get(line.picture, -1) for line in lines],
        "groups": {
            make_inert(name, clean): [make_inert(line.item.rows[0].groups.get(name, ""), clean) for line in lines]
            for name in groups
        },
        "subjects": [
            {"name": make_inert(name.label, clean), **_mark_columns([line.marks[place] for line in lines])}
            for place, name in enumerate(bench.names)
        ],
    }
    written = json.dumps(plain, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return _LOAD.format(json.dumps(written))


def _mark_columns(marks: Sequence[ItemMark | None]) -> dict[str, list[Any]]:
    """Return text, tone, value, place and failure of each mark; nothing where somebody was not asked."""
    return {
        "text": [mark.text if mark else "" for mark in marks],
        "tone": [TONES.index(mark.tone) if mark else -1 for mark in marks],
        "value": [mark.value if mark else None for mark in marks],
        "at": [mark.href.partition("#")[2] if mark else "" for mark in marks],
        "failure": [mark.failure if mark else "" for mark in marks],
    }
