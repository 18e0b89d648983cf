"""Published rows: every form is read, every address finds its file or says why not, and the truth is never made up."""

import json
from pathlib import Path
from typing import Any

import pytest

from cutscore import registry
from cutscore.authoring.packs import read_pack
from cutscore.authoring.published_rows import UNTOLD, ImportResult, PublishedFiles, read_rows, write_published_pack
from cutscore.benchmarks.sequencing.dataset import SequencingItem
from cutscore.core.bundle import UnscorableBundle
from cutscore.core.errors import BadInput
from cutscore.store import Store

BASE = "https://example.org/data/resolve/main"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Two tasks with a film of the same name each, and an archive that was unpacked."""
    for name in ("one/broken.mp4", "two/broken.mp4", "three/clips/b.mp4", "three/clips/a.mp4", "three/golden.mp4"):
        (tmp_path / "files" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "files" / name).write_text(name)
    return tmp_path / "files"


def row(*addresses: str, **more: Any) -> dict[str, Any]:
    return {"prompt": "Mend it.\n", "reference_file_urls": list(addresses), **more}


def taken(files: Path, rows: list[dict[str, Any]], **more: Any) -> ImportResult:
    sources = PublishedFiles(files, Store(files.parent / "store"))
    given = {"benchmark": "sequencing", "sources": sources, "truth": {}} | more
    return write_published_pack(files.parent / "pack", rows, **given)


def items(files: Path) -> list[SequencingItem]:
    return read_pack(
        files.parent / "pack", SequencingItem, Store(files.parent / "store"), folders=("materials", "hidden")
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rows.jsonl", '{"prompt": "a"}\n\n{"prompt": "b"}\n'),
        ("rows.json", '[{"prompt": "a"}, {"prompt": "b"}]'),
        ("rows.json", '{"rows": [{"row_idx": 0, "row": {"prompt": "a"}}, {"row": {"prompt": "b"}}]}'),
        ("rows.csv", "\ufeffprompt\na\nb\n"),
    ],
)
def test_rows_are_read_in_every_form(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert [row["prompt"] for row in read_rows(tmp_path / name)] == ["a", "b"]


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"PAR1\xff", "is not UTF-8 text; write parquet as JSON lines first"),
        (b"[1]", "row 1 is not an object"),
        (b"[]", "has no rows"),
        (b"{", "is not JSON"),
    ],
)
def test_what_cannot_be_rows_is_refused(tmp_path: Path, data: bytes, fault: str) -> None:
    (tmp_path / "rows.json").write_bytes(data)
    with pytest.raises(BadInput, match=fault):
        read_rows(tmp_path / "rows.json")
    with pytest.raises(BadInput, match="cannot be read"):
        read_rows(tmp_path / "nowhere.json")


def test_an_address_finds_the_file_whose_folders_agree(files: Path) -> None:
    rows = [row(f"{BASE}/{name}/broken.mp4?token=secret#x", id=name) for name in ("two", "one")]
    assert taken(files, rows) == ImportResult(0, 2, (), ())
    two, one = items(files)
    assert isinstance(two, UnscorableBundle)
    assert (two.untold, two.brief, two.verbatim) == (UNTOLD, "Mend it.\n", True)
    assert [(files.parent / "pack" / ref.name).read_text() for ref in (*two.materials, *one.materials)] == [
        "two/broken.mp4",
        "one/broken.mp4",
    ]
    origin = two.provenance["two/broken.mp4"]
    assert (origin.source, origin.recipe) == (f"{BASE}/two/broken.mp4", f"download {BASE}/two/broken.mp4")
    assert "secret" not in (files.parent / "pack/items.jsonl").read_text()
    assert two.published_ask.brief == "Mend it.\n", "word for word"
    assert [wanted.name for wanted in two.published_ask.wanted] == ["solution.json", "solution.mp4"]


def test_rows_that_cannot_become_items_are_named_and_the_others_go_on(files: Path) -> None:
    made = taken(
        files,
        [
            row(f"{BASE}/one/broken.mp4", task_id="Ta sk/1", tags="x"),
            row(f"{BASE}/other/broken.mp4"),
            row(f"{BASE}/nowhere.mp4"),
            row(f"{BASE}/two/broken.mp4", prompt=" "),
            row(prompt="b"),
            row(f"{BASE}/one/broken.mp4", id="Ta-sk-1"),
            row(f"{BASE}/one/broken.mp4", f"{BASE}/two/broken.mp4"),
            row("https://example.org"),
        ],
    )
    assert (made.told, made.untold, made.unused) == (0, 1, ("tags",))
    assert made.refused == (
        f"row 2 (row-002): 'broken.mp4' is there 2 times; keep the folders of {BASE}/other/broken.mp4",
        f"row 3 (row-003): 'nowhere.mp4' is not in the folder of files; get it from {BASE}/nowhere.mp4",
        "row 4 (row-004): has no 'prompt'",
        "row 5 (row-005): has no 'reference_file_urls'",
        "row 6 (Ta-sk-1): another row is called 'Ta-sk-1', too",
        "row 7 (row-007): two of its files are called 'row-007/broken.mp4'",
        "row 8 (row-008): 'https://example.org' names no file",
    )
    assert [item.id for item in items(files)] == ["Ta-sk-1"]


@pytest.mark.parametrize("said", ['["{}"]', "{}", " {}\n"])
def test_addresses_may_be_written_as_text(files: Path, said: str) -> None:
    address = f"{BASE}/one/broken.mp4"
    assert taken(files, [row() | {"reference_file_urls": said.format(address)}]).untold == 1


def test_with_its_truth_a_row_is_an_item_of_the_benchmark_in_the_published_words(files: Path) -> None:
    truth = {"id": "film", "order": ["film/b.mp4", "film/a.mp4"], "hidden": ["three/golden.mp4"], "groups": {"x": "y"}}
    assert taken(files, [row(f"{BASE}/three/clips.zip", id="film", license="CC0-1.0")], truth={"film": truth}).told == 1
    (item,) = items(files)
    assert isinstance(item, SequencingItem)
    assert [ref.name for ref in item.materials] == ["film/a.mp4", "film/b.mp4"]
    assert (item.licence, item.order, item.verbatim) == ("CC0-1.0", ("film/b.mp4", "film/a.mp4"), True)
    assert [ref.name for ref in item.hidden] == ["three/golden.mp4"]
    assert json.loads((files.parent / "pack/items.jsonl").read_text())["brief"] == "Mend it.\n"


def test_truth_of_nothing_is_refused(files: Path) -> None:
    with pytest.raises(BadInput, match="names 'film', which no row became"):
        taken(files, [row(f"{BASE}/one/broken.mp4")], truth={"film": {"id": "film"}})
    astray = {"row-001": {"id": "row-001", "hidden": ["../store"]}}
    with pytest.raises(BadInput, match="names 'row-001', which no row became"):
        taken(files, [row(f"{BASE}/one/broken.mp4")], truth=astray)


def test_published_words_are_not_framed_and_a_hint_stands_before_them(files: Path) -> None:
    taken(files, [row(f"{BASE}/one/broken.mp4")])
    (item,) = items(files)
    found = registry.benchmark("sequencing")
    assert found.ask(item, {}) == item.published_ask
    assert found.variant(item, {}, "narrative") is None
    hinted = found.variant(item.model_copy(update={"hints": {"narrative": "All ends well."}}), {}, "narrative")
    assert hinted is not None
    assert hinted.brief == "All ends well.\n\nMend it.\n"
