"""covebench: what a judge is asked, what it never learns, and what becomes of its answers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.covebench.dataset import EDITED, EditTask, items
from cutscore.benchmarks.covebench.mark import VIDEO_A, mark
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending, fold_findings
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileRef
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import Judgement, Question
from cutscore.registry import benchmark
from cutscore.store import Store

OPTIONS = {"protocol": "reference", "metrics": "none", "audits": "none", "hub": "none"}


class RecordingJudge:
    """Answers rightly but for some questions, to which it gives what it is told; keeps every call."""

    name = "recording"

    def __init__(self, item: EditTask, others: dict[str, Any] | None = None) -> None:
        self.right = {each.id: 10 if each.measure == "sem" else each.expected for each in item.checklist.questions}
        self.others = others or {}
        self.calls: list[tuple[list[Question], JudgeView]] = []

    def ask(
        self, questions: Sequence[Question], evidence: Evidence, *, view: JudgeView = WHOLE_VIEW
    ) -> list[Judgement]:
        self.calls.append((list(questions), view))
        answers = self.right | self.others
        return [Judgement(question=each.id, judge=self.name, answer=answers[each.id]) for each in questions]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def item(store: Store) -> EditTask:
    return items(store)[0]


def delivered(item: EditTask, store: Store) -> Evidence:
    assert item.source is not None
    film: FileRef = item.source.model_copy(update={"name": EDITED})
    return Evidence(files=(film,)).bind(store)


def marked(item: EditTask, evidence: Evidence, judge: Any, **options: str) -> Ending:
    found = mark(Deliverable(files=evidence.files), evidence, item, {"judge": judge}, options=OPTIONS | options)
    card = benchmark("covebench").card
    return fold_findings(found, card.score_keys("reference"))


def test_one_call_for_each_format_with_what_it_may_see(item: EditTask, store: Store) -> None:
    judge = RecordingJudge(item)
    assert marked(item, delivered(item, store), judge).scores["uas@reference"] == 100
    seen = {view.prompt: [shown.label for shown in view.shown] for _, view in judge.calls}
    assert seen == {
        "judge_ab": ["Video B", "editing instruction"],
        "judge_single": ["Video B", "editing instruction"],
        "judge_dual": ["Video A", "Video B", "editing instruction"],
        "judge_score": ["Video A", "Video B", "editing instruction"],
    }
    assert sum(len(asked) for asked, _ in judge.calls) == len(item.checklist.questions)
    assert {shown.file for _, view in judge.calls for shown in view.shown if shown.file} == {VIDEO_A, EDITED}


def test_the_papers_protocol_shows_the_instruction_with_preservation_alone(item: EditTask, store: Store) -> None:
    judge = RecordingJudge(item)
    marked(item, delivered(item, store), judge, protocol="paper")
    told = {view.prompt for _, view in judge.calls if any(shown.fact for shown in view.shown)}
    assert told == {"judge_score"}


def test_one_wrong_answer_costs_its_edit_point(item: EditTask, store: Store) -> None:
    scores = marked(item, delivered(item, store), RecordingJudge(item, {"Q2": "yes"})).scores
    assert scores["uas@reference"] == pytest.approx(200 / 3)
    assert scores["vrs@reference"] == scores["sem@reference"] == 100
    assert scores["uas_task@strict"] == 0


def test_a_judge_that_fails_leaves_strict_open_and_reference_goes_on(item: EditTask, store: Store) -> None:
    ending = marked(item, delivered(item, store), RecordingJudge(item, {"Q1": None}))
    assert ending.scores["uas@reference"] == 100
    assert "uas@strict" not in ending.scores
    gap = ending.gap("uas@strict")
    assert gap is not None
    assert gap.status == "unscored"
    assert "1 without an answer, which leaves it between 66.7 and 100.0" in gap.because


@pytest.mark.parametrize("film", [None, b"<html>no film</html>"])
def test_a_missing_or_broken_video_is_left_out_and_in_strict_all_wrong(
    item: EditTask, store: Store, film: bytes | None
) -> None:
    files = (store.put_bytes(film, name=EDITED, media_type="video/mp4"),) if film else ()
    ending = marked(item, Evidence(files=files).bind(store), RecordingJudge(item))
    assert {key: value for key, value in ending.scores.items() if key.endswith("@strict")} == {
        f"{name}@strict": 0 for name in ("uas", "ifs", "vrs", "sem", "acc", "uas_task")
    }
    assert not any(key.endswith("@reference") for key in ending.scores)
    assert ending.gap("uas@reference").status == "excluded"  # type: ignore[union-attr]


def test_every_answer_is_a_finding_with_its_question(item: EditTask, store: Store) -> None:
    ending = marked(item, delivered(item, store), RecordingJudge(item, {"Q2": "yes"}))
    (wrong,) = [each for each in ending.findings if each.name == "ifs/Q2"]
    assert wrong.value == 0
    assert "Is a red ball visible anywhere in Video B? Expected 'No': recording says 'yes'" in wrong.because
    done = {each.name: each.score for each in ending.findings if each.name.startswith("entry/")}
    assert done["entry/Subject Attribute Modification"] == 0
    assert done["entry/Background"] == 100
