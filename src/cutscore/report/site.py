"""Results → a folder that opens from disk and from any web server."""

import os
import shutil
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from cutscore.core.inert_text import Clean, make_inert
from cutscore.core.table import Table, TableCell
from cutscore.report.benchmark_page import benchmark_page
from cutscore.report.benchmark_site import BenchmarkSite, benchmark_sites
from cutscore.report.compare_page import PAGE as COMPARE_PAGE
from cutscore.report.compare_page import compare_page
from cutscore.report.embed import Media, MediaPolicy
from cutscore.report.explorer import ITEMS_FILE, SAMPLES_FILE, data_files
from cutscore.report.explorer import PAGE as ITEMS_PAGE
from cutscore.report.folder import replace_folder
from cutscore.report.item import item_page
from cutscore.report.judge_page import PAGE as JUDGE_PAGE
from cutscore.report.judge_page import judge_page
from cutscore.report.navigation import ACROSS_PAGE, TABLES_PAGE, Navigation, navigation
from cutscore.report.overview import front_page
from cutscore.report.tables_page import TableSheet, table_sheets
from cutscore.results.benchmark import BenchmarkResult
from cutscore.results.tables.benchmark_tables import AcrossTables
from cutscore.results.wording import count, describe_record, digits_for, figures, interval

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
    beside: Sequence[tuple[str, str]] = (),
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
        beside: Pages that are no part of the report and belong to it: the address of each, and what it shows.
        clean: Takes secrets out of text; applied to every text on every page.
        how: What becomes of films, sounds and pictures (`embed.Media`).
        unscored_max: Share of samples that may be unscored before a cell is called unfit.
        on_item: Gets each item when its page is written.

    Raises:
        BadInput: `out` holds something that no report put there.
        NoRoom: `out` cannot be written.
    """
    benches = benchmark_sites(results, clean=clean)
    across = _across_sheets(results)
    with replace_folder(out) as root:
        pages = _Pages(root, clean, navigation(benches, across=bool(across)))
        front = front_page(benches)
        named = title or front.said.title
        pages.write("index.html", "index.html", place="overview", page=front, title=named, beside=beside)
        if across:
            pages.write("tables.html", ACROSS_PAGE, place="tables", bench=None, sheets=across)
        media = Media(root, clean=clean, how=how)
        pictures: dict[tuple[str, str], str] = {}
        for bench in benches:
            around = zip((None, *bench.items), bench.items, (*bench.items[1:], None), strict=False)
            for before, item, after in around:
                page, name = item_page(bench, item, media=media), f"{bench.folder}/items/{item.stem}.html"
                pages.write("item.html", name, place="item", bench=bench, page=page, before=before, after=after)
                pictures[bench.folder, item.id] = page.picture
                on_item(item.id)
            _write_benchmark(pages, bench, media, unscored_max=unscored_max)
        for name, script in data_files(benches, pictures, clean):
            pages.write_text(name, script)
        pages.write("explorer.html", ITEMS_PAGE, place="items", data=(ITEMS_FILE, SAMPLES_FILE))
    return out / "index.html"


def build_table_page(
    tables: Sequence[Table], *, out: Path, title: str, lines: Sequence[str] = (), clean: Clean = str
) -> Path:
    """Build a report of one page with some tables and their drawings, and return its path; `lines` stand above them."""
    with replace_folder(out) as root:
        media = Media(root, clean=clean)
        sheets = table_sheets([AcrossTables(tuple(_with_films(table, out, media) for table in tables))])
        _Pages(root, clean, Navigation()).write(
            "table_page.html", "index.html", place="tables", bench=None, title=title, lines=lines, sheets=sheets
        )
    return out / "index.html"


def _with_films(table: Table, out: Path, media: Media) -> Table:
    """Return a table whose links to films lead into the report: a file of a store has no ending, and would not play."""
    links = {place for place, column in enumerate(table.columns) if column.link}

    def lead(cell: TableCell) -> TableCell:  # by its letters: the folder is not there yet
        return media.take(Path(os.path.normpath(out.resolve() / str(cell)))) or cell if cell else cell

    rows = tuple(tuple(lead(cell) if place in links else cell for place, cell in enumerate(row)) for row in table.rows)
    return table.model_copy(update={"rows": rows}) if links else table


def _across_sheets(results: Sequence[BenchmarkResult]) -> list[TableSheet]:
    """Lay out the tables of all benchmarks side by side; none where there is one alone."""
    from cutscore.results.tables.table_sets import tables_over_benchmarks  # few reports have several benchmarks

    ordered = sorted(results, key=lambda each: (each.card.name, each.version, each.mode))
    return table_sheets(tables_over_benchmarks(ordered))


def _write_benchmark(pages: "_Pages", bench: BenchmarkSite, media: Media, *, unscored_max: float) -> None:
    """Write the benchmark's own page, and those of its tables, pairs and judges where there are any."""

    def write(template: str, name: str, place: str, **values: Any) -> None:
        pages.write(template, f"{bench.folder}/{name}", place=place, bench=bench, **values)

    write("benchmark.html", "index.html", "results", page=benchmark_page(bench, unscored_max=unscored_max))
    if sheets := table_sheets(result.tables for result in bench.results):
        write("tables.html", TABLES_PAGE, "tables", sheets=sheets)
    if (compared := compare_page(bench, media)) is not None:
        write("compare.html", COMPARE_PAGE, "compare", page=compared)
    if (judged := judge_page(bench)) is not None:
        write("judge.html", JUDGE_PAGE, "judges", page=judged)


class _Pages:
    """Writes pages, and beside them what they all load; every text that a template prints goes through one gate."""

    def __init__(self, root: Path, clean: Clean, nav: Navigation) -> None:
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
        self._templates.globals.update(policy=POLICY, version=metadata.version("cutscore"), nav=nav)
        self._templates.globals.update(count=count, digits_for=digits_for, figures=figures, interval=interval)
        self._templates.globals.update(describe_record=describe_record)

    def write(self, template: str, name: str, **values: Any) -> None:
        """Write one page at its place; `root` leads it back to the first page's folder."""
        values.setdefault("bench", None)
        html = self._templates.get_template(template).render(root="../" * name.count("/"), **values)
        self.write_text(name, html)

    def write_text(self, name: str, text: str) -> None:
        """Write a file of the site at its place; its text is inert already."""
        target = self._root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode("utf-8"))
