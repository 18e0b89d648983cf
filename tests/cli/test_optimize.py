"""`cutscore optimize`: from labels to a prompt that a judge takes, after kills too, and what it refuses."""

import contextlib
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from cutscore.benchmarks.colorbars.mark import judge_question
from cutscore.bridge.rows import read_rows
from cutscore.cli import main
from cutscore.core.label import Label
from cutscore.labels.files import write_labels
from cutscore.registry import benchmark
from cutscore.store import Store

SEAL = "the seal (?P<seal>[0-9a-f]{8})"
RULES = ("Look at colours.", "Read the words.", "Count the balls.")
KINDS = dict(zip(("colour", "word", "count"), RULES, strict=True))


def reply(answer: str) -> str:
    answers = [{"id": "right", "because": "I see it.", "answer": answer}]
    return json.dumps({"seal": r"\g<seal>", "addressed": False, "answers": answers}).replace("\\\\", "\\")


def write_scripts(folder: Path, rows: list, items: dict) -> None:
    """A judge that finds wrong answers of a kind when its prompt has the rule; an optimiser that adds a rule a time."""
    rules = [
        {
            "when": f"(?s){re.escape(KINDS[items[row.item].kind])}.*{re.escape(judge_question(items[row.item]))}"
            f".*\n{re.escape(row.deliverable.text)}\n.*{SEAL}",
            "say": reply("no"),
        }
        for row in rows
        if not row.ending.scores["accuracy"]
    ]
    (folder / "judge.json").write_text(json.dumps({"rules": [*rules, {"when": SEAL, "say": reply("yes")}]}))
    seal = r"BEGIN PROMPT (?P<seal>[0-9a-f]{8})\nEND"
    steps = [
        {
            "when": f"(?s)^(?!.*{re.escape(RULES[have])}).*{seal}" if have < len(RULES) else f"(?s){seal}",
            "say": "BEGIN PROMPT \\g<seal>\n" + "\n".join(RULES[: have + 1]) + "\nEND PROMPT \\g<seal>",
        }
        for have in range(len(RULES) + 1)
    ]
    (folder / "writer.json").write_text(json.dumps({"rules": steps, "otherwise": ["Add a rule."]}))


