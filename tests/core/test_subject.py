"""Subjects as the command line names them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.subject import SubjectSpec


@pytest.mark.parametrize(
    ("text", "kind", "version", "spec", "label"),
    [
        ("oracle", "oracle", "", "", "oracle"),
        ("codex_cli@0.128.0", "codex_cli", "0.128.0", "", "codex_cli@0.128.0"),
        ("mine=folder:out/a", "folder", "", "out/a", "mine"),
        ("folder:a=b", "folder", "", "a=b", "folder:a=b"),
        ("http:http://localhost:8000/edit?x=1", "http", "", "http://localhost:8000/edit?x=1", None),
        ("python:pkg.mod:fn", "python", "", "pkg.mod:fn", None),
        ("fast=command@2:ffmpeg -i {source} x=y {output}", "command", "2", "ffmpeg -i {source} x=y {output}", "fast"),
    ],
)
def test_parts_are_read(text: str, kind: str, version: str, spec: str, label: str | None) -> None:
    made = SubjectSpec.parse(text)
    assert (made.kind, made.version, made.spec) == (kind, version, spec)
    assert made.label == (text if label is None else label)


@pytest.mark.parametrize("text", ["", "=oracle", "x=", "@1", "codex_cli@", "folder:", ":x", "a=@1"])
def test_what_lacks_a_part_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not \[LABEL=\]KIND\[@VERSION\]\[:SPEC\]"):
        SubjectSpec.parse(text)


word = st.text("abz019._-", min_size=1, max_size=6)


@given(word, word | st.just(""), st.text(max_size=20), word)
def test_a_name_reads_back(kind: str, version: str, spec: str, label: str) -> None:
    made = SubjectSpec(kind=kind, version=version, spec=spec, label=label)
    back = SubjectSpec.parse(f"{label}={made}")
    assert back == made
    assert str(back) == str(made)
