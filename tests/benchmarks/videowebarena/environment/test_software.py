"""videowebarena: the sites of the pack `software` are served without anything that is installed beside this package."""

import subprocess
import sys

import pytest

from cutscore.benchmarks.videowebarena.environment.software.start import PROGRAMS, _source_folder, find_software
from cutscore.core.errors import Stopped

PACKAGE = "cutscore.benchmarks.videowebarena.environment.software"


def test_no_package_of_ours_comes_between_a_program_and_its_own() -> None:
    """A `multipart` in our environment made Trac answer every page with status 500."""
    modules = ", ".join(f"{PACKAGE}.{program.module}" for program in PROGRAMS.values())
    look = f"import sys, {modules}; print([each for each in sys.path if 'site-packages' in each])"
    ran = subprocess.run(
        [sys.executable, "-S", "-c", look],
        env={"PYTHONPATH": _source_folder()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.stdout.strip(), ran.stderr) == ("[]", "")


def test_software_that_is_not_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUTSCORE_WEB_SOFTWARE", "/nowhere")
    with pytest.raises(Stopped, match=r"web software: 'oscar' is not in '/nowhere'; run 'sh tools/web_software.sh'"):
        find_software()
