"""The scripts that fetch what is too large for the development set: by its pins, or one sentence and nothing."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

# What each script says that it lacks, and whose tests are skipped then.
MISSING = {
    "hub_packages": "torch is missing: {}; tests of hub models will be skipped\n",
    "ray_package": "Ray is missing: {}; tests of that engine will be skipped\n",
    "web_software": "web software is missing: {}; tests of that pack's sites will be skipped\n",
}


@pytest.fixture
def fetch(repository: Path, tmp_path: Path) -> Callable[[str, str], str]:
    """Runs a script with a Python that does what a test says in shell; gives what it said."""
    (tmp_path / "pins.txt").write_text("package==1\n")

    def run(name: str, python_does: str) -> str:
        python = tmp_path / "python"
        python.write_text(f"#!/bin/sh\n{python_does}\n")
        python.chmod(0o755)
        script = repository / "tools" / f"{name}.sh"
        command = ["/bin/sh", str(script), str(tmp_path / "out"), str(python), str(tmp_path / "pins.txt")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "")
        return done.stderr

    return run


@pytest.mark.parametrize("name", MISSING)
def test_without_an_index_it_says_what_is_missing(fetch: Callable[[str, str], str], tmp_path: Path, name: str) -> None:
    assert fetch(name, f'mkdir "{tmp_path}/out"; exit 1') == MISSING[name].format("pip could not install it")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", MISSING)
def test_it_is_installed_once_for_its_pins(fetch: Callable[[str, str], str], tmp_path: Path, name: str) -> None:
    assert fetch(name, f'mkdir -p "{tmp_path}/out"; echo "$@" >> "{tmp_path}/out/told"') == ""
    locked, *more = (tmp_path / "out" / "told").read_text().splitlines()
    assert "--require-hashes" in locked
    if name == "hub_packages":  # torch comes from where the machine's builds are, and is started
        torch, started = more
        assert "--require-hashes" not in torch
        assert "torch==" in torch
        assert started == "-c import torch"
    else:
        assert not more
    assert fetch(name, "exit 1") == ""
    (tmp_path / "pins.txt").write_text("package==2\n")
    assert "pip could not install it" in fetch(name, "exit 1")


def test_a_build_that_does_not_start_is_taken_away(fetch: Callable[[str, str], str], tmp_path: Path) -> None:
    said = fetch("hub_packages", f'mkdir -p "{tmp_path}/out"; [ "$1" = -m ]')
    assert said.startswith("torch is missing: this build of torch ")
    assert not (tmp_path / "out").exists()
