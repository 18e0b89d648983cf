"""A build never destroys what it did not make, nor what it made before."""

import json

import pytest

from cutscore.core.errors import BadInput, NoRoom
from cutscore.report.folder import MARKER, replace_folder


def make(out, text="new"):
    with replace_folder(out) as folder:
        (folder / "index.html").write_text(text)


def test_makes_the_folder_and_leaves_nothing_beside(tmp_path):
    make(tmp_path / "deep" / "site")
    assert sorted(path.name for path in (tmp_path / "deep").iterdir()) == ["site"]
    made = json.loads((tmp_path / "deep" / "site" / MARKER).read_text())
    assert made == {"schema": "cutscore.report/1", "made": [MARKER, "index.html"]}


def test_an_empty_folder_and_an_old_report_are_replaced(tmp_path):
    out = tmp_path / "site"
    out.mkdir()
    make(out, "one")
    (out / ".DS_Store").write_bytes(b"")
    make(out, "two")
    assert (out / "index.html").read_text() == "two"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_link_to_a_folder_keeps_being_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "site").symlink_to("real")
    make(tmp_path / "site")
    assert (tmp_path / "site").is_symlink()
    assert (tmp_path / "real" / "index.html").exists()


def test_a_failed_build_leaves_the_old_report(tmp_path):
    out = tmp_path / "site"
    make(out, "old")
    with pytest.raises(ValueError, match="boom"), replace_folder(out) as folder:  # noqa: PT012
        (folder / "index.html").write_text("half")
        raise ValueError("boom")
    assert (out / "index.html").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_full_disk_is_one_sentence_and_leaves_the_old_report(tmp_path):
    out = tmp_path / "site"
    make(out, "old")
    with pytest.raises(NoRoom) as raised, replace_folder(out):
        raise OSError(28, "No space left on device")
    assert str(raised.value) == (
        f"report '{out}': cannot be written: the disk is full; make room there, or choose another folder with -o"
    )
    assert (out / "index.html").read_text() == "old"


def test_when_the_swap_fails_the_old_report_comes_back(tmp_path, monkeypatch):
    out = tmp_path / "site"
    make(out, "old")
    rename = type(out).rename

    def fails_once_away(self, target):
        if ".old" not in str(target) and ".old" not in self.name:
            raise OSError(16, "Device or resource busy")
        return rename(self, target)

    monkeypatch.setattr(type(out), "rename", fails_once_away)
    with pytest.raises(NoRoom, match="Device or resource busy"):
        make(out, "new")
    assert (out / "index.html").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_somebody_elses_folder_is_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(BadInput) as raised:
        make(tmp_path)
    assert str(raised.value) == (
        f"folder '{tmp_path}': is not empty and is no cutscore report; empty it, or choose another folder with -o"
    )
    assert (tmp_path / "thesis.tex").read_text() == "years of work"


def test_what_somebody_added_to_a_report_is_not_lost(tmp_path):
    out = tmp_path / "site"
    make(out)
    (out / ".git").mkdir()
    (out / "notes.txt").write_text("mine")
    with pytest.raises(BadInput, match=r"holds '\.git' and 1 more, which no report put there; move it away"):
        make(out)
    assert (out / "notes.txt").exists()


@pytest.mark.parametrize("marker", ["", "[]", '{"schema": "other/1", "made": ["index.html"]}', '{"schema": 1}'])
def test_a_marker_that_is_not_ours_does_not_open_the_door(tmp_path, marker):
    (tmp_path / MARKER).write_text(marker)
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(BadInput, match="which no report put there"):
        make(tmp_path)


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "site").write_text("")
    with pytest.raises(BadInput, match="is a file, not a folder; choose another folder with -o"):
        make(tmp_path / "site")


def test_others_may_read_the_folder(tmp_path):
    make(tmp_path / "site")
    assert (tmp_path / "site").stat().st_mode & 0o055 == 0o055
