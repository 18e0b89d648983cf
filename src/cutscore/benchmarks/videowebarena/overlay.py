"""Mends of released tasks, kept in `overlay.toml`; the files themselves are never edited.

A mend holds for the very entry that it was written for, by digest: where a file has another, nothing is mended. With
`--set overlay=off` tasks are marked as they are written, and those that cannot be are invalid: counted, shown and
unscored. A mend may add targets at the end, so that what is read for a mended task is enough to mark it as written.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import Field, JsonValue

from cutscore.core.errors import BrokenData
from cutscore.core.frozen import FrozenModel, SafeName, digest_of

FILE = Path(__file__).with_name("overlay.toml")
ON, OFF = "on", "off"
DIGITS = 16  # of a digest, enough to tell entries apart


class Mend(FrozenModel):
    """What is done to one entry.

    Args:
        entry: First digits of the digest of the entry as released.
        why: The defect, and what the mend rests on.
        move: Field → where it belongs, both dotted (`eval.program_html`).
        put: Dotted field → value.
        append: Dotted field → values at the end of its list.
    """

    entry: str = Field(pattern=rf"^[0-9a-f]{{{DIGITS}}}$")
    why: str = Field(min_length=1)
    move: dict[str, str] = Field(default_factory=dict)
    put: dict[str, JsonValue] = Field(default_factory=dict)
    append: dict[str, list[JsonValue]] = Field(default_factory=dict)


class _OverlayFile(FrozenModel):
    mends: dict[SafeName, Mend]


@cache
def read_overlay() -> Mapping[str, Mend]:
    """Return the mends by item."""
    return _OverlayFile.model_validate(tomllib.loads(FILE.read_text(encoding="utf-8"))).mends


def entry_digest(entry: Mapping[str, Any]) -> str:
    """Return the digits by which a mend knows its entry."""
    return digest_of(entry)[:DIGITS]


def find_mend(item: str, entry: Mapping[str, Any]) -> Mend | None:
    """Return the mend of an entry; None where there is none, or it was written for another entry."""
    mend = read_overlay().get(item)
    return mend if mend is not None and mend.entry == entry_digest(entry) else None


def apply_mend(entry: Mapping[str, Any], mend: Mend) -> dict[str, Any]:
    """Return a mended copy of an entry."""
    made = dict(entry)
    for source, target in mend.move.items():
        value = _at(made, source)
        _put(made, target, value)
        _drop(made, source)
    for field, value in mend.put.items():
        _put(made, field, value)
    for field, values in mend.append.items():
        _put(made, field, [*_at(made, field), *values])
    return made


def _at(entry: Mapping[str, Any], field: str) -> Any:
    value: Any = entry
    for name in field.split("."):
        if not isinstance(value, dict) or name not in value:
            raise BrokenData("overlay.toml", f"mends a field '{field}' that is not there", "correct it")
        value = value[name]
    return value


def _put(entry: dict[str, Any], field: str, value: Any) -> None:
    """Set a field; mappings on the way are copied, since the entry as released is read, too."""
    first, dot, rest = field.partition(".")
    if dot:
        entry[first] = dict(entry.get(first) or {})
        _put(entry[first], rest, value)
    else:
        entry[first] = value


def _drop(entry: dict[str, Any], field: str) -> None:
    head, _, last = field.rpartition(".")
    (_at(entry, head) if head else entry).pop(last)
