"""`cutscore gate`: is a run good enough? An exit code for CI, and a Markdown summary for people."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from cutscore.cli.command import PATH, pairs, subcommand
from cutscore.cli.output import Answer
from cutscore.core.errors import GATE_FAILED, OK, BadInput, NoRoom, UnknownName
from cutscore.core.finding import score_key
from cutscore.core.inert_text import as_markdown
from cutscore.results.reading import read_run
from cutscore.results.sections import CellResult, Section, outdated, sections, unfit
from cutscore.results.wording import count, digits_for, interval, number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cutscore.core.estimate import Estimate

By = Literal["value", "low"]

EXAMPLES = """
  cutscore gate logs/colorbars/blind-… --min accuracy=0.2
  cutscore gate logs --min accuracy=0.6 --by low      the interval's low end must reach it
"""


@dataclass(frozen=True)
class Verdict:
    """One score of one cell against its minimum."""

    bench: str
    label: str
    key: str
    estimate: Estimate
    wanted: float
    by: By

    @property
    def reached(self) -> float | None:
        return self.estimate.value if self.by == "value" else self.estimate.low

    @property
    def passed(self) -> bool:
        """Return whether it is met; nothing to average is not met."""
        return self.reached is not None and self.reached >= self.wanted

    def as_json(self) -> dict[str, Any]:
        who = {"benchmark": self.bench, "cell": self.label, "name": self.key}
        return {**who, "min": self.wanted, "by": self.by, "passed": self.passed, "estimate": self.estimate.as_json()}


@subcommand("gate", examples=EXAMPLES)
@click.argument("run", type=PATH)
@click.option("--min", "minima", multiple=True, required=True, metavar="NAME=X", help="A score and what it must reach.")
@click.option(
    "--by", type=click.Choice(["value", "low"]), default="value", show_default=True, help="What must reach it."
)
def command(*, run: Path, minima: tuple[str, ...], by: By) -> Answer:
    """For CI: exit code and a Markdown summary.

    Every cell of RUN must reach every minimum, and no cell may have more unscored samples than `unscored_max` of the
    settings allows. Exit code 1 when not. The summary goes to $GITHUB_STEP_SUMMARY when that is set, else to stdout.
    """
    from cutscore.settings import load_settings

    wanted = {name: _number(name, text) for name, text in pairs("--min", minima, "NAME=NUMBER").items()}
    parts = sections(read_run(run))
    verdicts = _verdicts(parts, wanted, by)
    faults = unfit(parts, most=load_settings().unscored_max)
    passed = all(verdict.passed for verdict in verdicts) and not faults
    text = _markdown(verdicts, faults, passed)
    plain = {"run": str(run), "passed": passed, "gates": [each.as_json() for each in verdicts], "unfit": list(faults)}
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        _append(Path(summary), text)
        text = f"gate {'passed' if passed else 'failed'}; the summary is in {summary}"
    return Answer(plain, text, outdated(parts), code=OK if passed else GATE_FAILED)


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadInput(
            f"--min {name}={text}", f"'{text}' is not a number", "write for example --min accuracy=0.6"
        ) from None


def _verdicts(parts: list[Section], wanted: Mapping[str, float], by: By) -> list[Verdict]:
    made = []
    for name, least in wanted.items():
        found = [
            Verdict(part.card.name, part.labels[each.id], name, estimate, least, by)
            for part in parts
            for each in part.cells
            for estimate in _whole(part, each)
            if name in (score_key(estimate.name, estimate.mode), estimate.name if estimate.mode == part.mode else "")
        ]
        if not found:
            raise UnknownName.among(
                "score", name, {_key(each) for part in parts for c in part.cells for each in _whole(part, c)}
            )
        made += found
    return made


def _whole(part: Section, cell: CellResult) -> list[Estimate]:
    return [each for each in part.estimates[cell.id] if not each.group]


def _key(estimate: Estimate) -> str:
    return score_key(estimate.name, estimate.mode)


def _markdown(verdicts: list[Verdict], faults: tuple[str, ...], passed: bool) -> str:
    met = sum(verdict.passed for verdict in verdicts)
    lines = [
        f"## cutscore gate: {'passed' if passed else 'failed'}",
        "",
        f"{met} of {count(len(verdicts), 'minimum').replace('minimums', 'minima')} met.",
        "",
        "| | benchmark | who | score | value | 95% interval | n | unscored | minimum |",
        "|---|---|---|---|---:|---|---:|---:|---:|",
    ]
    for each in verdicts:
        estimate, digits = each.estimate, digits_for(each.estimate.scale)
        least = f"{each.wanted:g}" + (" (low end)" if each.by == "low" else "")
        figures = f"{number(estimate.value, digits)} | {interval(estimate.low, estimate.high, digits)}"
        who = " | ".join(as_markdown(text) for text in (each.bench, each.label, each.key))
        sign = "ok" if each.passed else "**not met**"
        lines.append(f"| {sign} | {who} | {figures} | {estimate.n:,} | {estimate.unscored:,} | {least} |")
    return "\n".join([*lines, *("\n" + as_markdown(fault) for fault in faults)])


def _append(file: Path, text: str) -> None:
    from cutscore.redaction import redactor
    from cutscore.settings import load_settings

    try:
        with file.open("a", encoding="utf-8") as stream:
            stream.write(redactor(names=load_settings().secret_env).text(text) + "\n")
    except OSError as error:
        raise NoRoom(f"summary '{file}'", error.strerror or str(error), "unset GITHUB_STEP_SUMMARY") from error
