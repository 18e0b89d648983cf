"""`sweep`: one file, many cells, rows that reconcile."""

from pathlib import Path

import pytest

from cutscore.cli.sweep import Sweep, read_sweep, sweep_requests
from cutscore.registry import benchmark

PLAN = ["planned", "done", "unscored", "missing", "price_usd", "price_known_usd", "price_because"]
FILE = """
benchmarks = ["colorbars"]
epochs = 2
limit = 3

[[stack]]
label = "ceiling"
subject = "oracle"

[[stack]]
subject = "blind"
"""


@pytest.fixture
def sweep(cli) -> Path:
    file = Path("sweep.toml")
    file.write_text(FILE, encoding="utf-8")
    return file


def test_dry_run_status_and_run_agree(cli, sweep: Path) -> None:
    dry = cli("sweep", sweep, "--dry-run", "--json")
    assert dry.code == 0
    assert list(dry.json) == ["schema", "file", "log_dir", "dry_run", *PLAN, "cells"]
    assert [dry.json[name] for name in PLAN] == [12, 0, 0, 12, 0.0, 0.0, ""]
    assert not Path("logs").exists()
    ran = cli("sweep", sweep, "--json")
    assert ran.code == 0
    assert list(ran.json) == ["schema", "file", "log_dir", *PLAN, "benchmarks"]
    assert [ran.json[name] for name in PLAN] == [12, 12, 0, 0, 0.0, 0.0, ""]
    (bench,) = ran.json["benchmarks"]
    assert [each["subject"] for each in bench["cells"]] == ["ceiling", "blind"]
    status = cli("sweep", sweep, "--status", "--json").json
    assert [status[name] for name in PLAN] == [12, 12, 0, 0, 0.0, 0.0, ""]
    assert [each["id"] for each in status["cells"]] == [each["id"] for each in dry.json["cells"]]


@pytest.mark.real  # long, and needs nothing else
def test_the_text_reconciles(cli, sweep: Path) -> None:
    lines = cli("sweep", sweep, "--dry-run").out.splitlines()
    assert lines[0].split()[:6] == ["benchmark", "cell", "planned", "done", "unscored", "missing"]
    assert lines[-1] == "12 samples in logs: 0 done, 0 unscored, 12 missing; price of the rest: $0"
    lines = cli("sweep", sweep).out.splitlines()
    assert lines[-2:] == [
        "12 samples in logs: 12 done, 0 unscored, 0 missing",
        "next: cutscore report logs -o site",
    ]


def test_without_epochs_the_card_says_how_often(cli) -> None:
    """AgenticVBench runs each (model, harness, task) three times; colorbars asks once."""
    stack = '[[stack]]\nsubject = "null"\n'
    Path("card.toml").write_text(f'benchmarks = ["colorbars", "assembly"]\nlimit = 2\n{stack}', encoding="utf-8")
    Path("file.toml").write_text(f'benchmarks = ["assembly"]\nlimit = 2\nepochs = 1\n{stack}', encoding="utf-8")
    planned = {
        file: {each["benchmark"]: each["planned"] for each in cli("sweep", file, "--dry-run", "--json").json["cells"]}
        for file in ("card.toml", "file.toml")
    }
    assert planned == {"card.toml": {"colorbars": 2, "assembly": 6}, "file.toml": {"assembly": 2}}


@pytest.mark.parametrize("family", ["assembly", "repair", "sequencing", "repurpose"])
def test_the_families_are_asked_three_times(family: str) -> None:
    assert benchmark(family).card.repeats == 3


def test_a_resumed_sweep_counts_what_is_there(cli, sweep: Path) -> None:
    cli("run", "colorbars", "--subject", "blind", "--limit", 2)
    plain = cli("sweep", sweep, "--status", "--json").json
    assert (plain["planned"], plain["done"], plain["missing"]) == (12, 2, 10)


def test_a_folder_in_the_file_is_beside_the_file(cli) -> None:
    Path("sub").mkdir()
    Path("sub/s.toml").write_text('log_dir = "runs"\n' + FILE, encoding="utf-8")
    assert cli("sweep", "sub/s.toml", "--dry-run", "--json").json["log_dir"] == "sub/runs"
    assert cli("sweep", "sub/s.toml", "--dry-run", "--log-dir", "x", "--json").json["log_dir"] == "x"


