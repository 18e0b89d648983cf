"""Rows → the files that the released code writes: scores, audit and metrics as CSV, and the checklist with its answers.

subjective/NAME.csv, NAME_with_task_id.csv    one line, UAS, IFS, VRS and SEM over all tasks
subjective/NAME_audit.csv                     the same with the counts behind it
subjective/NAME_evaluated.json                the checklist with the judge's words, which `answers:FILE` reads
objective/NAME.csv, NAME_with_task_id.csv     one line a task; a cell is empty where a metric leaves a task out
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cutscore.benchmarks.covebench.checklist import Category, ChecklistQuestion
from cutscore.benchmarks.covebench.dataset import EditTask
from cutscore.benchmarks.covebench.released import CHECKLIST_FILE
from cutscore.benchmarks.covebench.scores import PERCENT, Mode, ScoreName, ScoreSum, score_checklist, sum_sums
from cutscore.core.errors import BadInput
from cutscore.core.finding import score_key
from cutscore.core.judgement import Judgement
from cutscore.core.row import Row
from cutscore.core.strict_json import read_json

MODE: Mode = "reference"  # what the released code computes
SCORES: tuple[ScoreName, ...] = ("uas", "ifs", "vrs", "sem")
METRICS = ("AES", "TQ", "MSM", "SSIM", "MF", "VQR", "SRC")
EVERY_TASK = "ALL"
TASK_ID = "task_id"


def result_files(rows: Sequence[Row], items: Sequence[EditTask], data: Path | None, *, name: str) -> dict[str, str]:
    """Return the text of each file, by its name; of several attempts at a task the first counts.

    Raises:
        BadInput: The rows are of tasks that are not among the items.
    """
    first = {row.item: row for row in sorted(rows, key=lambda row: row.epoch, reverse=True)}
    by_id = {item.id: item for item in items}
    if strange := sorted(first.keys() - by_id.keys()):
        fact = f"is in the run and not among the {len(by_id):,} tasks at hand"
        raise BadInput(f"item '{strange[0]}'", fact, "name the folder of the run's tasks with --data")
    said = {id: _answers_of(first[id]) for id in by_id if id in first}
    totals = _add_up([by_id[id] for id in said], said)
    scores = {key.upper(): _decimals(totals[key].value) for key in SCORES}
    metrics = {id: {column: _decimals(_metric(first[id], column)) for column in METRICS} for id in said}
    evaluated = evaluate_checklist([by_id[id] for id in said], said, data)
    return {
        f"subjective/{name}.csv": _csv([scores]),
        f"subjective/{name}_with_task_id.csv": _csv([{TASK_ID: EVERY_TASK, **scores}]),
        f"subjective/{name}_audit.csv": _csv([{TASK_ID: EVERY_TASK, **scores, **_counts(totals)}]),
        f"subjective/{name}_evaluated.json": json.dumps(evaluated, ensure_ascii=False, indent=2) + "\n",
        f"objective/{name}.csv": _csv(metrics.values()),
        f"objective/{name}_with_task_id.csv": _csv({TASK_ID: id, **cells} for id, cells in metrics.items()),
    }


def _answers_of(row: Row) -> dict[str, Judgement]:
    """Return what the judge answered, by question: its first word, since audits ask the same once more."""
    said: dict[str, Judgement] = {}
    for each in row.judgements:
        if not each.role and each.answer is not None:
            said.setdefault(each.question, each)
    return said


def _add_up(items: Sequence[EditTask], said: Mapping[str, Mapping[str, Judgement]]) -> dict[ScoreName, ScoreSum]:
    answers = {item.id: {id: each.answer for id, each in said[item.id].items()} for item in items}
    each = [score_checklist(item.checklist, answers[item.id], MODE) for item in items]
    return {name: sum_sums([scores[name] for scores in each]) for name in SCORES}


def _counts(totals: Mapping[ScoreName, ScoreSum]) -> dict[str, int]:
    """Return how many answers, and how many groups, stand behind the scores."""

    def right(name: ScoreName) -> int:
        return round(totals[name].part / PERCENT)

    return {
        "ifs_correct": right("ifs"),
        "ifs_total": totals["ifs"].whole,
        "vrs_correct": right("vrs"),
        "vrs_total": totals["vrs"].whole,
        "union_correct": right("uas"),
        "union_total": totals["uas"].whole,
        "union_skipped": totals["uas"].open,
        "sem_count": totals["sem"].whole,
    }


def _metric(row: Row, column: str) -> float | None:
    """Return a metric of one sample; None where it is not computed, or leaves the task out."""
    name, scores = column.lower(), row.ending.scores
    return scores.get(score_key(name, MODE), scores.get(name))


def _decimals(value: float | None) -> str:
    return "" if value is None else f"{value:.8f}"


def _csv(lines: Iterable[Mapping[str, object]]) -> str:
    every, text = list(lines), io.StringIO()
    writer = csv.DictWriter(text, list(every[0]) if every else list(METRICS), lineterminator="\n")
    writer.writeheader()
    writer.writerows(every)
    return text.getvalue()


def evaluate_checklist(
    items: Sequence[EditTask], said: Mapping[str, Mapping[str, Judgement]], data: Path | None
) -> list[dict[str, Any]]:
    """Return the checklist with what the judge said: the released file as it is, or tasks of ours in its form."""
    file = data / CHECKLIST_FILE if data else None
    if file is None or not file.is_file():
        tasks = [write_task(item) for item in items]
    else:
        read = read_json(file.read_text(encoding="utf-8-sig"))
        tasks = [task for task in read if isinstance(task, dict)] if isinstance(read, list) else []
    left = dict(said)
    for task in tasks:
        answers = left.pop(str(task.get("id")), None)  # of two tasks with one id the first is the one that was asked
        if answers is not None:
            task["evaluation_groups"] = [
                {**group, "questions": [_add_answer(each, answers.get(each["id"])) for each in group["questions"]]}
                for group in task["evaluation_groups"]
            ]
    return tasks


def _add_answer(question: Mapping[str, Any], judged: Judgement | None) -> dict[str, Any]:
    """Return a question with what was said to it, in place of anything that was said before."""
    asked = {key: value for key, value in question.items() if key not in ("model_answer", "model_reasoning")}
    return asked | ({"model_reasoning": judged.because, "model_answer": judged.answer} if judged else {})


def write_task(item: EditTask) -> dict[str, Any]:
    """Return a task in the form of the released checklist."""
    groups = [
        {
            "target_element": point.target,
            "description": point.about,
            "questions": [_write_question(each) for each in point.questions],
            "category": [{"Question IDs": list(each.questions), **_levels(each)} for each in point.categories],
        }
        for point in item.checklist.points
    ]
    return {
        "id": item.id,
        "original_description": item.description,
        "editing_instruction": item.instruction,
        "target_video_description": item.target,
        "evaluation_groups": groups,
        "videoA_path": item.source.name if item.source else item.cluster,
        "category": [_levels(each) for each in item.checklist.categories],
    }


def _write_question(question: ChecklistQuestion) -> dict[str, Any]:
    plain = {
        "id": question.id,
        "type": question.format,
        "dimension": question.dimension,
        "difficulty": question.difficulty,
        "question": question.text,
        "options": question.options,
        "expected_answer": question.expected,
    }
    return {key: value for key, value in plain.items() if value or key == "dimension"}


def _levels(category: Category) -> dict[str, str]:
    return {"Level 1": category.level_1, "Level 2": category.level_2, "Level 3": category.level_3}
