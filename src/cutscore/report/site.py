"""Results → a folder that opens from disk and from any web server."""

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from cutscore.core.inert_text import Clean, make_inert
from cutscore.core.table import Table, TableCell
from cutscore.report.benchmark_site import BenchmarkSite, benchmark_sites
from cutscore.report.compare_page import PAGE as COMPARE_PAGE
from cutscore.report.compare_page import compare_page
from cutscore.report.embed import Media, MediaPolicy
from cutscore.report.folder import replace_folder
from cutscore.report.item import item_page
from cutscore.report.item_list import DATA_FILE, failure_classes, list_lines, list_pages, list_script
from cutscore.report.judge_page import PAGE as JUDGE_PAGE
from cutscore.report.judge_page import judge_page
from cutscore.report.overview import TABLES_PAGE, count_rows, overview, site_title
from cutscore.report.tables_page import table_sheets
from cutscore.results.benchmark import BenchmarkResult
from cutscore.results.tables.benchmark_tables import AcrossTables
from cutscore.results.wording import count, describe_record, digits_for, figures, interval

ACROSS_PAGE = "across.html"
_HERE = Path(__file__).parent

# 'self' holds for neighbours on disk as well (seen in Chromium and Firefox). No inline script, style or handler.
# connect-src and blob: let the player fetch a whole clip where a web server cannot send a part of it.
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; media-src 'self' blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'"
)


def build_site(
    results: Sequence[BenchmarkResult],
    *,
    out: Path,
    title: str = "",
    clean: Clean = str,
    how: MediaPolicy = "link",
    unscored_max: float = 0.05,
    on_item: Callable[[str], None] = lambda _item: None,
) -> Path:
    """Build the report and return the path of its first page.

    Equal input gives equal bytes. The old report stays until the new one is whole.

    Args:
        results: Cells of any number of runs, by benchmark.
        out: Folder to write; absent, empty or an earlier report.
        title: Says the finding; made from the results when empty.
        clean: Takes secrets out of text; applied to every text on every page.
        how: What becomes of films, sounds and pictures (`embed.Media`).
        unscored_max: Share of samples that may be unscored before a cell is called unfit.
        on_item: Gets each item when its page is written.

    Raises:
        BadInput: `out` holds something that no report put there.
        NoRoom: `out` cannot be written.
    """
    benches = benchmark_sites(results, clean=clean)
    with replace_folder(out) as root:
        pages = _Pages(root, clean)
        sections = [overview(bench, unscored_max=unscored_max) for bench in benches]
        across = _write_across(pages, results)
        pages.write("index.html", "index.html", title=title or site_title(sections), sections=sections, across=across)
        media = Media(root, clean=clean, how=how)
        for bench in benches:
            pictures: dict[str, str] = {}
            around = zip((None, *bench.items), bench.items, (*bench.items[1:], None), strict=False)
            for before, item, after in around:
                page, name = item_page(bench, item, media=media), f"{bench.folder}/items/{item.stem}.html"
                pages.write("item.html", name, bench=bench, page=page, before=before, after=after)
                pictures[item.id] = page.picture
                on_item(item.id)
            _write_benchmark(pages, bench, pictures)
    return out / "index.html"


def build_table_page(
    tables: Sequence[Table], *, out: Path, title: str, lines: Sequence[str] = (), clean: Clean = str
) -> Path:
    """Build a report of one page with some tables and their drawings, and return its path; `lines` stand above them."""
    with replace_folder(out) as root:
        media = Media(root, clean=clean)
        sheets = table_sheets([AcrossTables(tuple(_with_films(table, out, media) for table in tables))])
        _Pages(root, clean).write("table_page.html", "index.html", title=title, lines=lines, sheets=sheets)
    return out / "index.html"


def _with_films(table: Table, out: Path, media: Media) -> Table:
    """Return a table whose links to films lead into the report: a file of a store has no ending, and would not play."""
    links = {place for place, column in enumerate(table.columns) if column.link}

    def lead(cell: TableCell) -> TableCell:  # by its letters: the folder is not there yet
        return media.take(Path(os.path.normpath(out.resolve() / str(cell)))) or cell if cell else cell

    rows = tuple(tuple(lead(cell) if place in links else cell for place, cell in enumerate(row)) for row in table.rows)
    return table.model_copy(update={"rows": rows}) if links else table


def _write_across(pages: "_Pages", results: Sequence[BenchmarkResult]) -> str:
    """Write the page of all benchmarks side by side, and return its name; empty where there is one alone."""
    from cutscore.results.tables.table_sets import tables_over_benchmarks  # few reports have several benchmarks

    ordered = sorted(results, key=lambda each: (each.card.name, each.version, each.mode))
    if not (sheets := table_sheets(tables_over_benchmarks(ordered))):
        return ""
    pages.write("tables.html", ACROSS_PAGE, bench=None, sheets=sheets)
    return ACROSS_PAGE


def _write_benchmark(pages: "_Pages", bench: BenchmarkSite, pictures: Mapping[str, str]) -> None:
    sheets = table_sheets(result.tables for result in bench.results)
    if sheets:
        pages.write("tables.html", f"{bench.folder}/{TABLES_PAGE}", bench=bench, sheets=sheets)
    if (compared := compare_page(bench)) is not None:
        pages.write("compare.html", f"{bench.folder}/{COMPARE_PAGE}", bench=bench, page=compared)
    if (judged := judge_page(bench)) is not None:
        pages.write("judge.html", f"{bench.folder}/{JUDGE_PAGE}", bench=bench, page=judged)
    lines, counted = list_lines(bench, pictures), count_rows(bench)
    pages.write_text(f"{bench.folder}/{DATA_FILE}", list_script(bench, lines, pages.clean))
    for page in list_pages(lines):
        pages.write(
            "items.html",
            f"{bench.folder}/{page.name(page.number)}",
            bench=bench,
            page=page,
            counted=counted,
            pictured=any(pictures.values()),
            failures=failure_classes(lines),
            tables=TABLES_PAGE if sheets else "",
            compare=COMPARE_PAGE if compared else "",
            judge=JUDGE_PAGE if judged else "",
            catalogue=DATA_FILE,
        )


class _Pages:
    """Writes pages, and beside them what they all load; every text that a template prints goes through one gate."""

    def __init__(self, root: Path, clean: Clean) -> None:
        (root / "static").mkdir()
        for file in (_HERE / "static").iterdir():
            shutil.copyfile(file, root / "static" / file.name)

        def gate(value: Any) -> Any:
            return make_inert(value, clean) if isinstance(value, str) and not isinstance(value, Markup) else value

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
        self._templates.globals.update(count=count, digits_for=digits_for, figures=figures, interval=interval)
        self._templates.globals.update(describe_record=describe_record)

    def write(self, template: str, name: str, **values: Any) -> None:
        """Write one page at its place; `root` leads it back to the first page's folder."""
        html = self._templates.get_template(template).render(root="../" * name.count("/"), **values)
        self.write_text(name, html)

    def write_text(self, name: str, text: str) -> None:
        """Write a file of the site at its place; its text is inert already."""
        target = self._root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode("utf-8"))
