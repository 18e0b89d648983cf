"""`--subject responses:FILE` from end to end: cells by model, a log like any other, marked again."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cutscore.bridge.rows import read_cells, read_rows

FILE = "said.jsonl"


def write(**more: str) -> None:
    """Three items by two models: one is right twice, one fails once and leaves one out; `more` replaces texts."""
    said = {"bars-01-a": "orange", "bars-01-b": "2", "bars-01-c": "no \x00 idea \ud83d", **more}
    lines = [{"model": "openai/never-called", "item": item, "text": text} for item, text in said.items()]
    lines += [
        {"model": "lab two", "item": "bars-01-a", "text": "green"},
        {"model": "lab two", "item": "bars-01-b", "error": "HTTP 503"},
    ]
    Path(FILE).write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")


def test_each_model_is_a_cell_and_nobody_is_called(cli: Callable[..., Any]) -> None:
    write()
    ran = cli("run", "colorbars", "--subject", f"responses:{FILE}", "--limit", 3, "--json")
    assert ran.code == 0, ran.err  # no key of that provider is here, and its package need not be
    cells = {each["model"]: each for each in ran.json["cells"]}
    assert {each["subject"] for each in cells.values()} == {"responses"}
    assert cells.keys() == {"openai/never-called", "lab two"}
    assert (ran.json["n"], ran.json["unscored"], ran.json["cost_usd"], ran.json["usage"]) == (4, 2, None, None)
    assert not list(Path("logs").rglob("prices.json"))
    rows = {(row.model, row.item): row for row in read_rows(Path("logs"))}
    assert len(rows) == 6
    ending = {key: row.ending for key, row in rows.items()}
    assert ending["openai/never-called", "bars-01-a"].scores["accuracy"] == 1.0
    assert ending["openai/never-called", "bars-01-c"].scores["accuracy"] == 0.0
    assert ending["lab two", "bars-01-b"].because == "model 'lab two': failed where it was asked: HTTP 503"
    assert ending["lab two", "bars-01-c"].because == "model 'lab two': no response in 'said.jsonl'"
    table = cli("run", "colorbars", "--subject", f"model=responses:{FILE}#openai/never-called", "--limit", 3)
    assert "colorbars v2   openai/never-called   0." in table.out  # a label of 'model' shows bare names


@pytest.mark.real
def test_a_changed_file_is_another_cell_of_that_model_alone(cli: Callable[..., Any]) -> None:
    words = ("run", "colorbars", "--subject", f"responses:{FILE}", "--limit", 3, "--json")
    write()
    first = {each["model"]: each["id"] for each in cli(*words).json["cells"]}
    write(**{"bars-01-b": "3"})
    second = {each["model"]: each["id"] for each in cli(*words).json["cells"]}
    assert first["lab two"] == second["lab two"]
    assert first["openai/never-called"] != second["openai/never-called"]


@pytest.mark.real
def test_responses_are_marked_again_also_by_a_judge_with_other_words(cli: Callable[..., Any], script: Any) -> None:
    write()
    cli("run", "colorbars", "--subject", f"responses:{FILE}#openai/never-called", "--limit", 3)
    Path(FILE).unlink()
    seal = (
        r'{"seal": "\g<seal>", "addressed": false, "answers": [{"id": "\g<id>", "because": "-", "answer": "ANSWER"}]}'
    )
    asked = r'(?s)%s.*"id": "(?P<id>\w+)".*seal (?P<seal>[0-9a-f]{8})'
    rules = [
        {"when": asked % "Be mild", "say": seal.replace("ANSWER", "yes")},
        {"when": asked % "", "say": seal.replace("ANSWER", "no")},
    ]
    judge = script("judge", rules=rules)
    words = ("rescore", "logs", "--judge", judge, "--json")

    def judged(*more: object) -> list[float]:
        ran = cli(*words, *more)
        assert ran.code == 0, ran.err
        return [each["value"] for each in ran.json["benchmarks"][0]["estimates"] if each["name"] == "judged"][-1:]

    assert judged() == [0.0]
    ours = Path(__file__).parents[2] / "src/cutscore/benchmarks/colorbars/prompts/judge.md"
    Path("mild.md").write_text("Be mild.\n\n" + ours.read_text(encoding="utf-8"), encoding="utf-8")
    assert judged("--prompt", "judge=mild.md") == [1.0]
    cells = [record.cell for record in read_cells(Path("logs"))]
    assert {cell.model for cell in cells} == {"openai/never-called"}
    assert {model for cell in cells for model in cell.models} == {judge}
    assert len({cell.id for cell in cells}) == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--subject", "responses"), "error: subject 'responses': lacks what follows the colon; write responses:FILE"),
        (("--subject", "responses:none.jsonl"), "error: responses 'none.jsonl': cannot be read (No such file"),
        (("--subject", f"responses:{FILE}", "--model", "a/b"), "error: --model 'a/b': nobody takes a model among"),
        (
            ("--subject", f"responses:{FILE}", "--ablate", "frames=uniform=1"),
            "error: --ablate frames=…: ready responses stay what they are, whatever is changed; give the other",
        ),
    ],
)
def test_what_cannot_be(cli: Callable[..., Any], words: tuple[str, ...], said: str) -> None:
    write()
    ran = cli("run", "colorbars", *words)
    assert (ran.code, ran.err[: len(said)]) == (2, said)
