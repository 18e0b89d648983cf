"""Tables over the families, from rows made by hand: the paper's numbers come out where its marks go in."""

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.agenticvbench.published import published
from cutscore.benchmarks.agenticvbench.tables import tables
from cutscore.bridge.rows import CellRecord
from cutscore.cells.cell import Cell
from cutscore.cli.sweep import read_sweep
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.estimate import Estimate
from cutscore.core.finding import score_key
from cutscore.core.row import Row
from cutscore.core.subject import SubjectSpec
from cutscore.core.table import Table, TableCell
from cutscore.core.trajectory import Action, Step, Trajectory
from cutscore.core.usage import Usage
from cutscore.ledger.price_file import PriceFile, read_price_file
from cutscore.registry import benchmark, suites
from cutscore.results.behaviour.failures import FailureReason
from cutscore.results.behaviour.reason_file import keep_reasons
from cutscore.results.benchmark import BenchmarkResult
from cutscore.results.cells import CellResult
from cutscore.results.tables.table_sets import tables_over_benchmarks
from cutscore.store import Store

MODE = "paper"
GPT, MINI = "openai/gpt-5.5", "openai/gpt-5.4-mini"
# A million in each bucket costs $5 + $0.50 + $5 + 2 · $30 with GPT-5.5; with mini $0.75 + $0.075 + $0.75 + 2 · $4.50.
EACH = Usage(**dict.fromkeys(("input", "cached", "cache_write", "output", "reasoning"), 1_000_000))
GPT_USD, MINI_USD = 70.5, 10.575


def cell(
    family: str, subject: str, model: str, mean: float, *, items: int = 6, epochs: int = 3, input: str = "", **more: Any
) -> CellResult:
    """A cell whose marks lie around a mean: by task −0.03, 0, 0.03 in turn, the same in all repetitions."""
    card = benchmark(family).card
    spec = SubjectSpec(kind=subject if model else "folder", spec=subject, label=subject)
    made = Cell(
        benchmark=family, version=card.version, data="0" * 64, subject=spec, model=model, mode=MODE, input=input
    )
    rows = tuple(
        Row(
            benchmark=family,
            version=card.version,
            cell=made.id,
            subject=subject,
            model=model,
            item=f"task-{n}",
            epoch=epoch,
            cluster=f"film-{n}",
            input=input,
            ending=Ending(status="marked", scores={score_key(card.headline, MODE): mean + (n % 3 - 1) * 0.03}),
            **({"usage": EACH, "told_usage": EACH} if model else {}) | more,
        )
        for n, epoch in product(range(items), range(1, epochs + 1))
    )
    return CellResult(CellRecord(made, Path("run") / family / made.id, Path("run"), ()), rows)


def result(family: str, *cells: CellResult) -> BenchmarkResult:
    return BenchmarkResult(benchmark(family).card, cells)


@pytest.fixture(scope="module")
def prices() -> PriceFile:
    return read_price_file(suites()["agenticvbench"].prices)


@pytest.fixture(scope="module")
def results() -> list[BenchmarkResult]:
    """§3.1 and §3.3: GPT-5.5 on Assembly has 0.38, 0.37 and 0.18 with three harnesses, experts 0.81; 0.30 and 0.95."""
    assembly = [
        cell("assembly", "codex_cli", GPT, 0.38),
        cell("assembly", "opencode", GPT, 0.37),
        cell("assembly", "openclaw", GPT, 0.18),
        cell("assembly", "codex_cli", MINI, 0.20),
        cell("assembly", "human-1", "", 0.81, epochs=1),
        cell("assembly", "codex_cli", GPT, 0.11, input="no_description"),
    ]
    repurpose = [
        cell("repurpose", "codex_cli", GPT, 0.30, items=12),
        cell("repurpose", "opencode", GPT, 0.24, items=12),
        cell("repurpose", "codex_cli", MINI, 0.10, items=12),
        cell("repurpose", "human-1", "", 0.95, items=12, epochs=1),
    ]
    return [result("repurpose", *repurpose), result("assembly", *assembly)]


@pytest.fixture(scope="module")
def made(results: list[BenchmarkResult], prices: PriceFile) -> dict[str, Table]:
    return {table.id: table for table in tables(results, prices)}


def value(found: TableCell) -> float:
    assert isinstance(found, Estimate)
    assert found.value is not None
    return found.value


def row_of(table: Table, *names: str) -> dict[str, TableCell]:
    (row,) = (row for row in table.rows if row[: len(names)] == names)
    return dict(zip((column.name for column in table.columns), row, strict=True))


