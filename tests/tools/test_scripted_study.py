"""The paper's study with scripted models: every row is accounted for, and every table is filled."""

import json
import os
import sys
from pathlib import Path

import pytest
import scripted_study
from agent_fixtures import AGENTS, require_agent

from cutscore.benchmarks.agenticvbench.families import find_families
from cutscore.benchmarks.agenticvbench.setup_tables import replication_table
from cutscore.cli.sweep import read_sweep
from cutscore.core.table import Table
from cutscore.ledger.price_file import read_price_file
from cutscore.registry import suites
from cutscore.results.benchmark import benchmark_results
from cutscore.results.cells import read_runs

pytestmark = pytest.mark.real

COUNTS = ("planned", "done", "unscored", "missing")


def read_tables(folder: Path) -> dict[str, Table]:
    results = benchmark_results(read_runs([folder / "logs"]))
    found = suites()["agenticvbench"].tables().tables(results, read_price_file(folder / "prices.toml"))
    return {table.id: table for table in found}


def test_the_stacks_are_the_papers_with_scripts_for_models(tmp_path: Path) -> None:
    paper = read_sweep(scripted_study.MATRIX)
    study = read_sweep(scripted_study.write_study(tmp_path, stacks=20, tasks=1, epochs=3))
    assert [each.subject for each in study.stack] == [each.subject for each in paper.stack]
    names = [each.model.rpartition("/")[2] for each in paper.stack]
    assert [each.model for each in study.stack] == [f"scripted/{name}.json" for name in names]
    assert (study.benchmarks, study.epochs, study.in_turn, study.limit) == (paper.benchmarks, 3, True, 1)
    prices, table_7 = read_price_file(tmp_path / "prices.toml"), read_price_file(suites()["agenticvbench"].prices)
    for scripted, asked in zip(study.stack, paper.stack, strict=True):
        assert prices.price(scripted.model) == table_7.price(asked.model)


def test_two_stacks_twice_in_turn_and_nothing_is_lost(cli, tmp_path: Path) -> None:
    """Two models of codex_cli on one task, twice: four boxes, four rows, in the order of the paper."""
    require_agent("codex_cli")
    whole = read_sweep(scripted_study.write_study(tmp_path, stacks=20, tasks=1, epochs=2))
    own = [stack for stack in whole.stack if stack.subject == "codex_cli"]
    head = {"benchmarks": ["sequencing"], "epochs": 2, "in_turn": True, "limit": 1, "log_dir": "logs"}
    Path("study.toml").write_text(scripted_study.as_toml(head, own), encoding="utf-8")
    ran = cli("sweep", "study.toml", "--json")
    assert [ran.json[name] for name in COUNTS] == [4, 4, 0, 0]
    ledger = [json.loads(line) for line in Path("logs/ledger.jsonl").read_text().splitlines()]
    sent = [line["epoch"] for line in ledger if line["state"] == "sent"]
    assert (sent, set(sent)) == (sorted(sent), {1, 2})  # nobody began a second one before everybody's first
    results = benchmark_results(read_runs([Path("logs")]))
    assert replication_table(find_families(results)).title == "4 planned = 4 done + 0 unscored + 0 missing"
    facts = [row.environment for result in results for row in result.rows]
    assert all(0 <= each["steal"] <= 1 for each in facts)  # type: ignore[operator]
    assert all("exec_command" in each["offered_tools"] for each in facts)  # type: ignore[operator]


@pytest.mark.release  # hours: 480 boxes, and 150 for the variants
def test_every_table_and_figure_is_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CUTSCORE_STUDY names a folder in which it goes on after a stop."""
    for name in AGENTS:
        require_agent(name)
    folder = Path(os.environ.get("CUTSCORE_STUDY") or tmp_path)
    monkeypatch.setattr(sys, "argv", ["scripted_study.py", str(folder)])
    scripted_study.main()
    made = read_tables(folder)
    assert made["replication"].title == "480 planned = 480 done + 0 unscored + 0 missing"
    assert [name for name, table in made.items() if not table.rows] == []
    assert [row[0] for row in made["published"].rows if row[3] is None] == []
    assert (folder / "site" / "index.html").is_file()
