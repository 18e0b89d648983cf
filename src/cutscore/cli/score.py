"""`cutscore score`: mark one deliverable offline, without Inspect, a key or a network unless a judge needs them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cutscore.atomic import replace_file
from cutscore.cli.command import PATH, pairs, scoring_options, subcommand
from cutscore.cli.output import CommandOutput
from cutscore.cli.text_tables import describe_place
from cutscore.core.errors import OK, STOPPED, BadInput
from cutscore.core.finding import Finding, score_key
from cutscore.registry import benchmark
from cutscore.results.marked_item import new_reasons, sort_findings
from cutscore.results.wording import count, digits_for, number, reason

if TYPE_CHECKING:
    from cutscore.api.scoring import MarkedFiles, Score
    from cutscore.core.card import Card
    from cutscore.registry import Benchmark

EXAMPLES = """
  cutscore score colorbars bars-01-a out           files in out/bars-01-a/ or in out/ itself
  cutscore score colorbars bars-01-a out --json    status, score, findings
  cutscore score colorbars bars-01-a out --judge openai/NAME
  cutscore score repurpose recap-1 out --html recap.html    one page to send, with stills
"""


@subcommand("score", examples=EXAMPLES)
@click.argument("bench")
@click.argument("item")
@click.argument("submission_dir", type=PATH)
@click.option("--mode", default=None, metavar="MODE", help="Scoring mode, where a benchmark has several.")
@click.option("--set", "options", multiple=True, metavar="NAME=VALUE", help="A choice in scoring, see the card.")
@click.option(
    "--epoch", type=click.IntRange(min=1), default=1, metavar="K", help="Which repeat, where DIR has several."
)
@click.option("--data", type=PATH, metavar="DIR", help="Items of your own.")
@click.option("--judge", default="", metavar="J", help="Who judges, where an opinion is asked; see 'cutscore list'.")
@click.option("--role", "roles", multiple=True, metavar="NAME=J", help="Who sits in another role of the judge.")
@click.option("--votes", type=click.IntRange(min=1), default=None, metavar="K", help="Times a judge is asked; odd.")
@click.option("--prompt", "prompts", multiple=True, metavar="NAME=FILE", help="A prompt of the judge's, replaced.")
@click.option("--log-dir", type=PATH, metavar="DIR", help="Keep the judge's replies and costs here, to ask only once.")
@click.option(
    "--html", type=PATH, metavar="FILE", help="Write one page to send: brief, verdict, what failed and where."
)
@click.option("--all", "everything", is_flag=True, help="Every finding, in every scoring mode.")
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
    roles: tuple[str, ...],
    votes: int | None,
    prompts: tuple[str, ...],
    log_dir: Path | None,
    html: Path | None,
    everything: bool,
) -> CommandOutput:
    """Mark one deliverable offline.

    SUBMISSION_DIR holds ITEM[/EPOCH]/files, or the files themselves. A file answer.txt is the answer in words.
    """
    from cutscore.api.scoring import score

    found = benchmark(bench)
    page: list[str] = []  # made while the files are there
    scored = score(
        bench,
        item,
        submission_dir,
        mode=mode or "",
        options=scoring_options(found.card, options),
        epoch=epoch,
        data=data,
        judge=judge,
        roles=pairs("--role", roles, "NAME=JUDGE"),
        votes=votes or 0,
        prompts=pairs("--prompt", prompts, "NAME=FILE"),
        log_dir=log_dir,
        on_marked=(lambda marked: page.append(_page(found, marked, submission_dir))) if html else None,
    )
    code = STOPPED if scored.status == "stopped" else OK
    plain, text = scored.as_json(), _text(found, scored, everything=everything)
    if html is not None:
        _write_page(html, page[0])
        plain, text = {**plain, "page": str(html)}, f"{text}\npage: {html}"
    return CommandOutput(plain, text, scored.remarks, code=code)


def _text(found: Benchmark, scored: Score, *, everything: bool) -> str:
    """Write the mark and why, its factors, and what failed, each once; or every finding in every mode."""
    card, ending = found.card, scored.ending
    head = f"{found.name} v{card.version}   {scored.item}"
    if ending.status != "marked":
        return f"{head}   {ending.status}: {ending.because}"
    mark = number(scored.value, digits_for(card.scores[card.headline].scale))
    mode = f"   mode {scored.mode}" if scored.mode else ""
    lines = [f"{head}   {card.headline} {mark}{mode}"]
    lines += [f"  {score_key(gap.name, gap.mode)} {gap.status}: {gap.because}" for gap in ending.gaps]
    if everything:
        return "\n".join([*lines, *(_finding(finding) for finding in ending.findings)])
    shown = sort_findings(card, ending, scored.mode)
    lines += [f"  {reason(shown.mark.because)}   {describe_place(shown.mark)}".rstrip()] if shown.mark else []
    # Requirements that failed tell why a factor is low; where there are none, the factors say it themselves.
    why = {} if shown.failed else new_reasons(shown.factors, [shown.mark])
    factors = [f"{each.name} {_amount(card, each)}" for each in shown.factors]
    lines += [f"factors: {', '.join(factors)}"] if factors else []
    lines += [f"  {name}: {because}" for name, because in why.items()]
    lines += ["failed:"] if shown.failed else []
    lines += [f"  {each.name}: {each.because}   {describe_place(each)}".rstrip() for each in shown.failed]
    lines += [f"{count(shown.other, 'other finding')}: --all" if shown.other else ""]
    return "\n".join(filter(None, lines))


def _page(found: Benchmark, marked: MarkedFiles, submission: Path) -> str:
    """Return the page to send, without the machine's secrets and without its paths."""
    from cutscore.cli.show import shown_asks
    from cutscore.redaction import redactor
    from cutscore.report.score_page import score_page
    from cutscore.settings import load_settings

    settings = load_settings()
    redact = redactor(names=settings.secret_env)
    places = [submission.resolve(), marked.store.root.resolve(), settings.cache_dir, Path.cwd(), Path.home()]

    def clean(text: str) -> str:
        for place in map(str, places):
            text = text.replace(f"{place}/", "") if len(place) > 1 else text
        return redact.text(text)

    ask = shown_asks(found, [marked.item], "").asks[marked.item.id]
    files = (*ask.files, *marked.ending.references, *marked.deliverable.files)  # of one name, what was delivered counts
    return score_page(found.card, ask, marked.ending, mode=marked.mode, files=files, store=marked.store, clean=clean)


def _write_page(file: Path, page: str) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with replace_file(file) as draft:
            draft.write_text(page, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"page '{file}'", f"cannot be written: {error.strerror}", "name another file") from None


def _amount(card: Card, finding: Finding) -> str:
    return number(finding.score, digits_for(card.scores[finding.name].scale))


def _finding(finding: Finding) -> str:
    name = score_key(finding.name, finding.mode)
    return f"  {name} = {finding.amount}: {reason(finding.because)}   {describe_place(finding)}".rstrip()
