"""`cutscore run`: subjects × models on one benchmark; the same command again resumes."""

from __future__ import annotations

from pathlib import Path

import click

from cutscore.api.plans import RunScope, check_models, make_plans
from cutscore.api.requests import cell_requests
from cutscore.cells.request import CellRequest
from cutscore.cli.audit import ABLATIONS, run_audit
from cutscore.cli.command import (
    PATH,
    item_selection,
    pairs,
    split_settings,
    subcommand,
    with_address,
    with_references_option,
)
from cutscore.cli.output import CommandOutput
from cutscore.cli.summary import dry_answer, next_step, run_and_summarise
from cutscore.core.errors import BadInput
from cutscore.registry import benchmark

EXAMPLES = """
  cutscore run colorbars --subject oracle --subject blind
  cutscore run colorbars --model openai/NAME --limit 10 --cost-limit 2
  cutscore run colorbars --model openai/NAME --ablate frames=1
  cutscore run colorbars --model openai/NAME --set temperature=0 --ablate temperature=1
  cutscore run colorbars --subject reader --item bars-01-a --item bars-02-a
  cutscore run colorbars --subject reader --audit
  cutscore run colorbars --subject mine=folder:deliverables
  cutscore run colorbars --subject blind --judge openai/NAME --votes 3
"""


@subcommand("run", examples=EXAMPLES)
@click.argument("bench")
@click.option("--subject", "subjects", multiple=True, metavar="S", help="Who works: [LABEL=]KIND[@VERSION][:SPEC].")
@click.option("--model", "models", multiple=True, metavar="M", help="PROVIDER/NAME; alone it means --subject model.")
@click.option("--role", "roles", multiple=True, metavar="NAME=M", help="Another model, by its role.")
@click.option("--judge", default="", metavar="J", help="Who judges, where an opinion is asked; see 'cutscore list'.")
@click.option("--votes", type=click.IntRange(min=1), default=None, metavar="K", help="Times a judge is asked; odd.")
@click.option("--prompt", "prompts", multiple=True, metavar="NAME=FILE", help="A prompt file instead of ours.")
@click.option("--frames", default="", metavar="SPEC", help="Frame plan: uniform=8, fps=1,max=60, … or a number.")
@click.option("--data", type=PATH, metavar="DIR", help="Items of your own.")
@click.option("--item", "items", multiple=True, metavar="ID", help="Only this item; may come often.")
@click.option("--where", multiple=True, metavar="GROUP=VALUE", help="Only items of this group; all must hold.")
@click.option(
    "--draw", type=click.IntRange(min=0), metavar="SEED", help="One item of each unit, as the benchmark's people did."
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N of these items.")
@click.option("--epochs", type=click.IntRange(min=1), default=1, metavar="K", help="Repeats of each item.")
@click.option("--mode", default=None, metavar="MODE", help="Scoring mode, where a benchmark has several.")
@click.option("--set", "given", multiple=True, metavar="NAME=VALUE", help="A condition of work or choice in scoring.")
@click.option("--ablate", multiple=True, metavar="NAME=VALUE", help="The same cells once more with another setting.")
@click.option("--audit", is_flag=True, help="What of its input does a subject need? Every arm against all of it.")
@click.option("--engine", type=click.Choice(["inline", "processes", "ray"]), default="inline", show_default=True)
@click.option("--address", default="", metavar="A", help="Ray cluster HOST:PORT; else one on this machine.")
@click.option("--cost-limit", type=click.FloatRange(min=0, min_open=True), metavar="USD", help="Stop when it is spent.")
@click.option("--log-dir", type=PATH, metavar="DIR", help="Run folder; logs when nothing else is set.")
@click.option("--all", "everything", is_flag=True, help="Print every score and mode of every cell.")
@with_references_option
@click.option("--dry-run", is_flag=True, help="Say what would run and what it would cost; write nothing.")
def command(
    *,
    bench: str,
    subjects: tuple[str, ...],
    models: tuple[str, ...],
    roles: tuple[str, ...],
    judge: str,
    votes: int | None,
    prompts: tuple[str, ...],
    frames: str,
    data: Path | None,
    items: tuple[str, ...],
    where: tuple[str, ...],
    draw: int | None,
    limit: int | None,
    epochs: int,
    mode: str | None,
    given: tuple[str, ...],
    ablate: tuple[str, ...],
    audit: bool,
    engine: str,
    address: str,
    cost_limit: float | None,
    log_dir: Path | None,
    everything: bool,
    with_references: bool,
    dry_run: bool,
) -> CommandOutput:
    """Run a benchmark; the same command again resumes."""
    from cutscore.settings import load_settings

    settings = with_address(load_settings(), engine, address)
    options, conditions = split_settings(benchmark(bench).card, pairs("--set", given))
    base = CellRequest(
        bench,
        mode=mode or "",
        frames=frames,
        data=str(data) if data else "",
        prompts=pairs("--prompt", prompts, "NAME=FILE"),
        roles=pairs("--role", roles, "NAME=PROVIDER/NAME"),
        options=options,
        conditions=conditions,
        judge=judge,
        votes=votes or 0,
    )
    changes = _arms(ablate, frames) if audit else _ablations(ablate)
    picked = item_selection(items, where, limit, draw)
    scope = RunScope(log_dir or settings.log_dir, picked, epochs=epochs, cost_limit_usd=cost_limit)
    requests = cell_requests(base, subjects=subjects, models=models, ablate=changes)
    check_models(requests, scope, settings, dry=dry_run)
    if audit:
        return run_audit(requests, scope, settings, engine=engine, dry=dry_run)
    plans = make_plans(requests, scope, dry=dry_run)
    if dry_run:
        return dry_answer(plans, scope)
    shown = {"everything": everything, "with_references": with_references}
    summary = run_and_summarise(plans, scope, settings, engine=engine, **shown)
    text = "\n".join([summary.text, *([] if summary.error else [next_step(scope, summary.parts)])])
    return CommandOutput(summary.benchmarks[0] if summary.benchmarks else {}, text, summary.warnings, summary.error)


def _arms(ablate: tuple[str, ...], frames: str) -> list[tuple[str, str]]:
    """Return the arms of an audit, which brings settings of its own."""
    if ablate:
        raise BadInput("--audit", "has ablations of its own", "leave --ablate out, or run it by itself")
    if frames:
        raise BadInput("--audit", "compares with the benchmark's own frame plan", "leave --frames out")
    return list(ABLATIONS)


def _ablations(words: tuple[str, ...]) -> list[tuple[str, str]]:
    """Read NAME=VALUE; a name may come often, a value may have an equals sign itself."""
    made = []
    for word in words:
        name, equals, value = word.partition("=")
        if not (name and equals and value):
            raise BadInput(f"--ablate '{word}'", "is not NAME=VALUE", "write for example --ablate frames=1")
        made.append((name, value))
    return made
