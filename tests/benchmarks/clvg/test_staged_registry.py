"""clvg: the kinds of staged cases are all known, plant the whole catalogue, and leave no subcategory unexplained."""

from pathlib import Path

import pytest

from cutscore.benchmarks.clvg.staged import kinds
from cutscore.benchmarks.clvg.staged.registry import KINDS, find_kind, list_cases, read_not_staged
from cutscore.benchmarks.clvg.taxonomy import read_taxonomy
from cutscore.benchmarks.clvg.weaknesses import read_catalogue
from cutscore.cells.scoring_code import reached_from
from cutscore.core.errors import UnknownName
from cutscore.registry import benchmark


def modules() -> set[str]:
    return {path.stem for path in Path(kinds.__file__).parent.glob("*.py")} - {"__init__"}


def test_every_module_is_a_kind() -> None:
    assert set(KINDS) == modules()
    assert {case.kind for case in list_cases()} == modules()


def test_the_judge_by_truth_is_made_of_every_kind() -> None:
    found = benchmark("clvg")
    reached = reached_from([found.folder / "oracle.py"], found)
    assert {f"{kinds.__name__}.{name}" for name in modules()} <= set(reached)


def test_the_whole_catalogue_is_planted_and_nothing_else() -> None:
    assert {code for kind in KINDS.values() for code in kind.plants} == set(read_catalogue())


def test_a_subcategory_is_staged_or_it_is_said_why_not() -> None:
    _, subcategories = read_taxonomy()
    staged = {case.subcategory for case in list_cases()}
    assert staged | set(read_not_staged()) == set(subcategories)
    assert not staged & set(read_not_staged())
    assert all(read_not_staged().values())


def test_there_are_cases_of_all_six_categories() -> None:
    categories, subcategories = read_taxonomy()
    names = [case.name for case in list_cases()]
    assert len(names) >= 24
    assert len(set(names)) == len(names)
    assert {subcategories[case.subcategory].category for case in list_cases()} == set(categories)
    logic = {
        case.subcategory for case in list_cases() if subcategories[case.subcategory].category == "logical_reasoning"
    }
    assert logic == {"space_pathfinding", "sorting_maths", "long_horizon", "games_logic"}


def test_a_strange_kind_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'maze'"):
        find_kind("mase")
