"""covebench: checklists as models write them: what is told to the writer, what is left out, how options are laid."""

from copy import deepcopy
from typing import Any

import pytest

from cutscore.benchmarks.covebench.checklist import Checklist
from cutscore.benchmarks.covebench.construction.checklists import (
    ChecklistReader,
    drop_questions,
    list_edits,
    parse_checklist,
    shuffle_options,
)
from cutscore.benchmarks.covebench.construction.instructions import InstructionDraft
from cutscore.benchmarks.covebench.construction.lint import lint_checklist
from cutscore.core.strict_json import first_fault

DRAFT = InstructionDraft.model_validate(
    {
        "combination": 1,
        "edits": [
            {"type": "Subject Removal", "instruction": "Remove the green bench."},
            {"type": "Lighting Change", "instruction": "Turn the day into night."},
        ],
        "instruction": "Remove the green bench, and turn the day into night.",
        "target": "A park at night. Where the bench stood there is grass.",
    }
)
ANCHORS = {"1": "It is gone.", "3": "Hardly known.", "5": "Other leaves.", "7": "It bends.", "10": "The same tree."}
DONE, PHYSICS = "Execution Accuracy", "Physical Logic"


def ask(form: str, dimension: str, text: str, expected: str, **more: Any) -> dict[str, Any]:
    plain = {"format": form, "dimension": dimension, "difficulty": "Simple", "text": text, "expected": expected}
    return {**plain, **more}


REPLY: dict[str, Any] = {
    "groups": [
        {
            "edit": 2,
            "target": "Light",
            "questions": [
                ask("AB-MCQ", DONE, "Which time of day is it in Video B?", "B", options={"A": "Noon", "B": "Night"}),
                ask("Single-TF", DONE, "Is the sky of Video B dark?", "Yes"),
                ask("Dual-TF", DONE, "Comparing Video A and Video B, is Video B darker?", "Yes"),
                ask("Single-TF", PHYSICS, "In Video B, do things cast shadows of a high sun?", "No"),
            ],
        },
        {
            "edit": 1,
            "target": "Removal of the bench",
            "questions": [
                ask(
                    "AB-MCQ",
                    DONE,
                    "What is seen in Video B left of the tree?",
                    "B",
                    options={"A": "Seat", "B": "Grass"},
                ),
                ask("Single-TF", DONE, "Is a green bench visible anywhere in Video B?", "No"),
                ask("Single-TF", PHYSICS, "In Video B, does the grass run on without a seam?", "Yes"),
            ],
        },
    ],
    "preserved": [
        {
            "difficulty": "Hard",
            "text": f"Comparing Video A and Video B, how well is {what} kept?",
            "options": ANCHORS,
        }
        for what in ("the tree", "the path")
    ],
}


def with_question(group: int, number: int, **changed: Any) -> dict[str, Any]:
    reply = deepcopy(REPLY)
    reply["groups"][group]["questions"][number].update(changed)
    return reply


def fault_of(reply: Any, reader: ChecklistReader | None = None) -> str:
    try:
        (reader or ChecklistReader(DRAFT))(reply)
    except ValueError as error:
        return first_fault(error)
    return ""


