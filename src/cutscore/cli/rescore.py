"""`cutscore rescore`: mark stored deliverables again into a sibling cell; nobody is asked anything."""

from __future__ import annotations

from pathlib import Path

import click

from cutscore.cli.command import PATH, subcommand
from cutscore.cli.items import checked_mode
from cutscore.cli.output import Answer
from cutscore.cli.results import CellResult, as_json, sections, unfit
from cutscore.cli.runs import read_run
from cutscore.cli.table import table
from cutscore.core.card import MODES
from cutscore.core.errors import BadInput
from cutscore.registry import benchmark


@subcommand("rescore", examples="  cutscore rescore logs\n  cutscore rescore logs/colorbars/blind-… --mode strict")
@click.argument("runs", nargs=-1, required=True, type=PATH, metavar="RUN...")
@click.option("--judge", default="", metavar="M", help="Another judge, where a judge is asked.")
@click.option("--mode", type=click.Choice(MODES), default=None, help="Another scoring mode.")
@click.option("--data", type=PATH, metavar="DIR", help="Where the items are now, if they were your own and have moved.")
def command(*, runs: tuple[Path, ...], judge: str, mode: str | None, data: Path | None) -> Answer:
    """Mark stored deliverables again, no subject call.

    Each cell gets a sibling folder with a log of its own; the original is not touched. The table shows both.
    """
    from cutscore.settings import load_settings

    settings = load_settings()
    cells = [each for run in runs for each in _wanted(run)]
    for each in cells:
        _check(each, judge, mode or "")
    pairs, warnings = [], []
    for each in cells:
        again, changed = _again(each, mode or "", data)
        pairs += [each, again]
        if changed:
            warnings.append(f"{each.record.cell.id}: the items changed since they were first marked")
    parts = sections(pairs, against="before")
    plain = {
        "benchmarks": [as_json(part) for part in parts],
        "rescored": [
            {"from": first.record.cell.id, "to": second.record.cell.id, "log": str(second.record.log)}
            for first, second in zip(pairs[::2], pairs[1::2], strict=True)
        ],
    }
    return Answer(plain, table(parts), (*warnings, *unfit(parts, most=settings.unscored_max)))


def _wanted(run: Path) -> list[CellResult]:
    """Give the cells to mark: all that were run. What was marked again is taken only when it is named itself."""
    found = read_run(run)
    return [each for each in found if not each.record.cell.rescored_from] or found


def _check(each: CellResult, judge: str, mode: str) -> None:
    found = benchmark(each.record.cell.benchmark)
    if judge and found.card.judged_by == "verifier":
        fact = f"benchmark '{found.name}' is marked by verifiers, no opinion is asked"
        raise BadInput(f"--judge '{judge}'", fact, "leave it out")
    if mode:
        checked_mode(found, mode)


def _again(each: CellResult, mode: str, data: Path | None) -> tuple[CellResult, bool]:
    from cutscore.bridge.rescore import rescore
    from cutscore.bridge.rows import rows_of

    made = rescore(each.record, mode=mode, data=data)
    return CellResult(made.record, tuple(rows_of(made.record))), made.data_changed
