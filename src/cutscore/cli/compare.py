"""`cutscore compare`: paired differences of cells, what they allow one to say, and which settings differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from cutscore.cli.command import PATH, subcommand
from cutscore.cli.output import Answer
from cutscore.results.pairing import Field, Side, pairing
from cutscore.results.sections import CellResult, Section, outdated
from cutscore.results.settings_diff import CAUTIONS, differing, settings_of
from cutscore.results.verdicts import Versus, family

if TYPE_CHECKING:
    from cutscore.core.estimate import Estimate
    from cutscore.results.comparison import Comparison
    from cutscore.results.estimates import ItemScores, View
    from cutscore.results.flips import Flip

EXAMPLES = """
  cutscore compare old new                    each cell of old with each of new
  cutscore compare logs                       all cells of a run with each other
  cutscore compare logs --all                 every score and group, not the headline alone
  cutscore compare logs/colorbars/blind-… logs/colorbars/oracle-… --flips 5
"""


@dataclass(frozen=True)
class Bout:
    """Two cells in one view.

    Args:
        differ: How many of their items have two different scores.
        flips: Those that differ most, as many as were asked for.
    """

    first: Side
    second: Side
    comparison: Comparison
    differ: int
    flips: tuple[Flip, ...]

    @property
    def title(self) -> str:
        return f"{self.first.key} − {self.second.key}"


@dataclass(frozen=True)
class Contest:
    """All cells of a benchmark in one view.

    Args:
        estimates: Of each cell by itself, by its key.
    """

    field: Field
    view: View
    estimates: dict[str, Estimate]
    bouts: tuple[Bout, ...]


@subcommand("compare", examples=EXAMPLES)
@click.argument("runs", nargs=-1, required=True, type=PATH, metavar="RUN...")
@click.option("--all", "everything", is_flag=True, help="Compare every score, mode and group, not the headline alone.")
@click.option(
    "--flips", type=click.IntRange(min=0), default=0, metavar="N", help="List the N items on which two differ most."
)
def command(*, runs: tuple[Path, ...], everything: bool, flips: int) -> Answer:
    """Paired differences of cells, and which settings differ.

    With two RUNs every cell of the first is compared with every cell of the second one that has the same benchmark;
    with one or more than two, all cells with each other (of more than eight, each with the best). Only items that both
    have count.
    """
    from cutscore.cli.contrasts import text

    paired = pairing(runs)
    contests = [each for field in paired.fields for each in _contests(field, everything=everything, flips=flips)]
    settings = {side.key: settings_of(side.cell) for field in paired.fields for side in field.sides}
    differ = [(field, differing({side.key: settings[side.key] for side in field.sides})) for field in paired.fields]
    cautions = [f"{field.title}: {CAUTIONS[name]}" for field, names in differ for name in CAUTIONS if name in names]
    old = outdated([Section(each.card, tuple(side.cell for side in each.sides)) for each in paired.fields])
    plain = {
        "tests": sum(bout.comparison.p_adjusted is not None for each in contests for bout in each.bouts),
        "cells": [_cell(side, contests) for field in paired.fields for side in field.sides],
        "pairs": [_pair(each, bout, settings) for each in contests for bout in each.bouts],
        "settings": [
            {"benchmark": field.card.name, "version": field.version, "name": name, "values": values}
            for field, names in differ
            for name, values in names.items()
        ],
    }
    words = " ".join(quote(str(run)) for run in runs)
    then = f"cutscore report {words} -o site" if flips else f"cutscore compare {words} --flips 5"
    return Answer(plain, text(contests, differ, then=then), (*paired.warnings, *old, *cautions))


def _contests(field: Field, *, everything: bool, flips: int) -> Iterator[Contest]:
    """Compare what is paired in one benchmark, with as many flips of each pair as are asked for.

    The headline is judged by itself, so that its verdicts are those of `run` and `report` whatever stands beside it.
    All other views that are shown are judged together.
    """
    from cutscore.results.estimates import estimate_views, item_scores

    label = {id(side.cell): side.label for side in field.sides}

    def scores(cell: CellResult, view: View) -> ItemScores:
        return item_scores(cell.rows, view, label=label[id(cell)])

    pairs = [(one.cell, two.cell) for one, two in field.pairs]
    first, *others = _views(field, everything=everything)
    found = iter([*family(pairs, [first], field.card, scores), *family(pairs, others, field.card, scores)])
    for view in (first, *others):
        alone = estimate_views([(side.cell.rows, view) for side in field.sides], field.card)
        estimates = {side.key: each for side, each in zip(field.sides, alone, strict=True)}
        bouts = tuple(_bout(*pair, next(found), flips=flips) for pair in field.pairs)
        yield Contest(field, view, estimates, bouts)


def _bout(one: Side, two: Side, made: Versus, *, flips: int) -> Bout:
    return Bout(one, two, made.comparison, len(made.items), made.flips(flips))


def _views(field: Field, *, everything: bool) -> list[View]:
    """Choose what is compared: the headline and beside it the strict one, or all that any cell has a score for."""
    from cutscore.results.estimates import View, views

    rows = [row for side in field.sides for row in side.cell.rows]
    first, *others = views(rows, field.card, field.mode)
    if everything:
        scored = {key for row in rows for key in row.ending.scores}
        return [first, *(view for view in others if view.key in scored)]
    strict = View(first.name, "strict")
    return [first, strict] if strict in others else [first]


def _cell(side: Side, contests: Sequence[Contest]) -> dict[str, Any]:
    cell = side.cell.record.cell
    return {
        "key": side.key,
        "label": side.label,
        "benchmark": cell.benchmark,
        "version": cell.version,
        "id": cell.id,
        "subject": cell.subject.label,
        "model": cell.model or None,
        "folder": str(side.cell.record.folder),
        "estimates": [each.estimates[side.key].as_json() for each in contests if side.key in each.estimates],
    }


def _pair(contest: Contest, bout: Bout, settings: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    keys = [bout.first.key, bout.second.key]
    differ = differing({key: settings[key] for key in keys})
    return {
        "benchmark": contest.field.card.name,
        "version": contest.field.version,
        "keys": keys,
        "cells": [bout.first.cell.record.cell.id, bout.second.cell.record.cell.id],
        **bout.comparison.as_json(),
        "items_differ": bout.differ,
        "flips": [flip.as_json() for flip in bout.flips],
        "differs": {name: list(values.values()) for name, values in differ.items()},
    }
