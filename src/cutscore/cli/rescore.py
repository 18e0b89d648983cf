"""`cutscore rescore`: mark stored deliverables again into a sibling cell; no subject is asked anything."""

from __future__ import annotations

from pathlib import Path

import click

from cutscore.api.items import check_mode
from cutscore.api.requests import check_judge
from cutscore.cli.command import PATH, pairs, scoring_options, subcommand
from cutscore.cli.output import CommandOutput
from cutscore.cli.text_tables import results_table
from cutscore.registry import benchmark
from cutscore.results.benchmark import benchmark_results
from cutscore.results.cells import CellResult, read_run
from cutscore.results.fitness import unfit
from cutscore.results.summary import as_json

EXAMPLES = """
  cutscore rescore logs
  cutscore rescore logs/colorbars/blind-… --mode strict
  cutscore rescore logs --judge openai/NAME --votes 3
  cutscore rescore logs/vidwork --set matcher=chars
"""


@subcommand("rescore", examples=EXAMPLES)
@click.argument("runs", nargs=-1, required=True, type=PATH, metavar="RUN...")
@click.option("--judge", default="", metavar="J", help="Another judge, where an opinion is asked.")
@click.option("--votes", type=click.IntRange(min=1), default=None, metavar="K", help="Times a judge is asked; odd.")
@click.option("--prompt", "prompts", multiple=True, metavar="NAME=FILE", help="A prompt of the judge's, replaced.")
@click.option("--cost-limit", type=click.FloatRange(min=0, min_open=True), metavar="USD", help="Stop when it is spent.")
@click.option("--mode", default=None, metavar="MODE", help="Another scoring mode.")
@click.option("--set", "options", multiple=True, metavar="NAME=VALUE", help="Another choice in scoring.")
@click.option("--data", type=PATH, metavar="DIR", help="Where the items are now, if they were your own and have moved.")
def command(
    *,
    runs: tuple[Path, ...],
    judge: str,
    votes: int | None,
    prompts: tuple[str, ...],
    cost_limit: float | None,
    mode: str | None,
    options: tuple[str, ...],
    data: Path | None,
) -> CommandOutput:
    """Mark stored deliverables again, no subject call.

    Each cell gets a sibling folder with a log of its own; the original is not touched. The table shows both. What a
    judge has said before is read from the run's journal, and only what is new is asked.
    """
    from cutscore.bridge.rescore import JudgePanel, rescore
    from cutscore.bridge.rows import rows_of
    from cutscore.scoring.judges.choose import open_judge
    from cutscore.settings import load_settings

    settings = load_settings()
    cells = [each for run in runs for each in _wanted(run)]
    chosen = pairs("--set", options)
    for each in cells:
        _check(each, judge, votes or 0, mode or "")
        scoring_options(benchmark(each.record.cell.benchmark).card, options)
    files = {name: Path(file) for name, file in pairs("--prompt", prompts, "NAME=FILE").items()}
    panel = JudgePanel(open_judge, judge, votes or 0, files, cost_limit)
    both, warnings = [], []
    for each in cells:
        made = rescore(each.record, mode=mode or "", data=data, panel=panel, options=chosen)
        again = CellResult(made.record, tuple(rows_of(made.record)))
        both += [each, again]
        if made.data_changed:
            warnings.append(f"{each.record.cell.id}: the items changed since they were first marked")
    parts = benchmark_results(both, against="before")
    plain = {
        "benchmarks": [as_json(part, most=settings.unscored_max) for part in parts],
        "rescored": [
            {"from": first.record.cell.id, "to": second.record.cell.id, "log": str(second.record.log)}
            for first, second in zip(both[::2], both[1::2], strict=True)
        ],
    }
    return CommandOutput(plain, results_table(parts), (*warnings, *unfit(parts, most=settings.unscored_max)))


def _wanted(run: Path) -> list[CellResult]:
    """Return the cells to mark: all that were run. What was marked again is taken only when it is named itself."""
    found = read_run(run)
    return [each for each in found if not each.record.cell.rescored_from] or found


def _check(each: CellResult, judge: str, votes: int, mode: str) -> None:
    from cutscore.models.provider import require_reachable
    from cutscore.scoring.judges.choose import asks_model

    cell = each.record.cell
    found = benchmark(cell.benchmark)
    check_judge(found.card, judge or cell.judge, votes)
    if asks_model(judge) and judge != cell.judge:  # the old one may have nothing new to say, and then needs no key
        require_reachable(judge)
    if mode:
        check_mode(found.card, mode)
