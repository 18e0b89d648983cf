"""Read runs from Python: rows, findings, estimates and differences as columns, tables, and the objects behind them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutscore.api.data_frames import ResultFrame, flat_estimate
from cutscore.core.finding import score_key

if TYPE_CHECKING:
    from cutscore.core.row import Row
    from cutscore.core.table import Table
    from cutscore.results.benchmark import BenchmarkResult
    from cutscore.results.cells import CellResult


class Results:
    """The cells of one or several runs, as `read` and `run` return them.

    Each of `rows`, `findings`, `estimates` and `differences` is a mapping of columns, which shows itself as a table in
    a notebook and becomes a data frame with `.pandas()`. Numbers and verdicts are those that every command prints.
    """

    def __init__(self, cells: Iterable[CellResult]) -> None:
        self.cells = tuple(cells)

    @cached_property
    def benchmarks(self) -> tuple[BenchmarkResult, ...]:
        """The cells by benchmark, version and scoring mode, with everything that is computed from them."""
        from cutscore.results.benchmark import benchmark_results

        return tuple(benchmark_results(self.cells))

    @cached_property
    def samples(self) -> tuple[Row, ...]:
        """Every sample as an object: what was asked, delivered, found, and what it cost."""
        return tuple(row for cell in self.cells for row in cell.rows)

    @cached_property
    def rows(self) -> ResultFrame:
        """A row for each sample: who, what, how it ended, every score and group, tokens, money and seconds."""
        return ResultFrame([_sample(row) for row in self.samples])

    @cached_property
    def findings(self) -> ResultFrame:
        """A row for each finding: its value, its reason, and the second of which file it is about."""
        return ResultFrame(
            [
                {
                    **_who(row),
                    "finding": score_key(found.name, found.mode),
                    "value": found.value,
                    "because": found.because,
                    "file": found.file,
                    "start_s": float(found.at.start_s) if found.at else None,
                    "end_s": float(found.at.end_s) if found.at else None,
                }
                for row in self.samples
                for found in row.ending.findings
            ]
        )

    @cached_property
    def estimates(self) -> ResultFrame:
        """A row for each estimate of each cell, with its interval and all that it was made from."""
        return ResultFrame(
            [
                {"benchmark": result.card.name, "subject": result.labels[cell], "cell": cell, **flat_estimate(each)}
                for result in self.benchmarks
                for cell, estimates in result.estimates.items()
                for each in estimates
            ]
        )

    @cached_property
    def differences(self) -> ResultFrame:
        """A row for each cell of a benchmark and the best one, with the verdict that every command gives."""
        return ResultFrame(
            [
                {
                    "benchmark": result.card.name,
                    "first": found.difference.first,
                    "second": found.difference.second,
                    **flat_estimate(found.difference.estimate),
                    "p_adjusted": found.p_adjusted,
                    "separable": found.separable,
                }
                for result in self.benchmarks
                for found in (each.comparison for each in result.differences)
            ]
        )

    def tables(self, benchmark: str = "") -> tuple[Table, ...]:
        """Return the tables that `cutscore tables` prints: of one benchmark, or of all and then those across them.

        Raises:
            BadInput: A benchmark has no tables.
            Stopped: This machine lacks something that a table needs.
        """
        from cutscore.results.tables.benchmark_tables import make_tables
        from cutscore.results.tables.table_sets import tables_over_benchmarks

        wanted = [each for each in self.benchmarks if benchmark in ("", each.card.name)]
        own = [table for each in wanted for table in make_tables(each).tables]
        over = [] if benchmark else tables_over_benchmarks(wanted)
        return (*own, *(table for each in over for table in each.tables))

    def report(self, out: str | Path, *, title: str = "") -> Path:
        """Write the report that `cutscore report` writes, and return the path of its first page."""
        from cutscore.redaction import redactor
        from cutscore.report.site import build_site
        from cutscore.settings import load_settings

        settings = load_settings()
        clean = redactor(names=settings.secret_env).text
        return build_site(self.benchmarks, out=Path(out), title=title, clean=clean, unscored_max=settings.unscored_max)

    def __repr__(self) -> str:
        names = sorted({cell.record.cell.benchmark for cell in self.cells})
        return f"<{len(self.cells):,} cells of {', '.join(names)}>"

    def _repr_html_(self) -> str:
        """Show the headlines: who reached what on which benchmark."""
        return ResultFrame(
            [
                {
                    "benchmark": result.title,
                    "subject": result.labels[cell],
                    "score": score_key(estimates[0].name, estimates[0].mode),
                    **{name: getattr(estimates[0], name) for name in ("value", "low", "high", "n", "unscored")},
                }
                for result in self.benchmarks
                for cell, estimates in result.estimates.items()
            ]
        )._repr_html_()


def read(*runs: str | Path) -> Results:
    """Read run folders, benchmarks' folders in them, or single cells' folders.

    A folder that is named twice counts once. One cell in two run folders is the same measurement made twice: both are
    there, each named by its run.

        results = cutscore.read("logs", "other-logs")
        results.rows.pandas().groupby("subject")["accuracy"].mean()

    Raises:
        BadInput: A folder is missing, or holds neither a cell nor a log.
    """
    from cutscore.results.cells import read_runs

    return Results(read_runs([Path(run) for run in runs]))


def _who(row: Row) -> dict[str, Any]:
    who = {"benchmark": row.benchmark, "subject": row.subject, "model": row.model or None, "cell": row.cell}
    return {**who, "item": row.item, "epoch": row.epoch}


def _sample(row: Row) -> dict[str, Any]:
    from cutscore.core.usage import Usage

    return {
        **_who(row),
        "cluster": row.cluster,
        **{f"group.{name}": value for name, value in sorted(row.groups.items())},
        "status": row.ending.status,
        "because": row.ending.because or None,
        **row.ending.scores,
        **{f"whole.{name}": whole for name, whole in row.ending.wholes.items()},
        "answer": row.deliverable.text,
        "failure": row.deliverable.failure or None,
        "failure_class": row.ending.failure_class,
        "frames": row.frames or None,
        "input": row.input or None,
        "conditions": ", ".join(f"{name}={value}" for name, value in row.conditions.items()) or None,
        "judge": row.judge or None,
        **{f"tokens.{name}": value for name, value in (row.usage or Usage()).model_dump().items()},
        "cost_usd": row.cost_usd,
        "seconds": row.seconds,
    }
