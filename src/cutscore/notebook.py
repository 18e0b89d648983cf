"""Runs as columns, for notebooks and scripts.

    from cutscore import notebook
    run = notebook.read("logs")
    run.rows.pandas()

A `Frame` is a mapping of columns, so that pandas, polars and everybody else takes it as it is; it shows itself as a
table in a notebook. Nothing here needs either library until it is asked for.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

from cutscore.core.errors import MissingExtra
from cutscore.core.estimate import Estimate
from cutscore.core.finding import score_key
from cutscore.core.inert_text import visible
from cutscore.core.row import Row
from cutscore.core.usage import Usage
from cutscore.results.reading import read_runs
from cutscore.results.sections import CellResult, Section, sections

SHOWN = 20  # rows that a notebook shows


class Frame(Mapping[str, list[Any]]):
    """Columns of one length, by name.

    Args:
        records: One mapping a row; a column that a row does not have is None there.
    """

    def __init__(self, records: Sequence[Mapping[str, Any]]) -> None:
        names = dict.fromkeys(name for record in records for name in record)
        self._columns = {name: [record.get(name) for record in records] for name in names}
        self.height = len(records)

    def __getitem__(self, name: str) -> list[Any]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<{self.height:,} rows of {', '.join(self._columns) or 'nothing'}>"

    def _repr_html_(self) -> str:
        """Show the first rows as a table; text of models is text."""
        rows = list(zip(*self._columns.values(), strict=True))[:SHOWN]
        head = "".join(f"<th>{_cell(name)}</th>" for name in self._columns)
        body = "".join("<tr>" + "".join(f"<td>{_cell(each)}</td>" for each in row) + "</tr>" for row in rows)
        more = f"<p>{self.height - len(rows):,} more rows</p>" if self.height > len(rows) else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"

    def pandas(self) -> Any:
        """Return a pandas data frame."""
        try:
            pandas = import_module("pandas")
        except ImportError as error:
            raise MissingExtra("data frames need pandas", "it is not installed", "pip install pandas") from error
        return pandas.DataFrame(self._columns)


class Run:
    """One or several run folders."""

    def __init__(self, cells: Sequence[CellResult]) -> None:
        self.cells = tuple(cells)

    @cached_property
    def rows(self) -> Frame:
        """A row for each sample: who, what, how it ended, every score and group, tokens, money and seconds."""
        return Frame([_row(row) for cell in self.cells for row in cell.rows])

    @cached_property
    def findings(self) -> Frame:
        """A row for each finding: its value, its reason, and the second of which file it is about."""
        return Frame(
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
                for cell in self.cells
                for row in cell.rows
                for found in row.ending.findings
            ]
        )

    @cached_property
    def estimates(self) -> Frame:
        """A row for each estimate of each cell, with its interval and all that it was made from."""
        return Frame(
            [
                {"benchmark": part.card.name, "subject": part.labels[id], "cell": id, **_estimate(each)}
                for part in self._parts
                for id, estimates in part.estimates.items()
                for each in estimates
            ]
        )

    @cached_property
    def differences(self) -> Frame:
        """A row for each cell of a benchmark and the best one, with the verdict that every command gives."""
        return Frame(
            [
                {
                    "benchmark": part.card.name,
                    "first": each.difference.first,
                    "second": each.difference.second,
                    **_estimate(each.difference.estimate),
                    "p_adjusted": each.p_adjusted,
                    "separable": each.separable,
                }
                for part in self._parts
                for each in part.differences
            ]
        )

    @cached_property
    def _parts(self) -> list[Section]:
        return sections(self.cells)

    def __repr__(self) -> str:
        names = sorted({cell.record.cell.benchmark for cell in self.cells})
        return f"<{len(self.cells):,} cells of {', '.join(names)}>"


def read(*runs: str | Path) -> Run:
    """Read run folders, benchmarks' folders in them, or single cells' folders; each folder counts once."""
    return Run(read_runs([Path(run) for run in runs]))


def _who(row: Row) -> dict[str, Any]:
    who = {"benchmark": row.benchmark, "subject": row.subject, "model": row.model or None, "cell": row.cell}
    return {**who, "item": row.item, "epoch": row.epoch}


def _row(row: Row) -> dict[str, Any]:
    ending = {"status": row.ending.status, "because": row.ending.because or None}
    return {
        **_who(row),
        "cluster": row.cluster,
        **{f"group.{name}": value for name, value in sorted(row.groups.items())},
        **ending,
        **row.ending.scores,
        "answer": row.deliverable.text,
        "failure": row.deliverable.failure or None,
        "frames": row.frames or None,
        "input": row.input or None,
        "judge": row.judge or None,
        **{f"tokens.{name}": value for name, value in (row.usage or Usage()).model_dump().items()},
        "cost_usd": row.cost_usd,
        "seconds": row.seconds,
    }


def _estimate(each: Estimate) -> dict[str, Any]:
    plain = each.as_json()
    low, high = plain.pop("scale")
    bounds = plain.pop("bounds") or (None, None)
    group = ", ".join(f"{name}={value}" for name, value in (plain.pop("group") or {}).items())
    ends = {"scale_low": low, "scale_high": high, "bound_low": bounds[0], "bound_high": bounds[1]}
    return {**plain, "group": group or None, **ends}


def _cell(value: object) -> str:
    return "" if value is None else escape(visible(f"{value:.3f}" if isinstance(value, float) else str(value)))
