"""`cutscore demo`: starter packs of all benchmarks that need no extra, keyless subjects, a report. No key, no network.

Where there is a browser, a few web tasks are done in it. Where an agent can run, it does one task, with a scripted
model: its steps, tokens and pictures are then in the report.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import click

from cutscore.api.plans import CellPlan, RunScope, make_plans
from cutscore.api.requests import cell_requests
from cutscore.cells.request import CellRequest
from cutscore.cells.selection import ItemSelection
from cutscore.cli.command import PATH, subcommand
from cutscore.cli.output import CommandOutput
from cutscore.cli.report import how_to_open, write_site
from cutscore.cli.summary import run_and_summarise
from cutscore.core.card import Card
from cutscore.core.errors import MissingExtra, Stopped
from cutscore.core.subject import SubjectSpec
from cutscore.registry import benchmarks

# Subjects that need neither a key nor anything of the user's. The judge is the one who knows what we staged, so that
# the page shows verifier and judge side by side without a key.
KEYLESS = ("oracle", "reader", "blind", "null")
# Agents, those first that start soon and wait for a slow command: codex_cli goes on after ten seconds, and a script
# does not look back. Ours ships with cutscore and does any item of this benchmark.
AGENTS = ("claude_code", "opencode", "gemini_cli", "codex_cli", "openclaw")
PROGRAMS = {"bwrap": "bubblewrap", "ffmpeg": "ffmpeg"}
AGENT_TASK, AGENT_ITEM, AGENT_MODEL = "sequencing", "film-1", "scripted/sequencing.json"
WEB_TASKS = "videowebarena"
# Of benchmarks whose whole starter pack takes minutes a few items: tasks of which the reader does one, two cases of
# each category, four conversations.
FEW_ITEMS: Mapping[str, tuple[str, ...]] = {
    WEB_TASKS: ("factual-gitlab-8", "factual-map-5"),
    "clvg": (
        *("remove-heart", "star-for-crate", "sepia-den", "film-like-that", "roll-on", "hop-between"),
        *("disc-glance", "pour-half", "denoise-road", "edges-desk", "maze-across", "order-cards"),
    ),
    "clvg_turns": ("sums-a", "shapes-a", "balloons-a", "weather-a"),
}


@subcommand("demo", examples="  cutscore demo\n  cutscore demo -o site")
@click.option("-o", "--out", type=PATH, default=Path("demo/site"), show_default=True, metavar="DIR", help="The report.")
@click.option("--log-dir", type=PATH, metavar="DIR", help="Run folder; 'logs' beside the report when left out.")
@click.option("--engine", type=click.Choice(["inline", "processes"]), default="inline", show_default=True)
def command(*, out: Path, log_dir: Path | None, engine: str) -> CommandOutput:
    """Starter packs of all benchmarks, keyless subjects, report; an agent, where one is installed.

    Benchmarks that need an extra are left out, but for a few web tasks where there is a browser.
    """
    from cutscore.settings import load_settings

    settings = load_settings()
    scope = RunScope(log_dir or _beside(out))
    # What needs an extra, such as a browser, a plain install has not.
    names = [name for name, found in benchmarks().items() if not found.card.extras]
    if not names:
        raise Stopped("demo", "no benchmark is installed", "install cutscore again")
    plans = [plan for name in names for plan in _plan_keyless(name, scope, judge=_judge_of(benchmarks()[name].card))]
    (web, no_web), (agents, no_agent) = _plan_web(scope), _plan_agent(scope)
    summary = run_and_summarise([*plans, *web, *agents], scope, settings, engine=engine)
    plain = {"log_dir": str(scope.run), "benchmarks": summary.benchmarks}
    if summary.error is not None:
        return CommandOutput({**plain, "site": None, "page": None}, summary.text, summary.warnings, summary.error)
    page = write_site(summary.parts, out)
    plain |= {"site": str(out), "page": str(page)}
    lines = [summary.text, no_web, no_agent, how_to_open(page)]
    return CommandOutput(plain, "\n".join(filter(None, lines)), summary.warnings)


def _judge_of(card: Card) -> str:
    """Return who judges without a key: the card's own, or the one who knows what we staged."""
    return card.judge.default or ("truth" if card.takes_judge else "")


def _plan_keyless(name: str, scope: RunScope, *, judge: str = "") -> list[CellPlan]:
    """Return the keyless subjects of a benchmark on its starter pack, or on a few items of it."""
    subjects = [kind for kind in benchmarks()[name].card.subjects if kind in KEYLESS]
    requests = cell_requests(CellRequest(name, judge=judge), subjects=subjects)
    few = FEW_ITEMS.get(name)
    return make_plans(requests, replace(scope, selection=ItemSelection(items=few)) if few else scope)


def _plan_web(scope: RunScope) -> tuple[list[CellPlan], str]:
    """Return a few tasks on websites of our own; where there is no browser, what to install to see them."""
    if WEB_TASKS not in benchmarks():
        return [], ""
    try:
        _require_browser()
    except Stopped as lacks:
        return [], f"demo: {WEB_TASKS} is stopped: {lacks}"
    return _plan_keyless(WEB_TASKS, scope), ""


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


def _beside(out: Path) -> Path:
    """Put the record beside the report, under a name that tells which report it belongs to.

    The report's own folder is replaced as a whole, so the record cannot live in it.
    """
    return out.with_name("logs") if out.name == "site" and out.parent != Path() else out.with_name(f"{out.name}-logs")
