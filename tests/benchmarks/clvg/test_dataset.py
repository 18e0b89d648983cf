"""clvg: cases of somebody's own: what need not be said, and every bad one named while the rest goes on."""

import json
from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.clvg.dataset import find_left_out, items
from cutscore.core.errors import BrokenData
from cutscore.store import Store

GOOD: dict[str, Any] = {
    "id": "cat",
    "subcategory": "subject_reference",
    "instruction": "Let this cat cross a street at night.",
    "context": [
        {"role": "subject", "file": "cat.png"},
        {"role": "voice", "file": "cat.wav"},
        {"role": "style", "text": "ink"},
    ],
}


def write(folder: Path, *lines: dict[str, Any]) -> Path:
    (folder / "cat.png").write_bytes(b"png")
    (folder / "cat.wav").write_bytes(b"wav")
    (folder / "items.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return folder


def test_a_case_names_its_files_by_their_parts(tmp_path: Path) -> None:
    (item,) = items(Store(tmp_path / "store"), write(tmp_path, GOOD))
    assert [file.name for file in item.files] == ["cat.png", "cat.wav"]
    assert (item.cluster, item.groups["modalities"], item.groups["category"]) == (
        "cat",
        "text+image+audio",
        "partial_reference",
    )


def test_every_bad_case_is_named_with_its_line_and_the_rest_goes_on(tmp_path: Path) -> None:
    bad = [
        GOOD | {"id": "b", "subcategory": "subjectreference"},
        GOOD | {"id": "c", "context": [{"role": "subject", "file": "dog.png"}]},
        GOOD,
        GOOD | {"id": "e", "instruction": ""},
        GOOD | {"id": "f", "colour": "red"},
        GOOD | {"id": "g", "context": [{"role": "subject", "file": "../../secret.png"}]},
    ]
    folder = write(tmp_path, GOOD, *bad)
    assert [item.id for item in items(Store(tmp_path / "store"), folder)] == ["cat"]
    told = find_left_out(folder)
    assert [each.partition("line ")[2].partition(":")[0] for each in told] == ["2", "3", "4", "5", "6", "7"]
    words = (
        "did you mean 'subject_reference'",
        "dog.png",
        "is that of line 1",
        "instruction",
        "colour",
        "leads out of",
    )
    assert all(word in line for word, line in zip(words, told, strict=True)), told


def test_a_folder_without_a_good_case_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BrokenData, match="line 1"):
        items(Store(tmp_path / "store"), write(tmp_path, GOOD | {"subcategory": "x"}))
