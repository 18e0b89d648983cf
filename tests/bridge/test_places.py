"""A record that is passed on names folders, and does not tell where they were."""

import json
import tarfile
import zipfile
from pathlib import Path

import pytest

from cutscore.bridge.places import PlaceNames, read_data_folder, write_data_folder
from cutscore.bridge.rows import read_rows
from cutscore.core.row import canonical_rows


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> PlaceNames:
    monkeypatch.setenv("HOME", "/home/me")
    return PlaceNames(["/data/films/mine", "/data/films", ""])


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ('{"data": "/data/films/mine"}', '{"data": "mine"}'),
        ("/data/films/mine/a.mp4 and /data/films/b.mp4", "mine/a.mp4 and films/b.mp4"),
        ('File "/home/me/cuts/x.py", line 3', 'File "~/cuts/x.py", line 3'),
        ("/data/filmstrip /home/mela https://example.org/home/me", "/data/filmstrip /home/mela https://example.org/home/me"),
        ("/usr/bin/env", "/usr/bin/env"),
    ],
)  # fmt: skip
def test_folders_are_written_by_their_names(names: PlaceNames, said: str, written: str) -> None:
    assert names.clean(said.encode()).decode() == written


def test_a_log_is_copied_without_folders_to_the_same_bytes(names: PlaceNames, tmp_path: Path) -> None:
    log = tmp_path / "x.eval"
    with zipfile.ZipFile(log, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({"data": "/data/films/mine"}))
        archive.writestr("other.json", "{}")
    assert names.copy_log(log, tmp_path / "one")
    assert names.copy_log(log, tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    with zipfile.ZipFile(tmp_path / "one") as archive:
        assert json.loads(archive.read("header.json")) == {"data": "mine"}
        assert archive.namelist() == ["header.json", "other.json"]
    assert not names.copy_log(tmp_path / "one", tmp_path / "three")


def test_the_folder_of_items_is_kept_beside_the_cell(tmp_path: Path) -> None:
    write_data_folder(tmp_path, "")
    assert not list(tmp_path.iterdir())
    assert read_data_folder(tmp_path) == ""
    write_data_folder(tmp_path, "mine")
    assert read_data_folder(tmp_path) == str(Path("mine").resolve())


@pytest.mark.real  # runs, packs, reports and marks again
def test_no_pack_and_no_report_tells_where_folders_were(cli, tmp_path: Path, monkeypatch) -> None:
    place = tmp_path / "somewhere-private"
    assert cli("export", "pack", "colorbars", "-o", place / "items").code == 0
    for line in (place / "items" / "items.jsonl").read_text().splitlines():
        made = place / "cuts" / json.loads(line)["id"] / "answer.txt"
        made.parent.mkdir(parents=True)
        made.write_text("red")
    asked = ("--data", place / "items", "--limit", "2")
    ran = cli("run", "colorbars", "--subject", f"folder:{place}/cuts", "--subject", "oracle", *asked)
    assert ran.code == 0, ran.err
    assert "folder:cuts" in ran.out
    assert "somewhere-private" not in ran.out
    assert cli("pack", "logs", "-o", "study.tar").code == 0
    assert cli("pack", "--check", "study.tar").code == 0
    assert cli("report", "logs", "-o", "site").code == 0
    with tarfile.open("study.tar") as tar:
        tar.extractall("elsewhere", filter="data")
    for file in (path for folder in ("elsewhere", "site") for path in Path(folder).rglob("*") if path.is_file()):
        assert "somewhere-private" not in str(file)
        assert not any(b"somewhere-private" in content for content in contents(file)), file
    assert canonical_rows(read_rows(Path("elsewhere/logs"))) == canonical_rows(read_rows(Path("logs")))
    assert cli("rescore", "logs").code == 0, "whoever ran it marks it again without a word"
    far = cli("rescore", "elsewhere/logs")
    assert far.code == 2
    assert "its items 'items' are not here; name them with --data" in far.err
    assert cli("rescore", "elsewhere/logs", "--data", place / "items").code == 0


def contents(file: Path) -> list[bytes]:
    found = [file.read_bytes()]
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as archive:
            found += [archive.read(name) for name in archive.namelist()]
    return found
