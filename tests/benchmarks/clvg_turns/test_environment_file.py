"""clvg_turns: environment files in the released schema, walks through them, and what is wrong with some."""

import json
from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.clvg_turns.dataset import find_left_out, items
from cutscore.benchmarks.clvg_turns.environment_file import (
    EnvironmentCase,
    find_faults,
    find_remarks,
    read_environment,
    walk_sampled,
    walk_scripted,
)
from cutscore.core.errors import BadInput, BrokenData
from cutscore.store import Store


def make_case(ways: dict[str, list[str]], **fields: Any) -> dict[str, Any]:
    """Return a case of these states and where each leads; the first one begins."""
    states = [
        {
            "state_id": id,
            "video_gen_prompt": f"Show {id}.",
            "transitions": [{"env_feedback": f"says {to}", "next_state_id": to} for to in after],
        }
        for id, after in ways.items()
    ]
    head = {"id": "1", "scene_id": "EDU_SUMS_CASE_A", "initial_state_id": next(iter(ways)), "role": "Teach."}
    return {**head, "states": states, **fields}


def parse(ways: dict[str, list[str]], **fields: Any) -> EnvironmentCase:
    return EnvironmentCase.model_validate(make_case(ways, **fields))


GOOD = {"ask": ["wrong", "right"], "wrong": ["right"], "right": []}


def test_the_scripted_user_takes_the_first_way_and_the_sampled_one_a_drawn_one() -> None:
    case = parse(GOOD)
    assert walk_scripted(case).states == ("ask", "wrong", "right")
    assert walk_scripted(case).feedback == ("says wrong", "says right")
    drawn = {walk_sampled(case, seed=seed).states for seed in range(20)}
    assert drawn == {("ask", "wrong", "right"), ("ask", "right")}
    assert walk_sampled(case, seed=3) == walk_sampled(case, seed=3)
    others = {walk_sampled(parse(GOOD, id=str(number))).states for number in range(20)}
    assert len(others) == 2, "cases are drawn apart"


@pytest.mark.parametrize(
    ("scene", "family"),
    [("EDU_SUMS", "EDU_SUMS"), ("EDU_SUMS_CASE_B", "EDU_SUMS"), ("EDU_BEAR_PATH_C", "EDU_BEAR")],
)
def test_variants_of_a_scene_are_one_family(scene: str, family: str) -> None:
    assert parse(GOOD, scene_id=scene).family == family


@pytest.mark.parametrize(
    ("ways", "fault"),
    [
        ({"ask": []}, "its first state 'ask' is dead: nothing follows, so no turn is judged"),
        ({"ask": ["gone"]}, "state 'ask' leads to state 'gone', which is missing"),
        ({"ask": ["more"], "more": ["ask"]}, "it loops: after state 'more'"),
        ({"ask": ["ask", "end"], "end": []}, "it loops: after state 'ask'"),
    ],
)
def test_what_cannot_be_walked_is_a_fault(ways: dict[str, list[str]], fault: str) -> None:
    (told,) = find_faults(parse(ways))
    assert told.startswith(fault)


def test_missing_and_double_states_are_faults() -> None:
    assert list(find_faults(parse(GOOD, initial_state_id="nowhere"))) == [
        "it begins with state 'nowhere', which is missing"
    ]
    double = make_case(GOOD)
    double["states"].append(double["states"][-1])
    assert list(find_faults(EnvironmentCase.model_validate(double))) == ["state 'right' is there twice"]


def test_odd_cases_stay_and_are_told() -> None:
    ways = {"ask": ["wrong", "trap"], "wrong": ["right"], "right": [], "trap": ["pit"], "pit": ["trap"], "lost": []}
    assert not list(find_faults(parse(ways)))
    told = sorted(find_remarks(parse(ways)))
    assert told == [
        "state 'lost' is unreachable",
        "state 'pit' can come again: it lies on a loop",
        "state 'pit' is dead: no end follows it",
        "state 'trap' can come again: it lies on a loop",
        "state 'trap' is dead: no end follows it",
    ]
    same = parse({"ask": ["wrong", "wrong"], "wrong": []})
    assert list(find_remarks(same)) == ["state 'ask' has two ways for 'says wrong'"]


def test_bad_cases_are_named_with_their_place_and_the_rest_goes_on(tmp_path: Path) -> None:
    cases = [
        make_case(GOOD, id="7"),
        {"id": "8", "scene_id": "X"},
        make_case({"ask": ["gone"]}, id="9"),
        make_case(GOOD, id="7"),
        make_case(GOOD, id="named", scene_id="GAME_X_PATH_B"),
    ]
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "env.json").write_text(json.dumps(cases))
    found = items(Store(tmp_path / "store"), tmp_path)
    assert [(item.id, item.cluster, item.groups["field"]) for item in found] == [
        ("case_7", "EDU_SUMS", "edu"),
        ("named", "GAME_X", "game"),
    ]
    assert find_left_out(tmp_path) == (
        "case 2 is left out: initial_state_id: Field required",
        "case 3 ('9') is left out: state 'ask' leads to state 'gone', which is missing",
        "case 4 ('7') is left out: id '7' is that of an earlier case",
    )


@pytest.mark.parametrize(
    ("text", "fact"),
    [("{}", "is no list"), ("[", "is not JSON"), ("[]", "has no cases"), ('[{"id": 3}]', "case 1: id")],
)
def test_what_is_no_environment_file_is_an_error(tmp_path: Path, text: str, fact: str) -> None:
    (tmp_path / "env.json").write_text(text)
    with pytest.raises(BrokenData, match=fact):
        read_environment(tmp_path / "env.json")


def test_a_folder_without_one_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"has no env\.json or data/env\.json"):
        items(Store(tmp_path / "store"), tmp_path)


def test_our_own_cases_are_whole(tmp_path: Path) -> None:
    found = items(Store(tmp_path))
    assert len(found) == 24
    assert len({item.cluster for item in found}) == 12
    assert find_left_out() == ()
    assert sum(len(item.paths["scripted"]) - 1 for item in found) == 60, "judged turns, on which a floor stands"
    assert any(item.paths["scripted"] != item.paths["sampled"] for item in found)
    assert all(
        len(state.transitions) != 1 for item in found for state in item.states if state.state_id == "turn_1_start"
    )
