"""A file is as it was, or as it was meant to be."""

from pathlib import Path

import pytest

from cutscore.atomic import replace_file


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
