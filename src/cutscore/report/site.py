"""Rows, results, contrasts and tables → a folder that opens from disk and from any web server."""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from cutscore.core.card import Card
from cutscore.core.inert_text import Clean, inert
from cutscore.core.row import Row
from cutscore.report.catalogue import FILE as CATALOGUE
from cutscore.report.catalogue import catalogue
from cutscore.report.duels import PAGE as COMPARE_PAGE
from cutscore.report.duels import compare_page
from cutscore.report.embed import How, Media
from cutscore.report.folder import replaced
from cutscore.report.gather import Bench, Entry, gather
from cutscore.report.item import ItemPage, PriceOf, ShelfOf, item_page, nobody_knows
from cutscore.report.judging import PAGE as JUDGE_PAGE
from cutscore.report.judging import judge_page
from cutscore.report.listing import list_lines, list_pages
from cutscore.report.overview import TABLES_PAGE, counted, section, site_title
from cutscore.report.sheet import sheets
from cutscore.results.report_data import Contrast, Duel, JudgeTold, Result, TableSet

_HERE = Path(__file__).parent

# 'self' holds for neighbours on disk as well (seen in Chromium and Firefox). No inline script, style or handler.
# connect-src and blob: let the player fetch a whole clip where a web server cannot send a part of it.
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; media-src 'self' blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'"
)


def build_site(
    rows: Sequence[Row],
    *,
    cards: Mapping[str, Card],
    estimates: Sequence[Result],
    differences: Sequence[Contrast] = (),
    tables: Sequence[TableSet] = (),
    duels: Sequence[Duel] = (),
    judges: Sequence[JudgeTold] = (),
    shelf_of: ShelfOf,
    price: PriceOf = nobody_knows,
    out: Path,
    title: str = "",
    clean: Clean = str,
    how: How = "link",
    tell: Callable[[str], None] = lambda _item: None,
) -> Path:
    """Build the report and give the path of its first page.

    Equal input gives equal bytes. The old report stays until the new one is whole.

    Args:
        rows: Samples of any number of runs.
        cards: Cards by name of benchmark; one that is missing costs its floor and chance, not the report.
        estimates: One result for each cell.
        differences: Paired differences of cells.
        tables: Tables of the benchmarks; each benchmark that has any gets a page of them.
        judges: What is known of those who gave opinions.
        duels: Cells in pairs; each benchmark that has any gets a page that compares them.
        shelf_of: Where the files of a row are.
        price: Gives the prices of a row's model, for what single steps cost.
        out: Folder to write; absent, empty or an earlier report.
        title: Says the finding; made from the results when empty.
        clean: Takes secrets out of text; applied to every text on every page.
        how: What becomes of films, sounds and pictures (`embed.Media`).
        tell: Gets each item when its page is written.

    Raises:
        BadInput: `out` holds something that no report put there.
        NoRoom: `out` cannot be written.
    """
    benches = gather(rows, estimates, differences, tables, duels, judges=judges, cards=cards, clean=clean)
    with replaced(out) as root:
        shutil.copytree(_HERE / "static", root / "static", copy_function=shutil.copyfile)
        pages = _Pages(root, clean)
        sections = [section(bench) for bench in benches]
        pages.write("index.html", "index.html", title=title or site_title(sections), sections=sections)
        media = Media(root, clean=clean, how=how)
        for bench in benches:
            pictures: dict[str, str] = {}
            for entry, page in _write_items(pages, bench, media, shelf_of, price):
                pictures[entry.item] = page.picture
                tell(entry.item)
            _write_bench(pages, bench, pictures)
    return out / "index.html"


def _write_items(
    pages: "_Pages", bench: Bench, media: Media, shelf_of: ShelfOf, price: PriceOf
) -> Iterator[tuple[Entry, ItemPage]]:
    entries = bench.entries
    for before, entry, after in zip((None, *entries), entries, (*entries[1:], None), strict=False):
        page = item_page(bench, entry, media=media, shelf_of=shelf_of, price=price)
        name = f"{bench.folder}/items/{entry.stem}.html"
        pages.write("item.html", name, bench=bench, page=page, before=before, after=after)
        yield entry, page


def _write_bench(pages: "_Pages", bench: Bench, pictures: Mapping[str, str]) -> None:
    found = sheets(bench.tables)
    if found:
        pages.write("tables.html", f"{bench.folder}/{TABLES_PAGE}", bench=bench, sheets=found)
    if (compared := compare_page(bench)) is not None:
        pages.write("compare.html", f"{bench.folder}/{COMPARE_PAGE}", bench=bench, page=compared)
    if (judged := judge_page(bench)) is not None:
        pages.write("judge.html", f"{bench.folder}/{JUDGE_PAGE}", bench=bench, page=judged)
    lines, sums = list_lines(bench, pictures), counted(bench)
    pages.write_text(f"{bench.folder}/{CATALOGUE}", catalogue(bench, lines, pages.clean))
    for page in list_pages(lines):
        pages.write(
            "items.html",
            f"{bench.folder}/{page.name(page.number)}",
            bench=bench,
            page=page,
            counted=sums,
            pictured=any(pictures.values()),
            tables=TABLES_PAGE if found else "",
            compare=COMPARE_PAGE if bench.duels else "",
            judge=JUDGE_PAGE if judged else "",
            catalogue=CATALOGUE,
        )


class _Pages:
    """Writes pages; every text that a template prints goes through one gate."""

    def __init__(self, root: Path, clean: Clean) -> None:
        def gate(value: Any) -> Any:
            return inert(value, clean) if isinstance(value, str) and not isinstance(value, Markup) else value

        self._root, self.clean = root, clean
        self._templates = Environment(
            loader=FileSystemLoader(_HERE / "templates"),
            autoescape=True,
            finalize=gate,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals.update(policy=POLICY, version=metadata.version("cutscore"))

    def write(self, template: str, name: str, **values: Any) -> None:
        """Write one page at its place; `root` leads it back to the first page's folder."""
        html = self._templates.get_template(template).render(root="../" * name.count("/"), **values)
        self.write_text(name, html)

    def write_text(self, name: str, text: str) -> None:
        """Write a file of the site at its place; its text is inert already."""
        target = self._root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode("utf-8"))
