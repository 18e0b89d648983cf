"""Packs without their media: every file is named with the way to it, and is taken by its hash alone."""

from pathlib import Path

import pytest

from cutscore.authoring.missing_media import MediaState, add_media, media_states, strip_media
from cutscore.authoring.pack_writer import write_pack
from cutscore.authoring.packs import pinned_files, read_pack
from cutscore.core.bundle import Bundle, Delivery, Provenance
from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.files import FileStore
from cutscore.store import Store

FIELDS = ("materials", "hidden")
MP4 = "video/mp4"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def task(store: FileStore, **changes: object) -> Bundle:
    plain = {
        "id": "task-1",
        "cluster": "film",
        "brief": "Put it right.",
        "materials": (store.put_bytes(b"broken", name="task-1/broken.mp4", media_type=MP4),),
        "hidden": (store.put_bytes(b"golden", name="task-1/golden.mp4", media_type=MP4),),
        "deliveries": (Delivery(name="fixed.mp4"),),
        "licence": "LicenseRef-studio",
        "provenance": {"task-1/golden.mp4": Provenance(licence="LicenseRef-studio", recipe="ask the studio")},
    }
    return Bundle.model_validate(plain | changes)


def write(folder: Path, item: Bundle, store: Store) -> Path:
    names = {ref.name for ref in (*item.materials, *item.hidden)}
    write_pack(folder, strip_media([item], recipe="from ADDRESS"), store, without=names)
    return folder


def by_name(places: list[MediaState]) -> dict[str, str]:
    return {Path(place.ref.name).name: place.state for place in places}


def test_a_pack_without_media_keeps_hashes_and_says_how_to_get_each_file(tmp_path: Path, store: Store) -> None:
    pack = write(tmp_path / "pack", task(store), store)
    assert [path.name for path in pack.iterdir()] == ["items.jsonl"]
    assert {name: each.recipe for name, each in pinned_files(pack).items()} == {
        "task-1/broken.mp4": "from ADDRESS",
        "task-1/golden.mp4": "ask the studio",
    }
    assert by_name(media_states(pack)) == {"broken.mp4": "absent", "golden.mp4": "absent"}
    told = "line 1: file 'task-1/broken.mp4' is not in the pack, get it so: from ADDRESS"
    match = r"is not in the pack, get it so: from ADDRESS; 'cutscore fetch .*' names all"
    with pytest.raises(BrokenData, match=match) as broken:
        read_pack(pack, Bundle, store, folders=FIELDS)
    assert broken.value.faults == (told,)


def test_files_are_known_by_their_hash_whatever_they_are_called(tmp_path: Path, store: Store) -> None:
    item, pack = task(store), write(tmp_path / "pack", task(store), store)
    got = tmp_path / "got"
    (got / "deep").mkdir(parents=True)
    (got / "broken.mp4").write_bytes(b"golden")  # the name of the one, the content of the other
    (got / "deep/download").write_bytes(b"br0ken")
    assert by_name(add_media(pack, got)) == {"broken.mp4": "absent", "golden.mp4": "brought"}
    (got / "deep/link").symlink_to(got / "deep/download")
    (got / "deep/download").write_bytes(b"broken")
    assert by_name(add_media(pack, got)) == {"broken.mp4": "brought", "golden.mp4": "here"}
    (read,) = read_pack(pack, Bundle, store, folders=FIELDS)
    assert read.materials == item.materials
    assert read.hidden == item.hidden


def test_what_lies_in_a_place_is_never_overwritten(tmp_path: Path, store: Store) -> None:
    pack = write(tmp_path / "pack", task(store), store)
    (pack / "task-1").mkdir()
    (pack / "task-1/broken.mp4").write_bytes(b"my own")
    (tmp_path / "got").mkdir()
    (tmp_path / "got/a").write_bytes(b"broken")
    assert by_name(add_media(pack, tmp_path / "got")) == {"broken.mp4": "other", "golden.mp4": "absent"}
    assert (pack / "task-1/broken.mp4").read_bytes() == b"my own"


def test_nothing_is_put_outside_of_the_pack(tmp_path: Path, store: Store) -> None:
    pack = write(tmp_path / "pack", task(store), store)
    (tmp_path / "got").mkdir()
    (tmp_path / "got/a").write_bytes(b"broken")
    (tmp_path / "elsewhere").mkdir()
    (pack / "task-1").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadInput, match=r"file 'task-1/broken\.mp4' leads out of the pack"):
        add_media(pack, tmp_path / "got")
    assert list((tmp_path / "elsewhere").iterdir()) == []
    with pytest.raises(BadInput, match="there is no such folder"):
        add_media(pack, tmp_path / "nowhere")


def test_a_file_that_nobody_could_get_is_not_left_out(store: Store) -> None:
    with pytest.raises(BadInput, match=r"item 'task-1': 'task-1/broken\.mp4' has no recipe, so nobody could get it"):
        strip_media([task(store)])


def test_a_line_that_pins_nonsense_is_named(tmp_path: Path) -> None:
    (tmp_path / "items.jsonl").write_text('{"materials": [{"name": "../a", "sha256": "x", "size_bytes": 1}]}\n')
    with pytest.raises(BrokenData, match=r"items\.jsonl line 1: name: .*'\.\./a' is not a plain relative path"):
        media_states(tmp_path)
