"""The reset route: a program with the token puts all rows back to the start, as the published site does."""

import hmac
import sqlite3
from contextlib import closing
from pathlib import Path

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.visit import Visit

RESET_TOKEN = "put-the-classifieds-back"  # noqa: S105  # of a site on loopback
_START = "start.sqlite"


def keep_start(db: sqlite3.Connection, folder: Path) -> None:
    """Keep a copy of all rows beside the database."""
    (folder / _START).write_bytes(db.serialize())


def reset(visit: Visit) -> Response:
    """Put all rows back, those of sessions and the clock, too: whoever was logged in logs in again."""
    if not hmac.compare_digest(visit.form.get("token", "").encode(), RESET_TOKEN.encode()):
        visit.forbid("This is for whoever knows the token.")
    visit.db.execute("PRAGMA defer_foreign_keys = ON")  # until all tables are full again
    with closing(sqlite3.connect(visit.home / _START)) as start:
        for (table,) in start.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            visit.db.execute(f"DELETE FROM {table}")  # noqa: S608  # names of our own tables
            for row in start.execute(f"SELECT * FROM {table}"):  # noqa: S608
                places = ", ".join("?" * len(row))
                visit.db.execute(f"INSERT INTO {table} VALUES ({places})", row)  # noqa: S608
    return visit.json({"reset": True})
