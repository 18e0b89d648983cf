import errno
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from cutscore.authoring.pack_record import read_record
from cutscore.authoring.packs import read_pack
from cutscore.authoring.published_rows import read_rows
from cutscore.core.errors import BadInput, CutscoreError
from cutscore.core.item import Item
from cutscore.labels.files import merge_labels
from cutscore.regular_file import open_regular
from cutscore.store import Store
from cutscore.subjects.responses import read_responses


def test_a_file_is_read_also_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"words")
    (tmp_path / "link").symlink_to("file")
    for name in ("file", "link"):
        with open_regular(tmp_path / name) as stream:
            assert stream.read() == b"words"


def test_what_is_no_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # socket paths are short
    os.mkfifo("pipe")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket")
    for name, kind in (("pipe", "a pipe"), ("socket", "a socket"), (".", "a folder"), ("/dev/zero", "a device")):
        with pytest.raises(OSError, match=f"it is {kind} and no regular file") as refused:
            open_regular(Path(name))
        assert refused.value.errno == errno.EINVAL
    with pytest.raises(FileNotFoundError):
        open_regular(Path("absent"))


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("items.jsonl", lambda folder: read_pack(folder, Item, Store(folder / "store"))),
        ("pack.json", read_record),
        ("rows.jsonl", lambda folder: read_rows(folder / "rows.jsonl")),
        ("labels.jsonl", lambda folder: merge_labels([folder / "labels.jsonl"])),
        ("labels.csv", lambda folder: merge_labels([folder / "labels.csv"])),
        ("said.jsonl", lambda folder: read_responses(folder / "said.jsonl")),
    ],
)
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_nobody_waits_for_a_pipe_among_data(
    name: str, read: Callable[[Path], object], kind: str, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / name) if kind == "pipe" else (tmp_path / name).symlink_to("/dev/zero")
    with pytest.raises(CutscoreError, match=f"it is a {kind} and no regular file") as refused:
        read(tmp_path)
    assert isinstance(refused.value, BadInput)