def test_overall_is_over_tasks_and_over_families(made: dict[str, Table]) -> None:
    """Six tasks of 0.38 and twelve of 0.30: 0.3267 by tasks, 0.34 by families; people 0.9033 by tasks."""
    table = made["overall"]
    assert [column.name for column in table.columns[2:4]] == ["assembly", "repurpose"]
    best = row_of(table, "codex_cli", GPT)
    assert value(best["task mean"]) == pytest.approx((6 * 0.38 + 12 * 0.30) / 18)
    assert value(best["family mean"]) == pytest.approx(0.34)
    assert value(best["gap"]) == pytest.approx(-(6 * 43 + 12 * 65) / 18)
    assert (best["task mean"].n, best["task mean"].clusters) == (18, 18)  # type: ignore[union-attr]
    lacks = row_of(table, "openclaw", GPT)
    assert (value(lacks["assembly"]), lacks["repurpose"], lacks["task mean"], lacks["family mean"]) == (
        *(pytest.approx(0.18), None, None, None),
    )
    human = row_of(table, "human")
    assert (value(human["assembly"]), value(human["repurpose"])) == (pytest.approx(0.81), pytest.approx(0.95))
    assert human["gap"] is None
    assert table.title == f"codex_cli {GPT} is the best overall, by tasks and by families"


def test_the_harness_moves_a_fixed_model_by_twenty_points(made: dict[str, Table]) -> None:
    table = made["harness-spread"]
    row = row_of(table, GPT, "assembly")
    assert [value(row[name]) for name in ("codex_cli", "openclaw", "opencode")] == pytest.approx([0.38, 0.18, 0.37])
    assert (row["best"], row["worst"], value(row["spread"])) == ("codex_cli", "openclaw", pytest.approx(20.0))
    assert not [each for each in table.rows if each[0] == MINI]  # one harness has no spread
    assert table.title == f"The harness moves {GPT} most on assembly: by 20.0 points"


def test_the_lift_is_of_the_best_stacks(made: dict[str, Table]) -> None:
    (row,) = made["top-lift"].rows
    assert row[:3] == ("assembly", "no description", "1 of 4")
    assert value(row[3]) == pytest.approx(-27.0)


def test_a_sixth_stack_is_not_among_the_best_five(prices: PriceFile) -> None:
    whole = [cell("repair", f"agent-{n}", GPT, 0.1 * n) for n in range(1, 7)]
    arms = [cell("repair", f"agent-{n}", GPT, 0.1 * n + 0.05 * n, input="location") for n in range(1, 7)]
    found = tables([result("repair", *whole, *arms), result("assembly", cell("assembly", "a", GPT, 0.1))], prices)
    (row,) = next(table for table in found if table.id == "top-lift").rows
    assert row[:3] == ("repair", "location", "5 of 5")
    assert value(row[3]) == pytest.approx(5 * (2 + 3 + 4 + 5 + 6) / 5)


def test_rows_reconcile(prices: PriceFile) -> None:
    """Two stacks, six tasks, K = 3: 36 planned; of one stack a repetition of a task is missing, one is unscored."""
    whole, torn = cell("repair", "a", GPT, 0.3), cell("repair", "b", GPT, 0.3)
    unscored = torn.rows[0].model_copy(update={"ending": Ending(status="unscored", because="a broken disk")})
    half = CellResult(torn.record, (unscored, *torn.rows[1:-1]))
    families = [result("repair", whole, half), result("assembly", cell("assembly", "a", GPT, 0.1))]
    table = next(table for table in tables(families, prices) if table.id == "replication")
    row = row_of(table, "repair")
    assert [row[name] for name in ("stacks", "tasks", "K", "planned", "done", "unscored", "missing")] == [
        *(2, 6, 3, 36, 34, 1, 1)
    ]
    assert table.title == "54 planned = 52 done + 1 unscored + 1 missing"
    assert row_of(table, "repair")["rollout evals"] == 6


def test_costs_by_the_papers_rule(made: dict[str, Table]) -> None:
    """Four stacks of 18 on Assembly, of which one is mini; 36 each of three on Repurpose."""
    audit = made["audit"]
    others, repurpose, whole = (row_of(audit, name) for name in ("other families", "repurpose", "all"))
    assert (others["rows"], others["extracted"], others["missing"]) == (72, 72, 0)
    assert others["input tokens"] == 72 * 3_000_000
    assert others["output tokens"] == 72 * 2_000_000
    assert others["cost"] == pytest.approx(54 * GPT_USD + 18 * MINI_USD)
    assert repurpose["cost"] == pytest.approx(72 * GPT_USD + 36 * MINI_USD)
    assert whole["cost"] == pytest.approx(126 * GPT_USD + 54 * MINI_USD)
    codex = row_of(made["family-costs"], "repurpose", "codex_cli")
    assert (codex["rows"], codex["cost"]) == (72, pytest.approx(36 * GPT_USD + 36 * MINI_USD))
    assert audit.paper == "Table 8"
    assert "counts as 0, and is counted under 'missing'" in audit.note


