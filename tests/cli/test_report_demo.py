"""`report` and `demo`: from run folders to a page."""

import functools
import shutil
from pathlib import Path

import pytest
from agent_fixtures import require_agent

from cutscore.api.plans import RunScope
from cutscore.api.simulated_search import FEW_CASES
from cutscore.cli.demo import FEW_ITEMS, KEYLESS, WEB_TASKS, _find_agent, _plan_web
from cutscore.core.errors import Stopped
from cutscore.registry import benchmarks
from cutscore.results.cells import read_runs


def test_a_report_of_a_run(cli, finished_run: Path) -> None:
    ran = cli("report", finished_run, "-o", "site", "--json")
    assert ran.code == 0
    assert ran.json == {
        "schema": "cutscore.report/1", "site": "site", "page": "site/index.html", "cells": 3, "rows": 36
    }  # fmt: skip
    assert "colorbars" in Path("site/index.html").read_text(encoding="utf-8")
    page = Path("site/colorbars/index.html").read_text(encoding="utf-8")
    for name in ("oracle", "blind", "null", "colorbars"):
        assert name in page
    said = cli("report", finished_run, "-o", "site").out.splitlines()
    assert said[0] == "36 rows of 3 cells"
    assert said[2].startswith("open file:///")


def test_pages_of_other_runs_do_not_go_without_a_word(cli, finished_run: Path) -> None:
    cells = sorted(path.parent for path in finished_run.glob("colorbars/*/cell.json"))
    assert cli("report", *cells, "-o", "site").err == ""
    ran = cli("report", cells[0], "-o", "site")
    assert (ran.code, ran.err.count("\n")) == (0, 1)
    assert "report 'site': pages of 2 other cells (colorbars) were replaced; their logs are as they were" in ran.err
    assert cli("report", *cells, "-o", "site").err == "", "it has those and more"


def test_two_runs_of_one_cell_are_two(cli, finished_run: Path, own_run: Path) -> None:
    ran = cli("report", finished_run, own_run, "-o", "site", "--json")
    assert (ran.code, ran.json["cells"], ran.json["rows"], ran.said) == (0, 6, 72, [])
    page = Path("site/colorbars/index.html").read_text(encoding="utf-8")
    for run in (finished_run, own_run):
        assert f'<span class="mark">{run.resolve().name}</span>' in page
    assert cli("report", finished_run, finished_run / "colorbars", "-o", "site", "--json").json["cells"] == 3


