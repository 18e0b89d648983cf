"""`cutscore score`: mark one deliverable offline, without Inspect, a key or a network unless a judge needs them."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cutscore.cli.cells import check_judge
from cutscore.cli.command import PATH, pairs, subcommand
from cutscore.cli.items import checked_mode, checked_options, find_item, load_items
from cutscore.cli.judging import AskedJudge, judging
from cutscore.cli.output import Answer
from cutscore.cli.table import place_of
from cutscore.core.card import MODES
from cutscore.core.errors import OK, STOPPED, BadInput
from cutscore.core.finding import Finding, score_key
from cutscore.registry import benchmark
from cutscore.results.wording import digits_for, number

if TYPE_CHECKING:
    from cutscore.core.ending import Ending
    from cutscore.core.item import Item
    from cutscore.registry import Benchmark

EXAMPLES = """
  cutscore score colorbars bars-01-a out           files in out/bars-01-a/ or in out/ itself
  cutscore score colorbars bars-01-a out --json    status, score, findings
  cutscore score colorbars bars-01-a out --judge openai/NAME
"""


@subcommand("score", examples=EXAMPLES)
@click.argument("bench")
@click.argument("item")
@click.argument("submission_dir", type=PATH)
@click.option("--mode", type=click.Choice(MODES), default=None, help="Scoring mode, where a benchmark has several.")
@click.option("--set", "options", multiple=True, metavar="NAME=VALUE", help="A choice in scoring, see the card.")
@click.option(
    "--epoch", type=click.IntRange(min=1), default=1, metavar="K", help="Which repeat, where DIR has several."
)
@click.option("--data", type=PATH, metavar="DIR", help="Items of your own.")
@click.option("--judge", default="", metavar="J", help="Who judges, where an opinion is asked; see 'cutscore list'.")
@click.option("--votes", type=click.IntRange(min=1), default=None, metavar="K", help="Times a judge is asked; odd.")
@click.option("--prompt", "prompts", multiple=True, metavar="NAME=FILE", help="A prompt of the judge's, replaced.")
@click.option("--log-dir", type=PATH, metavar="DIR", help="Keep the judge's replies and costs here, to ask only once.")
def command(
    *,
    bench: str,
    item: str,
    submission_dir: Path,
    mode: str | None,
    options: tuple[str, ...],
    epoch: int,
    data: Path | None,
    judge: str,
    votes: int | None,
    prompts: tuple[str, ...],
    log_dir: Path | None,
) -> Answer:
    """Mark one deliverable offline.

    SUBMISSION_DIR holds ITEM[/EPOCH]/files, or the files themselves. A file answer.txt is the answer in words.
    """
    from cutscore.bridge.gates import admitted
    from cutscore.bridge.marking import mark_one
    from cutscore.core.evidence import Evidence
    from cutscore.store import Store
    from cutscore.submissions import read_submission

    found = benchmark(bench)
    used = checked_mode(found, mode or "")
    chosen = checked_options(found.card, options)
    judge = judge or found.card.judge.default
    check_judge(found.card, judge, votes or 0)
    files = {name: Path(file) for name, file in pairs("--prompt", prompts, "NAME=FILE").items()}
    asked = AskedJudge(judge, votes or 0, files, log_dir)
    if not submission_dir.is_dir():
        fact = "is not a folder" if submission_dir.exists() else "there is no such folder"
        raise BadInput(f"submission '{submission_dir}'", fact, "name a folder with the files that were delivered")
    with tempfile.TemporaryDirectory(prefix="cutscore-") as scratch:
        store = Store(Path(scratch) / "store")
        items = load_items(found, store, data)
        wanted = find_item(items, item, bench=bench)
        gates = admitted(found, items, data)
        gates.check(item)
        root, name = _place(submission_dir, wanted, items)
        with judging(
            asked, found, items, wanted, scratch=Path(scratch), epoch=epoch, own_data=data is not None
        ) as heard:
            judges = heard.judges if heard else {}
            delivered = read_submission(root, name, epoch=epoch, store=store)
            evidence = Evidence(files=delivered.files)
            ending = mark_one(found, delivered, evidence, wanted, store=store, judges=judges, mode=used, options=chosen)
    headline = score_key(found.card.headline, used)
    plain = {"benchmark": bench, "item": item, "mode": used, **ending.as_json(headline)}
    plain |= ({"judge": heard.name} if heard else {}) | ({"options": chosen} if chosen else {})
    silent = tuple(each.told for each in heard.said if each.answer is None) if heard else ()
    code = STOPPED if ending.status == "stopped" else OK
    warnings = (*gates.remarks, *silent)
    return Answer(plain, _text(found, item, ending, headline), warnings, code=code)


def _place(folder: Path, item: Item, items: Sequence[Item]) -> tuple[Path, str]:
    """Describe where the item's files are: below a folder of its name, or right here.

    A folder that has places for other items has none for this one; then nothing was delivered for it.
    """
    known = {each.id for each in items}
    if any(entry.name in known and entry.is_dir() for entry in folder.iterdir()):
        return folder, item.id
    here = folder.resolve()
    return here.parent, here.name


def _text(found: Benchmark, item: str, ending: Ending, headline: str) -> str:
    head = f"{found.name} v{found.card.version}   {item}"
    if ending.status != "marked":
        return f"{head}   {ending.status}: {ending.because}"
    digits = digits_for(found.card.scores[found.card.headline].scale)
    lines = [f"{head}   {headline} {number(ending.scores[headline], digits)}"]
    return "\n".join([*lines, *(_finding(finding) for finding in ending.findings)])


def _finding(finding: Finding) -> str:
    said = f"  {score_key(finding.name, finding.mode)} = {finding.value:g}: {finding.because}   {place_of(finding)}"
    return said.rstrip()
