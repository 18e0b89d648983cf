"""Items of a benchmark, found by id."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from cutscore.cli.command import pairs
from cutscore.core.card import Card
from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.files import FileStore
from cutscore.core.item import Item
from cutscore.registry import Benchmark


def load_items(found: Benchmark, store: FileStore, data: Path | None = None) -> list[Item]:
    """Return a benchmark's own items, or those of a data pack."""
    if data is not None and not data.is_dir():
        raise BadInput(f"--data '{data}'", "there is no such folder", "name a folder with items.jsonl")
    items: list[Item] = found.part("dataset").items(store, data)
    return items


def find_item(items: Sequence[Item], name: str, *, bench: str) -> Item:
    """Return the item of that id, or offer near ones."""
    for item in items:
        if item.id == name:
            return item
    unknown = UnknownName.among("item", name, (item.id for item in items))
    hint = unknown.next if unknown.next.startswith("did") else f"see 'cutscore show {bench}'"
    raise UnknownName(unknown.what, f"not among the {len(items):,} of '{bench}'", hint)


def checked_mode(found: Benchmark, mode: str) -> str:
    """Return the mode to mark in, or say which ones there are."""
    try:
        return found.card.mode(mode or None)
    except ValueError as error:
        raise BadInput(f"--mode '{mode}'", str(error), "see 'cutscore list'") from None


def checked_options(card: Card, words: Iterable[str]) -> dict[str, str]:
    """Read `--set NAME=VALUE` as choices in scoring; those that are the defaults anyway are left out."""
    try:
        return card.chosen(pairs("--set", words))
    except ValueError as error:
        raise BadInput("--set", str(error), f"see 'cutscore list --json' for the options of '{card.name}'") from None