def test_two_runs_of_one_name_are_told_apart_by_their_paths(finished_run: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / finished_run.name
    shutil.copytree(finished_run, other)
    cells = read_runs([finished_run, other])
    assert {each.run for each in cells} == {str(finished_run), str(other)}
    assert {row.cell for each in cells for row in each.rows} == {each.id for each in cells}


def test_somebody_elses_folder_is_left_alone(cli, finished_run: Path) -> None:
    Path("site").mkdir()
    Path("site/thesis.doc").write_text("years of work", encoding="utf-8")
    ran = cli("report", finished_run, "-o", "site")
    assert ran.code == 2
    assert "folder 'site': is not empty and is no cutscore report" in ran.err
    assert Path("site/thesis.doc").read_text(encoding="utf-8") == "years of work"


def test_secrets_do_not_reach_a_page(cli, monkeypatch) -> None:
    Path("out/bars-01-a").mkdir(parents=True)
    Path("out/bars-01-a/answer.txt").write_text("my key is hunter2hunter2", encoding="utf-8")
    cli("run", "colorbars", "--subject", "mine=folder:out", "--limit", 1)
    monkeypatch.setenv("MY_SECRET", "hunter2hunter2")
    assert cli("report", "logs", "-o", "site").code == 0
    pages = [path.read_text(encoding="utf-8") for path in Path("site").rglob("*.html")]
    assert not any("hunter2" in page for page in pages)
    assert any("[redacted:MY_SECRET]" in page for page in pages)


def test_the_page_shows_the_way_that_a_run_went_also_one_that_crashed(cli) -> None:
    Path("stumbler.py").write_text(
        "from cutscore.core.trajectory import Action\n\n"
        "def walks(ask, desk):\n"
        "    desk.steps.add('I look.', did=Action(tool='look', arguments={'clip': ask.files[0].name}), saw='fog')\n"
        "    desk.steps.add(error='it is slippery')\n"
        "    raise RuntimeError('fell')\n",
        encoding="utf-8",
    )
    subjects = ("--subject", "reader", "--subject", "python:stumbler:walks")
    assert cli("run", "colorbars", *subjects, "--limit", 1).code == 0
    assert cli("report", "logs", "-o", "site").code == 0
    (page,) = [path.read_text(encoding="utf-8") for path in Path("site").rglob("items/*.html")]
    assert "1 step, 1 tool call, " in page
    assert "2 steps, 1 tool call, " in page
    assert "raised RuntimeError: fell" in page
    assert "It first went wrong at" in page
    assert "it is slippery" in page
    assert 'class="sums"' not in page, "nobody spent tokens or money"


def _some(items, store, data=None):
    shown = {name for few in (*FEW_ITEMS.values(), FEW_CASES) for name in few}
    return [item for number, item in enumerate(items(store, data)) if number < 6 or item.id in shown]


@pytest.mark.real  # every benchmark: long, and needs nothing else
def test_the_demo_ends_with_table_and_page(cli, monkeypatch, tmp_path: Path) -> None:
    from cutscore.benchmarks.vidwork import build

    monkeypatch.setenv("CUTSCORE_AGENTS", str(tmp_path))  # no agent is installed there
    monkeypatch.setenv("CUTSCORE_CHROMIUM", "/nowhere/chromium")
    monkeypatch.setattr(build, "STARTER", build.STARTER[:1])  # the whole takes its time
    for found in benchmarks().values():
        dataset = found.part("dataset")
        monkeypatch.setattr(dataset, "items", functools.partial(_some, dataset.items))
    ran = cli("demo", "-o", "site", "--engine", "inline", "--json")  # what is patched is patched here alone
    assert ran.code == 0
    assert list(ran.json) == ["schema", "log_dir", "benchmarks", "site", "page"]
    plain = {name for name, found in benchmarks().items() if not found.card.extras}
    assert {bench["benchmark"] for bench in ran.json["benchmarks"]} == plain
    for bench in ran.json["benchmarks"]:
        card = benchmarks()[bench["benchmark"]].card
        means = {
            each["subject"]: each["value"]
            for each in bench["estimates"]
            if not each["group"] and each["name"] == card.headline
        }
        assert set(means) == set(KEYLESS) & set(card.subjects)
        assert (means["oracle"], means["null"]) == (card.scores[card.headline].ceiling, 0.0)
    again = cli("demo", "-o", "site", "--engine", "inline")
    assert again.code == 0
    assert "demo: shows no agent at work; to see one, " in again.out
    assert "demo: videowebarena is stopped: Chromium: " in again.out
    assert "AVE, a simulation that says nothing about people: " in again.out
    assert 'href="../site-ave/site/index.html"' in Path("site/index.html").read_text(encoding="utf-8")
    assert Path("site-ave/site/index.html").is_file()


def test_the_demo_has_a_few_web_tasks_where_there_is_a_browser(monkeypatch, tmp_path: Path) -> None:
    pytest.importorskip("playwright", reason="Playwright is not installed: pip install 'cutscore[web]'")
    browser = tmp_path / "chromium"
    browser.touch(mode=0o755)
    monkeypatch.setenv("CUTSCORE_CHROMIUM", str(browser))
    plans, lacking = _plan_web(RunScope(tmp_path / "logs"), full=False)
    assert lacking == ""
    assert [plan.request.subject for plan in plans] == [*KEYLESS]
    assert {item for plan in plans for item, _ in plan.planned} == set(FEW_ITEMS[WEB_TASKS])
    monkeypatch.setenv("CUTSCORE_CHROMIUM", "/nowhere/chromium")
    plans, lacking = _plan_web(RunScope(tmp_path / "logs"), full=False)
    assert plans == []
    assert lacking.startswith("demo: videowebarena is stopped: Chromium: ")


@pytest.mark.real
def test_the_demo_shows_an_agent_where_one_is_installed(cli, monkeypatch) -> None:
    require_agent("claude_code")
    found = benchmarks()["sequencing"]
    monkeypatch.setattr("cutscore.cli.demo.benchmarks", lambda: {"sequencing": found})
    monkeypatch.setattr("cutscore.cli.demo.KEYLESS", ("null",))
    ran = cli("demo", "-o", "site", "--json")
    assert ran.code == 0, ran.err
    (bench,) = ran.json["benchmarks"]
    (value,) = [each for each in bench["estimates"] if each["subject"] == "claude_code" and each["name"] == "score"][:1]
    assert (round(value["value"], 3), value["n"]) == (0.125, 1)
    page = Path("site/sequencing/items/film-1.html").read_text(encoding="utf-8")
    assert "I make a sheet of the first picture of every clip." in page
    assert "the model was shown" in page


@pytest.mark.parametrize(
    ("programs", "installed", "said"),
    [
        (
            (),
            False,
            "to see one, install bubblewrap and ffmpeg, run 'cutscore agents install claude_code' (docs/agents",
        ),
        (("bwrap", "ffmpeg"), False, "to see one, run 'cutscore agents install claude_code' (docs/agents.md)"),
        (("bwrap",), True, "to see one, install ffmpeg (docs/agents.md)"),
    ],
)
def test_the_demo_says_what_an_agent_needs(monkeypatch, tmp_path: Path, programs, installed: bool, said: str) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CUTSCORE_AGENTS", str(tmp_path / "agents"))
    for name in programs:
        (tmp_path / name).touch(mode=0o755)
    if installed:
        (tmp_path / "agents/claude_code/2.1.129/node_modules").mkdir(parents=True)
    with pytest.raises(Stopped) as lacks:
        _find_agent()
    assert str(lacks.value).startswith(f"demo: shows no agent at work; {said}")


@pytest.mark.parametrize(("out", "logs"), [("site", "site-logs"), ("d/site", "d/logs"), ("d/page", "d/page-logs")])
def test_the_record_of_a_demo_lies_beside_its_report(cli, monkeypatch, out: str, logs: str) -> None:
    """Where it lies does not depend on how much was run."""
    found = benchmarks()["colorbars"]
    monkeypatch.setattr("cutscore.cli.demo.benchmarks", lambda: {"colorbars": found})
    monkeypatch.setattr("cutscore.cli.demo.KEYLESS", ("oracle",))
    dataset = found.part("dataset")
    monkeypatch.setattr(dataset, "items", functools.partial(_some, dataset.items))
    ran = cli("demo", "-o", out, "--engine", "inline", "--json")
    assert (ran.code, ran.json["log_dir"], ran.json["page"]) == (0, logs, f"{out}/index.html")
    assert (Path(logs, "colorbars").is_dir(), Path(out, "index.html").is_file()) == (True, True)
    said = cli("demo", "-o", out, "--engine", "inline").out.splitlines()
    assert said[-5:-2] == [
        f"logs: {logs}",
        f"report: {out}/index.html",
        f"open {Path(out, 'index.html').resolve().as_uri()} in a browser",
    ]
    assert said[-2] == "next: cutscore demo --full"
    assert cli(*said[-1].partition(" cutscore ")[2].split()).code == 0, "the next step works as it is printed"


def test_a_demo_in_part_says_so(tmp_path: Path) -> None:
    from cutscore.cli import demo

    scope = RunScope(tmp_path / "logs")
    part, whole = (demo._plan_keyless("colorbars", scope, full=full) for full in (False, True))
    assert [plan.total for plan in whole] == [60] * 4
    assert demo._left_out(whole) == ""
    assert demo._left_out(part) == "demo: not all items of these packs were run: colorbars 30 of 60"
