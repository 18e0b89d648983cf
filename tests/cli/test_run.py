"""`run`: the table, the object, resuming, money, and every way not to be complete."""

import json
import re
from pathlib import Path

import pytest

from cutscore.bridge.rows import read_rows
from cutscore.core.row import canonical_rows
from cutscore.ledger.call_book import read_spending

OBJECT = [
    "schema", "benchmark", "version", "mode", "subject", "model", "chance", "n", "failed", "unscored", "stopped",
    "mostly_failed", "unfit", "estimates", "cells", "differences", "usage", "cost_usd",
]  # fmt: skip
ESTIMATE = [
    "name", "value", "low", "high", "n", "clusters", "failed", "unscored", "stopped", "bounds", "scale", "method",
    "mode", "group",
]  # fmt: skip
SUBJECTS = [word for kind in ("reader", "blind", "oracle", "null") for word in ("--subject", kind)]
CELL = ["id", "subject", "model", "role", "failed", "unscored", "stopped", "log"]


def test_one_cell_is_the_object_of_the_contract(cli) -> None:
    ran = cli("run", "colorbars", "--subject", "oracle", "--limit", 6, "--json")
    assert ran.code == 0
    plain = ran.json
    assert list(plain) == OBJECT
    assert [list(each) for each in plain["estimates"]] == [ESTIMATE] * 7
    assert [list(each) for each in plain["cells"]] == [CELL]
    assert (plain["schema"], plain["benchmark"], plain["subject"], plain["model"]) == (
        "cutscore.run/1", "colorbars", "oracle", None
    )  # fmt: skip
    assert (plain["n"], plain["unscored"], plain["differences"], plain["cost_usd"]) == (6, 0, [], 0)
    assert plain["usage"] == {"input": 0, "cached": 0, "cache_write": 0, "output": 0, "reasoning": 0}
    headline = plain["estimates"][0]
    assert (headline["name"], headline["value"], headline["group"], headline["clusters"]) == ("accuracy", 1.0, {}, 2)
    log = Path(plain["cells"][0]["log"])
    assert log.is_file()
    assert log.parent == Path("logs/colorbars") / plain["cells"][0]["id"]


@pytest.mark.real  # long, and needs nothing else
def test_several_cells_say_whose_estimate_each_is(cli) -> None:
    plain = cli("run", "colorbars", "--subject", "null", "--subject", "oracle", "--limit", 6, "--json").json
    assert list(plain) == OBJECT
    assert (plain["subject"], plain["model"], plain["n"]) == (None, None, 12)
    assert [each["subject"] for each in plain["estimates"] if not each["group"]] == ["null", "oracle"]
    assert {each["cell"] for each in plain["estimates"]} == {each["id"] for each in plain["cells"]}
    assert [each["role"] for each in plain["cells"]] == ["floor", "ceiling"]
    assert plain["differences"] == [], "nobody competed"


def test_the_table_has_every_number_with_its_company(cli) -> None:
    words = ("run", "colorbars", *SUBJECTS, "--limit", 6)
    ran = cli(*words)
    head, reader, verdict, *rest = ran.out.splitlines()
    assert head.split() == ["contestant", "score", "guess", "ceiling", "clips", "asked", "failed", "unscored", "cost"]
    figures = r"0\.\d{3} \[0\.\d{3}, \d\.\d{3}\]   0\.\d{3}     1\.000       2   6 questions +0 +0 +\$0"
    assert re.fullmatch(f"colorbars v2   reader +{figures}", reader)
    assert re.fullmatch(r"reader − blind: −?0\.\d{3} \[.+\], too few clips to decide: 2, needs 6", verdict)
    assert rest == ["next: cutscore report logs -o site"]
    assert ran.events == [], "events are for programs"


