"""Ready deliverables: the layout, and everything that is refused by name."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput
from cutscore.core.subject import Subject, WorkContext
from cutscore.store import Store
from cutscore.subjects.folder import FolderSubject, open_folder
from cutscore.submissions import read_submission


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "out" / "item").mkdir(parents=True)
    return tmp_path / "out"


def take(root: Path, *, epoch: int = 1) -> Deliverable:
    return read_submission(root, "item", epoch=epoch, store=Store(root.parent / "store"))


def opened(root: Path | str) -> FolderSubject:
    return open_folder(str(root), ["item", "other"], bench="colorbars")


def names(deliverable: Deliverable) -> list[str]:
    return [file.name for file in deliverable.files]


def test_files_are_taken_with_their_relative_names(root: Path) -> None:
    (root / "item/sub").mkdir()
    (root / "item/solution.mp4").write_bytes(b"clip")
    (root / "item/sub/report.md").write_text("# done")
    made = take(root)
    assert names(made) == ["solution.mp4", "sub/report.md"]
    assert [file.media_type for file in made.files] == ["video/mp4", "text/markdown"]
    assert made.failure == ""
    assert Store(root.parent / "store").path(made.files[0]).read_bytes() == b"clip"


def test_answer_txt_is_also_the_answer_in_words(root: Path) -> None:
    (root / "item/answer.txt").write_bytes(b"bl\xffue\n")
    made = take(root)
    assert (names(made), made.text) == (["answer.txt"], "bl\ufffdue\n")


def test_files_without_epochs_serve_every_epoch(root: Path) -> None:
    (root / "item/a.txt").write_text("a")
    assert take(root, epoch=1) == take(root, epoch=3)


def test_folders_named_by_numbers_are_epochs(root: Path) -> None:
    for epoch in (1, 2):
        (root / f"item/{epoch}").mkdir()
        (root / f"item/{epoch}/a.txt").write_text(f"epoch {epoch}")
    one, two, three = (take(root, epoch=epoch) for epoch in (1, 2, 3))
    assert names(one) == names(two) == ["a.txt"]
    assert one.files[0].sha256 != two.files[0].sha256
    assert three.failure == "nothing was delivered: folder 'item' has no epoch 3"
    assert three.failure_class == "nothing"


def test_a_number_beside_other_things_is_a_folder_like_any(root: Path) -> None:
    (root / "item/1").mkdir()
    (root / "item/1/a.txt").write_text("a")
    (root / "item/01").mkdir()
    (root / "item/01/b.txt").write_text("b")
    assert names(take(root)) == ["01/b.txt", "1/a.txt"]


@pytest.mark.parametrize(
    ("make", "failure"),
    [
        (lambda item: item.rmdir(), "nothing was delivered: folder 'item' does not exist"),
        (lambda item: None, "nothing was delivered: folder 'item' is empty"),
        (
            lambda item: (item.rmdir(), item.write_text("x")),
            "nothing was delivered: folder 'item' is not a plain folder",
        ),
        (
            lambda item: (item.rename(item.parent / "real"), item.symlink_to(item.parent / "real")),
            "nothing was delivered: folder 'item' is not a plain folder",
        ),
    ],
    ids=["absent", "empty", "a file", "a link"],
)
def test_nothing_is_a_failure_of_the_subject(root: Path, make: Callable[[Path], object], failure: str) -> None:
    make(root / "item")
    assert take(root) == Deliverable(failure=failure, failure_class="nothing")


def test_links_and_devices_are_left_out_and_named(root: Path) -> None:
    secret = root.parent / "truth.json"
    secret.write_text('{"answer": "blue"}')
    item = root / "item"
    (item / "a.txt").write_text("a")
    (item / "answer.json").symlink_to(secret)
    (item / "folder").symlink_to(root.parent)
    os.mkfifo(item / "pipe.mp4")
    made = take(root)
    assert names(made) == ["a.txt"]
    assert made.failure == "refused: 'answer.json' is a link; 'folder' is a link; 'pipe.mp4' is a pipe"


def test_odd_names_are_left_out_and_named(root: Path) -> None:
    item = root / "item"
    for name in ("good.txt", "new\nline.txt", "back\\slash.txt", "Good.txt"):
        (item / name).write_text(name)
    made = take(root)
    assert names(made) == ["Good.txt"]
    assert made.failure.startswith("refused: 'back\\\\slash.txt' cannot be named so")
    assert "'good.txt' differs from 'Good.txt' in case only" in made.failure
    assert "'new\\nline.txt' cannot be named so" in made.failure
    assert "\n" not in made.failure


def test_a_name_that_is_not_text_is_left_out_and_named(root: Path) -> None:
    (root / "item/a.txt").write_text("a")
    for name in (b"/\xfe.txt", b"/\xff.txt"):
        with open(os.fsencode(root / "item") + name, "w") as file:
            file.write("x")
    made = take(root)
    assert names(made) == ["a.txt"]
    assert made.failure == "refused: '\\udcfe.txt' is not UTF-8; '\\udcff.txt' is not UTF-8"


def test_many_refusals_are_counted(root: Path) -> None:
    for number in range(9):
        (root / f"item/{number}.lnk").symlink_to("nowhere")
    assert take(root).failure.endswith("'4.lnk' is a link and 4 more")


def test_a_flood_of_files_is_refused_as_a_whole(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cutscore.submissions.MOST_FILES", 3)
    for number in range(4):
        (root / f"item/{number}.txt").write_text("x")
    assert take(root) == Deliverable(failure="refused: more than 3 files", failure_class="unreadable")


@pytest.mark.real
def test_folders_within_folders_without_end_are_refused_by_name(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """1,500 of them ended a run once. Both doors look as deep, and the files beside them are taken."""
    (root / "item/a.txt").write_text("a")
    monkeypatch.chdir(root / "item")
    for _ in range(1500):
        os.mkdir("d")
        os.chdir("d")
    try:
        made = take(root)
        assert names(made) == ["a.txt"]
        assert made.failure.endswith("is a folder that cannot be read, or one of more than 32 within each other")
        assert opened(root).source_digest
    finally:  # pytest's own cleaning would end as the run did
        for _ in range(1500):
            os.chdir("..")
            os.rmdir("d")


def test_a_giant_of_holes_is_refused_before_it_is_read(root: Path) -> None:
    """Hashing these 50 GB would take minutes; both doors refuse them in no time."""
    with (root / "item/fixed.mp4").open("wb") as file:
        file.truncate(50 << 30)
    assert take(root).failure == "refused: 'fixed.mp4' has 53,687,091,200 bytes, 34,359,738,368 are allowed"
    assert opened(root).source_digest


def test_what_lies_beside_the_items_is_no_part_of_the_identity(root: Path) -> None:
    (root / "item/a.txt").write_text("a")
    first = opened(root).source_digest
    (root / "notes.txt").write_text("made on Tuesday")
    assert opened(root).source_digest == first


def test_a_socket_is_left_out(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root / "item")  # socket paths are short
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("s")
    assert take(root).failure.startswith("refused: 's' ")


def test_the_subject_hands_over_what_lies_in_its_folder(
    root: Path, context: WorkContext, work: Callable[[Subject], Deliverable]
) -> None:
    (root / "bars-01-a").mkdir()
    (root / "bars-01-a/answer.json").write_text('{"answer": "red"}')
    assert names(work(open_folder(str(root), ["bars-01-a"], bench="colorbars"))) == ["answer.json"]


def test_identity_is_what_the_folder_holds_and_not_where_it_is(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "item/a.txt").write_text("a")
    first = opened(root)
    monkeypatch.chdir(root.parent)
    assert opened("out").source_digest == first.source_digest
    assert opened("out").root == first.root
    moved = root.rename(root.parent / "moved")
    assert opened(moved).source_digest == first.source_digest
    (moved / "item/link").symlink_to("a.txt")
    second = opened(moved).source_digest
    (moved / "item/a.txt").write_text("b")
    third = opened(moved).source_digest
    (moved / "item/a.txt").rename(moved / "item/b.txt")
    assert len({first.source_digest, second, third, opened(moved).source_digest}) == 4


def test_a_folder_that_is_not_there_is_named(root: Path) -> None:
    with pytest.raises(BadInput, match=r"folder 'nowhere': does not exist; its layout is DIR/ITEM\[/EPOCH\]/files"):
        opened("nowhere")
    (root / "file").write_text("")
    with pytest.raises(BadInput, match="is not a folder"):
        opened(root / "file")


def test_a_folder_without_any_item_is_bad_input_and_says_what_it_looked_for(root: Path) -> None:
    with pytest.raises(BadInput) as refused:
        open_folder(str(root), [f"bars-{number}" for number in range(9)], bench="colorbars")
    looked = "looked for 'bars-0', 'bars-1', 'bars-2', 'bars-3', 'bars-4' and 4 more; there is 'item'"
    assert refused.value.fact == f"holds no item of benchmark 'colorbars': {looked}"
    (root / "item").rmdir()
    with pytest.raises(BadInput, match="looked for 'item', 'other'; there is nothing; its layout is DIR/ITEM"):
        opened(root)


def test_a_folder_says_how_many_of_the_items_it_holds(root: Path) -> None:
    assert opened(root).remarks(["item", "other"]) == ("folder 'out' holds 1 of 2 items",)
    assert opened(root).remarks(["item"]) == ()


@pytest.mark.parametrize(
    ("make", "failed"),
    [(None, "nothing"), (lambda path: path.symlink_to("nowhere"), "unreadable"), (os.mkfifo, "unreadable")],
)
def test_what_is_missing_or_refused_has_its_class(root: Path, make: Callable[[Path], None] | None, failed: str) -> None:
    if make:
        make(root / "item/a")
    assert take(root).failure_class == failed
