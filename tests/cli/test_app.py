"""The frame around every command: loading, usage errors, failures, streams."""

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from cutscore import registry
from cutscore.cli.app import COMMANDS, LATER, Commands, group, to_error
from cutscore.core.errors import BadInput

HEAVY = ("inspect_ai", "numpy", "av", "cv2", "numba", "scipy")


def loaded(tmp_path: Path, *lines: tuple[str, ...]) -> set[str]:
    """Run command lines, one after the other, in a fresh interpreter and give every module that it has in the end."""
    code = (
        f"import sys; from cutscore.cli import main; assert not any([main(words) for words in {lines!r}]);"
        "print('\\n' + ' '.join(sorted({name.partition('.')[0] for name in sys.modules})), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines()[-1].split())


def items_of(bench: str) -> list[str]:
    starter = registry.benchmark(bench).folder / "starter" / "items.jsonl"
    return [json.loads(line)["id"] for line in starter.read_text().splitlines()]


def test_help_and_list_load_nothing_heavy(tmp_path: Path) -> None:
    helps = [(name, "--help") for name in COMMANDS]
    modules = loaded(tmp_path, ("--help",), ("--version",), ("list",), ("list", "--json"), *helps)
    assert "click" in modules
    assert not modules & set(HEAVY)


def test_score_of_a_verifier_benchmark_loads_no_inspect(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert "inspect_ai" not in loaded(tmp_path, ("score", "colorbars", "bars-01-a", "out", "--json"))


@pytest.mark.parametrize("bench", ["sequencing", "repair", "vidwork"])
def test_score_goes_through_neither_stage_nor_recipes(tmp_path: Path, bench: str) -> None:
    (tmp_path / "out").mkdir()
    item = items_of(bench)[0]
    code = (
        f"import sys; from cutscore.cli import main; assert not main(['score', {bench!r}, {item!r}, 'out']);"
        "print('\\n' + ' '.join(name for name in sys.modules if name.startswith('cutscore.')), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    mine = done.stderr.splitlines()[-1].split()
    assert f"cutscore.benchmarks.{bench}.mark" in mine
    beyond = [name for name in mine if name.startswith("cutscore.stage") or name.endswith((".build", ".recipe"))]
    assert beyond == []


def test_help_lists_every_command_and_says_what_is_not_there_yet(cli) -> None:
    ran = cli()
    assert ran.code == 0
    for name, about in COMMANDS.items():
        assert f"  {name}" in ran.out
        assert ("not in this version" in about) == (name in LATER)


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - set(LATER)))
def test_the_line_in_the_list_is_the_first_line_of_the_commands_help(name: str) -> None:
    command = Commands().get_command(click.Context(group), name)
    assert command is not None
    assert (command.help or "").splitlines()[0] == COMMANDS[name]
    assert [parameter.opts for parameter in command.params][-2:] == [["--json"], ["--debug"]]


@pytest.mark.parametrize("name", LATER)
def test_commands_of_later_versions_stop_in_one_sentence(cli, name: str) -> None:
    ran = cli(name, "something", "--option", "-x")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith(f"error: 'cutscore {name}': does not exist yet in cutscore ")
    assert ran.err.count("\n") == 1
    assert cli(name, "--json").json["error"]["kind"] == "Stopped"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("lst",), "error: no command 'lst'; did you mean 'list'?"),
        (("run", "colorbars", "--modle", "x/y"), "error: no option '--modle'; did you mean '--mode' or '--model'?"),
        (("run", "colorbars", "--subjct", "x"), "error: no option '--subjct'; did you mean '--subject' or '--set'?"),
        (("run", "--xyz"), "error: no option '--xyz'; see 'cutscore run -h'"),
        (("run",), "error: cutscore run: missing argument 'BENCH'; see 'cutscore run -h'"),
        (("report", "logs"), "error: cutscore report: missing option '-o' / '--out'; see 'cutscore report -h'"),
        (
            ("run", "colorbars", "--epochs", "0"),
            "error: cutscore run: invalid value for '--epochs': 0 is not in the range x>=1; see 'cutscore run -h'",
        ),
    ],
)
def test_wrong_usage_is_one_sentence_with_code_2(cli, words: tuple[str, ...], said: str) -> None:
    ran = cli(*words)
    assert (ran.code, ran.out, ran.err) == (2, "", said + "\n")


