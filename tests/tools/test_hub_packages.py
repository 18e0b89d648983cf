"""The script that fetches torch and transformers: all of it, started once, or one sentence and nothing."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def fetch(repository: Path, tmp_path: Path) -> Callable[[str], str]:
    """Runs the script with a Python that does what a test says in shell; gives what it said."""
    (tmp_path / "pins.txt").write_text("transformers==1\n")

    def run(python_does: str) -> str:
        python = tmp_path / "python"
        python.write_text(f"#!/bin/sh\n{python_does}\n")
        python.chmod(0o755)
        script = repository / "tools" / "hub_packages.sh"
        command = ["/bin/sh", str(script), str(tmp_path / "out"), str(python), str(tmp_path / "pins.txt")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "")
        return done.stderr

    return run


def test_without_an_index_it_says_what_is_missing(fetch: Callable[[str], str], tmp_path: Path) -> None:
    said = "torch is missing: pip could not install it; tests of hub models will be skipped\n"
    assert fetch(f'mkdir "{tmp_path}/out"; exit 1') == said
    assert not (tmp_path / "out").exists()


def test_a_build_that_does_not_start_is_taken_away(fetch: Callable[[str], str], tmp_path: Path) -> None:
    said = fetch(f'mkdir -p "{tmp_path}/out"; [ "$1" = -m ]')
    assert said.startswith("torch is missing: this build of torch ")
    assert not (tmp_path / "out").exists()


def test_it_is_installed_once_for_its_pins(fetch: Callable[[str], str], tmp_path: Path) -> None:
    pip = f'mkdir -p "{tmp_path}/out"; echo "$@" >> "{tmp_path}/out/told"'
    assert fetch(pip) == ""
    locked, torch, started = (tmp_path / "out" / "told").read_text().splitlines()
    assert "--require-hashes" in locked
    assert "--require-hashes" not in torch
    assert "torch==" in torch
    assert started == "-c import torch"
    assert fetch("exit 1") == ""
    (tmp_path / "pins.txt").write_text("transformers==2\n")
    assert "pip could not install it" in fetch("exit 1")
