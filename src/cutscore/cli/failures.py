"""`cutscore failures`: why agents failed, by a judge who reads what they did, or by people."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from cutscore.cli.command import PATH, subcommand
from cutscore.cli.output import CommandOutput
from cutscore.core.errors import BadInput
from cutscore.results.wording import count

EXAMPLES = """
  cutscore failures logs --judge PROVIDER/NAME
  cutscore failures logs --judge PROVIDER/NAME --labels labels.jsonl   people's reasons go before the judge's
  cutscore failures logs --labels labels.jsonl                         people's alone
"""


@subcommand("failures", examples=EXAMPLES)
@click.argument("runs", nargs=-1, required=True, type=PATH, metavar="RUN...")
@click.option("--judge", default="", metavar="J", help="Who reads the steps; see 'cutscore list'.")
@click.option("--labels", multiple=True, type=PATH, metavar="FILE", help="What people say; may come often.")
@click.option("--cost-limit", type=click.FloatRange(min=0, min_open=True), metavar="USD", help="Stop when it is spent.")
@click.option("--below", type=float, default=0.0, metavar="X", help="Headline up to which a sample failed.")
def command(
    *, runs: tuple[Path, ...], judge: str, labels: tuple[Path, ...], cost_limit: float | None, below: float
) -> CommandOutput:
    """Why agents failed, by a judge or by people.

    A sample failed if its subject did, or if its headline is at most --below. The judge reads the task, the steps and
    what the verifier found, and gives one of four reasons or another; its replies are kept in the run, and not paid for
    twice. --cost-limit is of what is spent in a run folder. Labels are of the question 'failure_reason'. What is said
    last of a cell is kept for 'cutscore tables'.
    """
    from cutscore.api.failures import explain_failures
    from cutscore.cli.text_tables import write_table
    from cutscore.labels.files import merge_labels
    from cutscore.results.behaviour.failures import failure_table
    from cutscore.results.benchmark import benchmark_results
    from cutscore.results.cells import read_runs

    if not judge and not labels:
        raise BadInput("failures", "nobody is named who says why", "add --judge or --labels")
    said = merge_labels(labels)
    found = explain_failures(
        benchmark_results(read_runs(runs)), judge, said.labels, below=below, cost_limit_usd=cost_limit
    )
    table = failure_table(found)
    plain = {"failures": [asdict(each) for each in found], "table": table.model_dump(mode="json"), "below": below}
    text = write_table(table, width=120, most=None, clean=str) if found else f"{count(0, 'failure')} with steps"
    return CommandOutput(plain, text, said.repeats)
