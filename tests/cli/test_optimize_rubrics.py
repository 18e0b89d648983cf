"""`cutscore optimize` beyond lists of weaknesses: a rubric of yes and no, and a checklist with its right answers."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from cutscore.bridge.rows import read_rows
from cutscore.core.label import Label
from cutscore.core.row import Row
from cutscore.labels.files import write_labels
from cutscore.registry import benchmark
from cutscore.store import Store

Script = Callable[..., str]
Answers = Mapping[str, str]
RULE = "Look twice."
SEAL = "seal (?P<seal>[0-9a-f]{8})"
SPLITS = ("train", "dev", "test")


def reply(answers: Answers) -> str:
    said = [{"id": id, "because": "I saw it.", "answer": answer} for id, answer in answers.items()]
    plain = json.dumps({"seal": "SEAL", "addressed": False, "answers": said})
    return plain.replace("\\", r"\\").replace("SEAL", r"\g<seal>")


def judge_rules(item: str, lenient: Answers, people: Answers) -> list[dict[str, str]]:
    """A judge that says of an item what is expected, and what people say once its prompt has the rule."""
    about = f"(?=.*{re.escape(item)})"
    return [
        {"when": f"(?s)(?=.*{re.escape(RULE)}){about}.*{SEAL}", "say": reply(people)},
        {"when": f"(?s){about}.*{SEAL}", "say": reply(lenient)},
    ]


def search(cli: Any, script: Script, rules: list[dict[str, str]], labels: list[Label], prompt: Path) -> Any:
    write_labels(Path("labels.jsonl"), labels)
    judge = script("judge", rules=rules)
    begins = "BEGIN PROMPT (?P<seal>[0-9a-f]{8})\nEND"
    found = {"when": begins, "say": f"BEGIN PROMPT \\g<seal>\n{RULE}\nEND PROMPT \\g<seal>"}
    writer = script("writer", rules=[found], otherwise=["It should look twice."])
    words = ["--run", "logs", "--judge", judge, "--optimizer", writer, "--method", "textgrad", "--votes", 1]
    words += ["--calls", 6, "--minibatch", 1, "--prompt", f"{prompt.stem}={prompt}", "-o", "better.md", "--json"]
    ran = cli("optimize", "judge", "labels.jsonl", *words)
    assert ran.code == 0, ran.err
    assert Path("better.md").read_text().strip() == RULE
    return ran.json


def label(row: Row, question: str, answer: str, *, split: str, **more: object) -> Label:
    about = {"benchmark": row.benchmark, "item": row.item, "subject": row.subject, "question": question}
    return Label.model_validate({**about, "person": "ann", "answer": answer, "split": split, **more})


def cells(found: Any, prompt: str) -> tuple[float, ...]:
    row = next(each for each in found["test"]["rows"] if each["name"] == prompt)
    assert row["fractional"] is None  # S is the verdict, so there is one scale
    return tuple(row["binary"][name] for name in ("tp", "fp", "fn", "tn"))


@pytest.mark.real
def test_a_rubric_of_yes_and_no_is_optimised_by_its_verdicts(cli: Any, script: Script) -> None:
    assert cli("run", "repurpose", "--subject", "oracle", "--limit", 3, "--json").code == 0
    rows = list(read_rows(Path("logs")))
    prompt = benchmark("repurpose").folder / "prompts" / "judge.md"
    tasks = {item.id: item for item in benchmark("repurpose").part("dataset").items(Store(Path("logs/store")), None)}
    rules, labels, sizes = [], [], []
    for row, split in zip(rows, SPLITS, strict=True):
        right = {each.question: str(each.answer) for each in row.judgements}
        # Something is missing, and a fault is there: people see both, one "no" and one "yes".
        missing = next(id for id, answer in right.items() if answer == "yes")
        fault = next(id for id, answer in right.items() if answer == "no")
        people = {**right, missing: "no", fault: "yes"}
        rules += judge_rules(tasks[row.item].brief.splitlines()[0], right, people)
        labels += [label(row, id, answer, split=split, expected=right[id]) for id, answer in people.items()]
        sizes.append(len(right))
    found = search(cli, script, rules, labels, prompt)
    assert cells(found, "p0") == (0, 0, 2, sizes[2] - 2)
    assert cells(found, "p*") == (2, 0, 0, sizes[2] - 2)


@pytest.mark.real
def test_a_checklist_is_optimised_by_its_right_answers(cli: Any, script: Script) -> None:
    run = ["run", "covebench", "--subject", "partial:1", "--set", "metrics=none"]
    assert cli(*run, "--item", "park-1", "--item", "street-1", "--item", "sea-1", "--json").code == 0
    prompt = benchmark("covebench").folder / "prompts" / "judge_ab.md"
    tasks = {item.id: item for item in benchmark("covebench").part("dataset").items(Store(Path("logs/store")), None)}
    rules, labels = [], []
    for row, split in zip(read_rows(Path("logs")), SPLITS, strict=True):
        asked = [each for each in tasks[row.item].checklist.questions if each.format == "AB-MCQ"]
        right = {each.id: each.expected for each in asked}
        people = {each.question: str(each.answer) for each in row.judgements if each.question in right}
        rules += judge_rules(tasks[row.item].instruction, right, people)
        more = {"kind": "choice", "split": split}
        labels += [label(row, id, answer, expected=right[id], **more) for id, answer in people.items()]
    found = search(cli, script, rules, labels, prompt)
    assert cells(found, "p0") == (0, 0, 2, 1)  # one of three edits was made, and the judge says all were
    assert cells(found, "p*") == (2, 0, 0, 1)
