"""What the sites of one task keep: a folder of SQLite files, copied from a seeded template and copied again to reset.

The clock of a site is its seed and the number of forms that it took, so that equal visits see equal times.
"""

import shutil
import sqlite3
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from threading import Lock

from cutscore.benchmarks.videowebarena.websites.website import Database, SeedContext

START = datetime(2025, 3, 14, 9, 0, tzinfo=UTC)  # what the clocks show before anybody wrote anything
A_WRITE = timedelta(minutes=1)
_COMMON = """
CREATE TABLE clock (writes INTEGER NOT NULL);
INSERT INTO clock VALUES (0);
CREATE TABLE session (
  number INTEGER PRIMARY KEY,
  token TEXT NOT NULL UNIQUE,
  site TEXT NOT NULL,
  account TEXT NOT NULL DEFAULT '',
  csrf TEXT NOT NULL,
  notice TEXT NOT NULL DEFAULT '',
  data TEXT NOT NULL DEFAULT '{}'
);
CREATE TABLE upload (name TEXT PRIMARY KEY, media_type TEXT NOT NULL, content BLOB NOT NULL);
"""


@dataclass
class Templates:
    """Seeded databases, each made when it is first asked for."""

    folder: Path
    seed: int
    _lock: Lock = field(default_factory=Lock)

    def of(self, database: Database) -> Path:
        """Return the folder of a database as it is at the start: `NAME.sqlite` and what lies beside it."""
        made = self.folder / database.name
        with self._lock:
            if not made.exists():
                draft = self.folder / f"{database.name}.draft"
                shutil.rmtree(draft, ignore_errors=True)
                draft.mkdir(parents=True)
                self._fill(database, draft)
                draft.rename(made)
        return made

    def _fill(self, database: Database, folder: Path) -> None:
        db = connect(folder / _file(database))
        try:
            db.executescript(_COMMON + database.schema.read_text(encoding="utf-8"))
            db.execute("BEGIN")
            database.fill(SeedContext(db, Random(f"{self.seed} {database.name}"), folder))
            db.execute("COMMIT")
        finally:
            db.close()


@dataclass
class ServedState:
    """The databases of the sites of one task. Everything happens in the thread that serves them."""

    templates: Templates
    folder: Path
    _open: dict[str, sqlite3.Connection] = field(default_factory=dict)

    def db(self, database: Database) -> sqlite3.Connection:
        """Return a database, copied from its template where nobody has visited it yet."""
        if database.name not in self._open:
            home = self.home(database)
            if not home.exists():
                shutil.copytree(self.templates.of(database), home, symlinks=True)
            self._open[database.name] = connect(home / _file(database))
        return self._open[database.name]

    def home(self, database: Database) -> Path:
        """Return the folder of a database."""
        return self.folder / database.name

    def reset(self) -> None:
        """Put everything back to the start; what nobody visited needs no copy."""
        self.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)

    def close(self) -> None:
        """Close all files."""
        while self._open:
            self._open.popitem()[1].close()


def connect(file: Path) -> sqlite3.Connection:
    """Open a database whose rows have names; a transaction is begun by whoever wants one."""
    db = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    db.row_factory = sqlite3.Row
    # It is a copy that nobody needs after a crash.
    db.execute("PRAGMA synchronous = OFF")
    db.execute("PRAGMA journal_mode = MEMORY")
    db.execute("PRAGMA foreign_keys = ON")
    return db


def read_clock(db: sqlite3.Connection) -> datetime:
    """Return what time it is on a site."""
    (writes,) = db.execute("SELECT writes FROM clock").fetchone()
    return START + int(writes) * A_WRITE


def move_clock(db: sqlite3.Connection) -> None:
    """Let a minute pass: somebody writes something."""
    db.execute("UPDATE clock SET writes = writes + 1")


def _file(database: Database) -> str:
    return f"{database.name}.sqlite"
