"""The script that fetches the speech sample: whole and right, or one sentence and nothing."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

NEEDED = ("sh", "mktemp", "rm", "tar", "gzip", "sha256sum", "mkdir", "mv", "dirname", "cat")
INSIDE = "package/cpp/whisper.cpp/bindings/go/samples/jfk.wav"


@pytest.fixture
def fetch(repository: Path, tmp_path: Path) -> Callable[..., str]:
    """Runs the script on a machine whose npm, if it has one, does what a test says; gives what it said."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in NEEDED:
        (folder / name).symlink_to(shutil.which(name) or "")

    def run(npm: str | None = None) -> str:
        if npm is not None:
            (folder / "npm").write_text(f"#!/bin/sh\n{npm}\n")
            (folder / "npm").chmod(0o755)
        command = ["/bin/sh", str(repository / "tools" / "speech_sample.sh"), str(tmp_path / "out" / "jfk.wav")]
        done = subprocess.run(command, env={"PATH": str(folder)}, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "")
        return done.stderr

    return run


def test_without_npm_it_says_what_is_missing(fetch: Callable[..., str]) -> None:
    assert fetch() == "the speech sample is missing: install npm; speech tests will be skipped\n"
    assert "npm could not fetch nodejs-whisper" in fetch("exit 1")


def test_another_file_is_not_taken_for_it(fetch: Callable[..., str], tmp_path: Path) -> None:
    made = tmp_path / "made" / INSIDE
    made.parent.mkdir(parents=True)
    made.write_text("not the speech")
    subprocess.run(["tar", "-czf", tmp_path / "a.tgz", "-C", tmp_path / "made", "package"], check=True)
    assert "nodejs-whisper carries another file" in fetch(f"cat {tmp_path}/a.tgz >nodejs-whisper-0.1.4.tgz")
    assert not (tmp_path / "out").exists()


def test_it_is_silent_when_the_sample_is_there(fetch: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "jfk.wav").touch()
    assert fetch("exit 1") == ""
