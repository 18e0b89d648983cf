"""`cutscore report`: run folders → a static site that opens from disk."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cutscore.cli.command import PATH, subcommand, with_references_option
from cutscore.cli.output import CommandOutput
from cutscore.cli.progress import progress_style, show_progress, show_waiting
from cutscore.core.errors import CorruptEntry
from cutscore.results.benchmark import BenchmarkResult, benchmark_results, outdated_versions
from cutscore.results.cells import read_runs
from cutscore.results.fitness import unfit
from cutscore.results.wording import count, names

if TYPE_CHECKING:
    from cutscore.bridge.stored_files import DamagedFile
    from cutscore.report.embed import MediaPolicy

CELLS = "cells"  # of a report's own file: what it shows
MOST_NAMED = 3  # damaged files that a sentence names


@subcommand("report", examples="  cutscore report logs -o site\n  cutscore report logs/colorbars other-run -o site")
@click.argument("runs", nargs=-1, required=True, type=PATH, metavar="RUN...")
@click.option("-o", "--out", type=PATH, required=True, metavar="DIR", help="Folder of the site.")
@click.option("--title", default="", help="What it shows; made from the results when left out.")
@click.option(
    "--media",
    type=click.Choice(["link", "copy", "leave"]),
    default="link",
    show_default=True,
    help="Films and pictures: share them with the run, copy them, or leave them out.",
)
@with_references_option
def command(
    *, runs: tuple[Path, ...], out: Path, title: str, media: MediaPolicy, with_references: bool
) -> CommandOutput:
    """A static site that opens from disk.

    RUN is a run folder, a benchmark's folder in it, or one cell's folder. DIR may hold an earlier report and nothing
    else; the old one stays until the new one is whole, and what of it is not in the new one is said.
    """
    from cutscore.bridge.stored_files import damaged_files
    from cutscore.settings import load_settings

    settings = load_settings()
    with show_waiting("reading logs"):
        cells = read_runs(runs)
    results = benchmark_results(cells, with_references=with_references)
    replaced = replaced_pages(results, out)
    page = write_site(results, out, title=title, media=media)
    rows = sum(len(each.rows) for each in cells)
    damaged = damaged_files((row, each.record.store) for each in cells for row in each.rows)
    plain: dict[str, Any] = {"site": str(out), "page": str(page), "cells": len(cells), "rows": rows}
    plain |= {"damaged": [each.as_json() for each in damaged]} if damaged else {}
    said = f"{count(rows, 'row')} of {count(len(cells), 'cell')}\n{how_to_open(page)}"
    warnings = (*replaced, *outdated_versions(results), *unfit(results, most=settings.unscored_max))
    return CommandOutput(plain, said, warnings, _damage(out, damaged) if damaged else None)


def _damage(out: Path, damaged: Sequence[DamagedFile]) -> CorruptEntry:
    """Return the error that names what a report could not show."""
    named = ", ".join(f"'{each.ref.name}' ({each.ref.sha256[:12]}…) {each.fault}" for each in damaged[:MOST_NAMED])
    more = f", and {len(damaged) - MOST_NAMED:,} more" if len(damaged) > MOST_NAMED else ""
    fact = f"is written, but {count(len(damaged), 'stored file')} could not be shown: {named}{more}"
    next_step = "restore the store from a copy; the same run brings back the files of items"
    return CorruptEntry(f"report '{out}'", fact, next_step)


def how_to_open(page: Path) -> str:
    """Describe how to look at a page."""
    return f"report: {page}\nopen {page.resolve().as_uri()} in a browser"


def replaced_pages(results: Sequence[BenchmarkResult], out: Path) -> tuple[str, ...]:
    """Return what a report in that folder shows and the new one will not; nothing where nothing is lost."""
    lost = sorted(_cells_in(out) - _cells_of(results))
    if not lost:
        return ()
    benchmarks = names(sorted({each.partition("/")[0] for each in lost}), most=12, thing="benchmark")
    said = f"report '{out}': pages of {count(len(lost), 'other cell')} ({benchmarks}) were replaced"
    return (f"{said}; their logs are as they were: name these runs as well, or choose another folder with -o",)


def _cells_of(results: Sequence[BenchmarkResult]) -> set[str]:
    return {f"{result.card.name}/{each.record.cell.id}" for result in results for each in result.cells}


def _cells_in(out: Path) -> set[str]:
    """Return the cells that a report shows; none where there is no report, or one that does not say."""
    from cutscore.report.folder import MARKER

    try:
        return set(json.loads((out / MARKER).read_text(encoding="utf-8"))[CELLS])
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def _note_cells(results: Sequence[BenchmarkResult], out: Path) -> None:
    """Write down in a report which cells it shows, so that the next one knows what it replaces."""
    from cutscore.report.folder import MARKER

    made = json.loads((out / MARKER).read_text(encoding="utf-8"))
    written = json.dumps({**made, CELLS: sorted(_cells_of(results))}, indent=1)
    (out / MARKER).write_text(written + "\n", encoding="utf-8")


def write_site(
    results: Sequence[BenchmarkResult],
    out: Path,
    *,
    title: str = "",
    media: MediaPolicy = "link",
    beside: Sequence[tuple[str, str]] = (),
) -> Path:
    """Build the site of some benchmarks' cells, with a bar on a terminal, and return the path of its first page."""
    from cutscore.cells.progress import SampleDone
    from cutscore.redaction import redactor
    from cutscore.report.site import build_site
    from cutscore.settings import load_settings

    settings = load_settings()
    items = len({(row.benchmark, row.version, row.item) for result in results for row in result.rows})
    with show_progress("pages", total=items, done=0, style="bar" if progress_style() == "bar" else "none") as listener:
        page = build_site(
            results,
            out=out,
            how=media,
            title=title,
            beside=beside,
            clean=redactor(names=settings.secret_env).text,
            unscored_max=settings.unscored_max,
            on_item=lambda item: listener(SampleDone(item=item, epoch=1)),
        )
    _note_cells(results, out)
    return page
