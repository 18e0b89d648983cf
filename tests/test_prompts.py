"""Prompts: text, digest, blanks, and whose file counts."""

import hashlib
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.errors import BadInput, UnknownName
from cutscore.prompts import MAX_BYTES, Prompt, load_prompt, load_prompts


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A benchmark's prompts: `ask` with two blanks and `judge` with none."""
    made = tmp_path / "prompts"
    made.mkdir()
    (made / "ask.md").write_text("Look at {{clip}}.\n{{question}}\n")
    (made / "judge.md").write_text("Is it right?\n")
    (made / "notes.txt").write_text("not a prompt")
    return made


def write(file: Path, data: bytes | str) -> Path:
    file.write_bytes(data.encode() if isinstance(data, str) else data)
    return file


# --- filling


def test_blanks_are_filled_and_named_once_in_order() -> None:
    prompt = Prompt.of("ask", "{{b}} {{ a }} {{b}} { {c} } {d}}")
    assert prompt.blanks() == ("b", "a")
    assert prompt.fill(a="1", b="2") == "2 1 2 { {c} } {d}}"


def test_values_are_not_templates_of_any_kind() -> None:
    value = r"{{b}} \1 \g<0> %s {0} $x"
    assert Prompt.of("ask", "{{a}}|{{b}}").fill(a=value, b="B") == value + "|B"


names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,3}", fullmatch=True)
literals = st.text().filter(lambda text: "{" not in text and "}" not in text and "\r" not in text)
hostile = st.text() | st.lists(names).map(lambda found: "".join("{{" + name + "}}" for name in found))


@given(st.lists(st.tuples(literals, names)), literals, st.data())
def test_every_value_lands_unchanged_in_its_place(
    pieces: list[tuple[str, str]], tail: str, data: st.DataObject
) -> None:
    """Filling is the same as joining literals and values by hand, whatever the values hold."""
    values = {name: data.draw(hostile) for name in sorted({name for _, name in pieces})}
    prompt = Prompt.of("p", "".join(literal + "{{" + name + "}}" for literal, name in pieces) + tail)
    assert prompt.fill(**values) == "".join(literal + values[name] for literal, name in pieces) + tail


def test_a_blank_may_be_called_self() -> None:
    assert Prompt.of("p", "{{self}}").fill(self="me") == "me"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"clip": "a"}, "prompt 'ask': nothing was given for {{question}}; use one of {{clip}}"),
        ({}, "prompt 'ask': nothing was given for {{clip}}; remove it"),
        (
            {"clip": "a", "question": "b", "extra": "c"},
            "prompt 'ask': has no blank {{extra}}; add it to the text where it belongs",
        ),
    ],
)
def test_blanks_and_values_must_match(folder: Path, given: dict[str, str], said: str) -> None:
    with pytest.raises(BadInput) as caught:
        load_prompt("ask", folder=folder).fill(**given)
    assert str(caught.value) == said


# --- digest


def test_the_digest_is_that_of_the_text() -> None:
    prompt = Prompt.of("p", "é\n")
    assert prompt.digest == hashlib.sha256("é\n".encode()).hexdigest()


@given(st.text())
def test_line_ends_do_not_change_a_prompt(text: str) -> None:
    plain = text.replace("\r", "")
    assert Prompt.of("p", plain.replace("\n", "\r\n")) == Prompt.of("p", plain)
    assert Prompt.of("p", plain.replace("\n", "\r")) == Prompt.of("p", plain)


def test_other_words_have_another_digest() -> None:
    assert Prompt.of("p", "a").digest != Prompt.of("p", "a ").digest


def test_a_byte_order_mark_is_not_part_of_the_words(folder: Path) -> None:
    plain = load_prompt("judge", folder=folder)
    write(folder / "judge.md", b"\xef\xbb\xbfIs it right?\r\n")
    assert load_prompt("judge", folder=folder) == plain


# --- whose file counts


