"""The folder of a build: resumed by the same build, refused to any other, and whole when it is a pack."""

import os
from pathlib import Path

import pytest

from cutscore.authoring import build_folder as output
from cutscore.authoring.build_folder import BuildFolder, open_build_folder
from cutscore.core.errors import BadInput, Busy

SAME = {"recipe": "vidwork", "seed": 1}


def build(folder: Path, **files: str) -> None:
    with open_build_folder(folder, SAME) as out:
        for name, text in files.items():
            out.draft.mkdir(exist_ok=True)
            (out.draft / name.replace("_", ".")).write_text(text)
        out.publish()


def shown(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


def test_a_pack_appears_when_it_is_complete_and_work_stays(tmp_path: Path) -> None:
    folder = tmp_path / "a/pack"
    with open_build_folder(folder, SAME) as out:  # left without publishing, as by a kill
        made = out.once("costly.txt", lambda draft: draft.write_text("1") and None)
        out.draft.mkdir()
        (out.draft / "items.jsonl").write_text("half")
    assert shown(folder) == {}
    with open_build_folder(folder, SAME) as out:
        assert not out.draft.exists()
        assert out.once("costly.txt", lambda draft: pytest.fail("was made already")) == made
        out.draft.mkdir()
        (out.draft / "items.jsonl").write_text("whole")
        out.publish()
    assert shown(folder) == {"items.jsonl": "whole"}


def test_what_fails_half_way_leaves_nothing(tmp_path: Path) -> None:
    with open_build_folder(tmp_path / "pack", SAME) as out:
        with pytest.raises(ZeroDivisionError):
            out.once("x/y.txt", lambda draft: draft.write_text("half") and 1 / 0)  # type: ignore[return-value,arg-type]
        assert list((out.work / "x").iterdir()) == []


def test_the_same_build_again_replaces_its_own_files_only(tmp_path: Path) -> None:
    folder = tmp_path / "pack"
    build(folder, items_jsonl="1", old_md="1")
    (folder / "notes.md").write_text("mine")
    build(folder, items_jsonl="2")
    assert shown(folder) == {"items.jsonl": "2", "notes.md": "mine"}
    with pytest.raises(BadInput, match=r"'notes\.md' is there already, and not from this build; move it away"):
        build(folder, items_jsonl="3", notes_md="3")
    assert shown(folder) == {"items.jsonl": "2", "notes.md": "mine"}


def test_items_come_last_and_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, done = tmp_path / "pack", list[str]()
    build(folder, items_jsonl="1", a_md="1", z_md="1")
    replace, remove = os.replace, output._remove

    def moving(source: Path, target: Path) -> None:
        done.extend([f"+{Path(target).name}"] * (Path(target).parent == folder))
        replace(source, target)

    def removing(path: Path) -> None:
        done.extend([f"-{path.name}"] * (path.parent == folder))
        remove(path)

    monkeypatch.setattr(os, "replace", moving)
    monkeypatch.setattr(output, "_remove", removing)
    build(folder, items_jsonl="2", a_md="2", z_md="2")
    assert done == ["-items.jsonl", "-a.md", "-z.md", "+a.md", "+z.md", "+items.jsonl"]


@pytest.mark.parametrize("other", [{"recipe": "vidwork", "seed": 2}, {"recipe": "vidwork"}])
def test_another_build_is_refused(tmp_path: Path, other: dict[str, object]) -> None:
    build(tmp_path / "pack", items_jsonl="1")
    said = r"holds a build with other settings \((seed|more of them)\); choose another -o, or delete it"
    with pytest.raises(BadInput, match=said), open_build_folder(tmp_path / "pack", other):
        pytest.fail("must not start")
    assert shown(tmp_path / "pack") == {"items.jsonl": "1"}


def test_what_somebody_else_wrote_is_refused(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/thesis.tex").write_text("years of work")
    (tmp_path / "link").symlink_to(tmp_path / "full")
    for name, said in (("full", "holds something that 'cutscore build' did not write"), ("link", "is not a folder")):
        with pytest.raises(BadInput, match=said), open_build_folder(tmp_path / name, SAME):
            pytest.fail("must not start")
    with pytest.raises(BadInput, match="is not a folder"), open_build_folder(tmp_path / "full/thesis.tex", SAME):
        pytest.fail("must not start")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["thesis.tex"]


def test_a_torn_note_is_named(tmp_path: Path) -> None:
    build(tmp_path / "pack", items_jsonl="1")
    (tmp_path / "pack/.work/build.json").write_text("{")
    with (
        pytest.raises(BadInput, match=r"build.json': is not JSON.*choose another -o"),
        open_build_folder(tmp_path / "pack", SAME),
    ):
        pytest.fail("must not start")


def test_two_builds_at_once(tmp_path: Path) -> None:
    said = r"is at work in it; wait for it, or choose another -o"
    with (
        open_build_folder(tmp_path / "pack", SAME),
        pytest.raises(Busy, match=said),
        open_build_folder(tmp_path / "pack", SAME),
    ):
        pytest.fail("must not start")


def test_the_store_lies_with_the_work(tmp_path: Path) -> None:
    assert BuildFolder(tmp_path).store.root == tmp_path / ".work/store"
