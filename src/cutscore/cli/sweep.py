"""`cutscore sweep`: benchmarks × listed stacks × repeats from one TOML file; rows reconciled, price by cell first."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Self

import click
from pydantic import Field, ValidationError, model_validator

from cutscore.api.plans import CellPlan, RunScope, check_models, make_plans
from cutscore.api.requests import cell_requests
from cutscore.cells.request import CellRequest
from cutscore.cli.command import (
    PATH,
    item_selection,
    split_settings,
    subcommand,
    with_address,
    with_references_option,
)
from cutscore.cli.output import CommandOutput
from cutscore.cli.summary import next_step, plan_line, plan_text, plan_totals, run_and_summarise, selected
from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.frozen import FrozenModel
from cutscore.registry import benchmark

Words = Annotated[str, Field(min_length=1)]

EXAMPLES = """
  cutscore sweep sweep.toml --dry-run    cells, what is done, and what the rest costs
  cutscore sweep sweep.toml              run it, or go on with it
  cutscore sweep sweep.toml --status     how far it is
"""


class Stack(FrozenModel):
    """One row of the study: a subject, mostly with a model.

    Args:
        label: Its name in tables; made from subject and model when empty.
        frames: Frame plan, or the number of frames; the benchmark's own when empty.
        input: What of its input the subject is shown; everything when empty.
        set: Conditions of work and choices in scoring, by name, as `run --set` takes them.
        only, skip: Benchmarks to which it is confined, and those it leaves out.
    """

    label: str = Field(default="", pattern=r"^[^=:@]*$")
    subject: Words = "model"
    model: str = ""
    frames: str | Annotated[int, Field(ge=1)] = ""
    input: str = ""
    set: dict[str, str | int | float] = Field(default_factory=dict)
    only: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()


class Sweep(FrozenModel):
    """A sweep file. Stacks are listed, not crossed; without epochs, the card of each benchmark says how often.

    Args:
        in_turn: Every cell has its first repetition before any has its second.
    """

    benchmarks: Annotated[tuple[str, ...], Field(min_length=1)]
    epochs: int | None = Field(default=None, ge=1)
    in_turn: bool = False
    items: tuple[str, ...] = ()
    where: dict[str, str] = Field(default_factory=dict)
    limit: int | None = Field(default=None, ge=1)
    judge: str = ""
    cost_limit_usd: float | None = Field(default=None, gt=0)
    log_dir: Path | None = None
    stack: Annotated[tuple[Stack, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _fields_fit(self) -> Self:
        if self.in_turn and self.epochs is None:
            raise ValueError("in_turn takes epochs, which is missing")
        for number, stack in enumerate(self.stack, start=1):
            for name in (*stack.only, *stack.skip):
                if name not in self.benchmarks:
                    raise ValueError(f"stack {number} names benchmark '{name}', which is not in benchmarks")
        return self


@subcommand("sweep", examples=EXAMPLES)
@click.argument("file", type=PATH)
@click.option("--dry-run", is_flag=True, help="Say what would run and what it would cost; write nothing.")
@click.option("--status", is_flag=True, help="Say how far it is; write nothing.")
@click.option("--item", "items", multiple=True, metavar="ID", help="Only this item; may come often.")
@click.option("--where", multiple=True, metavar="GROUP=VALUE", help="Only items of this group; all must hold.")
@click.option("--engine", type=click.Choice(["inline", "processes", "ray"]), default="inline", show_default=True)
@click.option("--address", default="", metavar="A", help="Ray cluster HOST:PORT; else one on this machine.")
@click.option("--log-dir", type=PATH, metavar="DIR", help="Run folder, instead of the one that the file names.")
@click.option("--all", "everything", is_flag=True, help="Print every score and mode of every cell.")
@with_references_option
def command(
    *,
    file: Path,
    dry_run: bool,
    status: bool,
    items: tuple[str, ...],
    where: tuple[str, ...],
    engine: str,
    address: str,
    log_dir: Path | None,
    everything: bool,
    with_references: bool,
) -> CommandOutput:
    """Benchmarks × stacks × repeats from one TOML file.

    The file has benchmarks, epochs, in_turn, items, where, limit, judge, cost_limit_usd, log_dir and [[stack]] tables
    with label, subject, model, frames, input, set, only and skip. Without epochs, each item is asked as often as the
    card of its benchmark says; with in_turn, every cell has its first repetition before any has its second. Rows are
    reconciled: planned = done + unscored + missing. The same command resumes.
    """
    from cutscore.settings import load_settings

    settings = with_address(load_settings(), engine, address)
    sweep = read_sweep(file)
    run = log_dir or (file.parent / sweep.log_dir if sweep.log_dir else settings.log_dir)
    asked = item_selection(items or sweep.items, where, sweep.limit)
    picked = asked if where else replace(asked, where=sweep.where)
    scope = RunScope(run, picked, sweep.epochs, sweep.cost_limit_usd, in_turn=sweep.in_turn)
    requests = sweep_requests(sweep)
    dry = dry_run or status
    check_models(requests, scope, settings, dry=dry)
    plans = make_plans(requests, scope, dry=dry)
    if dry:
        return _plan_answer(file, plans, scope)
    shown = {"everything": everything, "with_references": with_references}
    summary = run_and_summarise(plans, scope, settings, engine=engine, **shown)
    after = plan_totals(make_plans(requests, scope, dry=True))
    plain = {"file": str(file), "log_dir": str(run), **after, "benchmarks": summary.benchmarks}
    lines = [summary.text, plan_line(after, scope), "" if summary.error else next_step(scope, summary.parts)]
    return CommandOutput(plain, "\n".join(filter(None, lines)), summary.warnings, summary.error)


def _plan_answer(file: Path, plans: Sequence[CellPlan], scope: RunScope) -> CommandOutput:
    totals = plan_totals(plans)
    cells = [{"benchmark": plan.cell.benchmark, **plan.as_json()} for plan in plans]
    plain = {"file": str(file), "log_dir": str(scope.run), "dry_run": True, **selected(scope), **totals, "cells": cells}
    return CommandOutput(plain, plan_text(plans, scope))


def read_sweep(file: Path) -> Sweep:
    """Read and check a sweep file."""
    what = f"sweep '{file}'"
    try:
        plain = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(what, error.strerror or str(error), "name a TOML file; examples/sweep.toml is one") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(what, f"is not TOML: {error}", "mend that line") from error
    try:
        return Sweep.model_validate(plain)
    except ValidationError as error:
        raise _complaint(what, error) from None


def _complaint(what: str, error: ValidationError) -> BadInput:
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part + 1) if isinstance(part, int) else part for part in first["loc"])
    if first["type"] == "extra_forbidden":
        known = Stack.model_fields if str(first["loc"][0]) == "stack" else Sweep.model_fields
        near = UnknownName.among("key", str(first["loc"][-1]), known)
        return UnknownName(what, f"no key '{where}'", near.next)
    if first["type"] == "missing":
        return BadInput(what, f"'{where}' is missing", "add it")
    said = first["msg"].removeprefix("Value error, ")
    return BadInput(what, f"{where}: {said}" if where else said, "mend it")


def sweep_requests(sweep: Sweep) -> list[CellRequest]:
    """Return one request for each benchmark and each stack that takes part in it."""
    made = [
        request
        for name in sweep.benchmarks
        for stack in sweep.stack
        if (not stack.only or name in stack.only) and name not in stack.skip
        for request in cell_requests(
            _stack_request(name, stack, sweep.judge),
            subjects=[f"{stack.label}={stack.subject}" if stack.label else stack.subject],
            models=[stack.model] if stack.model else [],
        )
    ]
    if not made:
        raise BadInput("sweep", "no stack takes part in any benchmark", "see 'only' and 'skip'")
    return made


def _stack_request(name: str, stack: Stack, judge: str) -> CellRequest:
    given = {each: str(value) for each, value in stack.set.items()}
    options, conditions = split_settings(benchmark(name).card, given)
    base = CellRequest(name, judge=judge, frames=str(stack.frames), input=stack.input)
    return replace(base, options=options, conditions=conditions)
