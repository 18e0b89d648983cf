"""`cutscore optimize`: a better judge prompt from labels, the same prompt with another judge, matchers, tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cutscore.cli.command import PATH, pairs, subcommand
from cutscore.cli.optimize_text import candidate_line, describe_record, forecast_text, held_out_text, record_text
from cutscore.cli.output import CommandOutput, OutputPrinter
from cutscore.cli.text_tables import align_columns
from cutscore.core.errors import BadInput
from cutscore.results.wording import count, number, usd

if TYPE_CHECKING:
    from cutscore.api.optimizing import OptimizeRequest

Call = TypeVar("Call", bound=Callable[..., object])
ROLE = "matcher"
PAGE_HINT = "next: add -o DIR for a page with every answer on the test split"
EXAMPLES = """
  cutscore optimize judge labels.jsonl --run logs --judge openai/NAME --method gepa --dry-run -o better.md
  cutscore optimize judge labels.jsonl --run logs --judge openai/NAME --method textgrad -o better.md
  cutscore judge-card labels.jsonl --run logs --judge openai/NAME --prompt judge=better.md
  cutscore optimize transfer better.md labels.jsonl --run logs --judge openai/OTHER -o other.json
  cutscore optimize simulate -o ave
  cutscore optimize matchers
  cutscore optimize tables better.json other.json -o site
