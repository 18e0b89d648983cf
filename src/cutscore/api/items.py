"""Items of a benchmark, and settings checked against its card."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cutscore.core.card import Card
from cutscore.core.errors import BadInput
from cutscore.core.files import FileStore
from cutscore.core.item import Item
from cutscore.registry import Benchmark
from cutscore.store import Store


@contextmanager
def scratch_store() -> Iterator[Store]:
    """Yield a store that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="cutscore-") as scratch:
        yield Store(Path(scratch) / "store")


def find_data(found: Benchmark, data: Path | None) -> Path | None:
    """Return the folder of a data pack that is named; raise where there is none."""
    folder = data and found.data_folder(data)
    if folder is not None and not folder.is_dir():
        offered = f", or {' or '.join(found.card.packs)}" if found.card.packs else ""
        raise BadInput(f"--data '{data}'", "there is no such folder", f"name a folder with items{offered}")
    return folder


def load_items(found: Benchmark, store: FileStore, data: Path | None = None) -> list[Item]:
    """Return a benchmark's own items, or those of a data pack."""
    items: list[Item] = found.part("dataset").items(store, find_data(found, data))
    return items


def check_mode(card: Card, mode: str) -> str:
    """Return the mode to mark in; the card's default when none is named, and an error that lists them otherwise."""
    try:
        return card.mode(mode or None)
    except ValueError as error:
        raise BadInput(f"--mode '{mode}'", str(error), "see 'cutscore list'") from None
