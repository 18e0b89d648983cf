"""`--judge` from end to end: beside the verifier, replayed, unfit when it cannot be read, offline."""

import json
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cutscore.bridge.rows import read_rows
from cutscore.core.row import canonical_rows
from cutscore.ledger.call_book import read_spending

YES = (
    r'{"seal": "\g<seal>", "addressed": false, "answers": [{"id": "\g<id>", "because": "I see it.", "answer": "yes"}]}'
)
ASKED = r'(?s)"id": "(?P<id>\w+)".*seal (?P<seal>[0-9a-f]{8})'

Script = Callable[..., str]


@pytest.fixture
def judge(script: Script) -> Script:
    """Write a judge that says yes to everything, or whatever rules say."""

    def write(**plain: Any) -> str:
        return script("judge", **{"rules": [{"when": ASKED, "say": YES}], "backoff_s": 0.001, **plain})

    return write


def paid(run: str = "logs") -> int:
    return read_spending(Path(run) / "ledger.jsonl").answered


def lines(name: str, run: str = "logs") -> int:
    file = Path(run) / name
    return len(file.read_text().splitlines()) if file.exists() else 0


def test_verifier_and_judge_stand_side_by_side(cli) -> None:
    words = ("run", "colorbars", "--subject", "oracle", "--limit", 3, "--judge", "truth")
    ran = cli(*words, "--subject", "blind", "--json")
    assert ran.code == 0
    values = {(each["name"], each["subject"]): each["value"] for each in ran.json["estimates"] if not each["group"]}
    assert values["judged", "oracle"] == values["accuracy", "oracle"] == 1.0
    assert values["judged", "blind"] == values["accuracy", "blind"]
    assert {cell["judge"] for cell in ran.json["cells"]} == {"truth"}
    assert ran.json["unfit"] == []
    rows = read_rows(Path("logs"))
    assert {row.judge for row in rows} == {"truth"}
    for row in rows:
        (said,) = row.judgements
        assert said.question == "right"
        assert row.ending.findings[1].because.startswith(f"truth says '{said.answer}': answered ")
        assert row.ending.findings[1].at == said.at
    assert "oracle judged by truth   1.000" in cli(*words, "--all").out


@pytest.mark.real
@pytest.mark.parametrize(("answer", "value"), [("yes", 1.0), ("no", 0.0)])
def test_a_judge_that_does_not_look_shows_what_it_is_worth(cli, answer: str, value: float) -> None:
    ran = cli("run", "colorbars", "--subject", "blind", "--limit", 3, "--judge", f"constant:{answer}", "--json")
    judged = next(each for each in ran.json["estimates"] if each["name"] == "judged")
    assert (judged["value"], judged["n"], judged["unscored"]) == (value, 3, 0)


def test_rescore_replays_the_journal_and_asks_only_what_is_new(cli, judge: Script) -> None:
    model = judge()
    assert cli("run", "colorbars", "--subject", "blind", "--limit", 3, "--judge", model).code == 0
    assert (lines("journal.jsonl"), paid()) == (3, 3)
    before = read_rows(Path("logs"))
    assert before[0].judge_usage is not None
    assert before[0].judge_seen[0].clip == before[0].ask.files[0]
    assert cli("rescore", "logs").code == 0
    assert (lines("journal.jsonl"), paid()) == (3, 3), "everything was known"
    again = [row for row in read_rows(Path("logs")) if row.subject.endswith("(rescored)")]
    assert [row.judgements for row in again] == [row.judgements for row in before]
    assert [row.judge_usage for row in again] == [row.judge_usage for row in before]


@pytest.mark.real
def test_more_votes_and_other_prompts_are_asked_and_lost_logs_are_not(cli, judge: Script) -> None:
    model = judge()
    run = ("run", "colorbars", "--subject", "blind", "--limit", 3, "--judge", model)
    assert cli(*run).code == 0
    before = read_rows(Path("logs"))
    assert cli("rescore", "logs", "--judge", model, "--votes", 3).code == 0
    assert paid() == 9, "two more votes for each of three"
    mine = Path("mine.md")
    mine.write_text("Judge kindly.")
    assert cli("rescore", "logs", "--judge", model, "--prompt", f"judge={mine}").code == 0
    assert paid() == 12, "another prompt is another judge"
    assert cli("rescore", "logs", "--judge", model, "--cost-limit", 1).err.startswith(f"error: model '{model}': has no")
    assert cli("pack", "logs", "-o", "logs.tar").code == 0
    with tarfile.open("logs.tar") as tar:
        assert "logs/journal.jsonl" in tar.getnames()
    shutil.rmtree("logs/colorbars")
    assert cli(*run).code == 0
    assert paid() == 12, "a run that lost its logs pays nothing again"
    assert canonical_rows(read_rows(Path("logs"))) == canonical_rows(before)


