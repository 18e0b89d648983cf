"""What a cell pays: limits that hold with many calls at once, and on a cell that resumes."""

import json
from pathlib import Path

from cutscore.bridge.rows import read_prices
from cutscore.bridge.run import CellRun, prepare, run_cell
from cutscore.cells.request import CellRequest
from cutscore.cells.run_context import RunContext
from cutscore.cells.selection import ItemSelection
from cutscore.ledger.call_book import read_spending
from cutscore.settings import OwnPrice, Settings

MILLION = {"input": 1_000_000, "cached": 0, "cache_write": 0, "output": 0, "reasoning": 0}
PRICE = OwnPrice(input_usd_per_mtok=0.5, output_usd_per_mtok=1)


def run(folder: Path, model: str, *, settings: Settings, limit: int, cost_limit_usd: float | None = None) -> CellRun:
    request = CellRequest(benchmark="colorbars", subject="model", model=model)
    prepared = prepare(request, RunContext(run=folder), selection=ItemSelection(limit=limit))
    return run_cell(prepared, settings=settings, cost_limit_usd=cost_limit_usd)


def script(folder: Path) -> str:
    """A model that takes a moment, so that many calls are under way at once."""
    (folder / "script.json").write_text(json.dumps({"usage": MILLION, "latency_s": 0.05}))
    return f"scripted/{folder / 'script.json'}"


def test_a_limit_holds_though_many_samples_work_at_once(tmp_path: Path) -> None:
    model = script(tmp_path)
    done = run(tmp_path, model, settings=Settings(prices={model: PRICE}), limit=30, cost_limit_usd=2.0)
    spent = read_spending(tmp_path / "ledger.jsonl")
    assert (spent.answered, float(spent.usd)) == (4, 2.0)
    assert sum(row.ending.status == "marked" for row in done.rows) == 4
    assert "spent $2.00 of $2.00" in next(row.ending.because for row in done.rows if row.ending.status != "marked")


def test_a_resumed_cell_whose_price_was_unknown_at_first_keeps_its_limit(tmp_path: Path) -> None:
    model = script(tmp_path)
    first = run(tmp_path, model, settings=Settings(), limit=3)
    assert [row.cost_usd for row in first.rows] == [None] * 3
    assert read_spending(tmp_path / "ledger.jsonl").unknown == 3
    done = run(tmp_path, model, settings=Settings(prices={model: PRICE}), limit=30, cost_limit_usd=3.0)
    assert read_spending(tmp_path / "ledger.jsonl").answered == 6, "three of before, and three that were left"
    assert sum(row.ending.status == "marked" for row in done.rows) == 6
    prices = read_prices(done.record.folder)
    assert prices is not None
    assert model in prices.models
