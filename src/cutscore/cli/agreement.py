"""`cutscore agreement`: how far people agree, and on which items they do not."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cutscore.cli.command import PATH, subcommand
from cutscore.cli.output import CommandOutput
from cutscore.cli.text_tables import align_columns, named_estimate_words, write_table
from cutscore.results.wording import count, number

if TYPE_CHECKING:
    from cutscore.core.label import Label
    from cutscore.results.judge_card.people import AnnotatorAgreement, DisputedQuestion, UnclearQuestion
    from cutscore.results.preferences import PreferenceTables

WIDTH = 120  # of a line that no terminal limits

EXAMPLES = """
  cutscore agreement labels.jsonl
  cutscore agreement ann.csv bo.csv cy.csv --most 50
  cutscore agreement pairs.csv --run logs
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
@click.option(
    "--run", "runs", multiple=True, type=PATH, metavar="RUN", help="Also: whether its scores prefer what people prefer."
)
def command(*, labels: tuple[Path, ...], most: int, below: float, runs: tuple[Path, ...]) -> CommandOutput:
    """How far people agree, from labels.

    LABELS are files of what people said: one JSON object a line, or CSV with one row a label. Anybody may have left out
    anything. Alpha is Krippendorff's, of all people; kappa is Cohen's, of every two; intervals draw items.

    With labels of pairs (kind pairwise, subject 'X vs Y') and a run: how far each score agrees, beyond chance, and how
    people and scores rank the subjects.
    """
    from cutscore.labels.files import labels_digest, merge_labels
    from cutscore.results.judge_card.people import annotator_agreements, disputes, find_unclear

    said = merge_labels(labels)
    parts, open_ones = annotator_agreements(said.labels), disputes(said.labels)
    revise = find_unclear(said.labels, below=below)
    preferred = _preferences(said.labels, runs) if runs else []
    plain = {
        "labels": labels_digest(said.labels),
        "people": sorted({label.person for label in said.labels}),
        "parts": [part.as_json() for part in parts],
        "items": [
            {**each.about._asdict(), "disagreement": each.disagreement, "answers": each.said} for each in open_ones
        ],
        "revise": [asdict(each) for each in revise],
        **({"preferences": [_plain(each) for each in preferred]} if runs else {}),
    }
    text = [_table(parts), *_items(open_ones, most), *_revise(revise, below, most), *map(_write, preferred)]
    remarks = [remark for each in preferred for remark in each.remarks]
    return CommandOutput(plain, "\n".join(filter(None, text)), (*said.repeats, *remarks))


def _preferences(labels: Sequence[Label], runs: Sequence[Path]) -> list[PreferenceTables]:
    from cutscore.results.benchmark import benchmark_results
    from cutscore.results.cells import read_runs
    from cutscore.results.preferences import compare_with_people

    return compare_with_people(labels, benchmark_results(read_runs(runs)))


def _plain(made: PreferenceTables) -> dict[str, Any]:
    return {"benchmark": made.title, "tables": [table.model_dump(mode="json") for table in made.tables]}


def _write(made: PreferenceTables) -> str:
    width = shutil.get_terminal_size((WIDTH, 0)).columns
    return "\n" + "\n\n".join([made.title, *(write_table(table, width=width) for table in made.tables)])


def _table(parts: Sequence[AnnotatorAgreement]) -> str:
    lines: list[tuple[str, ...]] = []
    for part in parts:
        who = f"{part.benchmark} {part.kind}".strip()
        shared = f"{count(len(part.people), 'person').replace('persons', 'people')}, {part.shared:,} of "
        lines.append((who, *named_estimate_words(part.alpha), shared + f"{count(part.questions, 'question')} shared"))
        lines += [("", *named_estimate_words(each), "") for each in (*part.pairs, *part.groups)]
    return align_columns(lines, right=(2,))


def _items(disputed: Sequence[DisputedQuestion], most: int) -> list[str]:
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
    return [head + (", most disputed first:" if lines else ""), *([align_columns(lines)] if lines else []), *more]


def _revise(low: Sequence[UnclearQuestion], below: float, most: int) -> list[str]:
    """List the questions to be revised; those asked about one deliverable alone stand above already."""
    shown = [each for each in low if each.question and each.deliverables > 1]
    if not shown:
        return []
    lines = [
        (number(each.same), f"{each.item} {each.question}", f"of {count(each.deliverables, 'deliverable')}")
        for each in shown[:most]
    ]
    more = [f"… and {len(shown) - most:,} more; --json has all"] if len(shown) > most else []
    return [f"for revision, fewer than {below:.0%} of pairs say the same:", align_columns(lines), *more]


def _named(each: DisputedQuestion) -> str:
    about = each.about
    repeat = f"epoch {about.epoch}" if about.epoch > 1 else ""
    return " ".join(filter(None, [about.item, about.question, about.subject, repeat]))
