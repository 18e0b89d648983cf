"""Data packs: what is read, and the line that is named when something is wrong."""

import json
import re
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import Field

from cutscore.benchmarks.packs import LONGEST_LINE_BYTES, read_pack
from cutscore.core.errors import BrokenData
from cutscore.core.files import FileRef
from cutscore.core.item import TRUTH, Item
from cutscore.store import Store


class Line(Item):
    clip: FileRef
    points: int = Field(ge=0)
    answer: Annotated[str, TRUTH] = ""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "pack"
    (folder / "clips").mkdir(parents=True)
    (folder / "clips/a.mp4").write_bytes(b"clip a")
    return folder


def line(**fields: Any) -> str:
    return json.dumps({"id": "a", "cluster": "a", "clip": "clips/a.mp4", "points": 1, **fields})


def read(pack: Path, *lines: str) -> list[Line]:
    (pack / "items.jsonl").write_text("\n".join(lines))
    return read_pack(pack, Line, Store(pack.parent / "store"), files=("clip",))


def fault(pack: Path, *lines: str) -> str:
    with pytest.raises(BrokenData) as caught:
        read(pack, *lines)
    assert caught.value.what == f"data pack '{pack}'"
    return caught.value.fact


def test_items_come_in_the_order_of_their_lines_with_their_files_on_the_shelf(pack: Path) -> None:
    items = read(pack, line(id="z"), "", line(id="b", points=2), "  ")
    assert [(item.id, item.points) for item in items] == [("z", 1), ("b", 2)]
    clip = items[0].clip
    assert (clip.name, clip.size_bytes, clip.media_type) == ("clips/a.mp4", 6, "video/mp4")
    assert Store(pack.parent / "store").path(clip).read_bytes() == b"clip a"


def test_a_line_may_pin_its_file(pack: Path) -> None:
    (first,) = read(pack, line())
    (again,) = read(pack, line(clip=first.clip.model_dump()))
    assert again == first
    (pack / "clips/a.mp4").write_bytes(b"clip b")
    assert re.fullmatch(
        r"items.jsonl line 1: file 'clips/a.mp4' has sha256 [0-9a-f]{8}…, the line pins [0-9a-f]{8}…",
        fault(pack, line(clip=first.clip.model_dump())),
    )


def test_every_bad_line_is_named_by_its_number(pack: Path) -> None:
    said = fault(pack, line(), "{", line(points=-1), line(id="a"), line(id="c", colour="red"))
    assert said == (
        "items.jsonl line 2: is not JSON from character 2 on"
        " · line 3: points: Input should be greater than or equal to 0"
        " · line 4: id 'a' is that of line 1"
        " · line 5: colour: Extra inputs are not permitted"
    )


def test_five_faults_are_named_and_the_rest_is_counted(pack: Path) -> None:
    said = fault(pack, *["[]"] * 9)
    assert said.count("is not a JSON object") == 5
    assert said.endswith("· line 5: is not a JSON object · and 4 more")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"id": "a", "id": "b"}', "line 1: has the key 'id' twice"),
        ('{"id": NaN}', "line 1: has the number NaN"),
        (line(clip="clips/b.mp4"), "line 1: file 'clips/b.mp4' does not exist"),
        (line(clip="clips"), "line 1: file 'clips' is a folder"),
        (line(clip="../secret.mp4"), "line 1: file '../secret.mp4' leads out of the pack"),
        (line(clip="/etc/hostname"), "line 1: file '/etc/hostname' leads out of the pack"),
        (line(clip="clips/link.mp4"), "line 1: file 'clips/link.mp4' leads out of the pack"),
        (line(clip="clips/inner.mp4"), "line 1: file 'clips/inner.mp4' is a link"),
        (line(clip="away/secret.mp4"), "line 1: file 'away/secret.mp4' leads out of the pack"),
        (line(clip="./clips/a.mp4"), "line 1: file './clips/a.mp4' cannot be named so"),
        (line(clip=7), "line 1: file '7' does not exist"),
        (line(id="../a"), "line 1: id: String should match pattern"),
        ("x" * (LONGEST_LINE_BYTES + 1), "line 1: is longer than 1,000,000 bytes; lines after it were not read"),
    ],
)
def test_one_clear_sentence_for_each_fault(pack: Path, text: str, words: str) -> None:
    (pack.parent / "secret.mp4").write_bytes(b"secret")
    (pack / "clips/link.mp4").symlink_to(pack.parent / "secret.mp4")
    (pack / "clips/inner.mp4").symlink_to(pack / "clips/a.mp4")
    (pack / "away").symlink_to(pack.parent)
    assert words in fault(pack, text)


def test_the_rest_of_an_endless_line_is_not_taken_for_lines(pack: Path) -> None:
    said = fault(pack, line(), "x" * (3 * LONGEST_LINE_BYTES), line(id="b"))
    assert said == "items.jsonl line 2: is longer than 1,000,000 bytes; lines after it were not read"


def test_text_that_is_not_utf8_is_named(pack: Path) -> None:
    (pack / "items.jsonl").write_bytes(b'{"id": "\xff"}\n')
    with pytest.raises(BrokenData, match="line 1: is not UTF-8 text"):
        read_pack(pack, Line, Store(pack.parent / "store"))


def test_a_pack_without_items_says_so(pack: Path) -> None:
    with pytest.raises(BrokenData, match=r"items\.jsonl cannot be read: No such file or directory; a pack is a folder"):
        read_pack(pack, Line, Store(pack.parent / "store"))
    assert fault(pack, "", "  ") == "items.jsonl has no items"
