"""`cutscore agreement`: how far people agree, and on which items they do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cutscore.cli.columns import columns
from cutscore.cli.command import PATH, subcommand
from cutscore.cli.output import Answer
from cutscore.cli.table import figures
from cutscore.results.wording import count, number

if TYPE_CHECKING:
    from cutscore.core.estimate import Estimate
    from cutscore.results.judge_card.annotators import Annotation
    from cutscore.results.judge_card.people import Disputed, Unclear

EXAMPLES = """
  cutscore agreement labels.jsonl
  cutscore agreement ann.csv bo.csv cy.csv --most 50
"""


@subcommand("agreement", examples=EXAMPLES)
@click.argument("labels", nargs=-1, required=True, type=PATH)
@click.option(
    "--most", type=click.IntRange(min=0), default=20, metavar="N", help="Disputed items to show; all in JSON."
)
@click.option(
    "--below",
    type=click.FloatRange(0, 1),
    default=0.8,
    metavar="SHARE",
    help="List questions for revision that fewer answer alike.",
)
def command(*, labels: tuple[Path, ...], most: int, below: float) -> Answer:
    """How far people agree, from labels.

    LABELS are files of what people said: one JSON object a line, or CSV with one row a label. Anybody may have left out
    anything. Alpha is Krippendorff's, of all people; kappa is Cohen's, of every two; intervals draw items.
    """
    from cutscore.labels.files import labels_digest, merge
    from cutscore.results.judge_card.annotators import annotations
    from cutscore.results.judge_card.people import disputes, unclear

    said = merge(labels)
    parts, open_ones, revise = annotations(said.labels), disputes(said.labels), unclear(said.labels, below=below)
    plain = {
        "labels": labels_digest(said.labels),
        "people": sorted({label.person for label in said.labels}),
        "parts": [part.as_json() for part in parts],
        "items": [_plain(each) for each in open_ones],
        "revise": [asdict(each) for each in revise],
    }
    text = [_table(parts), *_items(open_ones, most), *_revise(revise, below, most)]
    return Answer(plain, "\n".join(filter(None, text)), said.repeats)


def _plain(each: Disputed) -> dict[str, Any]:
    return {**each.about._asdict(), "disagreement": each.disagreement, "answers": each.said}


def _table(parts: Sequence[Annotation]) -> str:
    lines: list[tuple[str, ...]] = []
    for part in parts:
        who = f"{part.benchmark} {part.kind}".strip()
        shared = f"{count(len(part.people), 'person').replace('persons', 'people')}, {part.shared:,} of "
        lines.append((who, *_line(part.alpha), shared + f"{count(part.questions, 'question')} shared"))
        lines += [("", *_line(each), "") for each in (*part.pairs, *part.groups)]
    return columns(lines, right=(2,))


def _line(estimate: Estimate) -> tuple[str, ...]:
    """Return name, value, interval and counts, and where something is undefined, why."""
    name = " ".join([estimate.name, *(f"{key}={value}" for key, value in estimate.group.items())])
    why = estimate.method.removeprefix("undefined: ") if estimate.method.startswith("undefined") else ""
    return (name, *figures(estimate), why)


def _items(disputed: Sequence[Disputed], most: int) -> list[str]:
    """List the items on which people differ, the most disputed first."""
    differ = [each for each in disputed if each.disagreement]
    if not disputed:
        return []
    lines = [
        (number(each.disagreement), _named(each), ", ".join(f"{who}: {answer}" for who, answer in each.said.items()))
        for each in differ[:most]
    ]
    head = f"people differ on {len(differ):,} of {count(len(disputed), 'shared question')}"
    more = [f"… and {len(differ) - most:,} more; --json has all"] if len(differ) > most else []
    return [head + (", most disputed first:" if lines else ""), *([columns(lines)] if lines else []), *more]


def _revise(low: Sequence[Unclear], below: float, most: int) -> list[str]:
    """List the questions to be revised; those asked about one deliverable alone stand above already."""
    shown = [each for each in low if each.question and each.deliverables > 1]
    if not shown:
        return []
    lines = [
        (number(each.same), f"{each.item} {each.question}", f"of {count(each.deliverables, 'deliverable')}")
        for each in shown[:most]
    ]
    more = [f"… and {len(shown) - most:,} more; --json has all"] if len(shown) > most else []
    return [f"for revision, fewer than {below:.0%} of pairs say the same:", columns(lines), *more]


def _named(each: Disputed) -> str:
    about = each.about
    repeat = f"epoch {about.epoch}" if about.epoch > 1 else ""
    return " ".join(filter(None, [about.item, about.question, about.subject, repeat]))
