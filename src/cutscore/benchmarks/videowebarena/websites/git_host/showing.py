"""How pages of this site are shown: what all templates have at hand."""

import sqlite3
from datetime import date, datetime
from functools import partial
from typing import Any

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.git_host.access import VISIBILITIES, may
from cutscore.benchmarks.videowebarena.websites.git_host.markdown import render_markdown
from cutscore.benchmarks.videowebarena.websites.visit import Visit

PAGE_SIZE = 20


def show(visit: Visit, template: str, **values: Any) -> Response:
    """Return a page; its template can write days and Markdown, and ask what the visitor may do."""
    return visit.page(
        template, day=write_day, markdown=render_markdown, may=partial(may, visit), visibilities=VISIBILITIES, **values
    )


def show_project(visit: Visit, template: str, project: sqlite3.Row, **values: Any) -> Response:
    """Return a page of a project, with its menu."""
    return show(visit, template, project=project, home=f"/{project['path']}", **values)


def write_day(when: str | datetime) -> str:
    """Return a day in words.

    >>> write_day("2030-01-16")
    'Jan 16, 2030'
    """
    if not when:
        return ""
    day = datetime.fromisoformat(when) if isinstance(when, str) else when
    return f"{day:%b} {day.day}, {day.year}"


def read_day(visit: Visit, field: str) -> str:
    """Return a day that a form tells, as 2030-01-16; empty where it tells none."""
    written = visit.form.get(field, "").strip()
    if not written:
        return ""
    try:
        return date.fromisoformat(written).isoformat()
    except ValueError:
        visit.refuse(f"'{written[:40]}' is no day; write it as 2030-01-16.")


def read_text(visit: Visit, field: str, *, what: str, most: int = 255) -> str:
    """Return a line of a form that must not be empty."""
    written = " ".join(visit.form.get(field, "").split())
    if not written:
        visit.refuse(f"The {what} is missing.")
    if len(written) > most:
        visit.refuse(f"The {what} is too long: at most {most} characters are taken.")
    return written


def last_page(count: int) -> int:
    """Return the number of the last page of a list."""
    return max(1, -(-count // PAGE_SIZE))
