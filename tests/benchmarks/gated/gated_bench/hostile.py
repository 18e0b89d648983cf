"""Attacks on a JSON file, of which nothing may score; and good work in other clothes."""

from cutscore.authoring.hostile import Honest, Hostile, damaged, file_attacks, handed, json_attacks
from cutscore.core.files import FileStore
from cutscore.core.frozen import canonical_json
from gated_bench.dataset import FILE, Hidden


def hostile(item: Hidden, store: FileStore) -> list[Hostile]:
    """Give all that a folder and a JSON file can do."""
    good = canonical_json([item.word])
    return damaged({FILE: good}, {**file_attacks(FILE, good), **json_attacks(FILE, good)})


def honest(item: Hidden, store: FileStore) -> list[Honest]:
    """Give the word with spaces around, and in a file that the brief does not allow."""
    return [
        Honest("with spaces", handed({FILE: b" " + canonical_json([item.word]) + b"\n"})),
        Honest("as a text", handed({"word.txt": item.word.encode()}), announced="missing file"),
    ]
