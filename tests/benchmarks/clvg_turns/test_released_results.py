"""clvg_turns: result files of the released shape, counted with their denominators. The lines here are our own."""

import json
from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.clvg_turns.release import remarks
from cutscore.benchmarks.clvg_turns.released_results import count_results, is_verdict, read_results
from cutscore.benchmarks.clvg_turns.tables import published
from cutscore.core.errors import BrokenData

CASES = 50
SINGLE = 18  # the only case with one judged turn
TURNS = {str(number): 2 if number == SINGLE else 3 for number in range(1, CASES + 1)}


def line(case: int, turn: int = 2, *, passed: bool = False, raw: str | None = None) -> dict[str, Any]:
    said = {"case_id": str(case), "turn": turn, "pass": passed, "reason": "so it is"}
    return {**said, "raw": json.dumps({"pass": passed, "reason": "so it is"}) if raw is None else raw}


def without_film(case: int, turn: int = 2) -> dict[str, Any]:
    plain = line(case, turn)
    del plain["raw"]
    return plain


def seedance_1_5() -> list[dict[str, Any]]:
    """48 of 50 cases, two passes at turn 2, one of them the single-turn case, and one reply that nobody could read."""
    there = [number for number in range(1, CASES + 1) if number not in (10, 46)]
    lines = [line(number, passed=number in (SINGLE, 22)) for number in there if number != 41]
    return [*lines, line(41, raw="Response(id=7)"), line(22, 3)]


def seedance_2_0() -> list[dict[str, Any]]:
    """42 of 50 cases, five passes at turn 2; five films were refused there and one later, and two replies blocked."""
    gone = (9, 13, 16, 28, 30, 31, 37, 40)
    refused, blocked, passed = (15, 17, 24, 29, 42), (19, 20), (SINGLE, 1, 2, 3, 49)
    there = [number for number in range(1, CASES + 1) if number not in gone]
    lines = [without_film(n) if n in refused else line(n, passed=n in passed) for n in there if n not in blocked]
    later = [line(1, 3), line(2, 3), line(3, 3), without_film(49, 3)]
    return [*lines, *(line(number, raw="Error code: 400") for number in blocked), *later]


def write(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(each) for each in lines) + "\n")
    return path


@pytest.mark.parametrize(("make", "model"), [(seedance_1_5, "Seedance 1.5"), (seedance_2_0, "Seedance 2.0")])
def test_the_released_counts_come_out(make: Any, model: str, tmp_path: Path) -> None:
    counts = count_results(read_results(write(tmp_path / "r.jsonl", make())), TURNS)
    two, three = counts.turns[2], counts.turns[3]
    got = [two.passed, two.lines, two.verdicts, three.passed, three.lines, counts.cases_passed, counts.cases, CASES]
    assert got == published()["released"][model]


def test_a_pass_that_does_not_reach_the_end_is_no_case_pass(tmp_path: Path) -> None:
    lines = read_results(write(tmp_path / "r.jsonl", [line(5, passed=True)]))
    assert count_results(lines, TURNS).cases_passed == 0
    assert count_results(lines, {"5": 2}).cases_passed == 1


def test_what_is_a_verdict(tmp_path: Path) -> None:
    fenced = '```json\n{"pass": false, "reason": "no card"}\n```'
    made = [line(1, raw=fenced), line(2, raw='{"reason": "x"}'), line(3, raw="{"), without_film(4)]
    assert [is_verdict(each) for each in read_results(write(tmp_path / "r.jsonl", made))] == [True, False, False, False]


def test_a_line_that_is_none_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl", [line(1), {"case_id": "2"}])
    with pytest.raises(BrokenData, match="line 2: turn: Field required"):
        read_results(path)


def test_a_check_tells_the_counts_of_a_folder(tmp_path: Path) -> None:
    write(tmp_path / "results" / "one.jsonl", [line(1, passed=True), without_film(2)])
    (tmp_path / "env.json").write_text(json.dumps([_case(number) for number in range(1, 4)]))
    from cutscore.benchmarks.clvg_turns.dataset import items
    from cutscore.store import Store

    found = items(Store(tmp_path / "store"), tmp_path)
    assert remarks(found, tmp_path) == [
        "results 'one.jsonl': turn 2: 1 of 2 pass, 1 of 1 real verdicts; 1 of 2 cases pass (1 of 3 are not there)"
    ]


def _case(number: int) -> dict[str, Any]:
    ways = [{"env_feedback": "yes", "next_state_id": "end"}]
    states = [
        {"state_id": "ask", "video_gen_prompt": "Ask.", "transitions": ways},
        {"state_id": "end", "video_gen_prompt": "End."},
    ]
    return {"id": str(number), "scene_id": "X", "initial_state_id": "ask", "role": "Ask.", "states": states}
