"""What tests of the command line share: calling it here or as a real child, and a run folder to look at."""

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cutscore.cli import main

collect_ignore = ["planted"]  # a package that is imported only where it counts as installed

CUTSCORE = (sys.executable, "-m", "cutscore")
LIMIT = 12  # items of colorbars: four clips, three questions each


@dataclass(frozen=True)
class Ran:
    """A command that has ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one object on standard output."""
        plain: dict[str, Any] = json.loads(self.out)
        return plain

    @property
    def said(self) -> list[str]:
        """Lines for people on standard error."""
        return [line for line in self.err.splitlines() if not line.startswith('{"event"')]

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.err.splitlines() if line.startswith('{"event"')]


Cli = Callable[..., Ran]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Run a command line in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*words: object) -> Ran:
        capsys.readouterr()
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return call


@pytest.fixture
def child(tmp_path: Path) -> Cli:
    """Run a command line as a real process, in an empty folder."""

    def call(*words: object, **env: str) -> Ran:
        done = subprocess.run(
            [*CUTSCORE, *map(str, words)],
            cwd=tmp_path,
            env={**os.environ, **env},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Install the benchmark `planted`; give a function that writes data as `planted/planted_bench/dataset.py` says."""
    site = tmp_path / "site"
    (site / "planted-1.dist-info").mkdir(parents=True)
    (site / "planted-1.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: planted\nVersion: 1\n")
    (site / "planted-1.dist-info/entry_points.txt").write_text("[cutscore.benchmarks]\nplanted = planted_bench\n")
    monkeypatch.syspath_prepend(site)
    monkeypatch.syspath_prepend(Path(__file__).parent / "planted")

    def write(where: str) -> Path:
        folder = tmp_path / where
        folder.mkdir()
        (folder / "where").write_text(where)
        return folder

    return write


@pytest.fixture(scope="session")
def finished_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of oracle, blind and null on the first items of colorbars. Only to be read."""
    folder = tmp_path_factory.mktemp("finished") / "logs"
    words = ["run", "colorbars", "--limit", str(LIMIT), "--log-dir", str(folder)]
    words += [word for kind in ("oracle", "blind", "null") for word in ("--subject", kind)]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        assert main(words) == 0
    return folder


@pytest.fixture
def own_run(finished_run: Path, tmp_path: Path) -> Path:
    """A copy of that run, to be changed."""
    return Path(shutil.copytree(finished_run, tmp_path / "own"))


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., str]:
    """Write a script for the offline model and give the model's name."""

    def write(name: str = "script", **plain: Any) -> str:
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps({"otherwise": ["red"], **plain}), encoding="utf-8")
        return f"scripted/{file}"

    return write


@pytest.fixture(scope="session")
def cell_of() -> Callable[[Path, str], Path]:
    """Find the folder of the one cell of a kind that was run."""

    def find(run: Path, kind: str) -> Path:
        (found,) = [each for each in run.glob(f"*/{kind}-*") if ".rescored" not in each.name]
        return found

    return find


@pytest.fixture
def rot() -> Callable[[Path], None]:
    """Spoil a clip that rows refer to, keeping its length."""

    def spoil(run: Path) -> None:
        from cutscore.bridge.rows import read_rows

        ask = read_rows(run)[0].ask
        assert ask is not None
        sha256 = ask.files[0].sha256
        entry = run / "store" / sha256[:2] / sha256[2:]
        entry.chmod(0o644)
        entry.write_bytes(b"x" * entry.stat().st_size)

    return spoil
