"""covebench: what scores are worth when nobody looks, when the judge sees less, and vote by vote."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.covebench.analysis.audit_tables import audit_tables, constant_lines
from cutscore.benchmarks.covebench.analysis.audits import (
    AUDITS,
    CONSTANTS,
    audit_judge,
    change_what_is_shown,
    compare_with_control,
    score_constants,
    score_votes,
)
from cutscore.benchmarks.covebench.checklist import Checklist, ChecklistQuestion, EditPoint
from cutscore.benchmarks.covebench.mark import view_of
from cutscore.benchmarks.covebench.released import read_checklist
from cutscore.benchmarks.covebench.video_names import EDITED, VIDEO_A
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import Judgement, Question
from cutscore.results.tables.lines import CellLine, SampleMark
from cutscore.store import Store

SCORES = ("uas", "ifs", "vrs", "sem")


def question(id: str, format: Any, expected: str, dimension: str = "Execution Accuracy") -> ChecklistQuestion:
    options = {"A": "red", "B": "blue"} if format == "AB-MCQ" else {}
    return ChecklistQuestion(
        id=id, format=format, dimension=dimension, text=f"{id}?", expected=expected, options=options
    )


TASK = Checklist(
    points=(
        EditPoint(target="ball", questions=(question("Q1", "AB-MCQ", "A"), question("Q2", "Single-TF", "No"))),
        EditPoint(target="dog", questions=(question("Q3", "Single-TF", "No", "Physical Logic"),
                                           question("Q4", "Dual-TF", "Yes"))),
        EditPoint(target="stays", questions=(question("Q5", "Score-MCQ", "10", "Semantic Preservation"),)),
    )
)  # fmt: skip


def line_of(found: Sequence[Finding], item: str = "one", **more: Any) -> CellLine:
    """A line of one task, as rows give it."""
    mark = SampleMark(
        item=item,
        epoch=1,
        cluster=item,
        groups={},
        scores={f"{name}@reference": 50.0 for name in SCORES},
        found={each.name: each.score for each in found if each.score is not None},
        wholes={each.name: each.whole for each in found if each.whole},
    )
    return CellLine("editor", "", [mark], **more)


def said(**answers: Any) -> dict[str, Judgement]:
    """Judgements by question; several votes as a tuple, of which the first is the verdict."""
    made = {}
    for id, each in answers.items():
        votes = each if isinstance(each, tuple) else (each,)
        made[id] = Judgement(question=id, judge="j", answer=votes[0], votes=votes)
    return made


class RecordingJudge:
    """Says yes to everything, and keeps what it was shown."""

    name = "recording"

    def __init__(self) -> None:
        self.seen: list[tuple[Evidence, JudgeView]] = []

    def ask(
        self, questions: Sequence[Question], evidence: Evidence, *, view: JudgeView = WHOLE_VIEW
    ) -> list[Judgement]:
        self.seen.append((evidence, view))
        return [Judgement(question=each.id, judge=self.name, answer="yes") for each in questions]


def test_constants_of_the_released_sample(shared: Path) -> None:
    tasks = read_checklist(shared / "data" / "covebench" / "checklist_sample.json").tasks
    lines = [line_of(list(score_constants(each.checklist)), each.id) for each in tasks]
    usual, best = constant_lines(lines)
    assert usual.subject == "constant B / Yes / 8"
    found = [round(usual.mean(f"{name}@reference") or 0, 2) for name in ("ifs", "vrs", "uas", "sem")]
    assert found == [75.00, 84.00, 42.11, 80]
    assert best.subject == "best constant B / Yes / Yes / 10"
    assert best.mean("sem@reference") == 100


def test_the_best_constant_has_for_each_format_what_is_expected_most_often() -> None:
    usual, best = constant_lines([line_of(list(score_constants(TASK)))])
    assert best.subject == "best constant A / No / Yes / 10"
    assert [best.mean(f"{name}@reference") for name in SCORES] == [100, 100, 100, 100]
    assert [usual.mean(f"{name}@reference") for name in SCORES] == [0, pytest.approx(100 / 3), 0, 80]
    assert len(list(score_constants(TASK))) == len(CONSTANTS) * len(SCORES)


def test_an_audit_shows_the_judge_less_or_something_else(tmp_path: Path) -> None:
    store = Store(tmp_path)
    files = [store.put_bytes(name.encode(), name=name, media_type="video/mp4") for name in (VIDEO_A, EDITED)]
    evidence = Evidence(files=tuple(files), facts={"instruction": "Make it blue."}).bind(store)
    seen = {}
    for name, change in AUDITS.items():
        judge = RecordingJudge()
        asked = [Question(id="Q1", kind="yes_no", text="Is it?")]
        change_what_is_shown(judge, change).ask(asked, evidence, view=view_of("Dual-TF", instruction=True))
        ((shown, view),) = judge.seen
        seen[name] = (
            [each.label for each in view.shown],
            {each.name: each.sha256 for each in shown.files},
            shown.facts,
        )
    a, b = (each.sha256 for each in files)
    told = {"instruction": "Make it blue."}
    assert seen == {
        "no_video": ([], {}, {}),
        "source_as_b": (["Video A", "Video B", "editing instruction"], {VIDEO_A: a, EDITED: a}, told),
        "no_instruction": (["Video A", "Video B"], {VIDEO_A: a, EDITED: b}, {}),
    }


def test_each_audit_has_its_own_scores_and_says_how_much_was_answered() -> None:
    replies = iter([said(), said(Q1="B", Q5=10), said(Q1="A", Q2="no", Q3="no", Q4="yes", Q5=9)])
    found = {each.name: each for each in audit_judge(RecordingJudge(), TASK, lambda judge: next(replies))}
    assert found["audit/no_video/answered"].score == 0
    assert found["audit/no_video/uas"].score is None
    assert [found[f"audit/source_as_b/{name}"].score for name in SCORES] == [0, 0, None, 100]
    assert [found[f"audit/no_instruction/{name}"].score for name in SCORES] == [100, 100, 100, 90]
    assert found["audit/source_as_b/uas"].because == "recording, source as b: 2 of 5 questions answered"


def test_votes_are_scored_alone_and_where_they_differ_is_counted() -> None:
    votes = said(
        Q1=("A", "A", "B"), Q2=("no", "no", "no"), Q3=("No", "no", None), Q4=("yes", "no", "yes"), Q5=(8, 8, 6)
    )
    found = {each.name: each for each in score_votes(TASK, votes)}
    assert [found[f"vote/1/{name}"].score for name in SCORES] == [100, 100, 100, 80]
    assert [found[f"vote/2/{name}"].score for name in SCORES] == [50, pytest.approx(200 / 3), 100, 80]
    assert [found[f"vote/3/{name}"].score for name in SCORES] == [50, pytest.approx(200 / 3), None, 60]
    assert found["votes_differ"].because == "votes differ on 3 of 5 questions"
    assert not list(score_votes(TASK, said(Q1="A"))), "one vote says nothing of stability"
    (table,) = audit_tables([line_of(list(found.values()))])
    assert table.id == "stability"
    spread = table.rows[-1]
    assert spread[3:] == ("spread", 50, pytest.approx(100 / 3), 0, 20, 60)


def test_a_judge_is_held_against_a_control_by_kind_of_question() -> None:
    control = said(Q1="A", Q2="no", Q3="no", Q4="yes", Q5=10)
    judge = said(Q1="a", Q2="yes", Q3=None, Q4="yes", Q5=9)
    found = {each.name: each.score for each in compare_with_control(TASK, judge, control)}
    assert (found["judge_right"], found["judge_answered"]) == (75, 80)
    assert (found["judge_right/Single-TF ifs"], found["judge_answered/Single-TF vrs"]) == (0, 0)
    assert found["judge_right/Score-MCQ sem"] == 100, "one point off still fits"
    assert found["judge_right/Single-TF vrs"] is None
    off = {each.name: each.score for each in compare_with_control(TASK, said(Q5=8), control)}
    assert off["judge_right/Score-MCQ sem"] == 0
    (table,) = audit_tables([line_of(list(compare_with_control(TASK, judge, control)))])
    assert table.id == "judge"
    assert table.rows[0][3:] == ("all", 75, 80)


def test_a_control_that_cannot_answer_takes_nothing_from_the_judge() -> None:
    found = {each.name: each.score for each in compare_with_control(TASK, said(Q1="A"), said(Q1=None))}
    assert found["judge_right"] is None
    assert found["judge_answered"] == 20


def test_audits_stand_below_the_subject_and_constants_at_the_end() -> None:
    answers = said(Q1="A", Q2="no", Q3="no", Q4="yes", Q5=9)
    found = [*score_constants(TASK), *audit_judge(RecordingJudge(), TASK, lambda judge: answers)]
    table = next(each for each in audit_tables([line_of(found)]) if each.id == "audits")
    assert [(row[0], row[2]) for row in table.rows] == [
        ("editor", ""),
        ("editor", "no video"),
        ("editor", "source as b"),
        ("editor", "no instruction"),
        ("constant B / Yes / 8", ""),
        ("best constant A / No / Yes / 10", ""),
    ]
    values = [[cell.value if cell else None for cell in row[3:]] for row in table.rows]  # type: ignore[union-attr]
    assert values[0] == [50, 50, 50, 50]
    assert values[1] == [100, 100, 100, 90]
    assert not audit_tables([line_of([])])
