"""`cutscore demo`: starter packs of all benchmarks, or a part of them, keyless subjects, a report. No key, no network.

Where there is a browser, web tasks are done in it. Where an agent can run, it does one task, with a scripted model: its
steps, tokens and pictures are then in the report. AVE is shown by a simulation, on a page of its own that the report
links to. What was not run is said in the end.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cutscore.api.plans import CellPlan, RunScope, make_plans
from cutscore.api.requests import cell_requests
from cutscore.cells.request import CellRequest
from cutscore.cells.selection import ItemSelection
from cutscore.cli.command import PATH, subcommand
from cutscore.cli.output import CommandOutput
from cutscore.cli.progress import show_waiting
from cutscore.cli.report import how_to_open, replaced_pages, write_site
from cutscore.cli.standings import line_width, wrap_lines
from cutscore.cli.summary import run_and_summarise
from cutscore.core.errors import MissingExtra, Stopped
from cutscore.core.subject import SubjectSpec
from cutscore.registry import benchmarks
from cutscore.results.wording import figures

if TYPE_CHECKING:
    from cutscore.optimize.record import OptimizeRecord

# Subjects that need neither a key nor anything of the user's. The judge is the one who knows what we staged, so that
# the page shows verifier and judge side by side without a key.
KEYLESS = ("oracle", "reader", "blind", "null")
# Agents, those first that start soon and wait for a slow command: codex_cli goes on after ten seconds, and a script
# does not look back. Ours ships with cutscore and does any item of this benchmark.
AGENTS = ("claude_code", "opencode", "gemini_cli", "codex_cli", "openclaw")
PROGRAMS = {"bwrap": "bubblewrap", "ffmpeg": "ffmpeg"}
AGENT_TASK, AGENT_ITEM, AGENT_MODEL = "sequencing", "film-1", "scripted/sequencing.json"
WEB_TASKS = "videowebarena"
JUDGED = "clvg"  # whose judge the simulation of AVE is about
MEASURE = "binary Rec−FPR"  # defined for any two prompts, as MCC is not
# Of benchmarks whose whole starter pack takes long a part, of every kind that the benchmark has: with the install, the
# demo is to take two minutes on two processors. At least eight clips, where there are as many: fewer decide nothing.
FEW_ITEMS: Mapping[str, tuple[str, ...]] = {
    "colorbars": tuple(f"bars-{clip:02}-{question}" for clip in range(1, 11) for question in "abc"),
    "covebench": ("park-1", "street-1", "street-2", "sea-1", "room-1", "room-2", "kitchen-1", "forest-1"),
    "vidwork": tuple(
        f"{clip}-{question}"
        for clip in ("pancakes", "soup", "chair", "birdhouse", "treat-cut", "small-fire")
        for question in ("s1", "o1a", "o1b", "c1", "x1", "e1a", "e1b", "e2a", "e2b")
    ),
    "clvg": (
        *("remove-heart", "star-for-crate", "sepia-den", "film-like-that", "roll-on"),
        *("disc-glance", "pour-half", "denoise-road", "maze-across", "order-cards"),
    ),
    "clvg_turns": ("sums-a", "shapes-a", "balloons-a", "weather-a"),
    WEB_TASKS: ("factual-gitlab-8", "factual-map-5"),  # the reader does one of them
}


@subcommand("demo", examples="  cutscore demo\n  cutscore demo --full -o whole/site")
@click.option("-o", "--out", type=PATH, default=Path("demo/site"), show_default=True, metavar="DIR", help="The report.")
@click.option("--log-dir", type=PATH, metavar="DIR", help="Run folder; 'logs' beside the report when left out.")
@click.option("--engine", type=click.Choice(["inline", "processes"]), default="processes", show_default=True)
@click.option("--full", is_flag=True, help="All items of all starter packs: minutes instead of one.")
def command(*, out: Path, log_dir: Path | None, engine: str, full: bool) -> CommandOutput:
    """Starter packs of all benchmarks, keyless subjects, report; an agent, where one is installed.

    Of long packs a part, unless --full is given. Web tasks are done where there is a browser. How AVE improves the
    prompt of a judge is shown by a simulation, without people or models.
    """
    from cutscore.settings import load_settings

    settings = load_settings()
    scope = RunScope(log_dir or _beside(out, "logs"))
    # What needs an extra, such as a browser, a plain install has not.
    names = [name for name, found in benchmarks().items() if not found.card.extras]
    if not names:
        raise Stopped("demo", "no benchmark is installed", "install cutscore again")
    plans = [plan for name in names for plan in _plan_keyless(name, scope, full=full, judge=_judge_of(name))]
    (web, no_web), (agents, no_agent) = _plan_web(scope, full=full), _plan_agent(scope)
    summary = run_and_summarise([*plans, *web, *agents], scope, settings, engine=engine)
    plain = {"log_dir": str(scope.run), "benchmarks": summary.benchmarks}
    if summary.error is not None:
        return CommandOutput({**plain, "site": None, "page": None}, summary.text, summary.warnings, summary.error)
    searched, shown = _show_search(_beside(out, "ave"), out, full=full) if JUDGED in names else ("", [])
    replaced = replaced_pages(summary.parts, out)
    page = write_site(summary.parts, out, beside=shown)
    plain |= {"site": str(out), "page": str(page)}
    said = wrap_lines(filter(None, [searched, no_web, no_agent, _left_out([*plans, *web])]), line_width())
    lines = [summary.text, *said, f"logs: {scope.run}", how_to_open(page), *_next_steps(full=full)]
    return CommandOutput(plain, "\n".join(lines), (*replaced, *summary.warnings))


def _left_out(plans: Sequence[CellPlan]) -> str:
    """Say of which packs only a part was run."""
    ran = {plan.cell.benchmark: plan.total for plan in plans if plan.selection.items}
    whole = {name: next(iter(benchmarks()[name].card.splits.values()), 0) for name in ran}
    parts = ", ".join(f"{name} {n:,} of {whole[name]:,}" for name, n in ran.items())
    return f"demo: not all items of these packs were run: {parts}" if ran else ""


def _next_steps(*, full: bool) -> list[str]:
    """Say what to type next; each line works as it is printed, without a key."""
    more = [] if full else ["next: cutscore demo --full"]
    return [*more, "next: cutscore run colorbars --subject reader --subject blind"]


def _show_search(folder: Path, site: Path, *, full: bool) -> tuple[str, list[tuple[str, str]]]:
    """Let a judge learn what to look for, as AVE does; return what came of it, and a link to its page from a site."""
    from cutscore.api.simulated_search import PROMPT, simulate_search
    from cutscore.cli.optimize import write_search_page

    with show_waiting("AVE: a judge learns what to look for"):
        record = simulate_search(folder, few=not full)
    page = write_search_page([(folder / PROMPT).with_suffix(".json")], folder / "site")
    address = Path(os.path.relpath(page, site)).as_posix()
    return _search_line(record), [(address, f"AVE, a simulation: the judge of {JUDGED} learns what to look for")]


def _search_line(record: OptimizeRecord) -> str:
    """Write what a simulated search found on films that it had not learned from, and that it is one."""
    assert record.test is not None, "a third of the films is held out"
    gain = record.test.difference(MEASURE).estimate
    before, after = (
        next(each for each in record.test.row(name).estimates if each.name == MEASURE) for name in ("p0", "p*")
    )
    way = f"{figures(before)[0]} → {figures(after)[0]}, difference {' '.join(figures(gain))}"
    held_out = f"{record.test.n} held-out films of {record.test.clusters} cases"
    name = MEASURE.removeprefix("binary ")
    return f"AVE, a simulation that says nothing about people: the judge's {name} {way}, on {held_out}"


def _judge_of(name: str) -> str:
    """Return who judges without a key: the card's own, or the one who knows what we staged."""
    card = benchmarks()[name].card
    return card.judge.default or ("truth" if card.takes_judge else "")