"""


@click.group(
    "optimize",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=f"\b\nexamples:\n{EXAMPLES.strip(chr(10))}",
)
@click.option("--json", is_flag=True, expose_value=False, help="Print one JSON object.")
@click.option("--debug", is_flag=True, expose_value=False, help="Show where an error came from.")
def command() -> None:
    """A better judge prompt from labels; the same command again resumes.

    AVE, as published with CLVG-Bench. 'judge' searches; 'transfer' tries the prompt with another judge; 'simulate'
    shows a search without a key; 'matchers' shows who can tell two weaknesses apart; 'tables' puts searches beside each
    other and beside the published ones.
    """


def _shared(call: Call) -> Call:
    """Add the options that a search and a transfer share."""
    for option in reversed(
        [
            click.option(
                "--run",
                "runs",
                multiple=True,
                type=PATH,
                metavar="RUN",
                help="A run whose deliverables have labels; without one, labels name files.",
            ),
            click.option("--judge", required=True, metavar="J", help="Who judges; see 'cutscore list'."),
            click.option(
                "--role",
                "roles",
                multiple=True,
                metavar="matcher=M",
                help="Who matches weaknesses; see 'optimize matchers'.",
            ),
            click.option(
                "--votes",
                type=click.IntRange(min=1),
                default=5,
                show_default=True,
                metavar="K",
                help="Times a judge is asked; odd.",
            ),
            click.option("--sequential", is_flag=True, help="Leave out votes that cannot change a verdict any more."),
            click.option(
                "--matching",
                default="paper",
                show_default=True,
                metavar="paper|reference|none",
                help="How weaknesses count.",
            ),
            click.option(
                "--prompt",
                "prompts",
                multiple=True,
                metavar="NAME=FILE",
                help="The first prompt, or another of the judge's.",
            ),
            click.option(
                "--family", multiple=True, metavar="GROUP=VALUE", help="Only labels of this group; all must hold."
            ),
            click.option(
                "--cost-limit", type=float, metavar="USD", help="Over judge, matcher and optimiser.  [default: 30]"
            ),
            click.option(
                "--seed", type=int, default=0, show_default=True, metavar="N", help="Of splits and of the search."
            ),
            click.option(
                "--data", type=PATH, metavar="DIR", help="Items of your own; without a run, the folder of files."
            ),
            click.option(
                "--at-once",
                type=click.IntRange(min=1),
                default=8,
                show_default=True,
                metavar="N",
                help="Samples judged side by side.",
            ),
        ]
    ):
        call = option(call)
    return call


@subcommand("judge")
@click.argument("labels", nargs=-1, required=True, type=PATH)
@_shared
@click.option("--method", default="gepa", show_default=True, metavar="gepa|textgrad", help="How to search.")
@click.option(
    "--optimizer", default="", metavar="M", help="A model that writes prompts, or 'rules'.  [default: the judge]"
)
@click.option("--calls", type=click.IntRange(min=1), metavar="N", help="Metric calls: samples judged in the search.")
@click.option("--phi", default="mcc", show_default=True, metavar="mcc|f1|rec-fpr", help="What is made large.")
@click.option(
    "--minibatch",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    metavar="N",
    help="Samples a step learns from.",
)
@click.option(
    "--gate/--no-gate", default=None, help="Validate only what does better on a minibatch.  [default: as published]"
)
@click.option("--dry-run", is_flag=True, help="Say what it will take, and ask nobody.")
@click.option(
    "-o",
    "--out",
    type=PATH,
    required=True,
    metavar="PROMPT.md",
    help="Where the prompt goes; its record goes beside it.",
)
def judge_command(*, dry_run: bool, **said: Any) -> CommandOutput:
    """Search for a better prompt.

    LABELS are files of what people said of deliverables of a run, or of videos that they name. Labels of 'train' teach,
    those of 'dev' choose, and those of 'test' are read once, at the end; labels without splits are split in thirds.
    The same command again goes on after a kill and pays for nothing twice.
    """
    from cutscore.api.optimizing import plan_search, run_search
    from cutscore.api.search_forecast import forecast_search

    plan = plan_search(_request(**said))
    if dry_run:
        forecast = forecast_search(plan)
        plain = {"dry_run": forecast.as_json(), "settings": plan.settings.model_dump(mode="json")}
        return CommandOutput(plain, forecast_text(forecast, plan.settings.sizes), plan.warnings)
    screen = OutputPrinter(command="optimize")
    record = run_search(plan, on_candidate=lambda each: screen.tell(candidate_line(each)))
    out = plan.request.out
    plain = record.model_dump(mode="json", by_alias=True) | {"prompt_file": str(out)}
    return CommandOutput(plain, record_text(record, out), record.warnings)


@subcommand("transfer")
@click.argument("prompt", metavar="PROMPT.md", type=PATH)
@click.argument("labels", nargs=-1, required=True, type=PATH)
@_shared
@click.option("-o", "--out", "record", type=PATH, metavar="FILE.json", help="Write a record, for 'optimize tables'.")
def transfer_command(*, prompt: Path, record: Path | None, **said: Any) -> CommandOutput:
    """Try a prompt with another judge.

    Asks the judge about the test split with the first prompt and with PROMPT.md; nothing is optimised.
    """
    from cutscore.api.optimizing import read_transfer
    from cutscore.optimize.record import write_json

    made = read_transfer(_request(**said, out=prompt), prompt)
    if record:
        write_json(record, made)
    plain = made.model_dump(mode="json", by_alias=True) | {"file": str(record) if record else None}
    lines = [f"judge {made.judge} with {prompt}", held_out_text(made.test)]
    lines.append(f"{count(made.calls['judge'], 'call')} of the judge, {usd(made.cost_usd)}")
    lines += [f"the test split was read {made.readings} times with this prompt"] if made.readings > 1 else []
    return CommandOutput(plain, "\n".join(lines), made.warnings)


@subcommand("simulate")
@click.option("-o", "--out", type=PATH, required=True, metavar="DIR", help="Films, labels, prompt, record and page.")
@click.option("--few", is_flag=True, help="Half of the cases in half the time: enough to watch, too few to decide.")
def simulate_command(*, out: Path, few: bool) -> CommandOutput:
    """Watch a search without a key.

    Films with planted weaknesses are made, the verifier labels them, and the reader judge of CLVG-Bench, which looks at
    pixels, is told what to look for by an optimiser that is no model. A simulation: it says nothing about people.
    """
    from cutscore.api.simulated_search import PROMPT, simulate_search
    from cutscore.cli.report import how_to_open

    record, prompt = simulate_search(out, few=few), out / PROMPT
    page = write_search_page([prompt.with_suffix(".json")], out / "site")
    plain = record.model_dump(mode="json", by_alias=True) | {"prompt_file": str(prompt), "page": str(page)}
    return CommandOutput(plain, f"{record_text(record, prompt)}\n{how_to_open(page)}", record.warnings)


@subcommand("matchers")
@click.option("--role", "roles", multiple=True, metavar="matcher=M", help="A model to be tried as well.")
@click.option("--cost-limit", type=float, metavar="USD", help="Stop asking when this is spent.")
def matchers_command(*, roles: tuple[str, ...], cost_limit: float | None) -> CommandOutput:
    """Show who can tell two weaknesses apart.

    Each matcher is asked about triples of our own, in two languages: a fault reworded, another fault of the same thing,
    and something unrelated.
    """
    from cutscore.api.matcher_table import matcher_table

    named = pairs("--role", roles, "matcher=M").get(ROLE, "")
    rows, left_out = matcher_table(named, cost_limit_usd=cost_limit)
    head = ("matcher", "language", "n", "recall", "precision", "takes another fault for it", "takes anything for it")
    lines = [
        (
            f"{each.matcher} (approximate)" if each.approximate else each.matcher,
            each.language or "all",
            str(each.n),
            number(each.recall, 2),
            number(each.precision, 2),
            number(each.other, 2),
            number(each.unrelated, 2),
        )
        for each in rows
    ]
    plain = [asdict(each) | {"recall": each.recall} for each in rows]
    return CommandOutput({"matchers": plain}, align_columns([head, *lines], right=(2, 3, 4, 5, 6)), left_out)


@subcommand("tables")
@click.argument("records", nargs=-1, required=True, type=PATH, metavar="RECORD...")
@click.option("-o", "--out", type=PATH, metavar="DIR", help="Write them as a page into this folder, answers too.")
def tables_command(*, records: tuple[Path, ...], out: Path | None) -> CommandOutput:
    """Put searches beside each other.

    RECORDs are the files beside prompts, and those of transfers. Shown are the paper's Tables 3 and 5 for them, what
    validation and test say over what was spent, the candidates as a tree, the way to the best of them, who is taken for
    what on the test split, agreement by weakness, and the published figures with their known slips.
    """
    from cutscore.cli.report import how_to_open
    from cutscore.cli.task_stats import write_tables
    from cutscore.optimize.record import read_any_record
    from cutscore.optimize.tables import search_tables

    made = search_tables({file: read_any_record(file) for file in records}, seen_from=out or Path())
    page = write_search_page(records, out) if out else None
    plain = {"tables": [each.model_dump(mode="json") for each in made], "page": str(page) if page else None}
    blocks = write_tables([each for each in made if each.id != "answers"])  # as long as the labels are: for the page
    return CommandOutput(plain, "\n\n".join([*blocks, how_to_open(page) if page else PAGE_HINT]))


def write_search_page(records: Sequence[Path], out: Path) -> Path:
    """Write the page of some records, with films and drawings, into a folder of its own; return the page's path."""
    from cutscore.optimize.record import read_any_record
    from cutscore.optimize.tables import search_tables
    from cutscore.redaction import redactor
    from cutscore.report.site import build_table_page
    from cutscore.settings import load_settings

    read = {file: read_any_record(file) for file in records}
    made = search_tables(read, seen_from=out)
    lines = [f"{file.stem}: {describe_record(record)}" for file, record in read.items()]
    clean = redactor(names=load_settings().secret_env).text
    return build_table_page(made, out=out, title="Judge prompts, before and after", lines=lines, clean=clean)


