"""`cutscore compare`: paired differences of cells, what they allow one to say, and which settings differ."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import click

from cutscore.cli.command import PATH, subcommand, with_references_option
from cutscore.cli.output import CommandOutput
from cutscore.results.cells import read_run
from cutscore.results.compare_runs import compare_runs

EXAMPLES = """
  cutscore compare old new                    each contestant of old with each of new
  cutscore compare logs                       contestants of a run with each other, and with the guess
  cutscore compare logs --all                 every score and group, not the headline alone
  cutscore compare logs/colorbars/blind-… logs/colorbars/oracle-… --flips 5
"""


@subcommand("compare", examples=EXAMPLES)
@click.argument("runs", nargs=-1, required=True, type=PATH, metavar="RUN...")
@click.option("--all", "everything", is_flag=True, help="Compare every score, mode and group, not the headline alone.")
@click.option(
    "--flips", type=click.IntRange(min=0), default=0, metavar="N", help="List the N items on which two differ most."
)
@with_references_option
def command(*, runs: tuple[Path, ...], everything: bool, flips: int, with_references: bool) -> CommandOutput:
    """Paired differences of cells, and which settings differ.

    With two RUNs every contestant of the first is compared with every one of the second that has the same benchmark;
    with one or more than two, all of them with each other (of more than eight, each with the best), and each with the
    guess. A RUN that is one cell takes part whoever it is. Only items that both have count.
    """
    from cutscore.cli.compare_text import comparison_text

    found = compare_runs(
        [read_run(run) for run in runs],
        names=[str(run) for run in runs],
        everything=everything,
        with_references=with_references,
    )
    words = " ".join(quote(str(run)) for run in runs)
    then = f"cutscore report {words} -o site" if flips else f"cutscore compare {words} --flips 5"
    return CommandOutput(found.as_json(flips=flips), comparison_text(found, flips=flips, then=then), found.warnings)
