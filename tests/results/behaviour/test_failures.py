"""Failure reasons: who failed, what a judge reads of it, and whose word counts."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from cutscore.api.failures import explain_failures
from cutscore.bridge.rows import REASONS_FILE
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.errors import BadInput, BudgetReached
from cutscore.core.finding import Finding
from cutscore.core.label import Label
from cutscore.core.row import Row
from cutscore.core.trajectory import Action, Step, Trajectory
from cutscore.registry import benchmark
from cutscore.results.behaviour import failures
from cutscore.results.behaviour.failures import (
    FailureReason,
    failure_evidence,
    failure_table,
    is_failure,
    list_steps,
    reasons_of_people,
)
from cutscore.results.behaviour.reason_file import keep_reasons, read_reasons
from cutscore.store import Store

HEADLINE = f"{benchmark('repair').card.headline}@paper"
STEPS = (
    Step(n=1, did=(Action(tool="Bash", arguments={"command": "whisper film.mp4"}),)),
    Step(n=2, by="tool", error="killed"),
    Step(n=3, said="I help.", parent=1),
)


def row(score: float | None = 0.0, **more: object) -> Row:
    ending = Ending(status="unscored", because="broken") if score is None else None
    finding = Finding(name="format", value=0.0, because="outputs/fixed.mp4 is missing")
    ending = ending or Ending(status="marked", scores={HEADLINE: score}, findings=(finding,))
    names = {"benchmark": "repair", "version": "1", "cell": "a-1", "subject": "a", "cluster": "c", "epoch": 1}
    return Row(**{**names, "item": "clip-01", "ending": ending, "ask": Ask(item="clip-01", brief="Fix it."), **more})


def label(answer: str, person: str, item: str = "clip-01") -> Label:
    about = {"benchmark": "repair", "item": item, "subject": "a", "question": "failure_reason", "kind": "choice"}
    return Label(**about, person=person, answer=answer)


def test_marked_samples_with_nothing_in_them_failed_and_unscored_ones_did_not() -> None:
    card = benchmark("repair").card
    assert is_failure(row(0.0), card, "paper", below=0.0)
    assert not is_failure(row(0.1), card, "paper", below=0.0)
    assert is_failure(row(0.1), card, "paper", below=0.2)
    assert not is_failure(row(None), card, "paper", below=1.0)


def test_a_judge_reads_task_steps_and_what_the_verifier_found() -> None:
    facts = failure_evidence(row(deliverable=Deliverable(failure="out of time")), STEPS).facts
    assert facts["task"] == "Fix it."
    assert facts["verifier"] == "it ended with: out of time\nformat: outputs/fixed.mp4 is missing"
    assert facts["steps"] == "[#1] Bash whisper film.mp4\n[#2] error: killed\n[#3, sub-agent of #1] says: I help."
    many = list_steps([Step(n=n, said="x" * 9_000) for n in range(1, 1_000)])
    assert "… 749 steps left out" in many
    assert len(many) < 170_000
    assert list_steps([]) == ""


def test_most_people_decide_and_a_tie_is_open() -> None:
    said = reasons_of_people(
        [
            *(label("temporal_reasoning", each) for each in ("ann", "bo")),
            label("other", "cy"),
            *(label(answer, each, "clip-02") for answer, each in (("other", "ann"), ("temporal_reasoning", "bo"))),
            label("yes", "ann", "clip-03"),
        ]
    )
    assert said == {("repair", "a", "clip-01", 1): "temporal_reasoning", ("repair", "a", "clip-02", 1): None}


def test_the_table_has_percents_and_numbers_of_failures() -> None:
    made = [
        FailureReason("repair", "a", "", str(n), 1, reason, "j") for n, reason in enumerate(["other", "other", None])
    ]
    table = failure_table([*made, FailureReason("repurpose", "a", "", "x", 1, "long_context_loss", "people")])
    assert table.title == "repair fails most by another reason; repurpose fails most by long-context information loss"
    assert table.cells("repair") == [0, 0, 0, 0, 100, 3]
    assert table.cells("repurpose") == [100, 0, 0, 0, 0, 1]
    assert "3 by j, 1 by people; 1 without one" in table.note
    assert failure_table([]).title == "No failure has a reason"


@pytest.fixture
def results(tmp_path: Path) -> list[SimpleNamespace]:
    """A run with a failed sample, one that went well, and a failed one without steps."""
    store = Store(tmp_path / "run" / "store")
    steps = Deliverable(trajectory=store.put_bytes(Trajectory(steps=STEPS).to_jsonl(), name="trajectory.jsonl"))
    rows = [row(deliverable=steps), row(0.9, item="clip-02", deliverable=steps), row(item="clip-03")]
    record = SimpleNamespace(store=store, run=tmp_path / "run", cell=SimpleNamespace(id="a-1"))
    cell = SimpleNamespace(record=record, rows=rows)
    return [SimpleNamespace(card=benchmark("repair").card, mode="paper", cells=[cell])]


def test_people_go_before_the_judge_and_without_both_nothing_is_said(results) -> None:
    (judged,) = explain_failures(results, "constant:temporal_reasoning")
    assert (judged.item, judged.reason, judged.by) == ("clip-01", "temporal_reasoning", "constant:temporal_reasoning")
    (said,) = explain_failures(results, "constant:other", [label("hallucinated_grounding", "ann")])
    assert (said.reason, said.by) == ("hallucinated_grounding", "people")
    assert explain_failures(results, "") == []


@pytest.fixture
def judge(tmp_path: Path) -> str:
    """A model that finds that everything was too long."""
    script = tmp_path / "judge.json"
    reply = {"addressed": False, "answers": [{"id": "failure_reason", "because": "-", "answer": "long_context_loss"}]}
    say = json.dumps({"seal": r"\g<seal>", **reply}).replace("\\\\", "\\")
    script.write_text(json.dumps({"rules": [{"when": "(?s)seal (?P<seal>[0-9a-f]{8})", "say": say}]}))
    return f"scripted/{script}"


def test_what_a_model_says_is_written_down_and_asked_once(results, judge: str, tmp_path: Path) -> None:
    (first,), (second,) = (explain_failures(results, judge) for _ in range(2))
    assert (first.reason, second) == ("long_context_loss", first)
    entries = [json.loads(line) for line in (tmp_path / "run" / "journal.jsonl").read_text().splitlines()]
    assert [entry["questions"] for entry in entries] == [["failure_reason"]]


def test_a_limit_holds_and_what_was_said_before_it_is_free(
    results, judge: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A call costs a dollar. With one dollar the first of two is asked; with two the other, and the first not again."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match="has no known price, so --cost-limit cannot be kept"):
        explain_failures(results, judge, cost_limit_usd=1)
    price = f'[prices."{judge}"]\ninput_usd_per_mtok = 0\noutput_usd_per_mtok = 100_000\n'  # it says that it took 10
    (tmp_path / "cutscore.toml").write_text(price, encoding="utf-8")
    (cell,) = results[0].cells
    other = Ask(item="clip-04", brief="Fix that one.")
    cell.rows.append(cell.rows[0].model_copy(update={"item": "clip-04", "ask": other}))
    with pytest.raises(BudgetReached, match=r"spent \$1.00 of \$1.00"):
        explain_failures(results, judge, cost_limit_usd=1)
    assert len(explain_failures(results, judge, cost_limit_usd=2)) == 2
    assert len(explain_failures(results, judge, cost_limit_usd=2)) == 2
    ledger = [json.loads(line) for line in (tmp_path / "run" / "ledger.jsonl").read_text().splitlines()]
    assert [line["usd"] for line in ledger if line["state"] == "done"] == ["1.0"] * 2


def test_a_run_keeps_what_was_said_last_of_a_cell(results, tmp_path: Path) -> None:
    run = tmp_path / "run"
    keep_reasons(run, "b-2", [FailureReason("repair", "b", "", "clip-01", 1, "other", "j", cell="b-2")])
    explain_failures(results, "constant:other")
    explain_failures(results, "constant:temporal_reasoning")
    assert [(each.cell, each.reason) for each in read_reasons([run])] == [
        ("b-2", "other"),
        ("a-1", "temporal_reasoning"),
    ]
    with (run / REASONS_FILE).open("a") as file:
        file.write('{"of": "another version"}\n')
    assert len(read_reasons([run, tmp_path / "none"])) == 2
    explain_failures(results, "constant:other", below=-1)  # nothing failed by that measure
    assert [each.cell for each in read_reasons([run])] == ["b-2"]


def test_the_command_wants_somebody_who_says_why(cli, results, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "nobody is named who says why; add --judge or --labels" in cli("failures", "logs").err
    monkeypatch.setattr("cutscore.results.cells.read_runs", lambda _runs: ())
    monkeypatch.setattr("cutscore.results.benchmark.benchmark_results", lambda _cells: results)
    ran = cli("failures", "logs", "--judge", "constant:other", "--json")
    assert [each["reason"] for each in ran.json["failures"]] == ["other"]
    assert "repair fails most by another reason" in cli("failures", "logs", "--judge", "constant:other").out
    assert "0 failures with steps" in cli("failures", "logs", "--judge", "constant:other", "--below", "-1").out
    assert set(failures.REASONS) == set(failures.failure_question().choices)
