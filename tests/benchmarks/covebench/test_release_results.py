"""covebench: what a run was marked with, in the files of the released code, and back again."""

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.covebench.dataset import EditTask, items, read_answers
from cutscore.benchmarks.covebench.release_results import result_files, write_task
from cutscore.benchmarks.covebench.released import parse_tasks, read_checklist
from cutscore.core.ending import Ending, ScoreGap
from cutscore.core.errors import BadInput
from cutscore.core.judgement import Judgement
from cutscore.core.row import Row
from cutscore.store import Store

CONSTANT = {"AB-MCQ": "B", "Single-TF": "Yes", "Dual-TF": "Yes", "Score-MCQ": 8}


def row(item: EditTask, answers: Mapping[str, Any], *, epoch: int = 1, **scores: float) -> Row:
    said = tuple(Judgement(question=id, judge="j", answer=each, because="so") for id, each in answers.items())
    marked = {key.replace("_at_", "@"): value for key, value in scores.items()}
    gap = ScoreGap(name="uas", status="unscored", because="nobody asked")
    return Row(
        benchmark="covebench", version="1", cell="c", subject="s", item=item.id, epoch=epoch, cluster=item.cluster,
        ending=Ending(status="marked", scores=marked, gaps=(gap,)), judgements=said,
    )  # fmt: skip


def constant(item: EditTask) -> dict[str, Any]:
    return {each.id: CONSTANT[each.format] for each in item.checklist.questions}


@pytest.fixture
def tasks(tmp_path: Path) -> list[EditTask]:
    return items(Store(tmp_path / "store"))[:2]


@pytest.fixture
def release(tmp_path: Path, shared: Path) -> Path:
    folder = tmp_path / "release"
    folder.mkdir()
    sample = shared / "data" / "covebench" / "checklist_sample.json"
    (folder / "checklist.json").write_bytes(sample.read_bytes())
    return folder


