"""Writing a row of the shop's tables."""

from sqlite3 import Connection


def insert(db: Connection, table: str, **values: object) -> int:
    """Write one row and return its id. Table and columns are words of our own, never a visitor's."""
    columns, marks = ", ".join(values), ", ".join("?" * len(values))
    done = db.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", tuple(values.values()))  # noqa: S608
    return done.lastrowid or 0
