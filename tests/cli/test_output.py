"""Nothing leaves without passing here: no secrets, no characters that act."""

import io
import json
import shutil
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from cutscore.cli.output import CommandOutput, Interrupted, OutputPrinter, colour_text, is_terminal
from cutscore.cli.text_tables import align_columns
from cutscore.core.errors import RunBroken

SECRET = "sk-live-0123456789abcdef"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    return SECRET


def test_secrets_leave_by_no_door(secret: str, capsys) -> None:
    answer = CommandOutput(
        {"a": [secret]}, f"key {secret}", (f"careful with {secret}",), RunBroken("x", secret, secret)
    )
    assert OutputPrinter("run").show(answer) == 4
    assert OutputPrinter("run", as_json=True).show(answer) == 4
    out, err = capsys.readouterr()
    assert secret not in out + err
    assert (out + err).count("[redacted:OPENAI_API_KEY]") == 8


def test_a_secret_that_control_characters_break_up_is_found(secret: str, capsys) -> None:
    OutputPrinter("run").show(CommandOutput(text=f"{secret[:8]}\x1b[31m{secret[8:]}"))
    assert capsys.readouterr().out == "[redacted:OPENAI_API_KEY]\n"


def test_secrets_that_the_settings_name_are_taken_out_too(tmp_path, monkeypatch, capsys) -> None:
    (tmp_path / "cutscore.toml").write_text('secret_env = ["MY_PHRASE"]', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MY_PHRASE", "open sesame please")
    OutputPrinter("run").show(CommandOutput(text="open sesame please"))
    assert capsys.readouterr().out == "[redacted:MY_PHRASE]\n"


@given(st.text())
def test_nothing_that_acts_reaches_a_terminal(text: str) -> None:
    shown = OutputPrinter("run")._inert(text)
    assert not any(ord(letter) < 32 and letter not in "\t\n" for letter in shown)
    assert not {"\x1b", "\x7f", "\x9b", "\u202e", "\u2066", "\u200b"} & set(shown)


def test_a_warning_is_one_line(capsys) -> None:
    OutputPrinter("run").warn("first\nsecond\r\x1b[2Jthird")
    assert capsys.readouterr().err.count("\n") == 1


def test_what_there_is_comes_with_the_error(capsys) -> None:
    broken = CommandOutput({"n": 3}, "the table", error=RunBroken("run", "cut short", "go on"))
    assert OutputPrinter("run").show(broken) == 4
    out, err = capsys.readouterr()
    assert (out, err) == ("the table\n", "error: run: cut short; go on\n")
    assert OutputPrinter("run", as_json=True).show(broken) == 4
    out, err = capsys.readouterr()
    assert json.loads(out) == {
        "schema": "cutscore.run/1",
        "n": 3,
        "error": {"kind": "RunBroken", "what": "run", "fact": "cut short", "next": "go on"},
    }
    assert (err, out.count("\n")) == ("", 1)


def test_text_that_is_not_unicode_prints_all_the_same(monkeypatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="utf-8"))
    screen = OutputPrinter("run", as_json=True)
    with screen.open():
        screen.show(CommandOutput({"name": "\udcff.mp4"}))
    assert json.loads(raw.getvalue()) == {"schema": "cutscore.run/1", "name": "\udcff.mp4"}


def test_not_a_number_is_never_printed() -> None:
    with pytest.raises(ValueError, match="JSON"):
        OutputPrinter("run", as_json=True).show(CommandOutput({"n": float("nan")}))


@pytest.mark.parametrize(("env", "painted"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_colour_only_on_a_terminal_that_wants_it(monkeypatch, env: dict[str, str], painted: bool) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b" in colour_text("error:", "31", Terminal())) == painted
    assert colour_text("error:", "31", io.StringIO()) == "error:"


def test_a_closed_stream_is_no_terminal() -> None:
    stream = io.StringIO()
    stream.close()
    assert not is_terminal(stream)


WORD = st.text(alphabet=st.characters(categories=("L", "N", "P")), max_size=12)


@given(st.lists(st.tuples(WORD, WORD, st.just("|")), min_size=1))
def test_columns_line_up(rows: list[tuple[str, str, str]]) -> None:
    lines = align_columns(rows, right=(1,)).splitlines()
    assert len(lines) == len(rows)
    assert len({cell_len(line) for line in lines}) == 1


def test_a_closed_terminal_does_not_hide_that_somebody_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(io.StringIO):
        def write(self, _text: str) -> int:
            raise OSError(5, "Input/output error")

        def fileno(self) -> int:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(sys, "stdout", Closed())
    assert OutputPrinter("run").show(CommandOutput(text="rows", error=Interrupted("interrupted", ""))) == 130
    assert OutputPrinter("run").show(CommandOutput(text="rows")) == 3


def test_the_next_step_can_be_typed_where_no_shell_finds_us_by_name(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    two = "next: cutscore list · cutscore agents list"
    text = f"{two}\n1 failed; next: the same command; then cutscore report logs\nof cutscore itself"
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    monkeypatch.setattr(sys, "argv", [".venv/bin/cutscore"])
    OutputPrinter("run").show(CommandOutput(text=text))
    assert capsys.readouterr().out.splitlines() == [
        "next: .venv/bin/cutscore list · .venv/bin/cutscore agents list",
        "1 failed; next: the same command; then .venv/bin/cutscore report logs",
        "of cutscore itself",
    ]
    monkeypatch.setattr(shutil, "which", lambda _name: "/usr/bin/cutscore")
    OutputPrinter("run").show(CommandOutput(text=text))
    assert capsys.readouterr().out == f"{text}\n"


def test_lines_break_between_words_and_not_before_they_must(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    text = "extra  lacks one, two, three, four\nnext: cutscore run vidwork --subject reader\n"
    text += "  short"
    monkeypatch.setenv("COLUMNS", "24")
    OutputPrinter("doctor").show(CommandOutput(text=text))
    assert capsys.readouterr().out.splitlines() == [
        "extra  lacks one, two,",
        "       three, four",
        "next: cutscore run vidwork --subject reader",
        "  short",
    ]
    OutputPrinter("tables").show(CommandOutput(text=text, verbatim=True))
    assert capsys.readouterr().out == f"{text}\n", "a program reads it"
    monkeypatch.delenv("COLUMNS")
    OutputPrinter("doctor").show(CommandOutput(text=text))
    assert capsys.readouterr().out == f"{text}\n", "a pipe gets lines as long as they are"
