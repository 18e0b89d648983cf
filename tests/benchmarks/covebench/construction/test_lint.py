"""covebench: every rule for writing a checklist, each broken once in a checklist that keeps them all."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.covebench.checklist import Checklist
from cutscore.benchmarks.covebench.construction.lint import lint_balance, lint_checklist
from cutscore.benchmarks.covebench.dataset import items
from cutscore.benchmarks.covebench.released import read_checklist
from cutscore.benchmarks.covebench.staged.script import ANCHORS
from cutscore.store import Store

INSTRUCTION = "Remove the red ball and pan the camera slowly to the right."


def good() -> dict[str, Any]:
    """Return a checklist that keeps every rule: a removal with its absence check, and one thing to preserve."""
    removal = {"level_1": "Subject", "level_2": "Subject Removal"}
    return {
        "points": [
            {
                "target": "Ball",
                "categories": [{**removal, "questions": ["Q1", "Q2", "Q3"]}],
                "questions": [
                    asked("Q1", "AB-MCQ", "Execution Accuracy", "What lies on the floor in Video B?", "B")
                    | {"options": {"A": "A red ball", "B": "A bare carpet"}},
                    asked("Q2", "Single-TF", "Execution Accuracy", "Is a red ball visible anywhere in Video B?", "No"),
                    asked("Q3", "Dual-TF", "Execution Accuracy", "Comparing Video A and Video B, is it gone?", "Yes"),
                    asked("Q4", "Single-TF", "Physical Logic", "In Video B, is the carpet free of smears?", "Yes"),
                ],
            },
            {
                "target": "What stays",
                "questions": [
                    asked("Q5", "Score-MCQ", "Semantic Preservation", "Comparing Video A and Video B, the cat?", "10")
                    | {"options": dict(ANCHORS)}
                ],
            },
        ],
        "categories": [removal],
    }


def asked(id: str, form: str, dimension: str, text: str, expected: str) -> dict[str, Any]:
    return {"id": id, "format": form, "dimension": dimension, "text": text, "expected": expected}


def lint(plain: Mapping[str, Any], instruction: str = INSTRUCTION) -> list[tuple[str, str]]:
    return [(each.rule, str(each)) for each in lint_checklist(instruction, Checklist.model_validate(plain))]


def test_a_checklist_that_keeps_the_rules_has_no_fault() -> None:
    assert lint(good()) == []


@pytest.mark.parametrize(
    ("question", "change", "rule", "said"),
    [
        (1, {"text": "Has the ball of Video A gone?"}, "visibility", "Q2 says 'Video A', but its judge sees Video B"),
        (1, {"text": "Compared with before, is the ball gone?"}, "visibility", "Q2 says 'Compared'"),
        (2, {"text": "Is it gone?"}, "visibility", "Q3 does not begin with 'Comparing Video A and Video B'"),
        (1, {"text": "Is the originally red ball visible in Video B?"}, "wording", "Q2 says 'originally'"),
        (1, {"text": "Is the ball in the output?"}, "wording", "Q2 says 'output'"),
        (1, {"text": "Is the ball there at 0:03?"}, "time", "Q2 names a time: '0:03'"),
        (1, {"text": "Is the ball there in frame 120?"}, "time", "Q2 names a time: 'frame 120'"),
        (1, {"text": "Is the ball there in the last two seconds?"}, "time", "Q2 names a time: 'seconds'"),
        (1, {"expected": "Yes"}, "absence", "group 'Ball' has no Single-TF with 'No' right after an AB-MCQ on its rem"),
        (2, {"dimension": "Physical Logic"}, "physics", "Q3 compares videos about physics"),
        (0, {"dimension": "Physical Logic"}, "physics", "Q1 is an AB-MCQ about physics"),
        (3, {"dimension": "Semantic Preservation"}, "preservation", "Q4 has format Single-TF and dimension 'Semantic"),
        (3, {"dimension": "Temporal Consistency"}, "dimension", "Q4 has dimension 'Temporal Consistency'"),
        (3, {"expected": "True"}, "answer", "Q4 expects 'True', which is neither yes nor no"),
        (0, {"expected": "A and B"}, "answer", "Q1 expects 'A and B', which is neither A nor B"),
        (3, {"options": {"A": "Clean", "B": "Smeared"}}, "options", "Q4 has options, although it asks for yes or no"),
        (0, {"options": {"A": "Unchanged.", "B": "A carpet"}}, "options", "Q1 describes nothing in option A: 'Unch"),
        (0, {"options": {"A": "A carpet.", "B": "a carpet"}}, "options", "Q1 has two options that are the same"),
        (3, {"text": "is a RED ball visible anywhere in Video B"}, "duplicate", "Q4 asks what Q2 asks"),
        (3, {"difficulty": "Medium"}, "difficulty", "Q4 has difficulty 'Medium'"),
    ],
)
def test_a_question_that_breaks_a_rule_is_named(question: int, change: dict[str, Any], rule: str, said: str) -> None:
    plain = good()
    plain["points"][0]["questions"][question] |= change
    assert any(found == rule and text.startswith(said) for found, text in lint(plain)), lint(plain)


@pytest.mark.parametrize(
    "text",
    [
        "In Video B, is the sky that of the 1980s, in a frame of 16:9?",
        "In Video B, does a second ball land in the first frame of the door, minute by minute?",
    ],
)
def test_numbers_that_are_no_times_are_let_be(text: str) -> None:
    plain = good()
    plain["points"][0]["questions"][3]["text"] = text
    assert lint(plain) == []


def test_scores_need_anchors_and_a_group_of_their_own() -> None:
    plain = good()
    score = plain["points"][1]["questions"][0]
    score["options"] = {"1": "Gone", "5": " ", "11": "Better than before"}
    assert lint(plain) == [
        ("anchors", "Q5 does not say what 3, 5, 7, 10 of 10 points mean"),
        ("anchors", "Q5 has an anchor '11', which is no score from 1 to 10"),
    ]
    plain = good()
    plain["points"][0]["questions"] += plain["points"].pop()["questions"]
    assert ("preservation", "group 'Ball' mixes preservation with other questions") in lint(plain)


def test_a_group_without_physics_and_a_category_of_nothing_are_named() -> None:
    plain = good()
    plain["points"][0]["questions"].pop()
    plain["points"][0]["categories"] += [{"level_1": "Sound", "level_2": "Louder", "questions": ["Q9"]}]
    assert lint(plain) == [
        ("group", "group 'Ball' asks nothing about physics"),
        ("category", "a category of group 'Ball' names Q9, which is no question"),
        ("category", "category 'Sound / Louder' is not in Table 9"),
        ("category", "the categories of the task are not those of its groups"),
    ]


def test_a_removal_by_a_comparison_alone_has_no_absence_check() -> None:
    plain = good()
    asked = plain["points"][0]["questions"]
    asked[1], asked[2] = asked[2], asked[1]  # the check is there, but not right after the choice
    assert [rule for rule, _ in lint(plain)] == ["absence"]


@pytest.mark.parametrize(
    ("instruction", "what"),
    [
        ("Zoom in on the cat.", "a zoom: 'Zoom'"),
        ("Make it a Pixar film.", "a cartoon or comic style: 'Pixar'"),
        ("Change the subtitle.", "text in the picture: 'subtitle'"),
        ("Add sounds of rain.", "sound: 'sounds'"),
    ],
)
def test_what_no_instruction_should_ask_for_is_named(instruction: str, what: str) -> None:
    assert lint(good(), instruction) == [("prohibited", f"the instruction asks for {what}")]
    assert lint(good(), "Give the textured cat a comical hat.") == []


def test_a_pack_whose_answers_can_be_guessed_is_named() -> None:
    checklist = Checklist.model_validate(good())
    assert lint_balance([checklist] * 2) == ()  # six answers say nothing
    yes, choices = lint_balance([checklist] * 20)
    assert yes.fact == "67% of 60 yes-or-no questions expect Yes; 40% to 60% would be even"
    assert choices.fact == "0% of 20 choices expect A; 40% to 60% would be even"


def test_the_staged_tasks_keep_every_rule_of_a_single_checklist(tmp_path: Path) -> None:
    for item in items(Store(tmp_path)):
        assert lint_checklist(item.instruction, item.checklist) == (), item.id


def test_the_released_sample_is_linted_with_its_oddities_listed(shared: Path) -> None:
    read = read_checklist(shared / "data" / "covebench" / "checklist_sample.json")
    found = {(task.id, str(each)) for task in read.tasks for each in lint_checklist(task.instruction, task.checklist)}
    assert {
        ("1", "Q15 does not say what 1, 3, 5, 7, 10 of 10 points mean"),
        ("1", "the categories of the task are not those of its groups"),
        ("64", "Q4 says 'previously'"),
        ("117", "Q7 compares videos about physics"),
        ("117", "Q11 says 'compared', but its judge sees Video B alone"),
        ("117", "the instruction asks for a cartoon or comic style: 'comic'"),
        ("369", "Q6 says 'original'"),
        ("472", "Q17 has difficulty 'Medium'"),
        ("472", "group 'Character Position' asks nothing about physics"),
        ("472", "the instruction asks for text in the picture: 'subtitle'"),
    } <= found
    assert any(task == "369" and text.startswith("group 'Wooden Stake Replacement' has no Sin") for task, text in found)
    (balance,) = lint_balance([task.checklist for task in read.tasks])
    assert balance.fact.startswith("72% of 50 yes-or-no questions expect Yes")
