"""Whether a pack's tasks are done on sites of our own: its file `own_sites.toml` has the seed that they show."""

import tomllib
from pathlib import Path

from cutscore.core.errors import BrokenData

FILE = "own_sites.toml"


def read_seed(folder: Path) -> int | None:
    """Return the seed of a pack's sites; None where they are told by address."""
    file = folder / FILE
    if not file.is_file():
        return None
    try:
        told = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BrokenData(f"file '{file}'", f"cannot be used: {error}", "mend it") from None
    seed = told.get("seed")
    if not isinstance(seed, int) or set(told) != {"seed"}:
        raise BrokenData(f"file '{file}'", "does not tell a seed and nothing else", "write 'seed = 1'")
    return seed
