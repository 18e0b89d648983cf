"""covebench: a judge's card from labels of questions, with planted editors whose every answer is known."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cutscore.benchmarks.covebench.checklist import ChecklistQuestion
from cutscore.benchmarks.covebench.dataset import EditTask, items
from cutscore.bridge.rows import read_rows
from cutscore.core.judgement import Judgement
from cutscore.core.label import Label
from cutscore.results.judge_card.correction import SubjectScore, correct_scores, held_out_samples
from cutscore.results.judge_card.pairing import pair_with_labels
from cutscore.results.judge_card.resampling import Resampling
from cutscore.results.judge_card.verdicts import JudgeVerdict
from cutscore.store import Store

QUICK = Resampling(400, 1)
HIT, QUIET = 0.9, 0.75  # how often the judge below sees what is right, and what is wrong
OTHER = {"A": "B", "B": "A", "Yes": "No", "No": "Yes"}
KINDS = {"AB-MCQ": "choice", "Score-MCQ": "scale"}


def true_answers(item: EditTask, subject: str) -> Iterator[tuple[ChecklistQuestion, str]]:
    """Each objective question with the answer that is true of a planted editor's video; nothing of theirs is unreal."""
    done = {"partial:1": 1, "null": 0}.get(subject, len(item.checklist.edit_points))
    for number, point in enumerate(item.checklist.edit_points):
        for each in point.objective:
            yield each, each.expected if number < done or each.measure == "vrs" else OTHER[each.expected]


def in_words(question: ChecklistQuestion, answer: str) -> str:
    return answer if question.format == "AB-MCQ" else answer.lower()


def label(item: EditTask, subject: str, question: ChecklistQuestion, answer: str) -> Label:
    return Label.model_validate(
        {
            "benchmark": "covebench",
            "item": item.id,
            "subject": subject,
            "question": question.id,
            "kind": KINDS.get(question.format, "yes_no"),
            "person": "ann",
            "answer": in_words(question, answer),
            "expected": in_words(question, question.expected),
            "split": "test",
            "groups": {"format": question.format, "score": question.measure},
        }
    )


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> list[EditTask]:
    return items(Store(tmp_path_factory.mktemp("covebench") / "store"))


def erring_judge(tasks: list[EditTask], seed: int) -> tuple[list[Label], list[JudgeVerdict]]:
    """Labels of every second task, and a judge of all who errs at known rates; each task is a clip of its own."""
    coin, labels, verdicts = Random(seed), [], []
    for number, item in enumerate(tasks):
        for subject in ("partial:1", "collateral"):
            for question, answer in true_answers(item, subject):
                rate = HIT if answer == question.expected else QUIET
                said = answer if coin.random() < rate else OTHER[answer]
                judgement = Judgement(question=question.id, judge="j", answer=in_words(question, said))
                made = label(item, subject, question, answer)
                labels += [made] if number % 2 else []
                about = {"benchmark": "covebench", "item": item.id, "subject": subject, "cluster": item.id}
                verdicts.append(JudgeVerdict(**about, kind=made.kind, judgement=judgement))  # type: ignore[arg-type]
    return labels, verdicts


def true_rate(tasks: list[EditTask], labels: list[Label], score: SubjectScore) -> float:
    known = {(each.item, each.question) for each in labels}
    right = [
        answer == question.expected
        for item in tasks
        for question, answer in true_answers(item, score.subject)
        if KINDS.get(question.format, "yes_no") == score.kind and (item.id, question.id) in known
    ]
    return sum(right) / len(right)


@pytest.mark.real
def test_the_rates_of_planted_editors_are_recovered_from_a_judge_that_errs(tasks: list[EditTask]) -> None:
    covered, misled = [], []
    for seed in range(12):
        labels, verdicts = erring_judge(tasks, seed)
        found = correct_scores(held_out_samples(pair_with_labels(labels, verdicts)), verdicts, draws=QUICK)
        assert [(each.kind, each.subject) for each in found] == [
            (kind, subject) for kind in ("choice", "yes_no") for subject in ("collateral", "partial:1")
        ]
        for each in (score for score in found if score.kind == "yes_no"):
            truth, corrected, raw = true_rate(tasks, labels, each), each.score.corrected, each.score.raw
            assert raw.name == "right"
            assert corrected is not None
            assert corrected.low is not None
            assert corrected.high is not None
            covered.append(corrected.low - 1e-9 <= truth <= corrected.high + 1e-9)
            misled.append(raw.high is not None and raw.high < truth)
    assert sum(covered) >= 20, covered  # of 24, at 95%
    assert sum(misled) >= 10  # who believes the judge takes the perfect editor for a worse one


def test_agreement_is_told_for_each_kind(tasks: list[EditTask]) -> None:
    labels, verdicts = erring_judge(tasks, 1)
    found = {each.kind: each for each in pair_with_labels(labels, verdicts)}
    assert {kind: each.unjudged for kind, each in found.items()} == {"choice": 0, "yes_no": 0}
    pairs = [pair for each in found.values() for pair in each.pairs]
    same = sum(pair.people.answer == pair.verdict.judgement.answer for pair in pairs) / len(pairs)
    assert QUIET < same < HIT + 0.05


@pytest.mark.real
def test_the_default_judge_agrees_with_the_truth_of_planted_editors(cli: Any, tasks: list[EditTask]) -> None:
    run = ["run", "covebench", "--subject", "partial:1", "--subject", "collateral", "--set", "metrics=none"]
    assert cli(*run, "--item", "park-1", "--item", "street-1", "--item", "sea-1", "--json").code == 0
    by_id = {item.id: item for item in tasks}
    labels = [
        label(by_id[row.item], row.subject, question, answer)
        for row in read_rows(Path("logs"))
        for question, answer in true_answers(by_id[row.item], row.subject)
    ]
    Path("labels.jsonl").write_text("\n".join(each.model_dump_json(exclude_defaults=True) for each in labels))
    ran = cli("judge-card", "labels.jsonl", "--run", "logs", "--json")
    assert ran.code == 0, ran.err
    parts = {json.dumps([each["kind"], each["group"]]): each for each in ran.json["parts"]}
    for kind, group in [
        *(("yes_no", {}), ("choice", {}), ("yes_no", {"format": "Single-TF"}), ("yes_no", {"format": "Dual-TF"})),
        *(("choice", {"format": "AB-MCQ"}), ("yes_no", {"score": "ifs"}), ("yes_no", {"score": "vrs"})),
    ]:
        agreement = parts[json.dumps([kind, group])]["estimates"][0]
        assert (agreement["name"], agreement["value"]) == ("agreement", 1.0)
    raw = {(each["kind"], each["subject"]): each["raw"]["value"] for each in ran.json["scores"]}
    assert raw["choice", "partial:1"] == pytest.approx(3 / 9)  # one of three edits of each task
    assert raw["choice", "collateral"] == raw["yes_no", "collateral"] == 1.0
