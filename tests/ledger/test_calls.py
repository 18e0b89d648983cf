"""A call has a line when it is sent and one when it ends; what was lost is named; the limit holds with many at once."""

import datetime
import json
import threading
import time
from decimal import Decimal
from pathlib import Path

import pytest

from cutscore.core.errors import BudgetReached
from cutscore.core.tally import Tally
from cutscore.core.usage import Usage
from cutscore.ledger.call_book import read_spending
from cutscore.ledger.prices import Price, Prices
from cutscore.ledger.spending import Ledger
from cutscore.settings import OwnPrice

DAY = datetime.date(2026, 11, 1)
MODEL = "a/b"


def prices(**own: object) -> Prices:
    return Prices.snapshot([MODEL], own={MODEL: OwnPrice(**(own or {"per_call_usd": 1.0}))}, on=DAY)


def open_ledger(folder: Path, *, cell: str = "cell", limit_usd: float | None = None) -> Ledger:
    return Ledger(prices(), folder / "ledger.jsonl", cell=cell, limit_usd=limit_usd)


def lines(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "ledger.jsonl").read_text().splitlines()]


def test_a_call_has_two_lines_that_say_whose_it_was(tmp_path: Path) -> None:
    purse = open_ledger(tmp_path).purse("item-1", 2)
    call = purse.send(MODEL, "judge")
    assert call is not None
    assert purse.pay(call, MODEL, Usage(input=5, output=1)) == 1.0
    sent, done = lines(tmp_path)
    assert datetime.datetime.fromisoformat(str(sent.pop("at"))).tzinfo is not None
    assert sent == {
        "call": call,
        "state": "sent",
        "cell": "cell",
        "item": "item-1",
        "epoch": 2,
        "role": "judge",
        "model": MODEL,
    }
    assert done == {"call": call, "state": "done", "usage": {"input": 5, "output": 1}, "usd": "1.0"}


def test_a_call_is_paid_once(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path)
    call = ledger.send(MODEL, role="subject")
    assert call is not None
    assert [ledger.pay(call, MODEL, None), ledger.pay(call, MODEL, None)] == [1.0, 1.0], "the price is told each time"
    assert open_ledger(tmp_path).pay(call, MODEL, None) == 1.0
    assert (len(lines(tmp_path)), ledger.spent_usd) == (2, 1.0)


def test_answered_failed_and_lost_calls_are_told_apart(tmp_path: Path) -> None:
    first = open_ledger(tmp_path)
    calls = [first.send(MODEL, role="subject") or "" for _ in range(5)]
    first.pay(calls[0], MODEL, None)
    first.fail(calls[1], "503")
    first.fail(calls[2], "503")
    other = open_ledger(tmp_path, cell="other")
    other.send(MODEL, role="subject")
    again = open_ledger(tmp_path)
    again.mark_lost()  # the first process is gone, since this one has the cell
    again.mark_lost()
    spent = read_spending(tmp_path / "ledger.jsonl", ["cell"])
    assert (spent.answered, spent.failed, spent.lost, spent.usd) == (1, {"503": 2}, 2, Decimal(1))
    assert spent.as_json() == {"usd": 1.0, "answered": 1, "unknown": 0, "lost": 2, "failed": {"503": 2}}
    assert read_spending(tmp_path / "ledger.jsonl", ["other"]).calls == 0, "what others have under way is not lost"


def test_a_lost_call_whose_reply_turns_up_is_paid(tmp_path: Path) -> None:
    call = open_ledger(tmp_path).send(MODEL, role="subject") or ""
    again = open_ledger(tmp_path)
    again.mark_lost()
    assert read_spending(tmp_path / "ledger.jsonl").lost == 1
    again.pay(call, MODEL, None)
    spent = read_spending(tmp_path / "ledger.jsonl")
    assert (spent.answered, spent.lost, spent.usd) == (1, 0, Decimal(1))


def test_lines_of_earlier_versions_count_as_answered(tmp_path: Path) -> None:
    (tmp_path / "ledger.jsonl").write_text('{"model": "a/b", "usage": null, "usd": "0.25"}\n')
    ledger = open_ledger(tmp_path)
    ledger.add(MODEL, None)
    spent = read_spending(tmp_path / "ledger.jsonl")
    assert (spent.answered, spent.usd, ledger.spent_usd) == (2, Decimal("1.25"), 1.25)


def test_calls_that_were_booked_without_a_price_count_once_there_is_one(tmp_path: Path) -> None:
    file = tmp_path / "ledger.jsonl"
    unpriced = Ledger(Prices.snapshot([]), file)
    for _ in range(4):
        assert unpriced.add(MODEL, Usage(input=1_000_000, output=0)) is None
    assert (unpriced.spent_usd, unpriced.unknown_calls) == (0.0, 4)
    priced = Ledger(prices(input_usd_per_mtok=0.5, output_usd_per_mtok=1), file, limit_usd=1.0)
    with pytest.raises(BudgetReached, match=r"^run: spent \$2\.00 of \$1\.00; "):
        priced.check()


