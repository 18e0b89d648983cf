"""Conditions of work and picked items, from the command line to the row."""

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import GenerateConfig, get_model

import cutscore
from cutscore.bridge.rows import read_rows

NAPPING = """
import time

def nap(ask, context):
    (context.workspace / "left.txt").write_text("something")
    time.sleep(30)
"""


@pytest.fixture
def configs(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[GenerateConfig]]:
    """Hear with which parameters the scripted provider is called, by the name of the script."""
    heard: dict[str, list[GenerateConfig]] = defaultdict(list)
    provider = type(get_model("scripted/any").api)
    generate = provider.generate

    async def record(self: Any, input: Any, tools: Any, tool_choice: Any, config: GenerateConfig) -> Any:
        heard[Path(self.model_name).stem].append(config)
        return await generate(self, input, tools, tool_choice, config)

    monkeypatch.setattr(provider, "generate", record)
    return heard


def cells(run: Path) -> list[dict[str, Any]]:
    return [json.loads(file.read_text()) for file in sorted(run.rglob("cell.json"))]


def test_a_condition_of_the_card_is_ablated_around_the_subject_and_paired(cli, planted) -> None:
    run = ["run", "planted", "--data", planted("seen"), "--subject", "reader", "--subject", "oracle"]
    ran = cli(*run, "--ablate", "decompose=sequential", "--json")
    assert ran.code == 0, ran.err
    assert [(each["subject"], each.get("conditions")) for each in ran.json["cells"]] == [
        ("reader", None),
        ("oracle", None),
        ("reader", {"decompose": "sequential"}),
    ]
    paired = {(each["first"], each["second"]): each["estimate"]["value"] for each in ran.json["differences"]}
    assert paired["reader (decompose sequential)", "reader"] < -0.5
    by_condition = {bool(each["conditions"]): each["around"] for each in cells(Path("logs"))}
    assert by_condition[False] == ""
    assert len(by_condition[True]) == 64
    assert {row.conditions.get("decompose") for row in read_rows(Path("logs"))} == {None, "sequential"}
    told = cli("compare", "logs").out
    assert "conditions.decompose  joint (a, c), sequential (b)" in told
    assert "reader (decompose sequential)" in told


def test_all_cells_may_be_set_and_one_thing_more_be_ablated(cli, planted) -> None:
    run = ["run", "planted", "--data", planted("seen"), "--subject", "reader", "--set", "turn_limit=9"]
    ran = cli(*run, "--ablate", "decompose=sequential", "--limit", 8)
    assert "reader (decompose sequential, turn limit 9) − reader (turn limit 9): " in ran.out


def test_a_condition_that_names_a_model_is_a_role_of_the_cell(cli, planted, script, configs) -> None:
    own, other = script("own"), script("other", rules=[{"when": "Rewrite", "say": "Say it again."}])
    run = ["run", "planted", "--data", planted("seen"), "--model", own, "--limit", 2, "--set", "temperature=0.5"]
    ran = cli(*run, "--set", f"script={other}", "--json")
    assert ran.code == 0, ran.err
    (cell,) = cells(Path("logs"))
    assert (cell["roles"], cell["conditions"]) == ({"script": other}, {"script": other, "temperature": "0.5"})
    calls = [json.loads(line) for line in Path("logs/ledger.jsonl").read_text().splitlines()]
    assert {call.get("role") for call in calls if call.get("model") == other} == {"script"}
    assert [len(configs["own"]), len(configs["other"])] == [2, 2]
    assert {each.temperature for each in configs["own"]} == {0.5}
    assert {each.temperature for each in configs["other"]} == {None}
    wrong = cli(*run, "--set", "script=nobody")
    assert wrong.code == 2
    assert "condition 'script' cannot be 'nobody'; a model is PROVIDER/NAME" in wrong.err
    twice = cli(*run, "--set", f"script={other}", "--role", f"script={own}")
    assert "the condition 'script' names the model of that role; give one of the two" in twice.err


def test_generation_parameters_reach_the_subject_and_not_its_judge(cli, script, configs) -> None:
    model = script()
    run = ["run", "colorbars", "--model", model, "--judge", model, "--limit", 1, "--json"]
    ran = cli(*run, "--set", "temperature=1", "--set", "top_p=0.9", "--set", "max_tokens=50", "--set", "seed=7")
    assert ran.code in (0, 4), ran.err
    heard = {(each.temperature, each.top_p, each.max_tokens, each.seed) for each in configs["script"]}
    assert heard == {(1.0, 0.9, 50, 7), (None, None, None, None)}
    assert len(configs["script"]) >= 2


def test_a_limit_cuts_the_work_off_and_what_lies_there_is_marked(cli, tmp_path, monkeypatch) -> None:
    (tmp_path / "napping.py").write_text(NAPPING, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "napping", raising=False)
    ran = cli("run", "colorbars", "--subject", "python:napping:nap", "--limit", 1, "--set", "time_limit_s=1", "--json")
    (row,) = read_rows(Path("logs"))
    assert row.ending.status == "marked"
    assert row.ending.failure_class == "limit"
    assert "Time limit exceeded. limit: 1 seconds" in row.deliverable.failure
    assert ran.json["cells"][0]["conditions"] == {"time_limit_s": "1"}


