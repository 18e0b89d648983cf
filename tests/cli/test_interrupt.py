"""Ctrl-C, and a second runner, against real processes."""

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

WORDS = ("run", "colorbars", "--epochs", "4", "--log-dir", "logs")


@contextmanager
def started(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Start a run, and wait until it has finished some samples."""
    process = subprocess.Popen(
        [sys.executable, "-m", "cutscore", *words],
        cwd=folder,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if '"event": "sample"' in line and json.loads(line)["done"] > 5:
                break
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.mark.real  # long, and needs nothing else
@pytest.mark.parametrize("engine", ["inline", "processes"])
def test_ctrl_c_ends_with_130_and_the_line_that_goes_on(cli, script, tmp_path: Path, engine: str) -> None:
    words = (*WORDS, "--model", script(latency_s=0.3), "--engine", engine, "--json")
    with started(tmp_path, *words) as process:
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the whole group
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert err.splitlines()[-1] == (f"interrupted; run the same command again to go on: cutscore {' '.join(words)}")
    plain = json.loads(out)
    assert (plain["schema"], plain["error"]["kind"]) == ("cutscore.run/1", "Interrupted")
    done = cli(*WORDS, *words[6:8], "--dry-run", "--json").json
    assert 0 < done["done"] + done["missing"] == done["planned"] == 240
    if engine == "inline":
        assert 0 < done["done"] < 240
        assert plain["n"] == done["done"]
    assert done["unscored"] == 0


@pytest.mark.real  # long, and needs nothing else
def test_a_terminal_that_is_closed_ends_a_run_that_goes_on_later(cli, script, tmp_path: Path) -> None:
    words = (*WORDS, "--model", script(latency_s=0.3))
    process, screen = pty.fork()
    if not process:  # the child, whose terminal the other end of `screen` is
        os.chdir(tmp_path)
        os.execv(sys.executable, [sys.executable, "-m", "cutscore", *words])
    while not any(b"/ended" in file.read_bytes() for file in tmp_path.rglob("work.jsonl")):
        os.read(screen, 65536)
    os.close(screen)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 130
    done = cli(*words, "--dry-run", "--json").json
    assert 0 < done["done"] < 240
    assert done["unscored"] == 0


@pytest.mark.real  # long, and needs nothing else
def test_a_second_runner_is_refused(cli, script, tmp_path: Path) -> None:
    words = (*WORDS, "--model", script(latency_s=0.3))
    with started(tmp_path, *words, "--json") as process:
        ran = cli(*words)
        assert ran.code == 4
        assert f"process {process.pid} is at work in it; wait for it, or choose another --log-dir" in ran.said[-1]
        assert cli(*words, "--json").json["error"]["kind"] == "Busy"
