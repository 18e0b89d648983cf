"""The script that fetches the starter sites' programs: all by their pins, or one sentence and nothing."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def fetch(repository: Path, tmp_path: Path) -> Callable[[str], str]:
    """Runs the script with a Python whose pip does what a test says in shell; gives what it said."""
    (tmp_path / "pins.txt").write_text("trac==1\n")

    def run(pip: str) -> str:
        python = tmp_path / "python"
        python.write_text(f"#!/bin/sh\n{pip}\n")
        python.chmod(0o755)
        script = repository / "tools" / "web_software.sh"
        command = ["/bin/sh", str(script), str(tmp_path / "out"), str(python), str(tmp_path / "pins.txt")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "")
        return done.stderr

    return run


def test_without_an_index_it_says_what_is_missing(fetch: Callable[[str], str], tmp_path: Path) -> None:
    said = "web software is missing: pip could not install it; tests of that pack's sites will be skipped\n"
    assert fetch(f'mkdir "{tmp_path}/out"; exit 1') == said
    assert not (tmp_path / "out").exists()


def test_it_is_installed_once_for_its_pins(fetch: Callable[[str], str], tmp_path: Path) -> None:
    pip = f'mkdir "{tmp_path}/out"; echo "$@" > "{tmp_path}/out/told"'
    assert fetch(pip) == ""
    assert "--require-hashes" in (tmp_path / "out" / "told").read_text()
    assert fetch("exit 1") == ""
    (tmp_path / "pins.txt").write_text("trac==2\n")
    assert "pip could not install it" in fetch("exit 1")