def test_a_sweep_sets_conditions_by_stack(cli, script, configs) -> None:
    model = script()
    stacks = f"""
        benchmarks = ["colorbars"]
        items = ["bars-01-a", "bars-02-b"]

        [[stack]]
        label = "cold"
        model = "{model}"
        set = {{temperature = 0, time_limit_s = "60"}}

        [[stack]]
        label = "warm"
        model = "{model}"
        input = "question"
        set = {{temperature = 1.0}}
    """
    Path("sweep.toml").write_text(stacks, encoding="utf-8")
    dry = cli("sweep", "sweep.toml", "--dry-run", "--json")
    assert dry.json["selection"] == {"items": ["bars-01-a", "bars-02-b"]}
    assert [each["conditions"] for each in dry.json["cells"]] == [
        {"temperature": "0", "time_limit_s": "60"},
        {"temperature": "1"},
    ]
    assert cli("sweep", "sweep.toml", "--json").code == 0
    assert {each.temperature for each in configs["script"]} == {0.0, 1.0}
    assert {row.item for row in read_rows(Path("logs"))} == {"bars-01-a", "bars-02-b"}
    Path("sweep.toml").write_text(stacks.replace("temperature = 0,", "temperatur_ = 0,"), encoding="utf-8")
    wrong = cli("sweep", "sweep.toml", "--dry-run")
    assert wrong.code == 2
    assert "no setting 'temperatur_': neither an option nor a condition of 'colorbars'" in wrong.err


def test_items_are_picked_and_another_selection_adds_to_the_same_cell(cli) -> None:
    run = ["run", "colorbars", "--subject", "blind"]
    dry = cli(*run, "--item", "bars-01-a", "--item", "bars-02-a", "--where", "kind=colour", "--dry-run")
    assert "1 sample (items bars-01-a, bars-02-a; where kind=colour) in logs: 0 done" in dry.out
    first = cli(*run, "--where", "kind=colour", "--where", "moment=early", "--limit", 2, "--json")
    assert first.json["n"] == 2
    second = cli(*run, "--where", "kind=word", "--limit", 3, "--json")
    assert second.json["cells"][0]["id"] == first.json["cells"][0]["id"]
    assert second.json["n"] == 3
    rows = read_rows(Path("logs"))
    assert len(rows) == 5
    assert [row.groups["kind"] for row in rows].count("word") == 3
    again = cli(*run, "--where", "kind=word", "--limit", 3, "--dry-run", "--json")
    assert (again.json["done"], again.json["missing"]) == (3, 0)
    assert again.json["selection"] == {"where": {"kind": "word"}, "limit": 3}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--item", "bars-01-z"], "no item 'bars-01-z': not among the 60 of 'colorbars'; did you mean 'bars-01-"),
        (["--where", "kind=colou"], "no kind 'colou': no item of 'colorbars' has it; did you mean 'colour'?"),
        (["--where", "kin=colour"], "no group 'kin': no item of 'colorbars' has it; did you mean 'kind'?"),
        (["--where", "kind"], "--where 'kind': is not GROUP=VALUE"),
        (["--set", "temperature=hot"], "condition 'temperature' cannot be 'hot'; it is a number"),
        (["--set", "tempo=1"], "no setting 'tempo': neither an option nor a condition of 'colorbars'"),
    ],
)
def test_what_is_not_there_is_bad_input(cli, words: list[str], said: str) -> None:
    ran = cli("run", "colorbars", "--subject", "blind", *words, "--dry-run")
    assert ran.code == 2
    assert said in ran.err


def test_an_export_picks_items_by_group(cli) -> None:
    kind = cli("show", "repair", "--json").json["items"][0]["groups"]["kind"]
    picked = cli("export", "pack", "repair", "--where", f"kind={kind}", "-o", "pack", "--json")
    lines = [json.loads(line) for line in Path("pack/items.jsonl").read_text().splitlines()]
    assert {line["groups"]["kind"] for line in lines} == {kind}
    assert picked.json["items"] == len(lines)
    wrong = cli("export", "pack", "repair", "--where", "defect=hum", "-o", "other")
    assert wrong.code == 2
    assert "no group 'defect': no item of 'repair' has it" in wrong.err


def test_python_sets_and_picks_alike(cli, script, configs) -> None:
    made = cutscore.run(
        "colorbars", model=script(), conditions={"temperature": 0}, items=["bars-01-a"], where={"kind": "colour"}
    )
    assert [row.item for row in made.samples] == ["bars-01-a"]
    assert made.rows["conditions"] == ["temperature=0"]
    assert [each.temperature for each in configs["script"]] == [0.0]


def test_the_list_names_every_condition(cli) -> None:
    (bars,) = [each for each in cli("list", "--json").json["benchmarks"] if each["name"] == "colorbars"]
    assert bars["conditions"]["temperature"]["about"] == "sampling temperature"