def lines(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_the_constant_judge_gets_the_released_line(release: Path, tmp_path: Path) -> None:
    tasks = items(Store(tmp_path / "store"), release)
    made = result_files([row(each, constant(each)) for each in tasks], tasks, release, name="wan")
    assert made["subjective/wan_with_task_id.csv"] == (
        "task_id,UAS,IFS,VRS,SEM\nALL,42.10526316,75.00000000,84.00000000,80.00000000\n"
    )
    assert made["subjective/wan.csv"].splitlines() == [
        "UAS,IFS,VRS,SEM",
        "42.10526316,75.00000000,84.00000000,80.00000000",
    ]
    (audit,) = lines(made["subjective/wan_audit.csv"])
    counts = {"ifs_correct": "33", "ifs_total": "44", "vrs_correct": "21", "vrs_total": "25"}
    counts |= {"union_correct": "8", "union_total": "19", "union_skipped": "0", "sem_count": "26"}
    assert counts.items() <= audit.items()


def test_the_evaluated_checklist_is_the_released_one_with_answers(release: Path, tmp_path: Path) -> None:
    tasks = items(Store(tmp_path / "store"), release)
    asked = {each.id: constant(each) for each in tasks}
    made = result_files([row(each, asked[each.id]) for each in tasks], tasks, release, name="wan")
    evaluated = json.loads(made["subjective/wan_evaluated.json"])
    assert read_answers(evaluated) == asked
    for question in [q for task in evaluated for group in task["evaluation_groups"] for q in group["questions"]]:
        assert question.pop("model_reasoning") == "so"
        question.pop("model_answer")
    assert evaluated == json.loads((release / "checklist.json").read_text())


def test_old_answers_do_not_outlive_a_judge_who_gave_none(release: Path, tmp_path: Path) -> None:
    old = json.loads((release / "checklist.json").read_text())
    old[0]["evaluation_groups"][0]["questions"][0]["model_answer"] = "Yes"
    (release / "checklist.json").write_text(json.dumps(old))
    tasks = items(Store(tmp_path / "store"), release)
    made = result_files([row(tasks[0], {"Q2": "B"})], tasks, release, name="wan")
    answers = read_answers(json.loads(made["subjective/wan_evaluated.json"]))
    assert answers is not None
    assert answers["1"] == {"Q2": "B"}


def test_what_nobody_answered_leaves_an_empty_cell(tasks: list[EditTask]) -> None:
    made = result_files([row(tasks[0], {})], tasks, None, name="null")
    assert made["subjective/null_with_task_id.csv"].splitlines()[1] == "ALL,,,,"
    (audit,) = lines(made["subjective/null_audit.csv"])
    assert audit["union_skipped"] == str(len(tasks[0].checklist.edit_points))


def test_metrics_are_a_line_a_task_and_empty_where_a_task_is_left_out(tasks: list[EditTask]) -> None:
    rows = [row(tasks[0], {}, msm_at_reference=0.5, msm_at_paper=0.25, ssim=1 / 3, mf_lk=0.9), row(tasks[1], {}, uas=0)]
    made = result_files(rows, tasks, None, name="x")
    assert made["objective/x_with_task_id.csv"].splitlines() == [
        "task_id,AES,TQ,MSM,SSIM,MF,VQR,SRC",
        f"{tasks[0].id},,,0.50000000,0.33333333,,,",  # motion by other tracks is not MF
        f"{tasks[1].id},,,,,,,",
    ]
    assert made["objective/x.csv"].splitlines()[1] == ",,0.50000000,0.33333333,,,"


def test_the_first_attempt_and_the_first_word_count(tasks: list[EditTask]) -> None:
    task = tasks[0]
    again = Judgement(question="Q1", judge="j", answer="A", because="audit")
    first = row(task, {"Q1": "B"})
    first = first.model_copy(update={"judgements": (*first.judgements, again)})
    other = Judgement(question="Q1", judge="k", answer="A", role="control")
    first = first.model_copy(update={"judgements": (other, *first.judgements)})
    made = result_files([row(task, {"Q1": "A"}, epoch=2), first], tasks, None, name="x")
    assert read_answers(json.loads(made["subjective/x_evaluated.json"])) == {task.id: {"Q1": "B"}}


def test_a_task_of_ours_in_the_released_form_is_read_as_it_was(tasks: list[EditTask]) -> None:
    read = parse_tasks([json.loads(json.dumps(write_task(each))) for each in tasks])
    assert not read.faults
    assert [each.checklist.questions for each in read.tasks] == [each.checklist.questions for each in tasks]
    assert [each.checklist.categories for each in read.tasks] == [each.checklist.categories for each in tasks]
    assert read.tasks[0].instruction == tasks[0].instruction


def test_rows_of_other_tasks_are_refused(tasks: list[EditTask]) -> None:
    with pytest.raises(BadInput, match=r"is in the run and not among the 1 tasks at hand; name the folder .* --data"):
        result_files([row(tasks[1], {})], tasks[:1], None, name="x")


@pytest.mark.real
def test_a_run_goes_out_as_files_and_comes_back_with_the_same_scores(cli, release: Path, tmp_path: Path) -> None:
    answers = {task.id: constant(task) for task in read_checklist(release / "checklist.json").tasks}  # type: ignore[arg-type]
    (tmp_path / "given.json").write_text(json.dumps(answers))
    for number, file in enumerate((tmp_path / "given.json", Path("out-0/subjective/wan_evaluated.json"))):
        run = ("run", "covebench", "--data", release, "--subject", "wan=elsewhere", "--log-dir", f"logs-{number}")
        assert cli(*run, "--judge", f"answers:{file}").code == 0
        made = cli("export", "results", f"logs-{number}", "--data", release, "-o", f"out-{number}", "--json")
        assert len(made.json["files"]) == 6
    for name in made.json["files"]:
        if name.endswith(".csv"):
            assert Path("out-0", name).read_text() == Path("out-1", name).read_text()
    refused = cli("export", "results", "logs-0", "-o", "other")
    assert "is in the run and not among the" in refused.err
    assert "--item: means nothing for 'results'" in cli("export", "results", "logs-0", "-o", "x", "--item", "1").err
