"""What a judge left open is said beside scores that are ratios, and a missing deliverable is not the judge's doing."""

from pathlib import Path

from cutscore.bridge.rows import CellRecord
from cutscore.cells.cell import Cell
from cutscore.cli.text_tables import results_table
from cutscore.core.ending import Ending, ScoreGap
from cutscore.core.finding import Finding
from cutscore.core.judgement import Judgement
from cutscore.core.row import Row
from cutscore.core.subject import SubjectSpec
from cutscore.registry import benchmark
from cutscore.results.benchmark import BenchmarkResult
from cutscore.results.cells import CellResult
from cutscore.results.fitness import unfit
from cutscore.results.summary import describe_answers

JUDGED = ("uas", "ifs", "vrs", "sem", "acc", "uas_task")
MODES = ("reference", "paper", "strict")


def row(number: int, *answers: str | None) -> Row:
    keys = [f"{name}@{mode}" for name in JUDGED for mode in MODES]
    lost = not answers
    gaps = [ScoreGap(name=name, mode="reference", status="excluded", because="missing") for name in JUDGED if lost]
    return Row(
        benchmark="covebench",
        version="1",
        cell="a-1",
        subject="mine",
        item=f"task-{number}",
        epoch=1,
        cluster=f"clip-{number}",
        judge="lab/x",
        judgements=tuple(
            Judgement(question=f"Q{place}", judge="lab/x", answer=answer) for place, answer in enumerate(answers)
        ),
        ending=Ending(
            status="marked",
            scores={key: 0.0 for key in keys if key.endswith("@strict")} if lost else dict.fromkeys(keys, 50.0),
            gaps=tuple(gaps),
            failure_class="unreadable" if lost else None,
        ),
    )


def result(*rows: Row) -> BenchmarkResult:
    spec = SubjectSpec(kind="folder", spec="mine", label="mine")
    cell = Cell(benchmark="covebench", version="1", data="0" * 64, subject=spec, judge="lab/x", mode="reference")
    record = CellRecord(cell, Path("run/covebench") / cell.id, Path("run"), ())
    card = benchmark("covebench").card
    six = card.model_copy(update={"scores": {name: card.scores[name] for name in JUDGED}})
    return BenchmarkResult(six, (CellResult(record, rows),))


def test_questions_that_a_judge_left_open_are_counted_beside_ratios() -> None:
    said = describe_answers(result(row(1, "yes", None, "no"), row(2, "yes"), row(3)))
    assert said == ["covebench mine: lab/x answered 3 of 4 questions; sums are over those"]
    assert describe_answers(result(row(1, "yes", "no"), row(3))) == [], "nothing is left open"


def test_other_roles_are_not_the_judge() -> None:
    first = row(1, "yes")
    other = Judgement(question="physics", judge="lab/y", answer=None, role="forensics")
    said = describe_answers(result(first.model_copy(update={"judgements": (*first.judgements, other)})))
    assert said == []


def test_nothing_that_could_be_judged_is_not_left_open_by_the_judge() -> None:
    assert unfit([result(row(1, "yes"), row(2))], most=0.05) == ()


def test_what_a_rule_leaves_out_is_not_left_open_and_a_ratio_of_nothing_is() -> None:
    gap = ScoreGap(name="sem", mode="reference", status="excluded", because="no control")
    first = row(1, "yes", None)
    scores = {key: value for key, value in first.ending.scores.items() if key != "sem@reference"}
    without = first.ending.model_copy(update={"scores": scores, "gaps": (gap,)})
    assert unfit([result(first.model_copy(update={"ending": without}))], most=0.05) == ()
    nothing = Finding(name="sem", mode="reference", value=0, whole=0, because="no score")
    empty = without.model_copy(update={"findings": (nothing,)})
    (said,) = unfit([result(first.model_copy(update={"ending": empty}))], most=0.05)
    assert "lab/x left sem open for 1 of 1 sample " in said


def test_other_scores_of_a_judge_are_shown_in_one_mode_and_the_headline_in_all() -> None:
    lines = results_table([result(row(1, "yes"), row(2, "no"))]).splitlines()
    shown = [line.partition(" by lab/x @")[0].split()[-1] + "@" + line.partition("@")[2].split()[0] for line in lines]
    assert shown == ["uas@reference", "uas@paper", "uas@strict", *(f"{name}@reference" for name in JUDGED[1:])]


def test_a_cell_that_was_stopped_is_left_out_where_asked() -> None:
    stopped = [
        row(number, "yes").model_copy(update={"ending": Ending(status="stopped", because="Chromium: is not installed")})
        for number in (1, 2)
    ]
    assert "2 of 2 samples are unscored" in unfit([result(*stopped)], most=0.05)[0]
    assert unfit([result(*stopped)], most=0.05, with_stopped=False) == ()
    (said,) = unfit([result(*stopped, row(3, "yes"))], most=0.05, with_stopped=False)
    assert "is unfit: 2 of 3 samples are unscored (67%, at most 5% may be)" in said
