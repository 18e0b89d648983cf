"""Attacks on a JSON file, of which nothing may score; and good work in other clothes."""

from cutscore.authoring.hostile import (
    HonestSubmission,
    HostileSubmission,
    attack_submission,
    file_attacks,
    json_attacks,
    write_files,
)
from cutscore.core.files import FileStore
from cutscore.core.frozen import canonical_json
from gated_bench.dataset import FILE, Hidden


def hostile(item: Hidden, store: FileStore) -> list[HostileSubmission]:
    """Give all that a folder and a JSON file can do."""
    good = canonical_json([item.word])
    return attack_submission({FILE: good}, {**file_attacks(FILE, good), **json_attacks(FILE, good)})


def honest(item: Hidden, store: FileStore) -> list[HonestSubmission]:
    """Give the word with spaces around, and in a file that the brief does not allow."""
    return [
        HonestSubmission("with spaces", write_files({FILE: b" " + canonical_json([item.word]) + b"\n"})),
        HonestSubmission("as a text", write_files({"word.txt": item.word.encode()}), announced="missing file"),
    ]
