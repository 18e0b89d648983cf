"""Solvers that understand nothing."""

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileStore

PRINTED = {"allowed": "everybody may know it"}


def shortcuts(ask: Ask, store: FileStore) -> dict[str, Deliverable]:
    """Say the last word of the brief."""
    said = ask.brief.splitlines()[0].rpartition(" ")[2].strip(".")
    made = Deliverable(files=(store.put_bytes(f'["{said}"]'.encode(), name="word.json"),))
    return {"last word": made, "allowed": made, "nothing": Deliverable()}
