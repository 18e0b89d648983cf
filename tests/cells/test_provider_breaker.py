"""When a failing provider is asked no more: the count, the strata, and a cell from end to end."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from cutscore.bridge import task
from cutscore.bridge.run import CellRun, prepare, run_cell
from cutscore.cells.provider_breaker import CallWindow, ProviderBreaker
from cutscore.cells.request import CellRequest
from cutscore.cells.run_context import RunContext
from cutscore.cells.selection import ItemSelection
from cutscore.core.errors import Unscored
from cutscore.core.row import canonical_rows
from cutscore.registry import benchmark
from cutscore.settings import ModelSettings, Settings


def passes(watch: CallWindow, calls: str) -> bool:
    """Let calls pass by, `x` for one that failed; say whether one more may be made."""
    for call in calls:
        watch.note(failed=call == "x")
    return not watch.because


@pytest.mark.parametrize(
    ("calls", "passed"),
    [
        ("x" * 15, True),
        ("x" * 16, False),
        ("x" * 15 + "." * 35, True),
        ("x" * 15 + "." * 35 + "x", True),  # the first of fifty-one is forgotten
        ("." * 35 + "x" * 16, False),
        ("." * 999 + "x" * 15, True),
        ("x.." * 400, False),
        ("x..." * 400, True),
        ("x" * 16 + "." * 999, False),  # stopped is stopped, whatever comes from those asked before
    ],
)
def test_more_than_thirty_percent_of_the_last_fifty(calls: str, passed: bool) -> None:
    assert passes(CallWindow(0.3, 50), calls) is passed


def test_a_share_is_not_exceeded_by_rounding() -> None:
    assert passes(CallWindow(0.29, 100), "x" * 29)
    assert not passes(CallWindow(0.29, 100), "x" * 30)
    assert passes(CallWindow(1.0, 3), "x" * 99)
    assert not passes(CallWindow(0.0, 3), "x")


def test_the_reason_counts_and_names_the_stratum() -> None:
    breaker = ProviderBreaker(0.3, 10, by="axis")
    order, steps = breaker.calls_of({"axis": "order"}), breaker.calls_of({"axis": "steps"})
    assert breaker.calls_of({"axis": "order", "domain": "x"}) is order
    assert not passes(order, "..xxxx")
    with pytest.raises(Unscored) as caught:
        order.check()
    fact = "failed 4 of its last 6 calls on axis 'order', so the rest was not asked"
    assert str(caught.value) == f"provider: {fact}; run the same command again"
    steps.check()
    assert ProviderBreaker(0.3, 10).calls_of({"axis": "order"}).where == breaker.calls_of({}).where == ""


def run(folder: Path, **fault: object) -> CellRun:
    """Run a model of which one sample is asked at a time, so that the order is that of the items."""
    file = folder / "script.json"
    file.write_text(json.dumps({"backoff_s": 0.001, "faults": [fault]}))
    model = f"scripted/{file}"
    settings = Settings(models={model: ModelSettings(max_connections=1)})
    request = CellRequest("colorbars", "model", model=model)
    return run_cell(
        prepare(request, RunContext(run=folder / "logs"), selection=ItemSelection(limit=12)), settings=settings
    )


def test_a_stratum_is_stopped_and_the_others_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = benchmark("colorbars")
    card = found.card.model_copy(update={"stop_by": "kind"})
    monkeypatch.setattr(task, "find_benchmark", lambda name: replace(found, card=card))
    monkeypatch.setenv("CUTSCORE_PROVIDER_FAILURES_WINDOW", "5")
    made = run(tmp_path, kind="503", times=99, when="How many")
    assert (len(made.rows), made.missing) == (12, 0)
    kinds = Counter((row.groups["kind"], row.ending.status) for row in made.rows)
    assert kinds == {("colour", "marked"): 4, ("word", "marked"): 4, ("count", "unscored"): 4}
    whys = Counter(row.ending.because.partition("': ")[2] for row in made.rows if row.groups["kind"] == "count")
    refused = Counter(row.ending.because for row in made.rows if row.ending.because.startswith("provider"))
    assert whys["gave up after 6 attempts, the last one ended in HTTP 503; run the same command again"] == 2
    (said,) = refused
    assert said.startswith("provider: failed 2 of its last 2 calls on kind 'count', so the rest was not asked")
    assert refused[said] == 2


@pytest.mark.real
def test_nothing_is_lost_and_the_same_command_tries_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUTSCORE_PROVIDER_FAILURES_WINDOW", "5")
    broken = run(tmp_path, kind="400", times=9, share=0.4)
    before = [row for row in broken.rows if row.ending.status == "marked"]
    assert (len(broken.rows), broken.missing) == (12, 0)
    assert 0 < len(before) < 7
    assert "failed 2 of its last" in broken.rows[-1].ending.because
    monkeypatch.setenv("CUTSCORE_PROVIDER_FAILURES_MAX", "1")
    again = run(tmp_path, kind="400", times=9, share=0.4)
    assert again.record.cell.id == broken.record.cell.id
    assert sum("scripted fault 400" in row.ending.because for row in again.rows) > 2, "all were asked"
    kept = {(row.item, row.epoch) for row in before}
    assert canonical_rows(row for row in again.rows if (row.item, row.epoch) in kept) == canonical_rows(before)
