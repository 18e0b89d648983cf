"""What marking can reach is in a cell's identity: every file of it, and no other."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import cutscore
from cutscore.cells import scoring_code
from cutscore.cells.scoring_code import FOLDING, STARTS, code_digest, reached_from
from cutscore.registry import Benchmark, benchmarks

QUICK = ("colorbars",)
NAMES = [pytest.param(name, marks=() if name in QUICK else pytest.mark.real) for name in sorted(benchmarks())]


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package's code once more, which the digest reads and nobody imports."""
    copied = tmp_path / "cutscore"
    shutil.copytree(Path(cutscore.__file__).parent, copied, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(scoring_code, "OURS", copied)
    return copied


def in_copy(copy: Path, name: str) -> Benchmark:
    found = benchmarks()[name]
    return replace(found, folder=copy / "benchmarks" / found.folder.name)


def reached(found: Benchmark, copy: Path) -> dict[str, Path]:
    starts = [file for name in STARTS if (file := found.folder / name).is_file()]
    return reached_from([*starts, copy / FOLDING], found)


@pytest.mark.parametrize("name", NAMES)
def test_an_edit_of_any_file_that_marking_reaches_moves_the_digest(name: str, copy: Path) -> None:
    found = in_copy(copy, name)
    before, files = code_digest(found), reached(found, copy)
    for path in files.values():
        text = path.read_bytes()
        path.write_bytes(text + b"\nEDITED = True\n")
        assert code_digest(found) != before, path
        path.write_bytes(text)
    assert code_digest(found) == before


@pytest.mark.parametrize("name", NAMES)
def test_an_edit_of_a_file_that_marking_does_not_reach_leaves_it(name: str, copy: Path) -> None:
    found = in_copy(copy, name)
    before, files = code_digest(found), set(reached(found, copy).values())
    others = [path for path in copy.rglob("*.py") if path not in files]
    assert {"task.py", "tables.py"} <= {path.name for path in others}
    for path in others:
        path.write_text("EDITED = True\n")
    assert code_digest(found) == before


def test_what_decides_refusals_and_what_decodes_is_in_it(copy: Path) -> None:
    names = reached(in_copy(copy, "sequencing"), copy)
    assert {
        "cutscore.scoring.verifiers.film",
        "cutscore.media.deliverable",
        "cutscore.media.decoder_worker",
    } <= names.keys()
    assert {"cutscore.core.ending", "cutscore.benchmarks.sequencing.order_score"} <= names.keys()
    assert "cutscore.benchmarks.repair.mark" not in names


def test_a_benchmark_of_another_package_counts_with_what_it_imports_there(tmp_path: Path) -> None:
    folder = tmp_path / "mine" / "bench"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("")
    (folder.parent / "words.py").write_text("")
    (folder / "__init__.py").write_text("")
    mark = folder / "mark.py"
    mark.write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import mine.types\n"
        "def mark():\n    from mine.words import stem\n    import cutscore.scoring.metrics.psnr\n"
    )
    (folder.parent / "types.py").write_text("")
    names = reached_from([mark], replace(benchmarks()["colorbars"], package="mine.bench", folder=folder))
    assert {"mine", "mine.bench.mark", "mine.words", "cutscore.scoring.metrics.psnr"} <= names.keys()
    assert "mine.types" not in names, "for type checkers alone"
