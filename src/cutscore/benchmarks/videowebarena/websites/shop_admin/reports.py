"""Reports: a form asks for dates, its answers go into the address, and the table is computed from the rows.

The address keeps the form as the published shop does: `…/report_sales/sales/filter/BASE64/`, of the form's own query.
"""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from urllib.parse import parse_qsl

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.shop_admin.figures import (
    BadFigure,
    dollars,
    long_time,
    read_date,
    short_date,
)
from cutscore.benchmarks.videowebarena.websites.shop_admin.grid import Kind
from cutscore.benchmarks.videowebarena.websites.shop_admin.report_queries import REPORTS, ReportQuery
from cutscore.benchmarks.videowebarena.websites.visit import Visit

PERIODS = {"day": "Day", "month": "Month", "year": "Year"}
_LENGTHS = {"day": 10, "month": 7, "year": 4}  # of an ISO date
MOST_DAYS = 366 * 20


@dataclass(frozen=True)
class ReportFilter:
    """What a report is asked for."""

    period: str
    first: date
    last: date
    empty_rows: bool = False

    def intervals(self) -> list[str]:
        """Return all intervals between the dates, as the start of an ISO date."""
        days = (self.last - self.first).days + 1
        length = _LENGTHS[self.period]
        return list(dict.fromkeys((self.first + timedelta(days=n)).isoformat()[:length] for n in range(days)))


def show_report(visit: Visit) -> Response:
    """Show the form of a report; what it was filled in with moves into the address."""
    report = _find(visit)
    if not report.dated:
        return _show(visit, report, None, visit.rows(report.sql))
    if "from" in visit.query:
        return visit.redirect(f"{visit.request.url.path}filter/{write_filter(visit.request.url.query)}/")
    return _show(visit, report, None, [])


def show_filtered(visit: Visit) -> Response:
    """Show a report of what its address says."""
    report = _find(visit)
    if not report.dated:
        visit.missing("report")
    try:
        asked = read_filter(visit.path["filter"])
    except BadFigure as fault:
        visit.refuse(str(fault))
    period = f"substr(purchase.created, 1, {_LENGTHS[asked.period]})"
    between = {"first": asked.first.isoformat(), "after": (asked.last + timedelta(days=1)).isoformat()}
    rows = visit.db.execute(report.sql.format(period=period), between).fetchall()
    return _show(visit, report, asked, list(_with_empty(rows, asked, len(report.columns))))


def write_filter(query: str) -> str:
    """Return the fields of a form as an address keeps them.

    >>> write_filter("period_type=day&from=1%2F1%2F2024")
    'cGVyaW9kX3R5cGU9ZGF5JmZyb209MSUyRjElMkYyMDI0'
    """
    return urlsafe_b64encode(query.encode()).decode()


def read_filter(kept: str) -> ReportFilter:
    """Return what a report is asked for; BadFigure where an address or a date cannot be read."""
    try:
        told = dict(parse_qsl(urlsafe_b64decode(kept.encode()).decode(), keep_blank_values=True))
    except (binascii.Error, ValueError):
        raise BadFigure("This address of a report cannot be read.") from None
    made = ReportFilter(
        period=told.get("period_type", "day"),
        first=read_date(told.get("from", "")),
        last=read_date(told.get("to", "")),
        empty_rows=told.get("show_empty_rows") == "1",
    )
    if made.period not in PERIODS or not 0 <= (made.last - made.first).days <= MOST_DAYS:
        raise BadFigure("A report needs a period, and dates that follow each other within twenty years.")
    return made


def _with_empty(rows: list[Any], asked: ReportFilter, width: int) -> Iterator[tuple[Any, ...]]:
    """Yield the rows, and one without figures for each interval that has none, where asked to."""
    known = {row[0] for row in rows}
    empty = [(each, *[None] * (width - 1)) for each in asked.intervals() if each not in known]
    yield from sorted([*map(tuple, rows), *(empty if asked.empty_rows else [])], key=lambda row: row[0])


def _find(visit: Visit) -> ReportQuery:
    return REPORTS.get(f"{visit.path['group']}/{visit.path['report']}") or visit.missing("report")


def _show(visit: Visit, report: ReportQuery, asked: ReportFilter | None, rows: list[Any]) -> Response:
    kinds = list(report.columns.values())
    table = [[_cell(kind, value) for kind, value in zip(kinds, row, strict=True)] for row in rows]
    if report.dated:
        table = [[_interval(cells[0]), *cells[1:]] for cells in table]
    totals = [_total(kind, [row[place] or 0 for row in rows]) for place, kind in enumerate(kinds)]
    return visit.page(
        "report.html",
        report=report,
        form=visit.request.url.path.partition("filter/")[0],
        asked=asked,
        periods=PERIODS,
        first=short_date(asked.first) if asked else "",
        last=short_date(asked.last) if asked else "",
        table=table,
        totals=totals[1:] if rows else [],
        ready=bool(asked) or not report.dated,
    )


def _cell(kind: Kind, value: Any) -> str:
    if value is None:
        return ""
    if kind in ("money", "price"):
        return dollars(round(value))
    return long_time(value) if kind == "time" else str(value)


def _total(kind: Kind, values: list[Any]) -> str:
    return _cell(kind, sum(values)) if kind in ("money", "number") else ""


def _interval(kept: str) -> str:
    """Return an interval in words.

    >>> _interval("2025-03-14"), _interval("2025-03"), _interval("2025")
    ('Mar 14, 2025', '3/2025', '2025')
    """
    parts = [int(part) for part in kept.split("-")]
    if len(parts) == 3:
        return f"{date(*parts):%b} {parts[2]}, {parts[0]}"
    return f"{parts[1]}/{parts[0]}" if len(parts) == 2 else kept
