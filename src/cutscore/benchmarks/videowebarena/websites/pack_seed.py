"""What a pack of our own says beside its tasks.

own_sites.toml     seed = 1            its tasks are done on sites of our own, which show what this seed makes
starter.toml       items = ["…"]       the tasks that a run begins with
"""

import tomllib
from pathlib import Path
from typing import Any

from cutscore.core.errors import BrokenData

FILE, STARTER_FILE = "own_sites.toml", "starter.toml"


def read_seed(folder: Path) -> int | None:
    """Return the seed of a pack's sites; None where they are told by address."""
    file = folder / FILE
    if not file.is_file():
        return None
    told = _read(file)
    seed = told.get("seed")
    if not isinstance(seed, int) or set(told) != {"seed"}:
        raise BrokenData(f"file '{file}'", "does not tell a seed and nothing else", "write 'seed = 1'")
    return seed


def read_starter(folder: Path) -> list[str]:
    """Return the tasks of a pack that a run begins with, by id."""
    items = (told := _read(file := folder / STARTER_FILE)).get("items")
    if not isinstance(items, list) or not all(isinstance(each, str) for each in items) or set(told) != {"items"}:
        raise BrokenData(f"file '{file}'", "does not list items and nothing else", "write 'items = [\"…\"]'")
    return items


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BrokenData(f"file '{file}'", f"cannot be used: {error}", "mend it") from None
