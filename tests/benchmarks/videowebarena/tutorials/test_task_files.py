"""Tasks of a visit in the released fields: what is added, what is counted, what is refused."""

from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.videowebarena.released_files import read_tasks, require_whole
from cutscore.benchmarks.videowebarena.scripts import TaskScripts, read_scripts
from cutscore.benchmarks.videowebarena.tutorials.action_log import LoggedStep, TutorialLog
from cutscore.benchmarks.videowebarena.tutorials.difficulty import intermediate_difficulty, overall_difficulty
from cutscore.benchmarks.videowebarena.tutorials.task_files import make_tasks, write_tasks
from cutscore.benchmarks.videowebarena.tutorials.visit import ScriptedVisit
from cutscore.core.errors import BadInput

# Appendix C.2, in the names of the released files.
FIELDS = {
    *("sites", "start_url", "video", "task_id", "intent", "intent_template", "intermediate_eval", "eval"),
    *("intermediate_difficulty", "overall_difficulty"),
    *("visual_reasoning", "audio_reasoning", "multihop_reasoning", "temporal_reasoning"),
}
LOG = TutorialLog(
    visit="cups",
    seconds=100.0,
    voice="tones",
    marks={"early": (0.0, 10.0), "middle": (40.0, 60.0), "late": (60.0, 70.0)},
    steps=(LoggedStep(at=(0.0, 100.0), url="__SHOPPING__/", cursor=(1, 1)),),
)
EVAL = {"eval_types": ["url_match"], "reference_url": "__SHOPPING__/cup", "url_note": "EXACT"}


ASKED = {
    "intermediate_intent": "Which cup?",
    "intermediate_eval": {"eval_types": ["string_match"], "reference_answers": {"must_include": ["red"]}},
}


def script(actions: int = 1, pieces: int = 1, needs: tuple[str, ...] = ("early",)) -> dict[str, Any]:
    done = [{"tool": "go_back"}] * actions
    work = {"about": "does it", "actions": done}
    return {"perfect": work, "near_misses": [{"about": "does it not"}], "pieces": pieces, "needs": needs}


def visit(*tasks: dict[str, Any], login: tuple[str, ...] = ("shopping",)) -> ScriptedVisit:
    plain = {"name": "cups", "title": "Cups", "site": "shopping", "start": "__SHOPPING__/", "steps": [{"say": "Hi."}]}
    return ScriptedVisit.model_validate({**plain, "login": login, "tasks": tasks})


def test_a_task_has_all_fields_and_is_loaded_again(tmp_path: Path) -> None:
    factual = {"intent": "Open the cup shown in the video.", "eval": EVAL, "script": script(), **ASKED}
    skill = {"set": "vwa", "intent": "Open the red cup.", "eval": EVAL, "start_url": "__SHOPPING__/all"}
    tasks = make_tasks([visit(factual, skill, factual)], {"cups": LOG})
    assert [each.id for each in tasks] == ["factual-shopping-0", "vwa-shopping-0", "factual-shopping-1"]
    assert all(set(each.entry) >= FIELDS for each in tasks)
    write_tasks(tasks, tmp_path)
    loaded = {each.id: each.task for each in require_whole(read_tasks(tmp_path))}
    assert sorted(loaded) == sorted(each.id for each in tasks)
    first = loaded["factual-shopping-0"]
    assert (first.video, first.start_url, first.overall_difficulty) == ("cups", "__SHOPPING__/", "easy")
    assert (first.require_login, first.storage_state) == (True, "./.auth/shopping_state.json")
    assert first.intent_template_id == loaded["factual-shopping-1"].intent_template_id
    assert loaded["vwa-shopping-0"].start_url == "__SHOPPING__/all"
    assert set(read_scripts(tmp_path)) == {"factual-shopping-0", "factual-shopping-1"}


def test_a_visit_without_tasks_gets_one_that_is_to_be_written() -> None:
    (task,) = make_tasks([visit()], {"cups": LOG})
    assert task.is_skeleton
    assert set(task.entry) >= FIELDS
    assert task.entry["eval"] is None


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"script": script(needs=("price",))}, "needs mark 'price', which no step has"),
        ({"eval": {"eval_types": ["string"]}}, "eval.eval_types.0"),
        ({"intermediate_eval": {"eval_types": []}}, "intermediate_eval.reference_answers"),
    ],
)
def test_a_task_that_cannot_be_read_is_named(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=rf"visit 'cups', task 'Open the cup\.': .*{told}"):
        make_tasks([visit({"intent": "Open the cup.", "eval": EVAL, **ASKED, **changes})], {"cups": LOG})


@pytest.mark.parametrize(
    ("actions", "pieces", "needs", "overall", "intermediate"),
    [
        (0, 1, ("early",), "easy", "easy"),
        (3, 1, ("early", "late"), "easy", "easy"),
        (4, 2, ("early",), "medium", "medium"),
        (9, 3, ("early", "late"), "medium", "medium"),
        (10, 4, ("early", "late"), "hard", "hard"),
        (10, 4, ("middle", "late"), "hard", "medium"),
    ],
)
def test_difficulties_are_counted(
    actions: int, pieces: int, needs: tuple[str, ...], overall: str, intermediate: str
) -> None:
    told = TaskScripts.model_validate(script(actions, pieces, needs))
    assert (overall_difficulty(told), intermediate_difficulty(told, LOG)) == (overall, intermediate)