for _each in (judge_command, transfer_command, simulate_command, matchers_command, tables_command):
    command.add_command(_each)


def _request(
    *,
    labels: tuple[Path, ...],
    runs: tuple[Path, ...],
    judge: str,
    out: Path,
    roles: Iterable[str],
    prompts: Iterable[str],
    family: Iterable[str],
    cost_limit: float | None,
    at_once: int,
    **rest: Any,
) -> OptimizeRequest:
    from cutscore.api.optimizing import OptimizeRequest

    if out.suffix != ".md":
        raise BadInput(f"-o '{out}'", "is not a Markdown file", "name it PROMPT.md; its record becomes PROMPT.json")
    named = pairs("--role", roles, "matcher=M")
    if odd := next((name for name in named if name != ROLE), None):
        raise BadInput(f"--role {odd}", "is not asked here", "write --role matcher=M")
    return OptimizeRequest(
        labels=labels,
        runs=runs,
        judge=judge,
        out=out,
        matcher=named.get(ROLE, ""),
        prompts={name: Path(file) for name, file in pairs("--prompt", prompts, "NAME=FILE").items()},
        family=dict(pairs("--family", family, "GROUP=VALUE")),
        cost_limit_usd=cost_limit,
        concurrency=at_once,
        **rest,
    )
