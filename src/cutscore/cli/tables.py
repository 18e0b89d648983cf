"""`cutscore tables`: run folders → the tables of each benchmark, on the screen or as files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cutscore.cli.command import PATH, subcommand
from cutscore.cli.output import CommandOutput
from cutscore.cli.progress import show_waiting
from cutscore.core.errors import BadInput, NoRoom
from cutscore.results.benchmark import benchmark_results, outdated_versions
from cutscore.results.cells import read_runs
from cutscore.results.fitness import unfit
from cutscore.results.tables.benchmark_tables import BenchmarkTables, TableSet, make_tables, select_tables
from cutscore.results.wording import count

if TYPE_CHECKING:
    from cutscore.core.table import Table
    from cutscore.ledger.price_file import PriceFile
    from cutscore.redaction import Redactor

ENDINGS = {"text": "txt", "csv": "csv", "json": "json", "markdown": "md", "latex": "tex"}
WIDTH = 120  # of a line that no terminal limits
MOST_ROWS = 40  # of a table that was not asked for by name

EXAMPLES = """
  cutscore tables logs
  cutscore tables logs --only leaderboard --format latex
  cutscore tables logs --prices agenticvbench --only costs
  cutscore tables logs other-run --format csv --format json -o tables
"""


@subcommand("tables", examples=EXAMPLES)
@click.argument("runs", nargs=-1, required=True, type=PATH, metavar="RUN...")
@click.option("--only", multiple=True, metavar="ID", help="A table by its id; all when left out.")
@click.option(
    "--format", "formats", multiple=True, type=click.Choice(list(ENDINGS)), default=["text"], help="[default: text]"
)
@click.option(
    "--min-coverage",
    type=click.FloatRange(0, 1),
    metavar="X",
    help="Least share of marked samples from which a composite is given; recorded in the table.",
)
@click.option(
    "--prices",
    default="",
    metavar="FILE",
    help="Count costs with this price list, or with that of a suite by its name.",
)
@click.option("-o", "--out", type=PATH, metavar="DIR", help="Write one file for each table and format.")
def command(
    *,
    runs: tuple[Path, ...],
    only: tuple[str, ...],
    formats: tuple[str, ...],
    min_coverage: float | None,
    prices: str,
    out: Path | None,
) -> CommandOutput:
    """Every benchmark's tables: text, CSV, JSON, Markdown, LaTeX.

    RUN is a run folder, a benchmark's folder in it, or one cell's folder. Intervals are 95%. CSV has a column for each
    part of an estimate; JSON has everything. Of several benchmarks there are also the standing of all stacks, how far
    below people the best is, and the tables of the suite that they belong to. With --prices, what the stored tokens
    cost.
    """
    from cutscore.redaction import redactor
    from cutscore.results.tables.table_sets import tables_over_benchmarks
    from cutscore.settings import load_settings

    settings = load_settings()
    price_list = _read_prices(prices) if prices else None
    with show_waiting("reading logs"):
        results = benchmark_results(read_runs(runs))
    sets: list[TableSet] = [make_tables(each, min_coverage=min_coverage) for each in results]
    made = select_tables([*sets, *tables_over_benchmarks(results, price_list)], only)
    clean = redactor(names=settings.secret_env)
    files = [] if out is None else _write_files(made, formats, out, clean)
    plain = {
        "min_coverage": min_coverage,
        "benchmarks": [each.as_json() for each in made],
        "files": [str(file) for file in files],
    }
    said = f"{count(len(files), 'file')} in {out}" if out is not None else _print_tables(made, formats, only, clean)
    warnings = (*outdated_versions(results), *unfit(results, most=settings.unscored_max))
    return CommandOutput(plain, said, warnings, verbatim=True)


def _read_prices(named: str) -> PriceFile:
    """Read a price list: a file, or that of a suite."""
    from cutscore.ledger.price_file import read_price_file
    from cutscore.registry import suites

    known = suites()
    return read_price_file(known[named].prices if named in known else Path(named))


def _print_tables(made: Sequence[TableSet], formats: Sequence[str], only: Sequence[str], clean: Redactor) -> str:
    """Write tables one after the other; CSV cannot be, since its reader takes all lines for one table."""
    tables = [table for each in made for table in each.tables]
    if "csv" in formats and (len(tables), len(formats)) != (1, 1):
        fact = f"{count(len(tables), 'table')} in {count(len(formats), 'format')} cannot share one CSV stream"
        raise BadInput("--format csv", fact, "choose one with --only, or a folder with -o")
    if "json" in formats:
        if len(formats) > 1:
            raise BadInput("--format json", "shares its stream with another format", "choose a folder with -o")
        return _json([each.as_json() for each in made], clean)
    said = []
    for each in made:
        if "text" in formats or len(made) > 1:
            said.append(each.title + ("" if each.tables else ": has no tables"))
        most, width = None if only else MOST_ROWS, shutil.get_terminal_size((WIDTH, 0)).columns
        said += [_write_format(name, table, clean, width=width, most=most) for table in each.tables for name in formats]
    return "\n\n".join(text.rstrip("\n") for text in said)


def _write_files(made: Sequence[TableSet], formats: Sequence[str], out: Path, clean: Redactor) -> list[Path]:
    from cutscore.atomic import replace_file

    files = []
    for each in made:
        folder = out / _folder(each, made)
        for table in each.tables:
            for name in formats:
                file = folder / f"{table.id}.{ENDINGS[name]}"
                try:
                    folder.mkdir(parents=True, exist_ok=True)
                    with replace_file(file) as draft:
                        draft.write_text(_write_format(name, table, clean), encoding="utf-8")
                except OSError as error:
                    raise NoRoom.of(f"table '{file}'", error, "choose another -o") from error
                files.append(file)
    return files


def _folder(own: TableSet, made: Sequence[TableSet]) -> str:
    """Name the folder of some tables: after their benchmark, with version and mode where it is there twice."""
    if not isinstance(own, BenchmarkTables):
        return own.folder
    name = own.result.card.name
    same = [each for each in made if isinstance(each, BenchmarkTables) and each.result.card.name == name]
    return name if len(same) == 1 else own.title.replace(" ", "-")


def _write_format(name: str, table: Table, clean: Redactor, *, width: int = WIDTH, most: int | None = None) -> str:
    """Write a table in a format; as text, in lines of this width and with so many rows at most."""
    from cutscore.cli.text_tables import write_table
    from cutscore.results.tables.export import as_csv, as_latex, as_markdown_table

    if name == "json":
        return _json(table.model_dump(mode="json"), clean)
    if name == "text":
        return write_table(table, width=width, most=most, clean=clean.text) + "\n"
    write = {"csv": as_csv, "markdown": as_markdown_table, "latex": as_latex}[name]
    return write(table, clean.text)


def _json(plain: Any, clean: Redactor) -> str:
    return json.dumps(clean.plain(plain), ensure_ascii=False, allow_nan=False, indent=1) + "\n"
