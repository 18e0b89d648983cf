"""`cutscore judge-card`: what it prints, what it keeps, what it refuses."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cutscore.core.label import Label
from cutscore.labels.files import write_labels
from cutscore.results.judge_card.card import read_card


def write(folder: Path, true: str, said: str, *, split: str = "test", people: str = "a") -> tuple[Path, Path]:
    """Write labels and answers, one item for each letter: y and n are yes and no, - is no answer."""
    names = {"y": "yes", "n": "no", "-": None}
    labels = [
        Label(benchmark="b", item=f"i{n}", question="q", person=who, answer=names[each], split=split, subject="x")
        for who in people
        for n, each in enumerate(true)
    ]
    write_labels(folder / "labels.jsonl", labels)
    lines = [
        {"benchmark": "b", "item": f"i{n}", "subject": "x", "judgement": {**JUDGEMENT, "answer": names[each]}}
        for n, each in enumerate(said)
    ]
    (folder / "judge.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder / "labels.jsonl", folder / "judge.jsonl"


JUDGEMENT: dict[str, Any] = {"question": "q", "judge": "lab/judge-2", "prompt": "5d" * 32}


def test_a_card_is_printed_and_kept(cli, tmp_path: Path) -> None:
    labels, answers = write(tmp_path, "yyyyyyyynnnnnnnn", "yyyyyyynnnnnnnny", people="ab")
    ran = cli("judge-card", labels, "--answers", answers, "-o", "cards")
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0].startswith("judge lab/judge-2   prompt 5d5d5d5d5d5d   labels ")
    assert re.search(r"^b yes_no +agreement +0\.875 +\[0\.\d{3}, (0\.\d{3}|1\.000)\] +n=16 in 16 clusters$", lines[1])
    assert ran.out.count("n=8 in 8 clusters") == 2  # sensitivity and specificity
    assert "people / judge say yes 0.500 / 0.500, no 0.500 / 0.500" in ran.out
    assert "people: kappa" in ran.out
    assert "judged, corrected" in ran.out
    assert "not run: repeat, order, length, " in ran.out
    (file,) = (tmp_path / "cards").iterdir()
    assert lines[-1] == f"card: {file.relative_to(tmp_path)}"
    assert read_card(file).judge == "lab/judge-2"


def test_the_json_is_the_card(cli, tmp_path: Path) -> None:
    labels, answers = write(tmp_path, "yyyynnnn", "yyynnnny")
    plain = cli("judge-card", labels, "--answers", answers, "-o", "cards", "--json").json
    kept = json.loads(Path(plain["file"]).read_bytes())
    assert plain["schema"] == "cutscore.judge-card/1"
    assert {name: plain[name] for name in kept} == kept
    (score,) = plain["scores"]
    assert (score["subject"], score["raw"]["value"], score["corrected"]["value"]) == ("x", 0.5, 0.5)
    assert score["because"] == "Rogan–Gladen on 8 held-out labels"


def test_labels_that_are_not_held_out_correct_nothing(cli, tmp_path: Path) -> None:
    labels, answers = write(tmp_path, "yyyynnnn", "yyynnnny", split="")
    ran = cli("judge-card", labels, "--answers", answers)
    assert "uncalibrated: there are no held-out labels for this judge" in ran.out
    assert "labels have no split 'test': a prompt that was tuned on them looks too good here" in ran.out
    assert ran.out.endswith("next: add -o DIR to keep the card\n")


def test_what_is_left_out_is_counted(cli, tmp_path: Path) -> None:
    labels, answers = write(tmp_path, "yyyn-yn", "yy-nn")
    out = cli("judge-card", labels, "--answers", answers).out
    assert (
        "left out of b yes_no: 1 question without a readable answer; 1 question on which people do not agree; "
        "2 questions not judged\n"
    ) in out


def test_repeats_are_warned_of(cli, tmp_path: Path) -> None:
    labels, answers = write(tmp_path, "yn", "yn")
    ran = cli("judge-card", labels, labels, "--answers", answers)
    assert ran.code == 0
    assert "line 1 repeats labels " in ran.err


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ("", "labels: there are 2 labels and 0 verdicts; judge the labelled deliverables first"),
        ('{"benchmark": "b"}', "line 1: item: Field required; correct the line"),
        (
            '{"benchmark": "b", "item": "i0", "judgement": {"question": "q", "judge": "j", "answer": "maybe"}}',
            "line 1: 'maybe' cannot answer a question of kind 'yes_no'; see docs/judge-card.md",
        ),
    ],
)
def test_bad_answers_are_refused(cli, tmp_path: Path, answers: str, said: str) -> None:
    labels, file = write(tmp_path, "yn", "yn")
    file.write_text(answers)
    ran = cli("judge-card", labels, "--answers", file)
    assert ran.code == 2
    assert said in ran.err


def test_somebody_must_have_judged(cli, tmp_path: Path) -> None:
    labels, _ = write(tmp_path, "yn", "yn")
    ran = cli("judge-card", labels)
    assert (ran.code, ran.out) == (2, "")
    assert "needs either runs or a file of answers; name deliverables with --run, or answers with" in ran.err
