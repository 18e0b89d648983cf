"""Fixtures of the benchmark tests.

bench       opens an installed benchmark once for all tests
copied      copies colorbars into a package of its own, with edits, and opens that
"""

import functools
import itertools
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cutscore import registry
from cutscore.benchmarks._contract import Bench, open_bench
from cutscore.core.card import Card
from cutscore.registry import Found
from cutscore.store import Store

Edits = dict[str, tuple[str, str]]

_number = itertools.count(1)


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
