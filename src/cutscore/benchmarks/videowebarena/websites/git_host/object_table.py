"""Git objects as rows of the database, so that a form is kept whole or not at all, and a reset copies one file."""

import sqlite3
import zlib
from collections.abc import Iterator

from dulwich.object_store import BaseObjectStore
from dulwich.objects import ObjectID, RawObjectID, ShaFile, sha_to_hex
from dulwich.pack import Pack

_HEX_LENGTH = 40


class ObjectTable(BaseObjectStore):
    """The objects of all repositories."""

    def __init__(self, db: sqlite3.Connection) -> None:
        super().__init__()
        self.db = db

    @property
    def packs(self) -> list[Pack]:
        """No pack: each object is a row."""
        return []

    def contains_loose(self, sha: ObjectID) -> bool:
        """Return whether there is such an object."""
        return self.db.execute("SELECT 1 FROM git_object WHERE sha = ?", (_written(sha),)).fetchone() is not None

    def get_raw(self, name: RawObjectID | ObjectID) -> tuple[int, bytes]:
        """Return the number of its type and the content of an object."""
        row = self.db.execute("SELECT type, packed FROM git_object WHERE sha = ?", (_written(name),)).fetchone()
        if row is None:
            raise KeyError(name)
        return row["type"], zlib.decompress(row["packed"])

    def __iter__(self) -> Iterator[ObjectID]:
        """Iterate over the names of all objects."""
        rows = self.db.execute("SELECT sha FROM git_object ORDER BY sha")
        return (ObjectID(row["sha"].encode()) for row in rows)

    def add_object(self, obj: ShaFile) -> None:
        """Keep an object."""
        row = (_written(obj.id), obj.type_num, zlib.compress(obj.as_raw_string()))
        self.db.execute("INSERT OR IGNORE INTO git_object VALUES (?, ?, ?)", row)


def _written(sha: RawObjectID | ObjectID) -> str:
    return (sha if len(sha) == _HEX_LENGTH else sha_to_hex(RawObjectID(sha))).decode()