def test_stacks_are_listed_not_crossed() -> None:
    stacks = [
        {"subject": "oracle"},
        {"label": "a", "model": "scripted/a"},
        {"label": "b", "model": "scripted/b", "skip": ["colorbars"]},
        {"subject": "blind", "only": ["colorbars"]},
    ]
    made = sweep_requests(Sweep.model_validate({"benchmarks": ["colorbars"], "stack": stacks}))
    assert [(request.subject, request.model) for request in made] == [
        ("oracle", ""), ("a=model", "scripted/a"), ("blind", "")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("benchmarks = [", "is not TOML: "),
        ("[[stack]]\nsubject='oracle'", "'benchmarks' is missing; add it"),
        ("benchmarks=['colorbars']", "'stack' is missing; add it"),
        ("benchmarks=['colorbars']\nepoch=2\n[[stack]]\nsubject='oracle'", "no key 'epoch'; did you mean 'epochs'?"),
        ("benchmarks=['colorbars']\n[[stack]]\nsubjekt='x'", "no key 'stack.1.subjekt'; did you mean 'subject'?"),
        ("benchmarks=['colorbars']\nepochs=0\n[[stack]]\nsubject='oracle'", "epochs: Input should be greater than"),
        (
            "benchmarks=['colorbars']\n[[stack]]\nsubject='oracle'\nonly=['x']",
            "stack 1 names benchmark 'x', which is not",
        ),
        (
            "benchmarks=['x']\n[[stack]]\nsubject='oracle'",
            "no benchmark 'x'; known: assembly, clvg, clvg_turns",
        ),
        ("benchmarks=['colorbars']\n[[stack]]\nsubject='orcale'", "no subject 'orcale'; did you mean 'oracle'?"),
        ("benchmarks=['colorbars']\n[[stack]]\nsubject='oracle'\nskip=['colorbars']", "no stack takes part in any"),
        ("benchmarks=['colorbars']\n[[stack]]\nsubject='oracle'\n[[stack]]\nsubject='oracle'", "is asked for twice"),
        ("benchmarks=['colorbars']\njudge='trutj'\n[[stack]]\nsubject='oracle'", "no judge 'trutj'; did you"),
        (
            "benchmarks=['colorbars']\ncost_limit_usd=1\n[[stack]]\nmodel='scripted/x'",
            "has no known price, so --cost-limit cannot be kept",
        ),
    ],
)
def test_a_wrong_file_is_said_in_one_sentence(cli, text: str, said: str) -> None:
    Path("s.toml").write_text(text, encoding="utf-8")
    ran = cli("sweep", "s.toml", "--dry-run")
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_a_stack_may_have_frames_of_its_own() -> None:
    stacks = [{"subject": "blind", "frames": 2}, {"subject": "oracle", "frames": "uniform=3"}, {"subject": "null"}]
    made = sweep_requests(Sweep.model_validate({"benchmarks": ["colorbars"], "stack": stacks}))
    assert [request.frames for request in made] == ["2", "uniform=3", ""]


def test_no_file(cli) -> None:
    ran = cli("sweep", "nope.toml")
    assert ran.code == 2
    assert ran.err.startswith("error: sweep 'nope.toml': No such file or directory; name a TOML file")


def test_the_example_is_one(repository: Path) -> None:
    assert read_sweep(repository / "examples" / "sweep.toml").stack


WORKER = """
def answer(ask, context):
    with open("order.txt", "a") as file:
        print(context.epoch, file=file)
    return ask.choices[0]
"""


@pytest.mark.real  # long, and needs nothing else
@pytest.mark.parametrize(("in_turn", "halves"), [("true", ["1111", "2222"]), ("false", ["1122", "1122"])])
def test_repetitions_go_in_turn_over_all_cells(cli, in_turn: str, halves: list[str]) -> None:
    """Two stacks with two items twice: with in_turn, nobody has a second repetition before everybody has the first."""
    Path("worker.py").write_text(WORKER, encoding="utf-8")
    head = f'benchmarks = ["colorbars"]\nlimit = 2\nepochs = 2\nin_turn = {in_turn}\n'
    stacks = "".join(f'[[stack]]\nlabel = "{name}"\nsubject = "python:worker:answer"\n' for name in ("a", "b"))
    Path("turns.toml").write_text(head + stacks, encoding="utf-8")
    ran = cli("sweep", "turns.toml", "--json").json
    assert [ran[name] for name in ("planned", "done", "unscored", "missing")] == [8, 8, 0, 0]
    order = Path("order.txt").read_text().split()
    assert ["".join(sorted(half)) for half in (order[:4], order[4:])] == halves  # samples of a cell run side by side


def test_repetitions_in_turn_need_a_number_of_them(cli) -> None:
    Path("turns.toml").write_text('benchmarks = ["colorbars"]\nin_turn = true\n[[stack]]\nsubject = "null"\n')
    assert "in_turn takes epochs, which is missing; mend it" in cli("sweep", "turns.toml").err
