"""Answers from elsewhere as a judge: taken as they stand, by item and question; what is no table is refused."""

import json
from pathlib import Path

import pytest

from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.evidence import Evidence
from cutscore.core.judgement import JudgeSession, JudgeSpec, Question
from cutscore.core.subject import SubjectSpec
from cutscore.registry import benchmark
from cutscore.scoring.judges.choose import open_judge

ASKED = [Question(id="Q1", kind="yes_no", text="?"), Question(id="Q2", kind="scale", text="?")]


def judge(file: Path) -> list[object]:
    opened = open_judge(JudgeSpec(name=f"answers:{file}"), benchmark("colorbars"))
    session = JudgeSession(item="a", subject=SubjectSpec.parse("null"), wait=lambda make: None)
    return [each.answer for each in opened.for_sample(session).ask(ASKED, Evidence())]


def test_answers_are_taken_as_they_stand(tmp_path: Path) -> None:
    file = tmp_path / "answers.json"
    file.write_text(json.dumps({"a": {"Q1": "B.", "Q2": 12}, "b": {}}))
    assert judge(file) == ["B.", 12]
    file.write_text(json.dumps({"a": {"Q1": "yes"}}))
    assert judge(file) == ["yes", None]


@pytest.mark.parametrize(
    ("text", "words"),
    [("[]", "is no table of answers"), ('{"a": 1}', "is no table of answers"), ("{", "answers 'answers.json'")],
)
def test_what_is_no_table_is_refused(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "answers.json"
    file.write_text(text)
    with pytest.raises(BrokenData, match=words):
        judge(file)


def test_a_file_that_is_not_there_and_no_file_at_all(tmp_path: Path) -> None:
    with pytest.raises(BrokenData, match="cannot be read: No such file"):
        judge(tmp_path / "none.json")
    with pytest.raises(BadInput, match=r"write answers:FILE\.json"):
        open_judge(JudgeSpec(name="answers"), benchmark("colorbars"))
