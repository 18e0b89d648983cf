"""What was paid, by the ledger; what subjects say of it; and what is not known."""

import json
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cutscore.core.ending import Ending
from cutscore.core.row import Row
from cutscore.core.usage import ZERO_USAGE, Usage
from cutscore.ledger.call_book import Spending
from cutscore.ledger.prices import Prices
from cutscore.ledger.spending import Ledger
from cutscore.results.summary import cost_line, describe_spending
from cutscore.settings import OwnPrice

MODEL = "a/b"


def row(item: str = "i", **more: Any) -> Row:
    who = {"benchmark": "b", "version": "1", "cell": "mine", "subject": "s", "epoch": 1, "cluster": "k"}
    return Row(**{**who, "item": item, "ending": Ending(status="unscored", because="x"), **more})


def results(run: Path, *rows: Row, models: tuple[str, ...] = (MODEL,)) -> Any:
    """The part of a result that money is read from."""
    record = SimpleNamespace(run=run, cell=SimpleNamespace(id="mine", models=models))
    return [SimpleNamespace(cells=[SimpleNamespace(record=record, rows=rows)])]


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    prices = Prices.snapshot([MODEL], own={MODEL: OwnPrice(per_call_usd=0.25)})
    return Ledger(prices, tmp_path / "ledger.jsonl", cell="mine")


@pytest.mark.parametrize(
    ("spent", "words"),
    [
        (Spending(Decimal("0.5"), 2), "cost: $0.50 for 2 calls"),
        (Spending(Decimal("0.5"), 3, unknown=1), "cost: $0.50 for 3 calls, unknown for 1 of them"),
        (Spending(answered=3, unknown=3), "cost: unknown for 3 calls"),
        (Spending(), "cost: $0 for 0 calls"),
    ],
)
def test_the_cost_says_what_is_not_known(spent: Spending, words: str) -> None:
    assert describe_spending(spent) == words


def test_what_was_paid_is_read_from_the_ledger_and_not_from_rows(ledger: Ledger, tmp_path: Path) -> None:
    for _ in range(3):
        ledger.add(MODEL, None)
    ledger.fail(ledger.send(MODEL, role="subject") or "", "503")
    ledger.send(MODEL, role="subject")
    Ledger(Prices.snapshot([]), tmp_path / "ledger.jsonl", cell="other").add(MODEL, None)
    Ledger(Prices.snapshot([]), tmp_path / "ledger.jsonl", cell="mine").mark_lost()
    assert cost_line(results(tmp_path, row(cost_usd=0.25))) == (
        "cost: $0.75 for 4 calls, 1 of them lost when a run was killed, their cost is unknown\n"
        "retries: 1 call failed (503: 1)"
    )


def test_a_ledger_of_an_earlier_version_leaves_the_rows(tmp_path: Path) -> None:
    (tmp_path / "ledger.jsonl").write_text(json.dumps({"model": MODEL, "usd": "9"}) + "\n")
    assert cost_line(results(tmp_path, row(cost_usd=0.5), row("j"))) == "cost: $0.50 for 1 sample, unknown for 1"
    assert cost_line(results(tmp_path, row(cost_usd=0.5), models=())) == ""


def test_a_subject_that_tells_another_cost_is_said_in_one_line(tmp_path: Path) -> None:
    seen = {"usage": ZERO_USAGE, "cost_usd": 0.0}
    rows = [row("a", **seen, told_cost_usd=0.25), row("b", **seen, told_cost_usd=0.0), row("c", **seen)]
    assert cost_line(results(tmp_path, *rows, models=())) == (
        "subjects say $0.25 for 2 samples, we saw $0; 1 of 2 differ"
    )


def test_a_subject_that_tells_other_tokens_is_said_in_one_line(tmp_path: Path) -> None:
    rows = [
        row("a", usage=Usage(input=100, output=10), told_usage=Usage(input=90, output=10)),
        row("b", usage=Usage(input=100, output=10), told_usage=Usage(input=100)),
    ]
    assert cost_line(results(tmp_path, *rows, models=())) == (
        "subjects say 200 tokens for 2 samples, we saw 220 tokens; 1 of 2 differ"
    )


def test_a_subject_that_counts_tokens_into_other_buckets_is_said_in_one_line(tmp_path: Path) -> None:
    moved = row("a", usage=Usage(input=100, cache_write=50), told_usage=Usage(input=150, cache_write=0))
    assert cost_line(results(tmp_path, moved, models=())) == (
        "subjects say 150 tokens for 1 sample, as we saw; 1 of 1 in other buckets"
    )


def test_where_both_agree_nothing_is_said(tmp_path: Path) -> None:
    agreed = row(usage=Usage(input=5), told_usage=Usage(input=5), cost_usd=0.1 + 0.2, told_cost_usd=0.3)
    assert cost_line(results(tmp_path, agreed, models=())) == ""
    judged = row(cost_usd=1.3, told_cost_usd=0.3, judge_usage=Usage(input=9))
    assert cost_line(results(tmp_path, judged, models=())) == "", "the judge is in the row's cost"