def test_flag_before_config_before_benchmark(folder: Path, tmp_path: Path) -> None:
    """For one benchmark alone counts more than for all, and the command line more than the file."""
    files = {name: write(tmp_path / name, name) for name in ("flag", "flag-bars", "config", "config-bars")}
    config = {"judge": files["config"], "bars/judge": files["config-bars"], "other/judge": tmp_path / "missing"}

    def text(**places: dict[str, Path]) -> str:
        return load_prompt("judge", folder=folder, benchmark="bars", **places).text

    assert text() == "Is it right?\n"
    assert text(config={"judge": files["config"]}) == "config"
    assert text(config=config) == "config-bars"
    assert text(config=config, flags={"judge": files["flag"]}) == "flag"
    assert text(config=config, flags={"judge": files["flag"], "bars/judge": files["flag-bars"]}) == "flag-bars"


def test_all_prompts_of_a_benchmark(folder: Path, tmp_path: Path) -> None:
    other = write(tmp_path / "mine.md", "Mine")
    loaded = load_prompts(folder, benchmark="bars", flags={"judge": other}, config={"elsewhere": tmp_path / "missing"})
    assert list(loaded) == ["ask", "judge"]
    assert loaded["judge"] == Prompt.of("judge", "Mine")


def test_a_benchmark_may_have_no_prompts(tmp_path: Path) -> None:
    assert load_prompts(tmp_path / "prompts") == {}


def test_an_unknown_name_offers_a_near_one(folder: Path) -> None:
    with pytest.raises(UnknownName, match=r"^no prompt 'judgge'; did you mean 'judge'\?$"):
        load_prompt("judgge", folder=folder)
    with pytest.raises(UnknownName, match=r"^no prompt '../secret'; known: ask, judge$"):
        load_prompt("../secret", folder=folder)


@pytest.mark.parametrize("place", ["flags", "config"])
def test_a_replacement_for_nothing_is_an_error(folder: Path, place: str) -> None:
    with pytest.raises(UnknownName, match=r"^no prompt 'judgge'; did you mean 'judge'\?$"):
        load_prompts(folder, benchmark="bars", **{place: {"bars/judgge": folder / "ask.md"}})
    with pytest.raises(UnknownName, match=r"^no prompt 'judgge'"):
        load_prompts(folder, benchmark="bars", flags={"judgge": folder / "ask.md"})


# --- files that cannot be used


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (None, "cannot be read (No such file or directory); REMEDY"),
        (b"\xff\xfeI\x00", "is not UTF-8 text; save it as UTF-8"),
        (b"\xff" * (MAX_BYTES + 1), "is larger than 1 MB; REMEDY"),
        (b" \n", "is empty; REMEDY"),
        ("one\r\n{{ok}}\r\n{{ not a name }}", "has braces on line 3 that hold no name; write a blank as {{name}}"),
        ("{{}}", "has braces on line 1 that hold no name; write a blank as {{name}}"),
    ],
)
@pytest.mark.parametrize(
    ("place", "remedy"),
    [("flags", "correct --prompt ask=FILE"), ("config", "correct [prompts] in cutscore.toml")],
)
def test_a_file_that_cannot_be_used(
    folder: Path, tmp_path: Path, data: bytes | str | None, said: str, place: str, remedy: str
) -> None:
    file = tmp_path / "mine.md"
    if data is not None:
        write(file, data)
    with pytest.raises(BadInput) as caught:
        load_prompt("ask", folder=folder, **{place: {"ask": file}})
    assert str(caught.value) == f"prompt 'ask': {file} {said}".replace("REMEDY", remedy)


def test_the_largest_prompt_is_read(folder: Path) -> None:
    write(folder / "ask.md", b"a" * MAX_BYTES)
    assert len(load_prompt("ask", folder=folder).text) == MAX_BYTES


def test_a_pipe_is_not_waited_for(folder: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadInput, match=f"^prompt 'ask': {re.escape(str(tmp_path / 'pipe'))} is not a file; correct"):
        load_prompt("ask", folder=folder, flags={"ask": tmp_path / "pipe"})


def test_the_benchmarks_own_file_may_be_broken(folder: Path) -> None:
    write(folder / "ask.md", "")
    with pytest.raises(BadInput, match=r"ask\.md is empty; restore the benchmark's own file$"):
        load_prompt("ask", folder=folder)
