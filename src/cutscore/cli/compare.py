"""`cutscore compare`: paired differences of cells, what they allow one to say, and which settings differ."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import click

from cutscore.cli.command import PATH, subcommand
from cutscore.cli.output import CommandOutput
from cutscore.results.cells import read_run
from cutscore.results.compare_runs import compare_runs

EXAMPLES = """
  cutscore compare old new                    each cell of old with each of new
  cutscore compare logs                       all cells of a run with each other
  cutscore compare logs --all                 every score and group, not the headline alone
  cutscore compare logs/colorbars/blind-… logs/colorbars/oracle-… --flips 5
"""


@subcommand("compare", examples=EXAMPLES)
@click.argument("runs", nargs=-1, required=True, type=PATH, metavar="RUN...")
@click.option("--all", "everything", is_flag=True, help="Compare every score, mode and group, not the headline alone.")
@click.option(
    "--flips", type=click.IntRange(min=0), default=0, metavar="N", help="List the N items on which two differ most."
)
def command(*, runs: tuple[Path, ...], everything: bool, flips: int) -> CommandOutput:
    """Paired differences of cells, and which settings differ.

    With two RUNs every cell of the first is compared with every cell of the second one that has the same benchmark;
    with one or more than two, all cells with each other (of more than eight, each with the best). Only items that both
    have count.
    """
    from cutscore.cli.compare_text import comparison_text

    found = compare_runs([read_run(run) for run in runs], names=[str(run) for run in runs], everything=everything)
    words = " ".join(quote(str(run)) for run in runs)
    then = f"cutscore report {words} -o site" if flips else f"cutscore compare {words} --flips 5"
    return CommandOutput(found.as_json(flips=flips), comparison_text(found, flips=flips, then=then), found.warnings)