@pytest.fixture(scope="session")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of oracle and blind, labels in three splits, and both scripts."""
    folder = tmp_path_factory.mktemp("labelled")
    words = ["run", "colorbars", "--limit", "18", "--log-dir", str(folder / "logs"), "--subject", "oracle"]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        assert main([*words, "--subject", "blind"]) == 0
    rows = list(read_rows(folder / "logs"))
    items = {each.id: each for each in benchmark("colorbars").part("dataset").items(Store(folder / "logs/store"), None)}
    splits = {
        item: ("train", "dev", "test")[number // 3 % 3]
        for number, item in enumerate(sorted({row.item for row in rows}))
    }
    labels = [
        Label(
            benchmark="colorbars",
            item=row.item,
            subject=row.subject,
            question="right",
            person="ann",
            answer="yes" if row.ending.scores["accuracy"] else "no",
            split=splits[row.item],
        )
        for row in rows
    ]
    write_labels(folder / "labels.jsonl", labels)
    write_scripts(folder, rows, items)
    return folder


def words_of(folder: Path, out: Path, *more: str) -> list[str]:
    given = ["optimize", "judge", str(folder / "labels.jsonl"), "--run", str(folder / "logs")]
    given += ["--judge", f"scripted/{folder / 'judge.json'}", "--optimizer", f"scripted/{folder / 'writer.json'}"]
    return [*given, "--votes", "1", "--calls", "90", "-o", str(out), *more]


def card_of(cli, folder: Path, *more: str) -> dict:
    judge = f"scripted/{folder / 'judge.json'}"
    words = ["judge-card", folder / "labels.jsonl", "--run", folder / "logs", "--judge", judge, *more]
    return cli(*words, "--audit", "repeat", "--json").json


def estimate_of(plain: dict) -> tuple:
    return plain["value"], plain["low"], plain["high"]


@pytest.mark.real
@pytest.mark.parametrize("method", ["gepa", "textgrad"])
def test_a_search_ends_in_a_prompt_that_the_card_finds_as_good(
    cli, labelled: Path, tmp_path: Path, method: str
) -> None:
    out = tmp_path / "better.md"
    ran = cli(*words_of(labelled, out, "--method", method), "--json")
    assert ran.code == 0, ran.err
    plain = ran.json
    assert plain["schema"] == "cutscore.optimize/1"
    assert out.read_text() == plain["candidates"][plain["best"]]["text"]
    rows = {row["name"]: row for row in plain["test"]["rows"]}
    assert rows["p*"]["binary"]["fn"] < rows["p0"]["binary"]["fn"]
    assert plain["settings"]["simulation"] == "no provider was asked"
    card = card_of(cli, labelled, "--prompt", f"judge={out}")
    for name, found in (("p0", card_of(cli, labelled)), ("p*", card)):
        (part,) = (each for each in found["parts"] if not each["group"])
        of_card = {each["name"]: each for each in part["estimates"]}
        of_search = {each["name"]: each for each in rows[name]["estimates"]}
        assert part["n"] == plain["test"]["n"]
        assert estimate_of(of_card["MCC"]) == estimate_of(of_search["binary MCC"])
        youden = of_card["sensitivity"]["value"] + of_card["specificity"]["value"] - 1
        assert youden == pytest.approx(of_search["binary Rec−FPR"]["value"])
    again = cli(*words_of(labelled, out, "--method", method), "--json").json
    assert again["candidates"] == plain["candidates"]
    read = [json.loads(line) for line in (tmp_path / "better.work" / "readings.jsonl").read_text().splitlines()]
    assert [each["why"] for each in read] == ["search", "judge-card"]  # the second search reads what the first wrote
    assert (card["readings"], read[1]["labels"]) == (2, card["labels"])
    other = cli(*words_of(labelled, out, "--method", method, "--seed", "5"))
    assert (other.code, "better.json is of another search" in other.err) == (2, True)


@pytest.mark.parametrize(
    "times", [pytest.param(2, marks=pytest.mark.real), pytest.param(10, marks=pytest.mark.release)]
)
def test_a_search_that_is_killed_walks_the_same_way_and_pays_once(
    cli, labelled: Path, tmp_path: Path, times: int
) -> None:
    slow = json.loads((labelled / "judge.json").read_text()) | {"latency_s": 0.03}
    (labelled / "slow.json").write_text(json.dumps(slow))

    def command(out: Path) -> list[str]:
        words = words_of(labelled, out, "--method", "textgrad")
        words[words.index("--judge") + 1] = f"scripted/{labelled / 'slow.json'}"
        return words

    whole, torn = tmp_path / "whole.md", tmp_path / "torn.md"
    assert cli(*command(whole)).code == 0
    total = len((tmp_path / "whole.work" / "ledger.jsonl").read_text().splitlines())
    draws, ledger, kills = random.Random(7), tmp_path / "torn.work" / "ledger.jsonl", 0
    for point in sorted(draws.sample(range(1, total - 10), times)):
        child = subprocess.Popen(
            [sys.executable, "-m", "cutscore", *command(torn)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while child.poll() is None and (len(ledger.read_bytes().splitlines()) if ledger.exists() else 0) < point:
            time.sleep(0.005)
        if child.poll() is None:
            os.kill(child.pid, signal.SIGKILL)
            kills += 1
        child.wait()
    assert kills == times
    assert cli(*command(torn)).code == 0
    assert torn.read_text() == whole.read_text()
    both = [json.loads(file.with_suffix(".json").read_text()) for file in (whole, torn)]
    assert both[0]["candidates"] == both[1]["candidates"]
    assert both[0]["test"] == both[1]["test"]
    ledgers = [file.read_text().splitlines() for file in (tmp_path / "whole.work" / "ledger.jsonl", ledger)]
    states = [Counter(json.loads(line)["state"] for line in lines) for lines in ledgers]
    keys = [json.loads(line)["key"] for line in (tmp_path / "torn.work/journal.jsonl").read_text().splitlines()]
    assert len(keys) == len(set(keys)) == states[0]["done"]
    assert states[1]["done"] == states[0]["done"]  # what was answered was paid once, whenever the kill came
    assert states[1]["sent"] <= states[1]["done"] + states[1]["lost"]


@pytest.mark.real
def test_a_prompt_is_carried_to_another_judge_and_every_reading_of_the_test_split_is_counted(
    cli, labelled: Path, tmp_path: Path
) -> None:
    out, other = tmp_path / "better.md", tmp_path / "other.json"
    found = cli(*words_of(labelled, out, "--method", "textgrad"), "--json").json
    blind = tmp_path / "blind.json"
    blind.write_text(json.dumps({"rules": [{"when": SEAL, "say": reply("yes")}]}))
    words = ["optimize", "transfer", out, labelled / "labels.jsonl", "--run", labelled / "logs", "--votes", "1"]
    same = cli(*words, "--judge", f"scripted/{labelled / 'judge.json'}", "--json").json
    assert (same["test"]["rows"], same["test"]["differences"]) == (found["test"]["rows"], found["test"]["differences"])
    moved = cli(*words, "--judge", f"scripted/{blind}", "-o", other, "--json").json
    cells = {row["name"]: row["binary"] for row in moved["test"]["rows"]}
    assert cells["p*"] == cells["p0"] == cells["always pass"]  # who says yes to everything, whatever the prompt says
    assert (same["readings"], moved["readings"]) == (2, 3)
    tables = cli("optimize", "tables", tmp_path / "better.json", other, "--json").json["tables"]
    judges = next(each for each in tables if each["id"] == "judges")
    assert [row[1] for row in judges["rows"]][-2:] == ["p0", "adaptation"]


@pytest.mark.real
def test_labels_that_people_do_not_agree_on_are_said_to_be_left_out(cli, labelled: Path, tmp_path: Path) -> None:
    both = [json.loads(line) for line in (labelled / "labels.jsonl").read_text().splitlines()]
    both += [{**each, "person": "bob", "answer": "no" if each["answer"] == "yes" else "yes"} for each in both]
    (tmp_path / "labels.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in both))
    words = words_of(labelled, tmp_path / "b.md")
    words[2] = str(tmp_path / "labels.jsonl")
    ran = cli(*words)
    said = "split 'train': has no labelled sample; 36 labelled questions left out: people do not agree; label more"
    assert (ran.code, said in ran.err) == (2, True), ran.err


@pytest.mark.real  # 28 films
def test_a_search_on_few_films_can_be_watched_without_a_key(cli, tmp_path: Path) -> None:
    ran = cli("optimize", "simulate", "--few", "-o", tmp_path, "--json")
    assert ran.code == 0, ran.err
    assert sum(ran.json["settings"]["sizes"].values()) == 28
    assert "no provider was asked" in ran.json["settings"]["simulation"]
    cells = {row["name"]: row["binary"] for row in ran.json["test"]["rows"]}
    assert cells["p*"]["tp"] > cells["p0"]["tp"]
    page = Path(ran.json["page"]).read_text()
    assert "A simulation: no provider was asked" in page
    assert list((tmp_path / "site" / "media").glob("*.mp4"))


@pytest.mark.real
def test_what_it_will_take_is_said_first(cli, labelled: Path, tmp_path: Path) -> None:
    ran = cli(*words_of(labelled, tmp_path / "b.md", "--dry-run"), "--json")
    assert ran.code == 0, ran.err
    said = ran.json["dry_run"]
    dev, test = ran.json["settings"]["sizes"]["dev"], ran.json["settings"]["sizes"]["test"]
    assert said["metric_calls"] == 89 + 6 + dev
    assert said["calls"]["judge"] == said["metric_calls"] + 2 * test
    assert said["usd"] is None
    assert not (tmp_path / "b.work").exists()


@pytest.mark.real
@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--method", "grid"], "no method 'grid'; known: gepa, textgrad"),
        (["--matching", "loose"], "no matching 'loose'; known: none, paper, reference"),
        (["--phi", "kappa"], "no objective 'kappa'; known: f1, mcc, rec-fpr"),
        (["--family", "task=perception"], "--family task=perception: labels have no groups"),
        (["--role", "painter=a/b"], "--role painter: is not asked here"),
        (["--prompt", "colour=x.md"], "prompt 'colour': judges of these deliverables read judge"),
        (["--cost-limit", "5"], "has no known price, so --cost-limit cannot be kept"),
        (["--votes", "2"], "an even number of votes can be tied"),
    ],
    ids=lambda value: "" if isinstance(value, str) else value[0].strip("-"),
)
def test_what_cannot_be_is_refused_before_anybody_is_asked(
    cli, labelled: Path, tmp_path: Path, more: list[str], said: str
) -> None:
    ran = cli(*words_of(labelled, tmp_path / "b.md", *more))
    assert ran.code == 2, ran.out
    assert said in ran.err


@pytest.mark.real
def test_a_search_that_nothing_would_end_is_refused(cli, labelled: Path, tmp_path: Path) -> None:
    words = words_of(labelled, tmp_path / "b.md")
    del words[words.index("--calls") : words.index("--calls") + 2]
    ran = cli(*words)
    assert (ran.code, "has no known price, so the limit of $30 cannot be kept; give --calls N" in ran.err) == (2, True)


@pytest.mark.real
def test_a_prompt_is_a_markdown_file(cli, labelled: Path, tmp_path: Path) -> None:
    ran = cli(*words_of(labelled, tmp_path / "b.txt"))
    assert (ran.code, "is not a Markdown file; name it PROMPT.md" in ran.err) == (2, True)


def test_matchers_are_told_apart(cli) -> None:
    ran = cli("optimize", "matchers", "--json")
    rows = {(each["matcher"], each["language"]): each for each in ran.json["matchers"]}
    assert rows["characters", ""]["n"] >= 60
    assert rows["characters", ""]["approximate"]
    assert 0 < rows["characters", "en"]["recall"] < 1


def test_a_record_that_is_none_is_refused(cli, tmp_path: Path) -> None:
    (tmp_path / "odd.json").write_text('{"schema": "cutscore.optimize/1"}')
    ran = cli("optimize", "tables", tmp_path / "odd.json")
    assert (ran.code, "write it anew with 'cutscore optimize judge'" in ran.err) == (2, True)
    assert "cannot be read" in cli("optimize", "tables", tmp_path / "none.json").err
