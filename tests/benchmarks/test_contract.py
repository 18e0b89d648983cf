"""What every benchmark folder promises. These tests come free: nothing here names a benchmark."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cutscore import registry
from cutscore.authoring.contract import CHECKS
from cutscore.authoring.loaded_benchmark import LoadedBenchmark

# Films are looked at for each of them; `make test` has three items, of three groups, `make test-real` has all.
MARK_FILMS = {
    "the oracle gets full marks",
    "a near miss does not pass",
    "marking repeats",
    "findings are what the card lists",
    "an empty deliverable gets the floor",
}
NAMES = list(registry.benchmarks())
LONG_TO_MARK = ("repair", "repurpose")

# Prints ids and contents of all items; hash seeds and working folders differ, the lines must not. To mark, Inspect is
# not needed: what marking has loaded of it is the last line.
PRINT_ITEMS = """
import sys
from pathlib import Path
from cutscore import registry
from cutscore.authoring.loaded_benchmark import load_benchmark
from cutscore.core.frozen import digest_of
from cutscore.store import Store
bench = load_benchmark(registry.benchmark(sys.argv[1]), Store(Path(sys.argv[2])))
for item in bench.items:
    print(item.id, digest_of(item.model_dump(mode="json")))
if sys.argv[3] == "mark":
    bench.mark(bench.oracle_deliverable("perfect", bench.items[0]), bench.items[0])
print([module for module in sys.modules if module.partition(".")[0] == "inspect_ai"])
"""


def test_there_is_a_benchmark() -> None:
    assert "colorbars" in NAMES
    assert registry.broken_cards() == []


def three_items(bench: LoadedBenchmark) -> LoadedBenchmark:
    """Where films are handed over, keep three items, with as many values of the first group as there are."""
    if not bench.ask(bench.items[0]).wanted:
        return bench
    first = {item.groups[min(item.groups)]: item.id for item in reversed(bench.items)}.values()
    ranked = sorted(bench.items, key=lambda item: item.id not in first)
    return replace(bench, items=ranked[:3])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("check", [check for check in CHECKS if check not in MARK_FILMS])
def test_the_promise_is_kept(name: str, check: str, bench: Callable[[str], LoadedBenchmark]) -> None:
    checked = bench(name)
    assert len(checked.items) >= 3
    assert CHECKS[check](checked) == []


@pytest.mark.parametrize("name", NAMES)
def test_the_promises_of_marking_are_kept(name: str, bench: Callable[[str], LoadedBenchmark]) -> None:
    """In one test: what was marked for one promise is not marked again for the next."""
    assert broken_promises(three_items(bench(name))) == {}


@pytest.mark.real
@pytest.mark.parametrize("name", NAMES)
def test_the_promises_of_marking_are_kept_for_every_film(name: str, bench: Callable[[str], LoadedBenchmark]) -> None:
    assert broken_promises(bench(name)) == {}


def broken_promises(bench: LoadedBenchmark) -> dict[str, list[str]]:
    return {check: faults for check in MARK_FILMS if (faults := CHECKS[check](bench))}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.real if name in LONG_TO_MARK else ()) for name in NAMES]
)
@pytest.mark.parametrize(("seed", "work"), [("0", "mark"), pytest.param("4242", "", marks=pytest.mark.real)])
def test_items_are_the_same_in_every_process_and_marking_loads_no_inspect(
    name: str, seed: str, work: str, bench: Callable[[str], LoadedBenchmark], tmp_path: Path
) -> None:
    here = [(item.id, item.digest()) for item in bench(name).items]
    env = {**os.environ, "PYTHONHASHSEED": seed}
    argv = [sys.executable, "-c", PRINT_ITEMS, name, str(tmp_path / seed), work]
    done = subprocess.run(argv, env=env, cwd=tmp_path, capture_output=True, text=True, check=True)
    *items, loaded = done.stdout.splitlines()
    assert [tuple(line.split()) for line in items] == here
    assert loaded == "[]"


@pytest.mark.parametrize("name", NAMES)
def test_three_items_are_as_they_were_written_down(name: str, bench: Callable[[str], LoadedBenchmark]) -> None:
    """An id must not come to mean another question; whoever changes one raises the card's version and the file."""
    golden = Path(__file__).parent / name / "items.jsonl"
    lines = [json.loads(line) for line in golden.read_text(encoding="utf-8").splitlines()]
    assert len(lines) >= 3
    items = {item.id: item for item in bench(name).items}
    for line in lines:
        assert _without_hashes(items[line["id"]].model_dump(mode="json")) == line


def _without_hashes(plain: object) -> object:
    """Write a file as a data pack does, by its name: the bytes of a clip may change with the encoder."""
    if isinstance(plain, dict):
        if {"name", "sha256", "size_bytes"} <= plain.keys():
            return plain["name"]
        return {key: _without_hashes(value) for key, value in plain.items()}
    return [_without_hashes(value) for value in plain] if isinstance(plain, list) else plain
