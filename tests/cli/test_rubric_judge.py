"""A rubric before a model and before people: items in one request, answers with times, what is unreadable unscored."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cutscore.bridge.rows import read_rows

Script = Callable[..., str]
# Items of the first starter commission that a judge is asked about.
GOOD = ("claim", "shade", "birds", "appeal", "argument", "last-word", "tree", "bird", "no-bars", "moves", "legible")
GOOD += ("own-sound", "whole-lines")
FAULTS = ("tea", "microphone", "foreign", "loops", "hurried", "stands", "padding", "bars", "uncut")
SEALED = r"(?s)seal (?P<seal>[0-9a-f]{8})"


def reply(**other: str) -> str:
    said = {**dict.fromkeys(GOOD, "yes"), **dict.fromkeys(FAULTS, "no"), **other}
    answers = [{"id": id, "because": "I saw it.", "answer": answer, "at": [1.0, 2.5]} for id, answer in said.items()]
    plain = json.dumps({"seal": "SEAL", "addressed": False, "answers": answers})
    return plain.replace("\\", r"\\").replace("SEAL", r"\g<seal>")


def run(cli: Any, judge: str, *words: object) -> Any:
    return cli("run", "repurpose", "--subject", "oracle", "--limit", 1, "--judge", judge, "--json", *words)


@pytest.mark.real
def test_a_model_answers_every_item_with_a_place_in_the_film(cli: Any, script: Script) -> None:
    judge = script("judge", rules=[{"when": SEALED, "say": reply(birds="no")}])
    ran = run(cli, judge)
    assert ran.code == 0, ran.err
    (row,) = read_rows(Path("logs"))
    assert row.judge == judge
    assert row.ending.scores["score@paper"] == pytest.approx(22 / 24)
    birds = next(each for each in row.ending.findings if each.name == "narrative/birds")
    assert birds.because.endswith("says 'no': I saw it.")
    assert birds.at is not None
    assert (float(birds.at.start_s), float(birds.at.end_s)) == (1.0, 2.5)
    assert {seen.clip.name for seen in row.judge_seen} == {"final.mp4"}
    assert len(row.judge_seen[0].frames) > 5


@pytest.mark.real
def test_a_reply_that_cannot_be_read_leaves_the_film_unscored(cli: Any, script: Script) -> None:
    ran = run(cli, script("judge", rules=[{"when": SEALED, "say": "A fine film."}]))
    (row,) = read_rows(Path("logs"))
    assert (ran.json["n"], ran.json["unscored"]) == (0, 1)
    assert row.ending.status_of("score@paper") == "unscored"
    told = {each.name: each for each in row.ending.findings}
    assert told["format"].value == 1
    assert "the score lies between 0.000 and 1.000" in told["answered"].because


@pytest.mark.real
def test_graders_mark_films_by_majority_and_calibrate_the_judge(cli: Any) -> None:
    with Path("grades.csv").open("w", newline="") as stream:
        sheet = csv.writer(stream)
        sheet.writerow(["grader", "benchmark", "item", "rubric item", "pillar", "editor", "answer", "split"])
        for grader in ("ann", "bo", "cy"):
            for id in (*GOOD, *FAULTS):
                # One of three says no to birds; two of three find the tea in the film.
                odd = (id == "birds" and grader == "ann") or (id == "tea" and grader != "cy")
                answer = (id in GOOD) != odd
                pillar = "narrative" if id in GOOD[:6] else "penalty" if id in FAULTS else "other"
                sheet.writerow(
                    [grader, "repurpose", "recap-1", id, pillar, "oracle", "Yes" if answer else "No", "test"]
                )
    ran = run(cli, "people:grades.csv")
    assert ran.code == 0, ran.err
    (row,) = read_rows(Path("logs"))
    assert row.ending.scores["score@paper"] == pytest.approx((24 - 2) / 24)  # the tea costs two points
    assert run(cli, "stage", "--log-dir", "staged").code == 0
    card = cli("judge-card", "grades.csv", "--run", "staged", "--json").json
    rates = {part["group"].get("pillar", ""): part["estimates"][0]["value"] for part in card["parts"]}
    assert rates == {"": pytest.approx(21 / 22), "narrative": 1.0, "other": 1.0, "penalty": pytest.approx(8 / 9)}