def test_a_good_reply_becomes_a_checklist_without_a_fault() -> None:
    read = ChecklistReader(DRAFT)(REPLY)
    assert [point.target for point in read.points] == ["Removal of the bench", "Light", "What is to stay"]
    assert [question.id for question in read.questions] == [f"Q{number}" for number in range(1, 10)]
    assert [point.instruction for point in read.points] == [*(edit.instruction for edit in DRAFT.edits), ""]
    (removal,), (light,), () = (point.categories for point in read.points)
    assert (removal.level_1, removal.level_2, removal.questions) == ("Subject", "Subject Removal", ("Q1", "Q2"))
    assert (light.level_2, light.questions) == ("Lighting Change", ("Q4", "Q5", "Q6"))
    assert [each.level_2 for each in read.categories] == ["Subject Removal", "Lighting Change"]
    assert lint_checklist(DRAFT.instruction, read) == ()


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (
            {**REPLY, "groups": REPLY["groups"][:1]},
            "there has to be one group for each of the edits 1 to 2, and no other",
        ),
        (
            {**REPLY, "groups": [*REPLY["groups"], REPLY["groups"][0]]},
            "there has to be one group for each of the edits 1 to 2, and no other",
        ),
        (
            with_question(0, 0, options={"A": "Noon"}),
            "question 1 of edit 2: a choice has options A and B, and no others",
        ),
        (
            with_question(0, 1, expected="Maybe"),
            "groups.0.questions.1.expected: Input should be 'A', 'B', 'Yes' or 'No'",
        ),
        (with_question(0, 1, text="Is the sky dark at 0:03?"), "'Is the sky dark at 0:03?' names a time: '0:03'"),
        (
            with_question(0, 1, text="Is the original sky gone?"),
            "'Is the original sky gone?' says 'original'",
        ),
        (
            with_question(0, 1, text="Is it darker than in Video A?"),
            "'Is it darker than in Video A?' says 'Video A', but its judge sees Video B alone",
        ),
        (
            with_question(0, 2, dimension=PHYSICS),
            "'Comparing Video A and Video B, is Video B darker?' compares videos about physics",
        ),
        (
            with_question(1, 1, expected="Yes"),
            "group 'Removal of the bench' has no Single-TF with 'No' right after an AB-MCQ on its removal; "
            "4 of 5 yes-or-no questions expect Yes; write as many that expect No",
        ),
        (
            {**REPLY, "preserved": [{**REPLY["preserved"][0], "options": {"1": "Gone."}}, REPLY["preserved"][1]]},
            "'Comparing Video A and Video B, how well is the tree kept?' "
            "does not say what 3, 5, 7, 10 of 10 points mean",
        ),
        ({**REPLY, "preserved": []}, "preserved: Tuple should have at least 2 items after validation, not 0"),
        ({**REPLY, "verdict": "ignore the rules"}, "verdict: Extra inputs are not permitted"),
        ("a checklist", "Input should be a valid dictionary or instance of _ChecklistDraft"),
    ],
)
def test_every_fault_is_told_to_the_writer(reply: Any, fault: str) -> None:
    assert fault_of(reply) == fault


def test_what_is_told_once_and_comes_again_is_left_out() -> None:
    reader, bad = ChecklistReader(DRAFT), with_question(0, 1, text="Is the sky dark at 0:03?")
    assert fault_of(bad, reader) == "'Is the sky dark at 0:03?' names a time: '0:03'"
    read = reader(bad)
    assert [str(fault) for fault in reader.dropped] == ["Q5 names a time: '0:03'"]
    assert len(read.questions) == 8
    assert read.points[1].categories[0].questions == ("Q4", "Q5")
    assert lint_checklist(DRAFT.instruction, read) == ()


def test_a_group_that_would_be_left_without_its_physics_is_a_fault_to_the_end() -> None:
    reader, bad = ChecklistReader(DRAFT), with_question(1, 2, text="In Video B, is the output's grass seamless?")
    assert fault_of(bad, reader) == "'In Video B, is the output's grass seamless?' says 'output'"
    assert fault_of(bad, reader) == "group 'Removal of the bench' asks nothing about physics"


def test_a_group_without_a_question_on_execution_is_none() -> None:
    checklist = parse_checklist(REPLY, DRAFT)
    assert drop_questions(checklist, {"Q1", "Q2"}) is None
    left = drop_questions(checklist, {"Q9"})
    assert left is not None
    assert [question.id for question in left.points[-1].questions] == ["Q8"]


def test_options_are_laid_evenly_and_the_right_one_stays_right() -> None:
    checklist = parse_checklist(REPLY, DRAFT)

    def right(each: Checklist) -> list[str]:
        return [question.options[question.expected] for question in each.questions if question.options.get("A")]

    seen = set()
    for seed in range(20):
        shuffled = shuffle_options(checklist, str(seed))
        assert right(shuffled) == right(checklist) == ["Grass", "Night"]
        places = [question.expected for question in shuffled.questions if question.format == "AB-MCQ"]
        assert sorted(places) == ["A", "B"]
        seen.add(tuple(places))
    assert len(seen) == 2
    assert shuffle_options(checklist, "x") == shuffle_options(checklist, "x")


def test_edits_are_listed_with_their_types() -> None:
    assert list_edits(DRAFT.edits).splitlines()[0] == "1. Remove the green bench. (Subject Removal)"
