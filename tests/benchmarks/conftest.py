"""Fixtures of the benchmark tests.

bench       opens an installed benchmark once for all tests
copied      copies colorbars into a package of its own, with edits, and opens that
make        opens a pack of tasks of the family `gated`, which is installed for one test
called      calls the command line
"""

import functools
import itertools
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cutscore import registry
from cutscore.benchmarks._contract import Bench, open_bench
from cutscore.benchmarks.packs import write_pack
from cutscore.cli import main
from cutscore.core.card import Card
from cutscore.core.files import media_type_of
from cutscore.media.render import write_clip
from cutscore.registry import Found
from cutscore.store import Store

Edits = dict[str, tuple[str, str]]

_number = itertools.count(1)

GATED = Path(__file__).parent / "gated"
collect_ignore = ["gated"]  # a package that is imported only where it counts as installed


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Bench]:
    """Give an installed benchmark by name, with its items on a shelf."""

    @functools.cache
    def opened(name: str) -> Bench:
        return open_bench(registry.benchmark(name), Store(tmp_path_factory.mktemp(name) / "store"))

    return opened


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Bench]]:
    """Give a function that copies colorbars, replaces `file: (old, new)` once in each, and opens the copy."""
    monkeypatch.syspath_prepend(tmp_path)
    made: list[str] = []

    def copy(**edits: tuple[str, str]) -> Bench:
        own = registry.benchmark("colorbars")
        package = f"copied_{next(_number)}"
        folder = tmp_path / package
        shutil.copytree(own.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
        for file in folder.glob("*.py"):
            file.write_text(file.read_text().replace(own.package, package))
        for name, (old, new) in edits.items():
            file = folder / {"card": "benchmark.toml", "readme": "README.md", "prompt": "prompts/ask.md"}.get(
                name, f"{name}.py"
            )
            text = file.read_text()
            assert text.count(old) == 1, f"{file.name} has {text.count(old)} times: {old}"
            file.write_text(text.replace(old, new))
        made.append(package)
        card = Card.model_validate(tomllib.loads((folder / "benchmark.toml").read_text()))
        return open_bench(Found("colorbars", card, folder, package), Store(tmp_path / "store"))

    yield copy
    for module in [name for name in sys.modules if name.partition(".")[0] in made]:
        del sys.modules[module]


@pytest.fixture(scope="session")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three clips of 6 pictures at 6 a second, 64×48, each of another grey; `c.mp4` is in another size."""
    folder = tmp_path_factory.mktemp("gates")
    for name, grey, size in (("a.mp4", 50, (48, 64)), ("b.mp4", 90, (48, 64)), ("c.mp4", 90, (36, 48))):
        pictures = [np.full((*size, 3), grey + 5 * number, np.uint8) for number in range(6)]
        write_clip(folder / name, pictures, rate=Fraction(6))
    return folder


@pytest.fixture
def family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the benchmark `gated`."""
    site = tmp_path / "site"
    (site / "gated-1.dist-info").mkdir(parents=True)
    (site / "gated-1.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: gated\nVersion: 1\n")
    (site / "gated-1.dist-info/entry_points.txt").write_text("[cutscore.benchmarks]\ngated = gated_bench\n")
    monkeypatch.syspath_prepend(site)
    monkeypatch.syspath_prepend(GATED)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def make(family: None, clips: Path, tmp_path: Path) -> Callable[..., Bench]:
    """Give a function that opens a pack of tasks, each with its own fields; files of a task lie in its folder."""

    def opened(*tasks: dict[str, Any], signoffs: Sequence[str] = ()) -> Bench:
        found = registry.benchmark("gated")
        kind = found.part("dataset").Hidden
        store, pack = Store(tmp_path / "store"), tmp_path / "pack"
        shutil.rmtree(pack, ignore_errors=True)
        made = []
        for number, task in enumerate(tasks or ({},), 1):
            id = task.get("id", f"task-{number}")
            files = task.get("files", {"one.mp4": clips / "a.mp4", "two.mp4": clips / "b.mp4"})
            materials = [
                store.put(path, name=f"{id}/{name}", media_type=media_type_of(name)) for name, path in files.items()
            ]
            origin = {"licence": "CC0-1.0", "source": "stage:greys"}
            fields = {
                "id": id,
                "cluster": id,
                "brief": "Which word is meant?",
                "materials": materials,
                "deliveries": [{"name": "word.json", "about": "the word in a list"}],
                "licence": "CC0-1.0",
                "word": "glovebox",
                "provenance": {ref.name: origin for ref in materials},
            }
            own = {name: value for name, value in task.items() if name not in ("id", "files")}
            made.append(kind.model_validate({**fields, **own}))
        write_pack(pack, made, store)
        if signoffs:
            lines = ["item,reviewer,role,decision,reason,content", *signoffs]
            (pack / "signoffs.csv").write_text("\n".join(lines) + "\n")
        return open_bench(found, store, data=pack)

    return opened


@pytest.fixture
def called(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Call the command line; give exit code, standard output and standard error."""

    def call(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        return code, out, err

    return call