def test_everything_is_shown_on_request_and_references_compete_on_request(cli) -> None:
    words = ("run", "colorbars", "--subject", "oracle", "--subject", "null", "--limit", 6)
    assert cli(*words).out.splitlines()[0].startswith("colorbars v2: nobody competed; ceiling 1.000 [")
    lines = cli(*words, "--all", "--with-references").out.splitlines()
    assert lines[0].startswith("colorbars v2   oracle ")
    assert lines[0].endswith("6 questions on 2 clips   0 unscored")
    assert lines[2].startswith("oracle − null, paired   1.000   ")
    assert lines[2].endswith("2 clips                  too few clips to decide: 2, needs 6")


def test_a_count_says_of_what_it_is(cli) -> None:
    """Six questions asked twice are twelve, and a difference is of clips."""
    words = ("--limit", 6, "--epochs", 2, "--subject", "oracle", "--subject", "null", "--all", "--with-references")
    first, second, paired, *_ = cli("run", "colorbars", *words).out.splitlines()
    assert all("   12 questions on 2 clips   " in line for line in (first, second))
    assert "   2 clips   " in paired


def test_the_same_command_asks_nobody_again(cli, script) -> None:
    words = ("run", "colorbars", "--model", script(), "--limit", 3, "--json")
    first = cli(*words)
    again = cli(*words)
    of_this_run = ("estimated_usd", "spent_usd")
    assert {name: value for name, value in first.json.items() if name not in of_this_run} == again.json
    assert read_spending(Path("logs/ledger.jsonl")).answered == 3
    assert again.events[0]["done"] == 3


def test_a_dry_run_writes_nothing_and_counts(cli, script) -> None:
    model = script()
    words = ("run", "colorbars", "--model", model, "--subject", "blind", "--subject", "model", "--epochs", 2)
    ran = cli(*words, "--limit", 3, "--dry-run", "--json")
    assert ran.code == 0
    assert not Path("logs").exists()
    plain = ran.json
    assert (plain["dry_run"], plain["planned"], plain["done"], plain["missing"]) == (True, 12, 0, 12)
    blind, asked = plain["cells"]
    assert (blind["price_usd"], blind["price_because"]) == (0.0, "")
    assert asked["price_usd"] is None
    assert asked["price_because"] == f"the price of '{model}' is not known"
    (call,) = asked["price"]["calls"]
    assert (call["calls"], call["usd"], call["frame_sizes"]) == (6, None, [[320, 180]])
    assert call["frames"] > 6
    assert call["input_tokens"] > call["frames"]
    assert plain["price_usd"] is None
    cli(*words, "--limit", 2)
    after = cli(*words, "--limit", 3, "--dry-run", "--json").json
    assert (after["planned"], after["done"], after["missing"]) == (12, 8, 4)
    assert [each["id"] for each in after["cells"]] == [blind["id"], asked["id"]]


def test_a_price_is_estimated_by_what_was_spent(cli, script) -> None:
    model = script(usage={"input": 1_000_000, "cached": 0, "cache_write": 0, "output": 0, "reasoning": 0})
    Path("cutscore.toml").write_text(
        f'[prices."{model}"]\ninput_usd_per_mtok = 0.5\noutput_usd_per_mtok = 1\n', encoding="utf-8"
    )
    ran = cli("run", "colorbars", "--model", model, "--limit", 2)
    assert "cost: $1.00 for 2 calls" in ran.out.splitlines()
    plain = cli("run", "colorbars", "--model", model, "--limit", 6, "--dry-run", "--json").json
    assert (plain["done"], plain["price_usd"]) == (2, 2.0)


