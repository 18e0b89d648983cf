"""Data packs: what is read, and the line that is named when something is wrong."""

import json
import os
import re
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field, TypeAdapter

from cutscore.authoring.pack_writer import write_pack
from cutscore.authoring.packs import LONGEST_LINE_BYTES, read_pack
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


def test_a_clip_of_holes_is_refused_before_it_is_read(pack: Path) -> None:
    os.truncate(pack / "clips/a.mp4", 20 << 30)
    assert fault(pack, line()) == (
        "items.jsonl line 1: file 'clips/a.mp4' has 21,474,836,480 bytes, nearly all of them holes"
    )


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


class Album(Item):
    pictures: tuple[FileRef, ...] = ()
    note: dict[str, str] = Field(default_factory=dict)
    answer: Annotated[str, TRUTH] = ""


class Note(BaseModel):
    text: str


def note(file: Path) -> Note:
    return Note(text=file.read_text())


def read_albums(pack: Path, *items: dict[str, Any], kind: Any = Album) -> list[Any]:
    lines = [json.dumps({"id": str(number), "cluster": "c", **item}) for number, item in enumerate(items)]
    (pack / "items.jsonl").write_text("\n".join(lines))
    return read_pack(pack, kind, Store(pack.parent / "store"), folders=("pictures",), sidecars={"note": note})


def test_a_field_may_name_a_folder_or_a_list_of_files(pack: Path) -> None:
    for name in ("c.jpg", "b.jpg", ".hidden"):
        (pack / "clips" / name).write_bytes(name.encode())
    folder, listed, none = read_albums(pack, {"pictures": "clips"}, {"pictures": ["clips/c.jpg"]}, {})
    assert [picture.name for picture in folder.pictures] == ["clips/a.mp4", "clips/b.jpg", "clips/c.jpg"]
    assert listed.pictures == folder.pictures[2:]
    assert none.pictures == ()


def test_a_field_may_name_the_file_that_holds_its_value(pack: Path) -> None:
    (pack / "note.txt").write_text("hello")
    beside, inside = read_albums(pack, {"note": "note.txt"}, {"note": {"text": "hello"}})
    assert beside.note == inside.note == {"text": "hello"}


class Plain(Item):
    clip: dict[str, str]


def test_items_may_be_of_several_kinds(pack: Path) -> None:
    found = read_albums(pack, {}, {"clip": {}}, kind=TypeAdapter(Album | Plain))
    assert [type(item) for item in found] == [Album, Plain]


def test_the_error_has_every_fault_and_says_a_few(pack: Path) -> None:
    (pack / "items.jsonl").write_text("\n".join(["[]"] * 9))
    with pytest.raises(BrokenData, match="line 5: is not a JSON object · and 4 more") as broken:
        read_pack(pack, Line, Store(pack.parent / "store"))
    assert broken.value.faults == tuple(f"line {number}: is not a JSON object" for number in range(1, 10))


class Word(BaseModel):
    text: str


class Written(Item):
    clip: FileRef | None = None
    pictures: tuple[FileRef, ...] = ()
    heard: Word | None = None


def write_word(word: BaseModel, path: Path) -> None:
    path.write_text(word.model_dump_json())


def written(folder: Path, items: list[Written], store: Store) -> dict[str, str]:
    return write_pack(folder, items, store, sidecars={"heard": write_word})


def again(folder: Path) -> list[Written]:
    return read_pack(
        folder,
        Written,
        Store(folder.parent / "other"),
        files=("clip",),
        folders=("pictures",),
        sidecars={"heard": lambda path: Word.model_validate_json(path.read_text())},
    )


def test_what_was_written_is_read_back_equal(tmp_path: Path) -> None:
    store, folder = Store(tmp_path / "store"), tmp_path / "made"
    clip = store.put_bytes(b"clip", name="media/a.mp4", media_type="video/mp4")
    pictures = tuple(store.put_bytes(b"%d" % n, name=f"media/b/{n}.jpg", media_type="image/jpeg") for n in range(3))
    items = [
        Written(id="a-2", cluster="a", clip=clip, heard=Word(text="eins"), groups={"domain": "x"}),
        Written(id="a-1", cluster="a", clip=clip, heard=Word(text="eins")),
        Written(id="b-1", cluster="b/..", pictures=pictures, heard=Word(text="zwei")),
        Written(id="c", cluster="c"),
    ]
    hashes = written(folder, items, store)
    assert again(folder) == items
    assert hashes["media/a.mp4"] == clip.sha256
    assert len([name for name in hashes if name.startswith("heard/")]) == 2
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert files == {*hashes, "items.jsonl"}
    assert written(folder, items, store) == hashes


def test_two_contents_under_one_name_are_refused_and_leave_no_pack(tmp_path: Path) -> None:
    store, folder = Store(tmp_path / "store"), tmp_path / "made"
    items = [
        Written(id=name, cluster="a", clip=store.put_bytes(name.encode(), name="media/a.mp4")) for name in ("a", "b")
    ]
    with pytest.raises(BrokenData, match=r"file 'media/a.mp4': stands for two contents in one pack"):
        written(folder, items, store)
    assert not (folder / "items.jsonl").exists()


def test_a_line_that_no_reader_would_take_is_not_written(tmp_path: Path) -> None:
    long = Written(id="a", cluster="a", groups={"why": "x" * LONGEST_LINE_BYTES})
    with pytest.raises(BrokenData, match=r"item 'a': takes more than 1,000,000 bytes as a line"):
        written(tmp_path / "made", [long], Store(tmp_path / "store"))
