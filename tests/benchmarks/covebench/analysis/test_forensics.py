"""covebench: the forensic judge names flaws, its score is added up anew, and where nobody looked nothing is known."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.covebench.analysis.forensics import KINDS, find_flaws, forensic_questions, forensic_score
from cutscore.benchmarks.covebench.dataset import EDITED, EditTask, items
from cutscore.core.ending import ScoreGap
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import Judgement, Question, Weakness
from cutscore.core.timeline import Span
from cutscore.store import Store

GHOST = Weakness(text="the dog leaves a trail", severity=4, at=Span(start_s=1, end_s=2))
ARM = Weakness(text="a third arm grows", severity=8)


class Forensic:
    """Names the flaws of each kind that it is told, and says a score."""

    def __init__(self, name: str = "lab/expert", told: str = "10", **flaws: Sequence[Weakness] | None) -> None:
        self.name, self.told, self.flaws = name, told, flaws
        self.view: JudgeView | None = None

    def ask(
        self, questions: Sequence[Question], evidence: Evidence, *, view: JudgeView = WHOLE_VIEW
    ) -> list[Judgement]:
        self.view = view
        return [self._answer(each) for each in questions]

    def _answer(self, question: Question) -> Judgement:
        said: dict[str, Any] = {"question": question.id, "judge": self.name}
        if question.kind == "choice":
            return Judgement(**said, answer=self.told)
        flaws = self.flaws.get(question.id, ())
        if flaws is None:
            return Judgement(**said, because="the reply could not be used")
        return Judgement(**said, answer="yes" if flaws else "no", weaknesses=tuple(flaws))


@pytest.fixture
def item(tmp_path: Path) -> EditTask:
    return items(Store(tmp_path / "store"))[0]


def flaws_of(item: EditTask, judge: Any, *, film: bool = True) -> dict[str, Finding | ScoreGap]:
    assert item.source is not None
    files = (item.source.model_copy(update={"name": EDITED}),) if film else ()
    found = find_flaws(judge, Evidence(files=files), item)
    return {each.name: each for each in found}


def test_flaws_have_reasons_seconds_and_a_score_that_is_added_up(item: EditTask) -> None:
    found = flaws_of(item, Forensic(told="7", degradation=[GHOST, ARM]))
    assert {name: each.value for name, each in found.items() if isinstance(each, Finding)} == {
        "error/physics": 0,
        "forensic/physics": 10,
        "mismatch/physics": 1,
        "error/degradation": 1,
        "forensic/degradation": 7,
        "flaw/degradation/1": 1,
        "flaw/degradation/2": 2,
    }
    flaw = found["flaw/degradation/1"]
    assert isinstance(flaw, Finding)
    assert (flaw.because, flaw.at, flaw.file) == ("the dog leaves a trail (-1)", GHOST.at, EDITED)
    assert found["forensic/degradation"].because == "10 - 1 - 2 leaves 7"


def test_a_score_that_the_judge_adds_up_otherwise_is_flagged(item: EditTask) -> None:
    found = flaws_of(item, Forensic(told="9", physics=[ARM], degradation=[GHOST]))
    assert found["mismatch/physics"].because == "lab/expert says 9, and its own deductions leave 8: 8 counts"
    assert "mismatch/degradation" not in found


def test_a_score_does_not_fall_below_nothing() -> None:
    assert forensic_score([ARM] * 7) == 0
    assert forensic_score([ARM.model_copy(update={"severity": None})]) == 9


def test_it_sees_the_edited_video_and_the_instruction_alone(item: EditTask) -> None:
    judge = Forensic()
    flaws_of(item, judge)
    assert judge.view is not None
    assert [(each.file, each.fact) for each in judge.view.shown] == [(EDITED, ""), ("", "instruction")]
    assert [each.id for each in forensic_questions()] == [
        "physics",
        "physics_score",
        "degradation",
        "degradation_score",
    ]


def test_without_a_forensic_judge_nothing_is_known(item: EditTask) -> None:
    assert flaws_of(item, None) == {}
    assert flaws_of(item, Forensic(), film=False) == {}


def test_a_judge_without_a_model_stops_and_one_that_fails_is_unscored(item: EditTask) -> None:
    stopped = flaws_of(item, Forensic(name="stage"))
    assert {each.status for each in stopped.values() if isinstance(each, ScoreGap)} == {"stopped"}
    assert set(stopped) == {f"error/{kind}" for kind in KINDS}
    assert "seat a model: --role forensics=PROVIDER/NAME" in stopped["error/physics"].because
    failed = flaws_of(item, Forensic(physics=None))["error/physics"]
    assert isinstance(failed, ScoreGap)
    assert failed.status == "unscored"
