"""Every family of tasks brings its attacks, and its tasks pass the gates of authoring and of assets."""

import inspect
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from cutscore import registry
from cutscore.authoring.gates.asset import check_asset
from cutscore.authoring.gates.authoring import check_authoring
from cutscore.authoring.hostile import FEWEST
from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.core.bundle import Bundle
from cutscore.submissions import read_submission


def families() -> list[str]:
    """Name the benchmarks whose items are tasks with files to deliver."""

    def has_tasks(found: registry.Benchmark) -> bool:
        kinds = inspect.getmembers(found.part("dataset"), inspect.isclass)
        return any(issubclass(kind, Bundle) and kind is not Bundle for _, kind in kinds)

    return [name for name, found in registry.benchmarks().items() if has_tasks(found)]


@pytest.mark.parametrize("name", families())
def test_a_family_brings_its_attacks(name: str, bench: Callable[[str], LoadedBenchmark]) -> None:
    opened = bench(name)
    attacks = opened.found.part("hostile").hostile(opened.items[0], opened.store)
    names = Counter(each.name for each in attacks)
    assert len(names) >= FEWEST
    assert names.most_common(1)[0][1] == 1
    for each in attacks:
        assert each.most.keys() <= set(opened.modes), each.name


@pytest.mark.parametrize("what", ["one picture", "all pictures at the time 0"])
@pytest.mark.parametrize("name", families())
def test_a_film_without_time_is_0_with_a_reason(
    name: str, what: str, bench: Callable[[str], LoadedBenchmark], tmp_path: Path
) -> None:
    opened = bench(name)
    item = opened.items[0]
    attacks = opened.found.part("hostile").hostile(item, opened.store)
    attack = next(each for each in attacks if each.name.endswith(f" is {what}"))
    (tmp_path / item.id).mkdir()
    attack.write(tmp_path / item.id)
    ending = opened.mark(read_submission(tmp_path, item.id, store=opened.store), item)
    assert ending.status == "marked"
    key = f"{opened.found.card.headline}@strict"
    assert ending.scores[key] == 0
    assert next(each for each in ending.findings if f"{each.name}@{each.mode}" == key).because


@pytest.mark.parametrize("name", families())
def test_a_task_of_a_family_passes_the_gates_of_its_author(name: str, bench: Callable[[str], LoadedBenchmark]) -> None:
    """The verifier's gate, with every attack, is tried in the tests of each family; `cutscore check NAME` does all."""
    opened = bench(name)
    item = opened.items[0]
    assert isinstance(item, Bundle)
    assert check_authoring(opened, item).faults == ()
    assert check_asset(opened, item).faults == ()