@pytest.mark.parametrize("words", [("run", "--xyz"), ("run",), ("run", "colourbars", "--subject", "oracle")])
def test_wrong_usage_is_one_object_with_json(cli, words: tuple[str, ...]) -> None:
    ran = cli(*words, "--json")
    assert ran.code == 2
    assert set(ran.json) == {"schema", "error"}
    assert ran.json["schema"] == "cutscore.run/1"
    assert set(ran.json["error"]) == {"kind", "what", "fact", "next"}
    assert ran.err == ""


def test_an_unknown_command_has_an_object_too(cli) -> None:
    assert cli("--json", "lst").json == {
        "schema": "cutscore.error/1",
        "error": {"kind": "UnknownName", "what": "no command 'lst'", "fact": "", "next": "did you mean 'list'?"},
    }


def test_json_after_two_dashes_is_an_argument(cli) -> None:
    ran = cli("show", "colorbars", "--", "--json")
    assert (ran.code, ran.out) == (2, "")
    assert "no item '--json'" in ran.err


@pytest.mark.parametrize("debug", [False, True])
def test_what_nobody_expected_is_one_sentence_and_code_4(cli, monkeypatch, error_log, debug: bool) -> None:
    monkeypatch.setattr("cutscore.registry.benchmarks", lambda: 1 // 0)
    monkeypatch.setattr("cutscore.cli.list.benchmarks", lambda: 1 // 0)
    ran = cli("list", *["--debug"] * debug)
    assert (ran.code, ran.out) == (4, "")
    fault = "unexpected ZeroDivisionError: integer division or modulo by zero"
    assert ran.err.splitlines()[-1] == f"error: cutscore list: {fault}; add --debug to see where"
    assert ("Traceback (most recent call last)" in ran.err) == debug
    error_log.clear()


def test_debug_can_come_from_the_environment(cli, monkeypatch, error_log) -> None:
    monkeypatch.setattr("cutscore.cli.list.benchmarks", lambda: 1 // 0)
    monkeypatch.setenv("CUTSCORE_DEBUG", "1")
    assert "Traceback" in cli("list").err
    monkeypatch.setenv("CUTSCORE_DEBUG", "0")
    assert "Traceback" not in cli("list").err
    error_log.clear()


@pytest.mark.parametrize(("debug", "lines"), [(False, 4), (True, 9)])
def test_warnings_that_are_alike_do_not_flood_the_screen(cli, monkeypatch, debug: bool, lines: int) -> None:
    def broken() -> list[object]:
        for number in range(9):
            logging.getLogger("cutscore.somewhere").warning("sample %d is odd", number)
        return []

    monkeypatch.setattr("cutscore.cli.list.broken_cards", broken)
    said = dict.fromkeys(cli("list", *["--debug"] * debug).said)
    assert len(said) == lines
    assert next(iter(said)) == "warning: sample 0 is odd"
    assert ("more warnings like these; --debug shows all" in list(said)[-1]) != debug


def test_interrupts_name_the_command_only_where_it_resumes() -> None:
    words = ["run", "colorbars", "--subject", "mine=folder:my out"]
    again = to_error(KeyboardInterrupt(), words, "run")
    assert str(again) == (
        "interrupted; run the same command again to go on: cutscore run colorbars --subject 'mine=folder:my out'"
    )
    assert (again.exit_code, str(to_error(click.Abort(), ["list"], "list"))) == (130, "interrupted")


def test_our_errors_pass_as_they_are() -> None:
    error = BadInput("a", "b", "c")
    assert to_error(error, [], "") is error


@pytest.mark.parametrize("words", [("list",), ("list", "--json"), ("--help",), ("show", "colorbars", "--json")])
def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path, words: tuple[str, ...]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "cutscore", *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()  # as `| true` does: nobody will ever read
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_behind_standard_output_is_said(tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cutscore", "list"],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr == "error: standard output: No space left on device; send it somewhere else\n"


@pytest.mark.parametrize("words", [("list",), ("list", "--json"), ("run", "colourbars")])
def test_any_locale_will_do(child, words: tuple[str, ...]) -> None:
    ran = child(*words, PYTHONIOENCODING="ascii", LC_ALL="C")
    assert ran.code in (0, 2)
    assert "Traceback" not in ran.err
    if "--json" in words:
        assert ran.json["schema"] == "cutscore.list/1"


def test_the_installed_command_and_the_module_are_one(child) -> None:
    assert child("--version").out.startswith("cutscore ")
    command = Path(sys.executable).with_name("cutscore")
    if os.access(command, os.X_OK):
        done = subprocess.run([command, "lst"], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (2, "error: no command 'lst'; did you mean 'list'?\n")
