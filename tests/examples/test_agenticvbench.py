"""The profile of the paper: 20 stacks on four families, three times, with nothing set that an agent has by itself."""

import json
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from cutscore.benchmarks.agenticvbench.published import published
from cutscore.cli.sweep import Sweep, read_sweep, sweep_requests
from cutscore.core.condition import CONDITIONS
from cutscore.ledger.price_file import read_price_file
from cutscore.registry import suites
from cutscore.subjects.harness.adapter import AgentJob
from cutscore.subjects.harness.catalogue import HARNESSES
from cutscore.subjects.harness.subject import TIME_LIMIT_S, TURN_LIMIT


@pytest.fixture
def file(repository: Path) -> Path:
    return repository / "examples" / "agenticvbench.toml"


@pytest.fixture
def sweep(file: Path) -> Sweep:
    return read_sweep(file)


def test_the_stacks_are_those_of_table_3(sweep: Sweep) -> None:
    """Three native harnesses with two models each, two open ones with all seven."""
    harnesses = Counter(stack.subject for stack in sweep.stack)
    assert harnesses == {"claude_code": 2, "codex_cli": 2, "gemini_cli": 2, "opencode": 7, "openclaw": 7}
    assert len({stack.model for stack in sweep.stack}) == 7
    assert sweep.epochs == 3
    assert set(sweep.benchmarks) == set(suites()["agenticvbench"].benchmarks)
    requests = sweep_requests(sweep)
    assert len(requests) == 80
    assert not any(request.conditions or request.options or request.input for request in requests)


def test_table_7_has_a_price_for_every_model(sweep: Sweep) -> None:
    prices = read_price_file(suites()["agenticvbench"].prices)
    assert all(prices.price(stack.model) for stack in sweep.stack)


def test_what_the_paper_holds_constant_is_what_an_agent_has_by_itself() -> None:
    told = published()
    assert (told.settings["turn_limit"], told.settings["time_limit_s"]) == (TURN_LIMIT, TIME_LIMIT_S)
    for name in ("processors", "memory_gb"):
        assert CONDITIONS[name].default == str(told.settings[name])
    assert {name: each.paper_version for name, each in HARNESSES.items()} == told.versions


def test_openclaw_waits_300_s_for_a_silent_model() -> None:
    """Its default is 120 s, which the paper raised; the time of its whole work is another limit."""
    setup = HARNESSES["openclaw"].set_up(AgentJob("do it", "m", 200, 1800.0))
    settings = json.loads(setup.files[".openclaw/openclaw.json"])
    assert settings["models"]["providers"]["cutscore"]["timeoutSeconds"] == 300
    assert settings["agents"]["defaults"]["timeoutSeconds"] == 1800


def test_a_variant_of_the_task_is_a_stack_with_another_input(file: Path) -> None:
    """Section 3.4: the comment of the file, uncommented."""
    lines = file.read_text(encoding="utf-8").splitlines()
    start = lines.index("# [[stack]]")
    extra = "\n".join(line.removeprefix("# ") for line in lines[start : start + 5])
    read = Sweep.model_validate(tomllib.loads(f'benchmarks = ["repair", "assembly"]\n{extra}'))
    (request,) = sweep_requests(read)
    assert (request.benchmark, request.subject, request.input) == ("repair", "codex_cli", "location")


@pytest.mark.real  # long, and needs nothing else: nobody is asked and no agent is started
def test_a_dry_run_tells_plan_and_price(cli, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, adapter in HARNESSES.items():
        folder = tmp_path / "agents" / name / adapter.version / "node_modules" / adapter.package
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(json.dumps({"version": adapter.version}), encoding="utf-8")
    monkeypatch.setenv("CUTSCORE_AGENTS", str(tmp_path / "agents"))
    short = tmp_path / "two.toml"
    short.write_text("limit = 2\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
    said = cli("sweep", short, "--dry-run").out.splitlines()
    assert sum(line.endswith("6      0          0         6   unknown") for line in said) == 80
    assert "  how often subject 'codex_cli' asks its model is known when a few samples have run" in said
    assert said[-1] == "480 samples in logs: 0 done, 0 unscored, 480 missing; price of the rest: unknown"
