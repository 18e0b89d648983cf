"""covebench: two reviewers in sequence and an adjudicator decide on every question, and their word is kept."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.covebench.checklist import Checklist
from cutscore.benchmarks.covebench.construction.review import ChecklistReview, ReviewLine, describe_review, read_review
from cutscore.benchmarks.covebench.dataset import STARTER, find_left_out, items, read_drafts
from cutscore.benchmarks.covebench.release import remarks
from cutscore.core.errors import BrokenData
from cutscore.store import Store

ANNA, BERT, CHEF = "aaaaaaaa", "bbbbbbbb", "cccccccc"
HEAD = "item,question,text,reviewer,role,decision,reason,revised,expected"


def line(question: str, role: str, decision: str, reason: str = "", **more: str) -> ReviewLine:
    who = {"first": ANNA, "second": BERT, "adjudicator": CHEF}[role]
    plain = {"item": "one", "question": question, "reviewer": who, "role": role, "decision": decision, "reason": reason}
    return ReviewLine.model_validate(plain | more)


def review(*lines: ReviewLine) -> ChecklistReview:
    return ChecklistReview({(each.item, each.question, each.role): each for each in lines})


@pytest.fixture
def draft() -> Checklist:
    """Two groups: Q1 and Q2 on a ball, with a type of edit each, and Q3 on what stays."""
    asked = {"format": "Single-TF", "dimension": "Execution Accuracy", "expected": "Yes"}
    score = {"format": "Score-MCQ", "dimension": "Semantic Preservation"}
    types = [{"level_1": "Camera", "level_2": "Shot Scale", "questions": [id]} for id in ("Q1", "Q2")]
    ball = {"target": "ball", "questions": [{**asked, "id": id, "text": f"{id}?"} for id in ("Q1", "Q2")]}
    stays = {"target": "rest", "questions": [{**score, "id": "Q3", "text": "Q3?"}]}
    return Checklist.model_validate({"points": [{**ball, "categories": types}, stays]})


@pytest.mark.parametrize(
    ("lines", "state", "reason"),
    [
        ([], "unsigned", ""),
        ([("first", "accept")], "unsigned", ""),
        ([("first", "accept"), ("second", "accept")], "kept", ""),
        ([("first", "reject", "subjective"), ("second", "reject", "unclear")], "dropped", "unclear"),
        ([("first", "accept"), ("second", "reject", "subjective")], "open", ""),
        ([("first", "accept"), ("second", "reject", "subjective"), ("adjudicator", "accept")], "kept", ""),
        ([("first", "reject", "other"), ("second", "accept"), ("adjudicator", "reject", "other")], "dropped", "other"),
    ],
)
def test_two_decide_and_an_adjudicator_where_they_differ(
    draft: Checklist, lines: Sequence[Any], state: str, reason: str
) -> None:
    found = review(*(line("Q1", *each) for each in lines)).read_question("one", draft.questions[0])
    assert (found.state, found.reason if state == "dropped" else "") == (state, reason)


def test_a_line_without_a_question_speaks_for_all_that_have_none_of_their_own(draft: Checklist) -> None:
    signed = review(
        line("", "first", "accept"), line("", "second", "accept"),
        line("Q2", "first", "reject", "imperceptible"), line("Q2", "second", "reject", "imperceptible"),
    )  # fmt: skip
    states = [signed.read_question("one", each).state for each in draft.questions]
    assert states == ["kept", "dropped", "kept"]
    left = signed.apply("one", draft)
    assert [each.id for each in left.questions] == ["Q1", "Q3"]
    assert [entry.questions for entry in left.points[0].categories] == [("Q1",)]


def test_nobody_is_heard_in_two_roles(draft: Checklist) -> None:
    signed = review(line("", "first", "accept"), line("", "second", "accept", reviewer=ANNA))
    assert signed.read_question("one", draft.questions[0]).state == "unsigned"


def test_revisions_follow_each_other_and_a_line_about_another_wording_is_void(draft: Checklist) -> None:
    first = line("Q1", "first", "revise", "unclear", text="Q1?", revised="Is it red?")
    second = line("Q1", "second", "revise", "factual-error", text="Is it red?", expected="No")
    found = review(first, second).read_question("one", draft.questions[0])
    assert (found.state, found.question.text, found.question.expected) == ("kept", "Is it red?", "No")
    again = review(first, second).read_question("one", found.question)  # a pack that was written after the review
    assert (again.state, again.question) == ("kept", found.question)
    stale = review(line("Q1", "first", "accept", text="Old?"), line("Q1", "second", "accept"))
    assert stale.read_question("one", draft.questions[0]).state == "unsigned"


def test_what_is_left_of_a_task_must_be_something(draft: Checklist) -> None:
    every = [line(f"Q{n}", role, "reject", "other") for n in (1, 2, 3) for role in ("first", "second")]
    with pytest.raises(BrokenData, match="item 'one': its reviewers leave no question of it; reject the whole task"):
        review(*every).apply("one", draft)
    whole = review(line("", "first", "reject", "other"), line("", "second", "reject", "omission"))
    assert whole.drops_task("one") == "omission"


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (("Q1", "first", "reject"), "who does not accept gives a reason code"),
        (("Q1", "first", "reject", "ugly"), "reason 'ugly' is none of factual-error, contradiction"),
        (("Q1", "first", "revise", "unclear"), "who revises gives the question as 'revised'"),
    ],
)
def test_a_line_that_says_too_little_is_refused(made: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        line(*made)
    with pytest.raises(ValueError, match="a revision names its question"):
        line("", "first", "revise", "unclear", revised="What?")
    with pytest.raises(ValueError, match="names do not belong here"):
        line("Q1", "first", "accept", reviewer="Anna")


def test_retention_reasons_and_agreement_are_told(draft: Checklist) -> None:
    signed = review(
        line("", "first", "accept"), line("", "second", "accept"),
        line("Q2", "first", "reject", "subjective"), line("Q2", "second", "reject", "subjective"),
        line("Q3", "second", "reject", "unclear"),
    )  # fmt: skip
    assert describe_review(signed, {"one": draft, "two": draft}) == [
        "1 of 2 reviewed questions are kept, 50.0% (published: 67.2% of the drafts)",
        "dropped: 1 subjective",
        "the two reviewers agree on 2 of 3 questions, kappa 0.40",  # (2/3 - 4/9) / (1 - 4/9)
        "the adjudicator has yet to decide on task one: Q3",
        "1 of 2 tasks are not signed off by two people: two",
    ]


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """The starter pack with sign-offs: park-1 whole but for Q2, park-2 dropped, the rest by nobody."""
    folder = tmp_path / "pack"
    shutil.copytree(STARTER, folder)
    rows = [
        f"park-1,,,{ANNA},first,accept,,,", f"park-1,,,{BERT},second,accept,,,",
        f"park-1,Q2,,{ANNA},first,reject,duplicate,,", f"park-1,Q2,,{BERT},second,reject,duplicate,,",
        f"park-2,,,{ANNA},first,reject,omission,,", f"park-2,,,{BERT},second,reject,omission,,",
    ]  # fmt: skip
    (folder / "signoffs.csv").write_text("\n".join([HEAD, *rows]))
    return folder


def test_what_reviewers_drop_is_not_asked_and_that_is_said(pack: Path, tmp_path: Path) -> None:
    drafts, found = items(Store(tmp_path / "store")), items(Store(tmp_path / "store"), pack)
    assert [each.id for each in found] == [each.id for each in drafts if each.id != "park-2"]
    assert len(found[0].checklist.questions) == len(drafts[0].checklist.questions) - 1
    assert len(read_drafts(pack)["park-1"].questions) == len(drafts[0].checklist.questions)
    assert find_left_out(pack) == ("task park-2 is left out by its reviewers: omission",)
    said = remarks(found, pack)
    unsigned = f"{len(drafts) - 2} of {len(drafts)} tasks are not signed off by two people: park-3"
    assert any(each.startswith(unsigned) for each in said)
    (pack / "signoffs.csv").unlink()
    assert any(each.startswith("nobody has reviewed its checklists") for each in remarks(drafts, pack))


def test_a_sheet_that_cannot_be_read_names_its_line(pack: Path) -> None:
    (pack / "signoffs.csv").write_text(f"{HEAD}\npark-1,,,{ANNA},author,accept,,,\n")
    with pytest.raises(BrokenData, match="sign-off 1: role: Input should be 'first', 'second' or 'adjudicator'"):
        read_review(pack)
    (pack / "signoffs.csv").write_text(f'{HEAD}\npark-1,"Q1,{ANNA}')
    with pytest.raises(BrokenData, match="unexpected end of data; write item, question, text, reviewer, role"):
        read_review(pack)
    (pack / "signoffs.csv").unlink()
    plain = {"item": "park-1", "reviewer": ANNA, "role": "first", "decision": "accept"}
    (pack / "signoffs.json").write_text(json.dumps([plain]))
    assert len(read_review(pack).lines) == 1