@pytest.mark.real  # long, and needs nothing else
def test_a_budget_ends_the_run_and_more_money_goes_on(cli, script) -> None:
    model = script(usage={"input": 1_000_000, "cached": 0, "cache_write": 0, "output": 0, "reasoning": 0})
    Path("cutscore.toml").write_text(
        f'[prices."{model}"]\ninput_usd_per_mtok = 0.5\noutput_usd_per_mtok = 1\n', encoding="utf-8"
    )
    words = ("run", "colorbars", "--model", model, "--json")
    ran = cli(*words, "--cost-limit", 2)
    assert ran.code == 4
    assert ran.json["error"]["kind"] == "BudgetReached"
    assert ran.json["error"]["next"] == "raise --cost-limit and run the same command again"
    assert ran.json["n"] == 4, "a call waits for those under way where the money may not do for both"
    assert any("is unfit" in line for line in ran.said)
    more = cli(*words, "--cost-limit", 100)
    assert (more.code, more.json["n"], more.json["cost_usd"]) == (0, 60, 30)


def test_a_budget_without_a_price_is_refused(cli, script) -> None:
    ran = cli("run", "colorbars", "--model", script(), "--cost-limit", 1)
    assert ran.code == 2
    assert "has no known price, so --cost-limit cannot be kept; set input_usd_per_mtok" in ran.err
    assert not Path("logs").exists()


def test_nothing_marked_at_all_breaks_the_run_with_the_reason(cli, script) -> None:
    ran = cli("run", "colorbars", "--model", script(faults=[{"kind": "400", "times": 9}]), "--limit", 2, "--json")
    assert ran.code == 4
    assert ran.json["error"]["kind"] == "RunBroken"
    assert ran.json["error"]["what"] == "colorbars model"
    assert "nothing was marked; most often because " in ran.json["error"]["fact"]
    assert "400" in ran.json["error"]["fact"]
    assert (ran.json["n"], ran.json["unscored"]) == (0, 2)


def test_too_much_unscored_is_called_unfit(cli, script) -> None:
    model = script(faults=[{"kind": "400", "times": 9, "share": 0.3}])
    ran = cli("run", "colorbars", "--model", model, "--limit", 12)
    assert ran.code == 0
    (warning,) = ran.said
    assert warning.startswith(f"warning: colorbars {model} is unfit: ")
    assert "of 12 samples are unscored" in warning
    assert "at most 5% may be); the command that ran it asks them again; most often: model '" in warning
    number = ran.out.splitlines()[-1].split()[6]
    said = f"next: the same command, which asks {number} unscored samples again; then cutscore report logs -o site"
    assert ran.out.splitlines()[-1] == said


@pytest.mark.real  # long, and needs nothing else
def test_an_ablated_cell_is_set_against_its_own_subject(cli) -> None:
    subjects = ("--subject", "oracle", "--subject", "null", "--subject", "blind")
    ran = cli("run", "colorbars", *subjects, "--limit", 6, "--ablate", "frames=2")
    lines = ran.out.splitlines()
    assert [line.split(":")[0] for line in lines if " − " in line] == ["blind (2 frames) − blind"]
    assert [line for line in lines if ": frames " in line] == [
        "otherwise: frames fps=8,max=24",
        "2 frames: frames fps=8,max=2",
    ]


def test_a_variant_is_run_beside_the_task_and_what_it_tells_reaches_the_subject(cli, planted) -> None:
    words = ("run", "planted", "--data", planted("said"), "--subject", "blind", "--ablate")
    ran = cli(*words, "input=told")
    assert ran.code == 0
    assert "blind (told) − blind: " in ran.out
    assert "input 'told': 1 of 16 samples had nothing to change" in ran.err
    briefs = {(row.input, row.item): row.ask.brief for row in read_rows(Path("logs"))}
    assert briefs["told", "clip-01"] == f"It is cloud.\n\n{briefs['', 'clip-01']}"
    assert briefs["told", "clip-15"] == briefs["", "clip-15"], "nothing is said in it"
    listed = {each["name"]: each["inputs"] for each in cli("list", "--json").json["benchmarks"]}
    assert listed["planted"] == {"told": "the word is told"}
    assert "no input 'tolt'; did you mean 'told'?" in cli(*words, "input=tolt").err
    shown = cli("show", "planted", "clip-01", "--data", "said", "--input", "told", "--json")
    assert shown.json["brief"] == briefs["told", "clip-01"]
    alone = cli("show", "planted", "clip-15", "--data", "said", "--input", "told")
    assert "item 'clip-15' has nothing for input 'told', so it is shown as it is" in alone.err


