"""A file is as it was, or as it was meant to be."""

from pathlib import Path

import pytest

from cutscore.atomic import fill_folder, replace_file


def test_what_was_written_takes_the_place(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")
    with replace_file(file) as draft:
        draft.write_text("new")
        assert file.read_text() == "old"
        assert (draft.parent, draft.name[0], draft.suffix) == (tmp_path.resolve(), ".", ".part")
    assert file.read_text() == "new"
    assert list(tmp_path.iterdir()) == [file]


def test_a_failure_leaves_the_old_one_and_no_litter(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")

    def interrupted() -> None:
        with replace_file(file) as draft:
            draft.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_two_drafts_of_one_file_do_not_meet(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    with replace_file(file) as one, replace_file(file) as other:
        assert one != other
        one.write_text("one")
        other.write_text("other")
    assert file.read_text() == "one"  # whoever is done last


@pytest.mark.parametrize("there", [False, True])
def test_a_folder_appears_when_it_is_full(there: bool, tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    if there:
        folder.mkdir(parents=True)
    with fill_folder(folder) as draft:
        (draft / "in").mkdir()
        (draft / "in" / "file").write_text("x")
        assert not folder.exists() or list(folder.iterdir()) == [draft]
    assert [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*"))] == ["in", "in/file"]
    assert list(folder.parent.iterdir()) == [folder]


@pytest.mark.parametrize("there", [False, True])
def test_a_folder_that_fails_leaves_nothing(there: bool, tmp_path: Path) -> None:
    folder = tmp_path / "a"
    if there:
        folder.mkdir()

    def interrupted() -> None:
        with fill_folder(folder) as draft:
            (draft / "half").write_text("x")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert [*tmp_path.rglob("*")] == ([folder] if there else [])