def test_a_sample_without_tokens_is_missing_and_one_without_a_price_is_in_no_sum(prices: PriceFile) -> None:
    lost = cell("repair", "a", GPT, 0.3, told_usage=None, usage=None)
    strange = cell("repair", "b", "else/where", 0.3)
    unsplit = cell("repair", "c", "anthropic/claude-opus-4-7", 0.3, told_usage=Usage(input=5, output=5))
    found = tables(
        [result("repair", lost, strange, unsplit), result("assembly", cell("assembly", "a", GPT, 0))], prices
    )
    table = next(table for table in found if table.id == "family-costs")
    figures = {str(row[1]): row[2:7] for row in table.rows if row[0] == "repair"}
    assert figures["a"] == (18, 18, 0, None, None)
    assert figures["b"] == (18, 0, 18, None, None)
    assert figures["c"][:4] == (18, 0, 18, None)


def test_variance_goes_with_what_differs(made: dict[str, Table]) -> None:
    """No repetition differs, and no stack has a task of its own: all goes with models, harnesses and tasks."""
    row = row_of(made["variance"], "assembly")
    assert value(row["repetition"]) == pytest.approx(0, abs=1e-9)
    assert value(row["stack × task"]) == pytest.approx(0, abs=1e-9)
    assert value(row["task"]) > 0
    shares = [each.value for each in row.values() if isinstance(each, Estimate)]
    assert sum(each or 0 for each in shares) == pytest.approx(1)


def test_what_rows_tell_of_the_agents(prices: PriceFile) -> None:
    facts = {"agent": "codex_cli", "agent_version": "0.128.0", "processors": "2 of 4", "memory_gb": 8.0, "turns": 7}
    facts |= {"steal": 0.0, "offered_tools": ["exec_command", "view_image"]}
    behaviour = {"tools": {"exec_command": 9, "view_image": 1}}
    own = cell("repair", "codex_cli", GPT, 0.3, environment={**facts, "behaviour": behaviour})
    other = cell("repurpose", "codex_cli", GPT, 0.3, environment={**facts, "processors": "4 of 4", "steal": 0.04})
    found = {table.id: table for table in tables([result("repair", own), result("repurpose", other)], prices)}
    assert found["harnesses"].rows == (("codex_cli", "0.128.0", "0.128.0", GPT, 1),)
    assert found["settings"].title == "Not the same in all samples: processors"
    processors = row_of(found["settings"], "processors")
    assert processors["seen (samples)"] == "2 of 4 (18), 4 of 4 (18)"
    assert processors["paper"] == "4"
    assert row_of(found["settings"], "steal")["seen (samples)"] == "median 2.0%, at most 4.0% (36)"
    tools = row_of(found["settings"], "tools")
    assert (tools["seen (samples)"], tools["values"], tools["paper"]) == ("codex_cli 2", 1, "native")
    effort = row_of(found["effort"], "codex_cli", GPT)
    assert (effort["turns"], effort["tokens"], effort["cost"]) == (7, 5_000_000, pytest.approx(GPT_USD))
    signature = row_of(found["signature"], "codex_cli", GPT)
    assert [signature[name] for name in ("samples", "calls", "top tool", "top share")] == [18, 10, "exec_command", 0.9]
    assert signature["repurpose"] == pytest.approx(0.3)
    assert row_of(found["tasks"], "repair")["paper"] == 18


