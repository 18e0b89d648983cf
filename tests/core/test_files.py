"""Names of files: plain relative paths, distinct on every disk."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from cutscore.core.files import FileRef, Files

SHA = "ab" * 32


def ref(name: str) -> FileRef:
    return FileRef(name=name, sha256=SHA, size_bytes=1)


@pytest.mark.parametrize(
    "name", ["solution.mp4", "cut/part 1/final.mp4", "-rf", "..hidden", "a..b", "Füße.md", "日本.mp4"]
)
def test_plain_names_are_taken(name: str) -> None:
    assert ref(name).name == name


@pytest.mark.parametrize(
    "name",
    ["", "/etc/passwd", "../up", "a/../b", "a/./b", "a//b", "a/", ".", "c:\\x", "nul\0", "line\nbreak", "\x1b[2J",
     "\x9b2J", "\x7f", "x" * 513],
)  # fmt: skip
def test_names_that_lead_elsewhere_or_command_terminals_are_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        ref(name)


@given(st.text(max_size=40))
def test_an_accepted_name_stays_inside_its_folder(name: str) -> None:
    try:
        ref(name)
    except ValidationError:
        return
    parts = name.split("/")
    assert not name.startswith("/")
    assert not {"", ".", ".."} & set(parts)
    assert "\\" not in name
    assert name.isprintable() or all(ord(char) >= 160 for char in name if not char.isprintable())


@pytest.mark.parametrize("sha", ["", "ab" * 31, "AB" * 32, "ab" * 32 + "\n", "../" + "a" * 61, "zz" * 32])
def test_only_a_digest_is_a_digest(sha: str) -> None:
    with pytest.raises(ValidationError):
        FileRef(name="a", sha256=sha, size_bytes=1)


@pytest.mark.parametrize(
    ("first", "second"),
    [("Final.mp4", "final.MP4"), ("straße", "STRASSE"), ("caf\u00e9.md", "cafe\u0301.md"), ("a", "a")],
)
def test_names_that_some_disk_takes_for_one_collide(first: str, second: str) -> None:
    with pytest.raises(ValidationError, match="file names collide"):
        Files(files=(ref(first), ref(second)))


def test_a_file_is_found_by_its_exact_name() -> None:
    files = Files(files=(ref("a.mp4"), ref("cut/a.mp4")))
    assert files.file("cut/a.mp4") == ref("cut/a.mp4")
    assert files.file("A.mp4") is None
