"""Packs whose media may not be passed on: the lines keep every hash and how to get the file, and the files come later.

`strip_media` makes such items, `media_states` says what of a pack is here, and `add_media` puts files in their places.
A file is known by its content alone: whatever it was called where it came from, it is taken when its hash is the
pinned one.
"""

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeVar

from cutscore.authoring.pack_writer import copy_file
from cutscore.authoring.packs import pinned_files
from cutscore.core.bundle import Bundle, Provenance
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef

State = Literal["here", "brought", "absent", "other"]
AnyBundle = TypeVar("AnyBundle", bound=Bundle)


@dataclass(frozen=True)
class MediaState:
    """A pinned file of a pack, how to get it, and whether it is there.

    `brought` was absent and has just been copied; `other` is a file with another content in its place.
    """

    ref: FileRef
    recipe: str
    state: State


def strip_media(items: Sequence[AnyBundle], *, recipe: str = "") -> list[AnyBundle]:
    """Return tasks that say of every file how to get it; the recipe, in words, is for files without one of their own.

    Raises:
        BadInput: Nobody could get a file.
    """
    return [_add_recipes(item, recipe) for item in items]


def _add_recipes(item: AnyBundle, recipe: str) -> AnyBundle:
    origins = {}
    for ref in (*item.materials, *item.hidden):
        origin = item.provenance.get(ref.name) or Provenance(licence=item.licence)
        if not (origin.recipe or recipe):
            fact = f"'{ref.name}' has no recipe, so nobody could get it"
            raise BadInput(f"item '{item.id}'", fact, "say with --recipe how to get files, or pass them on")
        origins[ref.name] = origin.model_copy(update={"recipe": origin.recipe or recipe})
    return item.model_copy(update={"provenance": origins})


def media_states(folder: Path) -> list[MediaState]:
    """Return of every file that a pack pins whether it is here, by its hash; in the order of the lines."""
    pinned = pinned_files(folder).values()
    return [MediaState(each.ref, each.recipe, _state(folder / each.ref.name, each.ref)) for each in pinned]


def _state(path: Path, ref: FileRef) -> State:
    if not os.path.lexists(path):
        return "absent"
    return "here" if _has_content(path, ref) else "other"


def _has_content(path: Path, ref: FileRef) -> bool:
    if path.is_symlink() or not path.is_file() or path.stat().st_size != ref.size_bytes:
        return False
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest() == ref.sha256


def add_media(folder: Path, source: Path) -> list[MediaState]:
    """Copy what a pack lacks from a folder, whatever the files are called there, and say what is here then.

    A file in its place with another content stays: whoever changed it may want it.
    """
    if not source.is_dir():
        raise BadInput(f"--from '{source}'", "there is no such folder", "name the folder that you got the files into")
    places = media_states(folder)
    lacking = {place.ref.size_bytes for place in places if place.state == "absent"}
    by_size: dict[int, list[Path]] = {}
    for path in sorted(path for path in source.rglob("*") if path.is_file() and not path.is_symlink()):
        if (size := path.stat().st_size) in lacking:
            by_size.setdefault(size, []).append(path)
    return [_add_file(folder, place, by_size.get(place.ref.size_bytes, [])) for place in places]


def _add_file(folder: Path, place: MediaState, candidates: Sequence[Path]) -> MediaState:
    able = (path for path in candidates if place.state == "absent" and _has_content(path, place.ref))
    if (found := next(able, None)) is None:
        return place
    if not (folder / place.ref.name).resolve().is_relative_to(folder.resolve()):
        raise BadInput(f"data pack '{folder}'", f"file '{place.ref.name}' leads out of the pack", "mend the pack")
    copy_file(found, folder / place.ref.name, place.ref)
    return replace(place, state="brought")