def test_reasons_of_failures_stand_beside_the_papers(prices: PriceFile, tmp_path: Path) -> None:
    """Of four failures on Repurpose three are of the length; on Repair nobody was asked, and an arm is not counted."""
    whole, arm = cell("repurpose", "a", GPT, 0.0), cell("repurpose", "a", GPT, 0.0, input="reference")
    cells = [replace(each, record=replace(each.record, run=tmp_path)) for each in (whole, arm)]
    said = ["long_context_loss"] * 3 + ["other"]
    for each in cells:
        own = each.record.cell.id
        told = [FailureReason("repurpose", "a", GPT, "task-1", n, why, "j", cell=own) for n, why in enumerate(said, 1)]
        keep_reasons(tmp_path, own, told)
    made = tables([result("repurpose", *cells), result("repair", cell("repair", "a", GPT, 0.0))], prices)
    found = {table.id: table for table in made}
    table = found["failure-reasons"]
    assert table.title == "repurpose fails most by long-context information loss"
    assert table.cells("repurpose") == [75, 0, 0, 0, 25, 4]
    assert table.cells("repurpose, paper") == [83, 1, 10, 6, None, 153]
    assert table.cells("repair") == [None] * 6
    assert table.cells("repair, paper") == [0, 65, 24, 11, None, 237]
    ours = {str(row[0]): row[3] for row in found["published"].rows}
    assert (ours["reasons repurpose long-context loss"], ours["failures repurpose"]) == (75, 4)
    assert ours["failures repair"] is None


def test_without_reasons_the_table_says_how_to_get_them(made: dict[str, Table]) -> None:
    assert made["failure-reasons"].title == "No reasons yet: 'cutscore failures RUN --judge J' asks for them"
    assert made["failure-reasons"].cells("repurpose, paper")[0] == 83


def test_the_best_sample_is_listed_step_by_step(prices: PriceFile, tmp_path: Path) -> None:
    """Of two samples with 0.33 that with fewer calls; of its 30 calls the first and the last, with what came back."""
    store = Store(tmp_path / "store")
    steps = []
    for n in range(30):
        steps.append(Step(n=2 * n + 1, did=(Action(tool="bash", arguments={"command": f"probe {n} " + "x" * 300}),)))
        steps.append(Step(n=2 * n + 2, by="tool", saw="4 s" if n else "", error="" if n else "no such file"))
    kept = Deliverable(trajectory=store.put_bytes(Trajectory(steps=tuple(steps)).to_jsonl(), name="steps.jsonl"))
    own = cell("repair", "codex_cli", GPT, 0.3, deliverable=kept, environment={"wall_s": 90.0})
    many = {"behaviour": {"tools": {"bash": 99}}, "wall_s": 90.0}
    rows = [row if row.epoch == 2 else row.model_copy(update={"environment": many}) for row in own.rows]
    own = CellResult(replace(own.record, run=tmp_path), tuple(rows))
    found = tables([result("repair", own), result("assembly", cell("assembly", "a", GPT, 0.1))], prices)
    (table,) = (table for table in found if table.id.startswith("case-"))
    assert table.id == "case-repair"
    assert table.title == f"codex_cli {GPT} on task-2 of repair: 0.330 with 30 calls, 1.5 minutes, $70.50"
    assert len(table.rows) == 16 + 1 + 8
    assert table.rows[0][:2] == ("#1", "bash")
    assert table.rows[0][3] == "no such file"
    assert table.rows[16] == ("…", "", "6 calls left out", "")
    assert (table.rows[-1][0], len(str(table.rows[-1][2])), table.rows[-1][3]) == ("#59", 141, "4 s")


def test_the_papers_numbers_stand_beside_ours(made: dict[str, Table]) -> None:
    table = made["published"]
    ours = {str(row[0]): row[3] for row in table.rows}
    same = [
        *("best assembly", "best repurpose", "human assembly", "gap assembly", "gap repurpose"),
        *("spread gpt-5.5 assembly", "assembly openclaw gpt-5.5", "lift assembly no_description", "repetitions"),
    ]
    paper = {str(row[0]): row[2] for row in table.rows}
    assert [ours[name] for name in same] == pytest.approx([paper[name] for name in same])
    assert ours["best repair"] is None
    assert ours["rows repurpose"] == 108
    assert {str(row[1]) for row in table.rows} == {"score", "points", "count", "USD", "%"}
    whole = [row[0] for row in table.rows if row[1] == "count" and not isinstance(row[2], int)]
    assert whole == []


def test_a_script_goes_by_the_model_that_it_stands_for(prices: PriceFile) -> None:
    """A rehearsal of the study has its numbers in the same places."""
    cells = [cell("assembly", name, "scripted/gpt-5.5.json", mean) for name, mean in (("codex_cli", 0.5), ("b", 0.3))]
    made = tables([result("assembly", *cells), result("repair", cell("repair", "b", GPT, 0.1))], prices)
    ours = {str(row[0]): row[3] for row in next(table for table in made if table.id == "published").rows}
    assert ours["assembly codex_cli gpt-5.5"] == pytest.approx(0.5)
    assert ours["spread gpt-5.5 assembly"] == pytest.approx(20)


