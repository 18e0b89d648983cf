"""covebench: worked examples of the released aggregation, and where the modes part."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.benchmarks.covebench.checklist import Category, Checklist, ChecklistQuestion, EditPoint
from cutscore.benchmarks.covebench.scores import (
    MODES,
    SCORES,
    Mode,
    ScoreSum,
    is_right,
    preservation_points,
    score_category,
    score_checklist,
    sum_sums,
)


def question(id: str, dimension: str = "Execution Accuracy", expected: str = "Yes", **more: Any) -> ChecklistQuestion:
    form = more.pop("format", "Score-MCQ" if dimension == "Semantic Preservation" else "Single-TF")
    return ChecklistQuestion(id=id, format=form, dimension=dimension, text=f"{id}?", expected=expected, **more)


CUPS = EditPoint(
    target="Addition and placement of side cups",
    questions=(question("Q1"), question("Q2"), question("Q3"), question("Q4", "Physical Logic", "No")),
    categories=(Category(level_1="Subject", level_2="Subject Addition", questions=("Q1", "Q2", "Q3")),),
)
KEPT = EditPoint(target="What stays", questions=tuple(question(f"Q{n}", "Semantic Preservation") for n in (5, 6, 7)))
TASK = Checklist(points=(CUPS, KEPT))
RIGHT = {"Q1": "Yes", "Q2": "Yes", "Q3": "Yes", "Q4": "No", "Q5": 10, "Q6": 9, "Q7": 8}


def value(answers: dict[str, Any], mode: Mode = "reference", task: Checklist = TASK) -> dict[str, float | None]:
    return {name: total.value for name, total in score_checklist(task, answers, mode).items()}


@pytest.mark.parametrize("mode", MODES)
def test_an_edit_point_is_done_only_if_all_four_questions_are_right(mode: Mode) -> None:
    # Figure 7 and F.1 of the paper: the side cups earn 1 if and only if all four are answered rightly.
    all_right = {"uas": 100, "ifs": 100, "vrs": 100, "sem": 90, "acc": 100, "uas_task": 100}
    assert value(RIGHT, mode) == all_right
    floating = value({**RIGHT, "Q4": "Yes"}, mode)
    assert (floating["uas"], floating["ifs"], floating["vrs"], floating["acc"]) == (0, 100, 0, 75)


def test_one_right_answer_makes_a_point_in_reference_and_leaves_it_open_in_strict() -> None:
    answered = {"Q1": "Yes"}
    assert value(answered)["uas"] == 100
    strict = score_checklist(TASK, answered, "strict")["uas"]
    assert (strict.whole, strict.open) == (0, 1)


def test_a_wrong_answer_fails_a_point_also_while_others_are_missing() -> None:
    assert value({"Q1": "No"}, "strict")["uas"] == 0


def test_unanswered_questions_leave_the_denominator() -> None:
    totals = score_checklist(TASK, {"Q1": "Yes", "Q2": "No", "Q5": 4}, "reference")
    assert (totals["ifs"].part, totals["ifs"].whole, totals["ifs"].open) == (100, 2, 1)
    assert totals["sem"] == ScoreSum(40, 1, 2)
    assert totals["vrs"].value is None


@pytest.mark.parametrize(
    ("answer", "right"),
    [("b", True), (" B ", True), ("B.", False), ("A and B", False), ("", None), (None, None), (True, False)],
)
def test_answers_are_compared_as_the_released_code_does(answer: Any, right: bool | None) -> None:
    asked = question("Q1", expected="B", format="AB-MCQ", options={"A": "red", "B": "blue"})
    assert is_right(asked, answer) is right


@pytest.mark.parametrize(
    ("answer", "reference", "paper"),
    [(8, 8, 8), ("8", 8, 8), (12, 12, None), (7.5, 7.5, None), (0, 0, None), ("ten", None, None), ("nan", None, None)],
)
def test_a_score_has_a_range_in_paper_and_none_in_reference(
    answer: Any, reference: float | None, paper: float | None
) -> None:
    assert preservation_points(answer, "reference") == reference
    assert preservation_points(answer, "paper") == paper == preservation_points(answer, "strict")


def test_bounds_tell_what_missing_answers_could_make_of_a_score() -> None:
    assert ScoreSum(100, 1, 1).bounds() == (50, 100)
    assert ScoreSum(40, 1, 2).bounds(lowest=10) == (20, 80)
    assert ScoreSum(0, 0).bounds() is None


def test_a_type_counts_by_its_own_questions_and_not_by_realism() -> None:
    floating = {**RIGHT, "Q4": "Yes"}
    assert score_category(CUPS.categories[0], CUPS, floating, "reference").value == 100


def test_scores_of_several_tasks_are_ratios_of_sums() -> None:
    one = score_checklist(TASK, RIGHT, "reference")["ifs"]
    other = score_checklist(TASK, {"Q1": "No"}, "reference")["ifs"]
    assert sum_sums([one, other]).value == pytest.approx(75)


@given(st.dictionaries(st.sampled_from(list(RIGHT)), st.sampled_from(["Yes", "No", 0, 5, 10, 11, None, "?"])))
def test_scores_lie_on_their_scale_and_strict_counts_no_more_than_reference(answers: dict[str, Any]) -> None:
    for mode in ("paper", "strict"):
        for name, total in score_checklist(TASK, answers, mode).items():  # type: ignore[arg-type]
            assert total.value is None or 0 <= total.value <= 100
            assert total.whole + total.open == score_checklist(TASK, {}, "reference")[name].open
    loose, strict = (score_checklist(TASK, answers, mode)["uas"] for mode in ("reference", "strict"))
    assert strict.part <= loose.part
    assert set(score_checklist(TASK, answers, "strict")) == set(SCORES)
