"""`cutscore demo`: starter packs of all benchmarks, keyless subjects, a report. Needs no key and no network."""

from __future__ import annotations

from pathlib import Path

import click

from cutscore.api.plans import RunScope, make_plans
from cutscore.api.requests import cell_requests
from cutscore.cells.request import CellRequest
from cutscore.cli.command import PATH, subcommand
from cutscore.cli.output import CommandOutput
from cutscore.cli.report import how_to_open, write_site
from cutscore.cli.summary import run_and_summarise
from cutscore.core.errors import Stopped
from cutscore.registry import benchmarks

# Subjects that need neither a key nor anything of the user's. The judge is the one who knows what we staged, so that
# the page shows verifier and judge side by side without a key.
KEYLESS = ("oracle", "reader", "blind", "null")


@subcommand("demo", examples="  cutscore demo\n  cutscore demo -o site")
@click.option("-o", "--out", type=PATH, default=Path("demo/site"), show_default=True, metavar="DIR", help="The report.")
@click.option("--log-dir", type=PATH, metavar="DIR", help="Run folder; 'logs' beside the report when left out.")
@click.option("--engine", type=click.Choice(["inline", "processes"]), default="inline", show_default=True)
def command(*, out: Path, log_dir: Path | None, engine: str) -> CommandOutput:
    """Starter packs of all benchmarks, keyless subjects, report."""
    from cutscore.settings import load_settings

    settings = load_settings()
    scope = RunScope(log_dir or _beside(out))
    wanted = [
        request
        for name, found in benchmarks().items()
        for request in cell_requests(
            CellRequest(name, judge=found.card.judge.default or ("truth" if found.card.takes_judge else "")),
            subjects=[kind for kind in found.card.subjects if kind in KEYLESS],
        )
    ]
    if not wanted:
        raise Stopped("demo", "no benchmark is installed", "install cutscore again")
    summary = run_and_summarise(make_plans(wanted, scope), scope, settings, engine=engine)
    plain = {"log_dir": str(scope.run), "benchmarks": summary.benchmarks}
    if summary.error is not None:
        return CommandOutput({**plain, "site": None, "page": None}, summary.text, summary.warnings, summary.error)
    page = write_site(summary.parts, out)
    plain |= {"site": str(out), "page": str(page)}
    return CommandOutput(plain, f"{summary.text}\n{how_to_open(page)}", summary.warnings)


def _beside(out: Path) -> Path:
    """Put the record beside the report, under a name that tells which report it belongs to.

    The report's own folder is replaced as a whole, so the record cannot live in it.
    """
    return out.with_name("logs") if out.name == "site" and out.parent != Path() else out.with_name(f"{out.name}-logs")