def test_the_conflicts_are_those_of_the_papers_own_numbers(made: dict[str, Table]) -> None:
    numbers, tasks = {name: each.paper for name, each in published().numbers.items()}, published().tasks
    assert (len(made["conflicts"].rows), sum(tasks.values())) == (7, 100)
    audited = numbers["rows other families"] + numbers["rows repurpose"]
    assert (audited, 20 * 100 * 3, numbers["rows other families"] % 60 == 0) == (6770, 6000, False)
    by_harness = ("openclaw", "opencode", "claude_code", "codex_cli", "gemini_cli")
    assert sum(numbers[f"cost repurpose {name}"] for name in by_harness) == pytest.approx(numbers["cost repurpose"])
    assert numbers["cost other families"] + numbers["cost repurpose"] == pytest.approx(numbers["cost all"], abs=0.5)


def test_a_suite_has_tables_from_two_of_its_benchmarks_on(results: list[BenchmarkResult]) -> None:
    assert [each.folder for each in tables_over_benchmarks(results)] == ["across", "agenticvbench"]
    assert tables_over_benchmarks(results[:1]) == []
    assert suites()["agenticvbench"].benchmarks == ("assembly", "repair", "sequencing", "repurpose")


def test_the_command_prints_them_and_counts_with_other_prices(
    cli, results: list[BenchmarkResult], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cells = tuple(each for made in results for each in made.cells)
    monkeypatch.setattr("cutscore.cli.tables.read_runs", lambda _: cells)
    own = 'source = "ours"\ndate = 2026-11-01\n[prices."gpt-5.5"]\ninput_usd_per_mtok = 1\noutput_usd_per_mtok = 2\n'
    (tmp_path / "own.toml").write_text(own, encoding="utf-8")
    (made,) = cli("tables", tmp_path, "--only", "harness-costs", "--prices", "own.toml", "--json").json["benchmarks"]
    (table,) = made["tables"]
    costs = {row[0]: row[1:4] for row in table["rows"]}
    assert costs["opencode"] == [54, 54, pytest.approx(54 * (3 + 2 * 2))]
    assert costs["codex_cli"] == [126, 72, pytest.approx(72 * 7)]  # the arm without descriptions was paid for, too
    assert "no price for openai/gpt-5.4-mini" in table["note"]
    ran = cli("tables", tmp_path, "--only", "costs", "--prices", "agenticvbench")
    assert ran.out.startswith("costs\n\n$10,723.05 for 198 samples [costs]")
    assert cli("tables", tmp_path, "--prices", "none.toml").err.startswith("error: prices 'none.toml': No such file")
    (suite,) = cli("tables", tmp_path, "--only", "overall", "--json").json["benchmarks"]
    assert suite["benchmark"] == "agenticvbench"


@pytest.mark.real  # long, and needs nothing else
def test_all_twenty_stacks_fill_every_table(repository: Path, prices: PriceFile) -> None:
    """Two tasks of each family, three times: 480 rows, and nothing is missing."""
    stacks = read_sweep(repository / "examples" / "agenticvbench.toml").stack
    made = []
    for number, family in enumerate(suites()["agenticvbench"].benchmarks):
        cells = []
        for place, stack in enumerate(stacks):
            facts = {"agent": stack.subject, "agent_version": "1", "turns": place + 1}
            facts["behaviour"] = {"tools": {"bash": 5 + place, "read": place}}
            mean = 0.05 + 0.01 * ((7 * place + number) % 20)
            cells.append(cell(family, stack.subject, stack.model, mean, items=2, environment=facts))
            arm = next(iter(benchmark(family).card.inputs))
            cells.append(cell(family, stack.subject, stack.model, mean + 0.1, items=2, input=arm))
        people = [cell(family, f"human-{n}", "", 0.8, items=2, epochs=1) for n in (1, 2, 3)]
        made.append(result(family, *cells, *people))
    found = {table.id: table for table in tables(made, prices)}
    assert all(table.rows for table in found.values())
    assert found["replication"].title == "480 planned = 480 done + 0 unscored + 0 missing"
    assert row_of(found["replication"], "all")["rollout evals"] == 240
    assert len(found["overall"].rows) == 21
    assert len(found["effort"].rows) == len(found["signature"].rows) == 20
    assert [row[2] for row in found["top-lift"].rows] == ["5 of 5"] * 4
    assert [value(row[3]) for row in found["top-lift"].rows] == pytest.approx([10.0] * 4)
    assert row_of(found["audit"], "all")["rows"] == 480
    assert row_of(found["family-costs"], "repurpose", "openclaw")["rows"] == 42
