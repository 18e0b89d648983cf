"""The steps of a stored trajectory, as far as they can be read: a torn record tells what is left of it."""

from pydantic import ValidationError

from cutscore.core.errors import BadInput, CorruptEntry
from cutscore.core.files import FileStore
from cutscore.core.row import Row
from cutscore.core.trajectory import Step, Trajectory


def read_stored_steps(row: Row, store: FileStore) -> tuple[Step, ...]:
    """Return the steps of a row; none where it has no trajectory, or the store lacks it."""
    ref = row.deliverable.trajectory
    if ref is None:
        return ()
    try:
        lines = store.path(ref).read_bytes().splitlines()
    except (BadInput, CorruptEntry, OSError):
        return ()
    return tuple(step for line in lines for step in _read_line(line))


def _read_line(line: bytes) -> tuple[Step, ...]:
    try:
        return Trajectory.from_jsonl([line]).steps
    except ValidationError:
        return ()
