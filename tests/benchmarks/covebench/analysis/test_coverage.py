"""covebench: what was answered of what was asked, and scores whose missing answers are told by bounds."""

from typing import Any

import pytest

from cutscore.benchmarks.covebench.analysis.coverage import describe_coverage
from cutscore.benchmarks.covebench.analysis.coverage_tables import coverage_table, modes_table
from cutscore.benchmarks.covebench.checklist import Checklist
from cutscore.benchmarks.covebench.scores import MODES, score_checklist
from cutscore.core.ending import Ending, ScoreGap, fold_findings
from cutscore.core.finding import Finding
from cutscore.core.row import Row
from cutscore.core.table import Table
from cutscore.registry import benchmark
from cutscore.results.tables.lines import cell_lines


def question(id: str, dimension: str = "Execution Accuracy") -> dict[str, Any]:
    form = "Score-MCQ" if dimension == "Semantic Preservation" else "Single-TF"
    return {"id": id, "format": form, "dimension": dimension, "text": "?", "expected": "Yes"}


CHECKLIST = Checklist.model_validate(
    {
        "points": [
            {"target": "ball", "questions": [question("Q1"), question("Q2")]},
            {"target": "light", "questions": [question("Q3")]},
            {"target": "rest", "questions": [question("Q4", "Semantic Preservation")]},
        ]
    }
)
RIGHT: dict[str, Any] = {"Q1": "yes", "Q2": "yes", "Q3": "yes", "Q4": 8}


def found(answers: dict[str, Any], **more: Any) -> dict[str, tuple[float, float | None]]:
    return {each.name: (each.value, each.whole) for each in describe_coverage(CHECKLIST, answers, **more)}


def test_a_checklist_with_every_answer_needs_no_bounds() -> None:
    assert found(RIGHT) == {"video": (1, 1), "answered": (4, 4)}


def test_a_video_that_was_judged_elsewhere_was_not_seen_here() -> None:
    assert found(RIGHT, elsewhere=True) == {"answered": (4, 4)}
    assert found({}, no_video="missing")["video"] == (0, 1)
    lost = row("a", RIGHT)
    findings = tuple(each for each in lost.ending.findings if each.name != "video")
    lines = cell_lines([lost.model_copy(update={"ending": lost.ending.model_copy(update={"findings": findings})})])
    assert coverage_table(lines).rows[0][3:] == (1, None, 0, 4, 4, 0, 0)


def test_a_point_is_open_while_an_answer_that_could_spoil_it_is_missing() -> None:
    bounds = found(RIGHT | {"Q2": None})
    assert bounds["answered"] == (3, 4)
    assert (bounds["least/uas"], bounds["most/uas"]) == ((100, 2), (200, 2))
    assert (bounds["least/ifs"], bounds["most/ifs"]) == ((200, 3), (300, 3))
    assert "least/sem" not in bounds
    decided = found(RIGHT | {"Q1": "no", "Q2": None})
    assert "least/uas" not in decided  # a wrong answer decides the point


def test_a_score_that_the_paper_does_not_know_is_no_answer() -> None:
    bounds = found(RIGHT | {"Q4": 11})
    assert bounds["answered"] == (3, 4)
    assert (bounds["least/sem"], bounds["most/sem"]) == ((10, 1), (100, 1))


def row(item: str, answers: dict[str, Any] | None) -> Row:
    said: list[Finding | ScoreGap] = []
    for mode in MODES:
        for name, total in score_checklist(CHECKLIST, answers or {}, mode).items():
            if answers is None:
                whole = {"uas": 2, "uas_task": 1, "sem": 1}.get(name, 3) if mode == "strict" else 0
                said.append(Finding(name=name, value=0, whole=whole, because="no video", mode=mode))
            elif mode == "strict" and total.open:
                said.append(ScoreGap(name=name, status="unscored", because="open", mode=mode))
            else:
                said.append(Finding(name=name, value=total.part, whole=total.whole, because="sum", mode=mode))
    said += describe_coverage(CHECKLIST, answers or {}, no_video="" if answers is not None else "missing")
    keys = [key for mode in MODES for key in benchmark("covebench").card.score_keys(mode)]
    ending: Ending = fold_findings(said, tuple(dict.fromkeys(keys)))
    return Row(
        benchmark="covebench", version="1", cell="a-1", subject="mine", item=item, epoch=1, cluster=item, ending=ending
    )


def by_score(table: Table) -> dict[str, dict[str, Any]]:
    names = [column.name for column in table.columns]
    return {str(line[3]): dict(zip(names, line, strict=True)) for line in table.rows}


def test_tables_tell_what_is_missing_and_between_what_a_score_lies() -> None:
    lines = cell_lines([row("a", RIGHT), row("b", RIGHT | {"Q2": None, "Q3": "no"}), row("c", None)])
    covered = coverage_table(lines)
    assert covered.rows[0][3:] == (3, 2, 0, 12, 7, 4, 1)
    assert covered.title == "Coverage: answers are missing"
    # Of ifs, reference counts 4 of 5; strict leaves b open, so 3 of 6.
    assert modes_table(lines).title == "Modes: strict is at most 30.0 below reference (ifs of mine)"
    uas = by_score(modes_table(lines))["uas"]
    # Two points of a are right; of b one is open and one wrong; of c both are open, since there is no video.
    assert (uas["reference"], uas["paper"], uas["strict"]) == (75, 75, pytest.approx(50))
    assert (uas["at least"], uas["at most"]) == (pytest.approx(200 / 6), pytest.approx(500 / 6))
    assert (uas["open in strict"], uas["counted"], uas["asked"]) == (1, 4, 6)


def test_a_whole_run_says_so() -> None:
    lines = cell_lines([row("a", RIGHT)])
    assert coverage_table(lines).title == "Coverage: every question has an answer"
    assert modes_table(lines).title == "Modes: reference and strict agree"
    sem = by_score(modes_table(lines))["sem"]
    assert sem["reference"] == sem["at least"] == sem["at most"] == sem["strict"] == 80
