"""`cutscore agents`: what is installed, what an agent does in a box, and the box for a person."""

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from agent_fixtures import AGENTS, quick, require_agent

from cutscore.core.errors import Stopped
from cutscore.core.usage import Usage
from cutscore.environments.sandbox.isolation import find_isolation
from cutscore.subjects.harness.probe import LOOKS, compare_buckets, sum_turns


@pytest.fixture
def _box() -> None:
    try:
        find_isolation()
    except Stopped as lacks:
        pytest.skip(str(lacks))


def test_what_is_not_installed_is_listed(cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CUTSCORE_AGENTS", str(tmp_path))
    ran = cli("agents", "list", "--json")
    assert [each["name"] for each in ran.json["agents"]] == list(AGENTS)
    assert {each["state"] for each in ran.json["agents"]} == {"not installed"}


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (
            ["probe", "codex_cli"],
            3,
            "agent 'codex_cli': version 0.128.0 is not installed; run 'cutscore agents",
        ),
        (["probe", "codex_cli@0.0.1"], 3, "run 'cutscore agents install codex_cli@0.0.1'"),
        (["probe", "codex"], 2, "did you mean 'codex_cli'?"),
        (["probe"], 2, "agents probe: names no agent"),
        (["install", "codex_cli@"], 2, "agent 'codex_cli@': is not NAME[@VERSION]; see 'cutscore agents list'"),
        (["remove", "codex_cli@../.."], 2, "agent 'codex_cli': '../..' is no version"),
        (["remove", "codex_cli"], 2, "version 0.128.0 is not installed"),
        (["prob"], 2, "did you mean 'probe'?"),
        (["shell", "sequencing"], 2, "write 'cutscore agents shell BENCH ITEM'"),
    ],
)
def test_what_cannot_be_done_is_said(
    cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: list[str], code: int, said: str
) -> None:
    monkeypatch.setenv("CUTSCORE_AGENTS", str(tmp_path))
    ran = cli("agents", *words)
    assert ran.code == code
    assert said in ran.err


def test_a_full_folder_is_not_made_a_box(cli, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    ran = cli("agents", "shell", "sequencing", "film-1", "-o", str(tmp_path))
    assert (ran.code, "is not empty; name a new one with -o" in ran.err) == (2, True)


def test_buckets_are_told_apart() -> None:
    taken = sum_turns(3)
    assert set(compare_buckets(taken, taken).values()) == {"exact"}
    told = Usage(input=(taken.input or 0) + (taken.cache_write or 0), cache_write=0, output=7)
    assert compare_buckets(told, taken) == {
        "input": "with cache_write",
        "cached": "not told",
        "cache_write": "told as 0",
        "output": "told as 7 of 97",
        "reasoning": "not told",
    }
    assert set(compare_buckets(None, taken).values()) == {"not told"}


# Pictures as the model gets them: 4096 × 3072 as the pinned version of each agent sends it.
SENT = {
    "claude_code": [(600, 450)],
    "codex_cli": [(2048, 1536)],
    "gemini_cli": [(4096, 3072)],
    "opencode": [(4096, 3072)],
    "openclaw": [(1200, 900)],
}


@pytest.mark.real
@pytest.mark.parametrize("name", quick("codex_cli"))
def test_a_probe_tells_what_an_agent_does(cli, name: str) -> None:
    require_agent(name)
    seen = cli("agents", "probe", name, "--json").json["probes"][0]
    assert (seen["failed"], seen["cap_holds"], seen["answers"]) == ("", True, 2)
    assert seen["buckets"]["cached"] == "exact"
    assert seen["looked_by"] in LOOKS
    assert len(seen["tools"]) > 5
    assert [(each["width"], each["height"]) for each in seen["pictures"]] == SENT[name]


SHELL = [sys.executable, "-m", "cutscore", "agents", "shell", "sequencing", "film-1"]


@pytest.mark.real
@pytest.mark.usefixtures("_box")
def test_a_person_works_in_the_box_and_keeps_the_outputs(tmp_path: Path) -> None:
    typed = "ls film-1; echo $HOME; echo mine > outputs/note.txt; exit 3\n"
    done = subprocess.run(
        [*SHELL, "-o", str(tmp_path / "try")], input=typed, capture_output=True, text=True, check=True
    )
    assert "clip-01.mp4" in done.stdout
    assert "/home/agent" in done.stdout
    assert f"next: cutscore score sequencing film-1 {tmp_path}/try/workspace/outputs" in done.stdout
    assert (tmp_path / "try/workspace/outputs/note.txt").read_text() == "mine\n"


@pytest.mark.real
@pytest.mark.usefixtures("_box")
def test_keys_of_a_terminal_reach_the_shell() -> None:
    ours, theirs = pty.openpty()
    shell = subprocess.Popen(SHELL, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    try:
        _read_until(ours, b"box:/workspace$ ")
        # The program itself says that it runs: one that is only about to start may miss Ctrl-C, and outlive the shell.
        os.write(ours, b"sh -c \"echo be''gun; exec sleep 100\"\n")
        _read_until(ours, b"begun")
        _read_until(ours, b"box:/workspace$ ", press=b"\x03")
        while select.select([ours], [], [], 1.0)[0]:  # a second Ctrl-C may still come, and takes away what is typed
            os.read(ours, 1)
        os.write(ours, b"echo still-$((40 + 2)); exit\n")
        _read_until(ours, b"still-42")
        _read_until(ours, b"outputs: nothing")
        assert shell.wait(30) == 0
    finally:
        shell.kill()
        os.close(ours)


def _read_until(terminal: int, words: bytes, *, press: bytes = b"", within_s: float = 60.0) -> None:
    """Read what a terminal shows until words come; a key is pressed again where nothing comes of it for a while.

    A shell that is about to start a program may miss the first Ctrl-C.
    """
    seen, until = b"", time.monotonic() + within_s
    os.write(terminal, press)
    while words not in seen:
        assert time.monotonic() < until, seen
        if select.select([terminal], [], [], 3.0)[0]:
            seen += os.read(terminal, 1)
        else:
            os.write(terminal, press)