def test_a_judge_that_cannot_be_read_leaves_the_score_open_and_the_run_unfit(cli, script: Script) -> None:
    ran = cli("run", "colorbars", "--subject", "blind", "--limit", 3, "--judge", script("chatty"), "--json")
    assert ran.code == 0
    (said,) = ran.json["unfit"]
    assert " left judged open for 3 of 3 samples (100%, at most 5% may be); most often: the reply could not be" in said
    assert f"warning: {said}" in ran.err
    judged = next(each for each in ran.json["estimates"] if each["name"] == "judged")
    assert (judged["value"], judged["n"], judged["unscored"]) == (None, 0, 3)
    accuracy = next(each for each in ran.json["estimates"] if each["name"] == "accuracy")
    assert (accuracy["n"], accuracy["unscored"]) == (3, 0), "the verifier's mark stands"
    rows = read_rows(Path("logs"))
    assert rows[0].judgements[0].answer is None
    assert rows[0].retries == {"judge unreadable": 2}
    assert cli("report", "logs", "-o", "site").code == 0
    assert "left judged open for 3 of 3 samples" in Path("site/colorbars/index.html").read_text()


@pytest.mark.real
def test_a_model_that_judges_itself_says_so(cli, judge: Script) -> None:
    model = judge(otherwise=["red"])
    assert cli("run", "colorbars", "--model", model, "--judge", model, "--limit", 1).code == 0
    (row,) = read_rows(Path("logs"))
    assert row.warnings == ("judge: it judges its own work",)
    assert row.ending.findings[1].because.endswith("(it judges its own work)")


def test_score_asks_a_judge_offline_and_keeps_what_it_said_where_told(cli, judge: Script) -> None:
    Path("out").mkdir()
    Path("out/answer.txt").write_text("cyan")
    words = ("score", "colorbars", "bars-01-a", "out", "--judge", judge(), "--json")
    ran = cli(*words)
    assert ran.code == 0
    found = {finding["name"]: finding["value"] for finding in ran.json["findings"]}
    assert found == {"accuracy": 0.0, "judged": 1.0}
    assert ran.json["judge"].startswith("scripted/")
    assert not Path("logs").exists()
    for _ in range(2):
        assert cli(*words, "--log-dir", "kept").code == 0
    assert (lines("journal.jsonl", "kept"), paid("kept")) == (1, 1)


def test_score_says_when_the_judge_gave_no_answer(cli, script: Script) -> None:
    Path("out").mkdir()
    Path("out/answer.txt").write_text("cyan")
    ran = cli("score", "colorbars", "bars-01-a", "out", "--judge", script("chatty"))
    assert ran.code == 0
    assert "gave no answer: the reply could not be used: it holds no JSON object" in ran.err


@pytest.mark.real
def test_labels_of_people_mark_a_run(cli) -> None:
    label = {"benchmark": "colorbars", "person": "ann", "answer": "yes"}
    asked = ("bars-01-a", "bars-01-b")
    text = "\n".join(json.dumps({**label, "item": item, "question": "right"}) for item in asked)
    Path("labels.jsonl").write_text(text)
    ran = cli("run", "colorbars", "--subject", "blind", "--limit", 3, "--judge", "people:labels.jsonl", "--json")
    judged = next(each for each in ran.json["estimates"] if each["name"] == "judged")
    assert (judged["value"], judged["n"], judged["unscored"]) == (1.0, 2, 1)
    assert "most often: nobody labelled it" in ran.json["unfit"][0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--judge", "trutj"), "error: no judge 'trutj'; did you mean 'truth'?"),
        (("--judge", "nobody/x"), "error: model 'nobody/x': cannot be used: "),
        (("--judge", "truth", "--votes", 2), "error: --votes 2: an even number of votes can be tied"),
        (("--judge", "scripted/x", "--cost-limit", 1), "error: model 'scripted/x': has no known price"),
        (("--judge", "people:none.jsonl"), "error: labels 'none.jsonl': cannot be read (No such file"),
    ],
)
def test_what_cannot_be_is_said_before_anybody_is_asked(cli, words: tuple[object, ...], said: str) -> None:
    ran = cli("run", "colorbars", "--subject", "blind", *words)
    assert ran.code == 2
    assert ran.err.startswith(said)
    assert not list(Path().glob("logs/*.jsonl"))


@pytest.mark.real
def test_the_reader_judges_by_the_pixels(cli) -> None:
    """Of the oracle's right answers it bears out two colours and a lone ball; words it cannot read."""
    who = ("--subject", "oracle", "--subject", "null")
    ran = cli("run", "colorbars", *who, "--limit", 6, "--judge", "reader", "--json")
    judged = {each["subject"]: each for each in ran.json["estimates"] if each["name"] == "judged" and not each["group"]}
    assert (judged["null"]["value"], judged["null"]["n"], judged["null"]["unscored"]) == (0.0, 6, 0)
    assert (judged["oracle"]["n"], judged["oracle"]["unscored"]) == (4, 2)
    said = {row.item: row.judgements[0].answer for row in read_rows(Path("logs")) if row.subject == "oracle"}
    assert [said[item] for item in ("bars-01-a", "bars-02-c", "bars-02-a")] == ["yes"] * 3
    assert [said[item] for item in ("bars-01-c", "bars-02-b")] == [None] * 2
