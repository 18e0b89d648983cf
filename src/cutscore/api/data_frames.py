"""Results as columns: what pandas, polars and everybody else takes as it is, and what a notebook shows as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cutscore.core.errors import MissingExtra
from cutscore.core.inert_text import make_visible

if TYPE_CHECKING:
    from cutscore.core.estimate import Estimate

SHOWN = 20  # rows that a notebook shows


class ResultFrame(Mapping[str, list[Any]]):
    """Columns of one length, by name; no library is needed until it is asked for.

    Each record is a row; a column that it does not have is None there.

    >>> frame = ResultFrame([{"item": "a", "score": 1.0}, {"item": "b"}])
    >>> frame
    <2 rows of item, score>
    >>> frame["score"]
    [1.0, None]
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
        head = "".join(f"<th>{_html_cell(name)}</th>" for name in self._columns)
        body = "".join("<tr>" + "".join(f"<td>{_html_cell(each)}</td>" for each in row) + "</tr>" for row in rows)
        more = f"<p>{self.height - len(rows):,} more rows</p>" if self.height > len(rows) else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"

    def pandas(self) -> Any:
        """Return a pandas data frame.

        Raises:
            MissingExtra: pandas is not installed.
        """
        try:
            pandas = import_module("pandas")
        except ImportError as error:
            raise MissingExtra("data frames need pandas", "it is not installed", "pip install pandas") from error
        return pandas.DataFrame(self._columns)


def flat_estimate(estimate: Estimate) -> dict[str, Any]:
    """Return an estimate as one row of a frame: each part of it in a column of its own."""
    plain = estimate.as_json()
    low, high = plain.pop("scale")
    bounds = plain.pop("bounds") or (None, None)
    group = ", ".join(f"{name}={value}" for name, value in (plain.pop("group") or {}).items())
    ends = {"scale_low": low, "scale_high": high, "bound_low": bounds[0], "bound_high": bounds[1]}
    return {**plain, "group": group or None, **ends}


def _html_cell(value: object) -> str:
    return "" if value is None else escape(make_visible(f"{value:.3f}" if isinstance(value, float) else str(value)))