def test_a_price_that_was_unknown_is_added_and_a_known_one_stays() -> None:
    kept = prices(per_call_usd=3)
    now = {MODEL: OwnPrice(per_call_usd=9), "c/d": OwnPrice(per_call_usd=2)}
    mended = kept.with_missing([MODEL, "c/d", "e/f"], own=now)
    assert {name: price.per_call_usd for name, price in mended.models.items()} == {MODEL: Decimal(3), "c/d": Decimal(2)}
    assert kept.with_missing([MODEL], own=now) is kept


# --- the limit while calls are under way


def call_in_threads(ledger: Ledger, count: int, *, cost_usd: float) -> int:
    """Let so many workers call at once, each as the boundary does it; give how many calls were made."""
    made: list[str] = []

    def work() -> None:
        try:
            while (call := ledger.send(MODEL, role="subject")) is None:
                time.sleep(0.002)
        except BudgetReached:
            return
        time.sleep(0.02)
        made.append(call)
        ledger.pay(call, MODEL, Usage(input=int(cost_usd * 1_000_000), output=0))

    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(made)


@pytest.mark.parametrize(("limit_usd", "calls"), [(2.0, 8), (2.1, 9), (0.1, 1)])
def test_forty_at_once_go_one_call_beyond_the_limit_at_most(limit_usd: float, calls: int, tmp_path: Path) -> None:
    by_token = prices(input_usd_per_mtok=1, output_usd_per_mtok=1)
    ledger = Ledger(by_token, tmp_path / "ledger.jsonl", limit_usd=limit_usd)
    assert call_in_threads(ledger, 40, cost_usd=0.25) == calls
    with pytest.raises(BudgetReached):
        ledger.check()


def test_without_a_limit_nobody_waits(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path)
    assert all(ledger.send(MODEL, role="subject") for _ in range(50))


def test_calls_of_a_killed_process_hold_up_nobody(tmp_path: Path) -> None:
    for _ in range(10):
        open_ledger(tmp_path, cell="killed").send(MODEL, role="subject")
    mine = open_ledger(tmp_path, limit_usd=5.0)
    first = mine.send(MODEL, role="subject")
    assert first is not None
    assert mine.send(MODEL, role="subject") is None, "nothing is known of the model yet, and one is on its way"
    mine.pay(first, MODEL, None)
    assert mine.send(MODEL, role="subject") is not None


def test_a_failed_call_frees_what_was_kept_for_it(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path, limit_usd=2.0)
    ledger.pay(ledger.send(MODEL, role="subject") or "", MODEL, None)
    call = ledger.send(MODEL, role="subject") or ""
    assert ledger.send(MODEL, role="subject") is None
    ledger.fail(call, "timeout")
    assert ledger.send(MODEL, role="subject") is not None


# --- prices by the call and by the second


def test_a_price_by_the_call_needs_no_usage() -> None:
    price = prices(per_call_usd=0.04, source="https://example.org/prices", date=DAY).models[MODEL]
    assert price.cost_usd(None) == price.cost_usd(Usage(input=10, output=3)) == Decimal("0.04")
    assert (price.source, price.date) == ("cutscore.toml: https://example.org/prices", DAY)


def test_a_price_by_the_second_of_video() -> None:
    price = prices(per_video_second_usd=0.5, per_call_usd=0.01).models[MODEL]
    assert price.cost_usd(Usage(video_s=8.4)) == Decimal("4.21")
    assert price.cost_usd(Usage()) == Decimal("0.01")
    assert price.cost_usd(None) is None, "how long the video is, nobody said"
    again = Price.model_validate_json(price.model_dump_json())
    assert again.cost_usd(Usage(video_s=1)) == Decimal("0.51")


def test_tokens_and_calls_may_both_cost() -> None:
    price = prices(input_usd_per_mtok=1, output_usd_per_mtok=2, per_call_usd=0.5).models[MODEL]
    assert price.cost_usd(Usage(input=1_000_000, output=1_000_000)) == Decimal("3.5")
    assert price.cost_usd(None) is None


def test_seconds_of_video_add_up_and_are_written_only_where_there_are_some() -> None:
    both = Usage(input=1, video_s=2.5) + Usage(input=2, video_s=5)
    assert (both.input, both.video_s) == (3, 7.5)
    assert both.model_dump(mode="json", exclude_none=True) == {"input": 3, "video_s": 7.5}
    assert "video_s" not in Usage(input=1).model_dump(mode="json")
    assert Usage.model_validate_json(both.model_dump_json()) == both


# --- what the subject says itself


def test_what_a_subject_tells_stands_beside_what_we_saw() -> None:
    tally = Tally()
    assert (tally.told_usage, tally.told_cost_usd) == (None, None)
    tally.add_booked_call(Usage(input=100, output=5), 0.5)
    tally.tell(Usage(input=90, output=5), 0.25)
    tally.tell(cost_usd=0.5)
    tally.tell(Usage(input=1, output=1))
    assert (tally.told_usage, tally.told_cost_usd) == (Usage(input=91, output=6), 0.75)
    assert tally.cost_usd == 0.5
