"""`cutscore gate`: is a run good enough? An exit code for CI, and a Markdown summary for people."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import click

from cutscore.cli.command import PATH, pairs, subcommand, with_references_option
from cutscore.cli.output import CommandOutput
from cutscore.core.errors import GATE_FAILED, OK, BadInput, NoRoom
from cutscore.core.inert_text import escape_markdown
from cutscore.results.benchmark import benchmark_results, outdated_versions
from cutscore.results.cells import read_run
from cutscore.results.fitness import unfit
from cutscore.results.gate import By, GateCheck, check_minima
from cutscore.results.wording import count, figures

EXAMPLES = """
  cutscore gate logs/colorbars/blind-… --min accuracy=0.2
  cutscore gate logs --min accuracy=0.6 --by low      the interval's low end must reach it
"""


@subcommand("gate", examples=EXAMPLES)
@click.argument("run", type=PATH)
@click.option("--min", "minima", multiple=True, required=True, metavar="NAME=X", help="A score and what it must reach.")
@click.option(
    "--by", type=click.Choice(["value", "low"]), default="value", show_default=True, help="What must reach it."
)
@with_references_option
def command(*, run: Path, minima: tuple[str, ...], by: By, with_references: bool) -> CommandOutput:
    """For CI: exit code and a Markdown summary.

    Every contestant of RUN, or where nobody competes every cell, must reach every minimum, and no cell may have more
    unscored samples than `unscored_max` of the settings allows. Exit code 1 when not. The summary goes to
    $GITHUB_STEP_SUMMARY when that is set, else to stdout.
    """
    from cutscore.settings import load_settings

    wanted = {name: _number(name, text) for name, text in pairs("--min", minima, "NAME=NUMBER").items()}
    results = benchmark_results(read_run(run), with_references=with_references)
    checks = check_minima(results, wanted, by)
    faults = unfit(results, most=load_settings().unscored_max)
    passed = all(check.passed for check in checks) and not faults
    text = _markdown(checks, faults, passed)
    plain = {"run": str(run), "passed": passed, "gates": [each.as_json() for each in checks], "unfit": list(faults)}
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        _append(Path(summary), text)
        text = f"gate {'passed' if passed else 'failed'}; the summary is in {summary}"
    return CommandOutput(plain, text, outdated_versions(results), code=OK if passed else GATE_FAILED, verbatim=True)


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadInput(
            f"--min {name}={text}", f"'{text}' is not a number", "write for example --min accuracy=0.6"
        ) from None


def _markdown(checks: Sequence[GateCheck], faults: Sequence[str], passed: bool) -> str:
    met = sum(check.passed for check in checks)
    lines = [
        f"## cutscore gate: {'passed' if passed else 'failed'}",
        "",
        f"{met} of {count(len(checks), 'minimum').replace('minimums', 'minima')} met.",
        "",
        "| | benchmark | who | score | value | 95% interval | samples | failed | unscored | minimum |",
        "|---|---|---|---|---:|---|---:|---:|---:|---:|",
    ]
    for each in checks:
        least = f"{each.minimum:g}" + (" (low end)" if each.by == "low" else "")
        who = " | ".join(escape_markdown(text) for text in (each.benchmark, each.label, each.score))
        sign, found = "ok" if each.passed else "**not met**", " | ".join(figures(each.estimate))
        counts = " | ".join(f"{n:,}" for n in (each.estimate.n, each.estimate.failed, each.estimate.unscored))
        lines.append(f"| {sign} | {who} | {found} | {counts} | {least} |")
    return "\n".join([*lines, *("\n" + escape_markdown(fault) for fault in faults)])


def _append(file: Path, text: str) -> None:
    from cutscore.redaction import redactor
    from cutscore.settings import load_settings

    try:
        with file.open("a", encoding="utf-8") as stream:
            stream.write(redactor(names=load_settings().secret_env).text(text) + "\n")
    except OSError as error:
        raise NoRoom(f"summary '{file}'", error.strerror or str(error), "unset GITHUB_STEP_SUMMARY") from error
