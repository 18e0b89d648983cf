"""The script that installs the agents: each by itself, one sentence for what cannot be had, never a failure."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

AGENTS = ["claude_code", "codex_cli", "gemini_cli", "opencode", "openclaw"]


@pytest.fixture
def install(repository: Path, tmp_path: Path) -> Callable[[str], str]:
    """Runs the script with a command `cutscore` that does what a test says in shell; gives what it said."""

    def run(command: str) -> str:
        cutscore = tmp_path / "cutscore"
        cutscore.write_text(f"#!/bin/sh\n{command}\n")
        cutscore.chmod(0o755)
        script = repository / "tools" / "agent_packages.sh"
        words = ["/bin/sh", str(script), str(tmp_path / "out"), str(cutscore)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "")
        return done.stderr

    return run


def test_each_agent_is_installed_into_the_folder_of_the_tests(install: Callable[[str], str], tmp_path: Path) -> None:
    told = tmp_path / "told"
    assert install(f'echo "$CUTSCORE_AGENTS $*" >> "{told}"; echo progress >&2') == ""
    assert told.read_text().splitlines() == [f"{tmp_path / 'out'} agents install {name}" for name in AGENTS]


def test_what_cannot_be_had_is_named_and_the_others_are_installed(install: Callable[[str], str]) -> None:
    said = install('[ "$3" != gemini_cli ] || { echo "npm: no registry" >&2; exit 4; }')
    assert said == "agent gemini_cli is missing: npm: no registry; its tests will be skipped\n"


def test_a_command_that_does_not_start_is_said(install: Callable[[str], str]) -> None:
    assert "agent openclaw is missing: " in install("exit 127")
