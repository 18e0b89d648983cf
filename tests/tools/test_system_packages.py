"""The one script that touches the system: it installs as root with apt-get, and otherwise only speaks."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ALL = "chromium espeak-ng bubblewrap ffmpeg firefox-esr"
NEEDED = ("sh", "mktemp", "tail", "rm", "cat")


@pytest.fixture
def machine(repository: Path, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the script on a machine that has nothing but a shell and the programs that a test gives it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in NEEDED:
        (folder / name).symlink_to(shutil.which(name) or "")

    def run(**programs: str) -> subprocess.CompletedProcess[str]:
        for name, body in programs.items():
            program = folder / name.replace("_", "-")
            program.write_text(f"#!/bin/sh\n{body}\n")
            program.chmod(0o755)
        script = repository / "tools" / "system_packages.sh"
        environ = {"PATH": str(folder), "CALLS": str(tmp_path / "calls")}
        return subprocess.run(["/bin/sh", str(script)], env=environ, capture_output=True, text=True, check=False)

    return run


def test_it_is_silent_when_everything_is_there(machine) -> None:
    programs = ("chromium_browser", "espeak_ng", "bwrap", "ffmpeg", "firefox", "apt_get")
    done = machine(id="echo 0", **dict.fromkeys(programs, "exit 1"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_without_apt_get_it_says_what_is_missing(machine) -> None:
    done = machine(id="echo 0")
    assert done.returncode == 0
    assert done.stderr == (
        f"missing: {ALL}; install it with your system's package manager; tests that need it will be skipped\n"
    )


def test_a_user_who_is_not_root_is_told_and_no_sudo_is_called(machine, tmp_path: Path) -> None:
    done = machine(id="echo 1000", apt_get='echo called >>"$CALLS"', sudo='echo sudo >>"$CALLS"')
    assert done.returncode == 0
    assert f"install it as root with 'apt-get install {ALL}'" in done.stderr
    assert not (tmp_path / "calls").exists()


def test_root_installs_from_the_systems_packages(machine, tmp_path: Path) -> None:
    done = machine(id="echo 0", apt_cache="", apt_get='echo "$DEBIAN_FRONTEND $*" >>"$CALLS"')
    assert (done.returncode, done.stderr) == (
        0,
        f"installing {ALL} from the system's packages\n",
    )
    assert (tmp_path / "calls").read_text().splitlines() == [
        "noninteractive update -qq",
        f"noninteractive install -y -qq --no-install-recommends {ALL}",
    ]


def test_only_what_is_missing_is_installed(machine, tmp_path: Path) -> None:
    """Firefox is left out where the system's packages have none."""
    machine(id="echo 0", chromium="exit 1", apt_cache="exit 100", apt_get='echo "$*" >>"$CALLS"')
    installed = (tmp_path / "calls").read_text().splitlines()[1]
    assert installed == "install -y -qq --no-install-recommends espeak-ng bubblewrap ffmpeg"


def test_a_failed_install_is_told_with_its_last_words(machine) -> None:
    done = machine(id="echo 0", apt_cache="", apt_get='[ "$1" = update ] || { echo "no such package"; exit 100; }')
    assert done.returncode == 0
    assert done.stderr.splitlines()[1:] == [
        "no such package",
        f"missing: {ALL}; apt-get could not install it; tests that need it will be skipped",
    ]


def test_nothing_of_the_makefile_calls_sudo(repository: Path) -> None:
    for name in ("Makefile", ".ci/run"):
        assert "sudo" not in (repository / name).read_text()
    assert os.access(repository / ".ci" / "run", os.X_OK)