def _plan_keyless(name: str, scope: RunScope, *, full: bool, judge: str = "") -> list[CellPlan]:
    """Return the keyless subjects of a benchmark on its starter pack, or on a part of it."""
    subjects = [kind for kind in benchmarks()[name].card.subjects if kind in KEYLESS]
    requests = cell_requests(CellRequest(name, judge=judge), subjects=subjects)
    few = () if full else FEW_ITEMS.get(name, ())
    return make_plans(requests, replace(scope, selection=ItemSelection(items=few)))


def _plan_web(scope: RunScope, *, full: bool) -> tuple[list[CellPlan], str]:
    """Return tasks on websites of our own; where there is no browser, what to install to see them."""
    if WEB_TASKS not in benchmarks():
        return [], ""
    try:
        _require_browser()
    except Stopped as lacks:
        return [], f"demo: {WEB_TASKS} is stopped: {lacks}"
    return _plan_keyless(WEB_TASKS, scope, full=full), ""


def _require_browser() -> None:
    from importlib.util import find_spec

    from cutscore.environments.browser.chromium import find_chromium

    if find_spec("playwright") is None or find_spec("starlette") is None:
        raise MissingExtra.of("a browser", "web")
    find_chromium()


def _plan_agent(scope: RunScope) -> tuple[list[CellPlan], str]:
    """Return the one task of an agent; where none can run, what to install to see one."""
    if AGENT_TASK not in benchmarks():
        return [], ""
    try:
        agent = _find_agent()
    except Stopped as lacks:
        return [], str(lacks)
    requests = cell_requests(CellRequest(AGENT_TASK), subjects=[agent], models=[AGENT_MODEL])
    return make_plans(requests, replace(scope, selection=ItemSelection(items=(AGENT_ITEM,)))), ""


def _find_agent() -> str:
    """Return the first agent that can run here; Stopped, with all that is lacking, where none can."""
    from cutscore.models.endpoint.translated import check_translator
    from cutscore.subjects.harness.catalogue import HARNESSES, require_agent
    from cutscore.subjects.harness.installed import installed_versions

    found = [name for name in AGENTS if HARNESSES[name].version in installed_versions(name)]
    lacking = [package for program, package in PROGRAMS.items() if shutil.which(program) is None]
    steps = [f"install {' and '.join(lacking)}"] if lacking else []
    try:
        check_translator(HARNESSES[found[0] if found else AGENTS[0]].wire, "demo")
    except MissingExtra as error:
        steps.append(error.fact)
    steps += [] if found else [f"run 'cutscore agents install {AGENTS[0]}'"]
    if steps:
        raise Stopped("demo", "shows no agent at work", f"to see one, {', '.join(steps)} (docs/agents.md)")
    require_agent(SubjectSpec.parse(found[0]), {})
    return found[0]


def _beside(out: Path, name: str) -> Path:
    """Put a record beside the report, under a name that tells which report it belongs to.

    The report's own folder is replaced as a whole, so no record can live in it.
    """
    return out.with_name(name if out.name == "site" and out.parent != Path() else f"{out.name}-{name}")