def test_as_many_frames_as_usual_are_no_cell_of_their_own(cli) -> None:
    twice = cli("run", "colorbars", "--subject", "blind", "--ablate", "frames=24", "--dry-run", "--json")
    assert twice.code == 2
    assert "is asked for twice, all its settings are equal" in twice.json["error"]["fact"]


@pytest.mark.real  # long, and needs nothing else
def test_processes_give_the_same_rows(cli) -> None:
    words = ("run", "colorbars", "--subject", "blind", "--subject", "null", "--limit", 3)
    assert cli(*words, "--log-dir", "one").code == 0
    ran = cli(*words, "--log-dir", "two", "--engine", "processes", "--json")
    assert (ran.code, ran.json["n"]) == (0, 6)
    assert canonical_rows(read_rows(Path("one"))) == canonical_rows(read_rows(Path("two")))


@pytest.mark.parametrize(
    ("model", "code", "said"),
    [
        ("nosuch/x", 2, "error: model 'nosuch/x': cannot be used: Model API nosuch"),
        ("scripted/nope.json", 2, "error: script 'nope.json': No such file or directory; name a JSON file"),
    ],
)
def test_a_model_that_cannot_be_asked_is_said_before_anybody_runs(cli, model: str, code: int, said: str) -> None:
    ran = cli("run", "colorbars", "--subject", "oracle", "--subject", "model", "--model", model)
    assert ran.code == code
    assert ran.said[0].startswith(said)
    assert not Path("logs").exists()


@pytest.mark.real  # long, and needs nothing else
def test_own_prompts_and_data_make_another_cell(cli) -> None:
    Path("ask.md").write_text("{{clip}} {{question}} {{choices}}?", encoding="utf-8")
    plain = cli("run", "colorbars", "--subject", "oracle", "--limit", 1, "--json").json
    other = cli("run", "colorbars", "--subject", "oracle", "--limit", 1, "--prompt", "ask=ask.md", "--json").json
    assert plain["cells"][0]["id"] != other["cells"][0]["id"]
    assert len(list(Path("logs/colorbars").iterdir())) == 2


@pytest.mark.real  # long, and needs nothing else
def test_one_object_on_stdout_and_lines_on_stderr_in_a_real_process(child, tmp_path: Path) -> None:
    ran = child("run", "colorbars", "--subject", "null", "--limit", "2", "--json")
    assert ran.code == 0
    assert len(ran.out.splitlines()) == 1
    assert json.loads(ran.out)["estimates"][0]["value"] == 0.0
    assert ran.said == []
    assert {"event", "cell", "done", "total", "failed", "unscored", "retries"} == set(ran.events[0])


@pytest.mark.real  # long, and needs nothing else
def test_a_choice_in_scoring_is_another_cell(cli) -> None:
    run = ["run", "vidwork", "--subject", "blind", "--limit", 2, "--json"]
    usual, same = cli(*run), cli(*run, "--set", "matcher=words")
    chosen = cli(*run, "--set", "matcher=chars")
    (before,), (after,) = usual.json["cells"], chosen.json["cells"]
    assert same.json["cells"] == [before]
    assert before["id"] != after["id"]
    folder = Path("logs/vidwork")
    assert json.loads((folder / after["id"] / "cell.json").read_text())["options"] == {"matcher": "chars"}
    again = cli("rescore", folder / before["id"], "--set", "matcher=chars", "--json")
    assert json.loads((folder / again.json["rescored"][0]["to"] / "cell.json").read_text())["options"] == {
        "matcher": "chars"
    }
    wrong = cli("run", "vidwork", "--subject", "blind", "--set", "matcher=magic")
    assert wrong.code == 2
    assert "option 'matcher' cannot be 'magic'; it can be words, chars, embedding" in wrong.err
