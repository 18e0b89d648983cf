"""`cutscore report`: run folders → a static site that opens from disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cutscore.cli.command import PATH, subcommand
from cutscore.cli.output import Answer
from cutscore.cli.progress import style, waiting, watching
from cutscore.cli.tables import tables_of
from cutscore.core.errors import BadInput, Stopped
from cutscore.results.reading import read_runs
from cutscore.results.sections import Section, outdated, sections, unfit, unfit_cell
from cutscore.results.settings_diff import differing, settings_of, short
from cutscore.results.wording import count

if TYPE_CHECKING:
    from cutscore.core.files import FileStore
    from cutscore.core.row import Row
    from cutscore.report.embed import How
    from cutscore.report.journey import Price
    from cutscore.results.flips import Part
    from cutscore.results.judge_card.card import Part as CardPart
    from cutscore.results.report_data import Contrast, Duel, JudgeTold, Result, TableSet
    from cutscore.results.verdicts import Versus

MOST_FLIPS = 12  # of each pair


@subcommand("report", examples="  cutscore report logs -o site\n  cutscore report logs/colorbars other-run -o site")
@click.argument("runs", nargs=-1, required=True, type=PATH, metavar="RUN...")
@click.option("-o", "--out", type=PATH, required=True, metavar="DIR", help="Folder of the site.")
@click.option("--title", default="", help="What it shows; made from the results when left out.")
@click.option(
    "--media",
    type=click.Choice(["link", "copy", "leave"]),
    default="link",
    show_default=True,
    help="Films and pictures: share them with the run, copy them, or leave them out.",
)
def command(*, runs: tuple[Path, ...], out: Path, title: str, media: How) -> Answer:
    """A static site that opens from disk.

    RUN is a run folder, a benchmark's folder in it, or one cell's folder. DIR may hold an earlier report and nothing
    else; the old one stays until the new one is whole.
    """
    from cutscore.settings import load_settings

    settings = load_settings()
    with waiting("reading logs"):
        cells = read_runs(runs)
    parts = sections(cells)
    page = write_site(parts, out, title=title, media=media)
    rows = sum(len(each.rows) for each in cells)
    plain = {"site": str(out), "page": str(page), "cells": len(cells), "rows": rows}
    said = f"{count(rows, 'row')} of {count(len(cells), 'cell')}\n{opening(page)}"
    return Answer(plain, said, (*outdated(parts), *unfit(parts, most=settings.unscored_max)))


def opening(page: Path) -> str:
    """Describe how to look at a page."""
    return f"report: {page}\nopen {page.resolve().as_uri()} in a browser"


def write_site(parts: Sequence[Section], out: Path, *, title: str = "", media: How = "link") -> Path:
    """Build the site of some benchmarks' cells and give the path of its first page."""
    from cutscore.bridge.progress import SampleDone
    from cutscore.bridge.rows import read_prices
    from cutscore.redaction import redactor
    from cutscore.report.journey import unpriced
    from cutscore.report.site import build_site
    from cutscore.settings import load_settings

    settings = load_settings()
    cells = [each for part in parts for each in part.cells]
    stores = {(each.record.cell.benchmark, each.id): each.record.store for each in cells}

    prices = {(each.record.cell.benchmark, each.id): read_prices(each.record.folder) for each in cells}

    def shelf_of(row: Row) -> FileStore:
        return stores[row.benchmark, row.cell]

    def price(row: Row) -> Price:
        known = prices[row.benchmark, row.cell]
        return (lambda usage: known.cost_usd(row.model, usage)) if known and row.model else unpriced

    rows = [row for each in cells for row in each.rows]
    items = len({(row.benchmark, row.version, row.item) for row in rows})
    with watching("pages", total=items, done=0, style="bar" if style() == "bar" else "none") as listener:
        return build_site(
            rows,
            cards={part.card.name: part.card for part in parts},
            estimates=[result for part in parts for result in _results(part, settings.unscored_max)],
            differences=[contrast for part in parts for contrast in _contrasts(part)],
            tables=[_tables(part) for part in parts],
            duels=[duel for part in parts for duel in _duels(part)],
            judges=[judge for part in parts for judge in _judges(part)],
            shelf_of=shelf_of,
            price=price,
            out=out,
            how=media,
            title=title,
            clean=redactor(names=settings.secret_env).text,
            tell=lambda item: listener(SampleDone(item=item, epoch=1, failed=False)),
        )


def _results(part: Section, most: float) -> list[Result]:
    from cutscore.results.report_data import Result

    return [
        Result(
            benchmark=part.card.name,
            version=each.record.cell.version,
            cell=each.id,
            subject=each.label,
            model=each.record.cell.model,
            mode=each.record.cell.mode or part.mode,
            estimates=part.estimates[each.id],
            unfit=tuple(unfit_cell(part, each, most)),
            arm=part.arm(each),
        )
        for each in part.cells
    ]


def _contrasts(part: Section) -> list[Contrast]:
    from cutscore.results.report_data import Contrast

    version = part.cells[0].record.cell.version
    return [
        Contrast(part.card.name, version, each.difference, each.separable, each.lacking) for each in part.differences
    ]


def _duels(part: Section) -> list[Duel]:
    settings = {each.id: settings_of(each) for each in part.cells} if part.verdicts else {}
    return [_duel(part, each, settings) for each in part.verdicts]


def _judges(part: Section) -> list[JudgeTold]:
    from cutscore.results.calibration import judges_of
    from cutscore.results.report_data import Calibrated, Corrected, JudgeTold

    return [
        JudgeTold(
            benchmark=part.card.name,
            version=part.cells[0].record.cell.version,
            judge=each.judge,
            calibrated=each.calibrated,
            because=each.because,
            scores=tuple(
                Corrected(score.subject, score.kind, score.score.raw, score.score.corrected, score.score.because)
                for score in each.scores
            ),
            parts=tuple(
                Calibrated(_part_title(kind), kind.estimates, kind.people)
                for kind in (each.card.parts if each.card else ())
                if kind.benchmark == part.card.name
            ),
            flips=each.card.flips if each.card else None,
        )
        for each in judges_of(part)
    ]


def _part_title(part: CardPart) -> str:
    group = ", ".join(f"{name} {value}" for name, value in part.group.items())
    return f"{part.kind.replace('_', '/')}{f', {group}' if group else ''}, {count(part.n, 'question')}"


def _duel(part: Section, pair: Versus, settings: Mapping[str, Mapping[str, Any]]) -> Duel:
    from cutscore.results.report_data import Duel, Flipped

    made = pair.comparison
    first, second = (each.id for each in (pair.first, pair.second))
    differ = differing({cell: settings[cell] for cell in (first, second)})
    return Duel(
        benchmark=part.card.name,
        version=part.cells[0].record.cell.version,
        first=first,
        second=second,
        difference=made.difference,
        separable=made.separable,
        p_adjusted=made.p_adjusted,
        test=made.test.method,
        detectable=made.detectable,
        unscored=made.unscored,
        lacking=made.lacking,
        differ=len(pair.items),
        flips=tuple(
            Flipped(each.item, each.first.value, each.second.value, _why(each.first), _why(each.second))
            for each in pair.flips(MOST_FLIPS)
        ),
        settings=tuple((name, short(each[first]), short(each[second])) for name, each in differ.items()),
    )


def _why(part: Part) -> str:
    return part.finding.because if part.finding is not None else ""


def _tables(part: Section) -> TableSet:
    """Make the tables of a benchmark; a benchmark that lacks something costs its tables, not the report."""
    from cutscore.results.report_data import TableSet

    version = part.cells[0].record.cell.version
    try:
        return TableSet(part.card.name, version, tables_of(part).tables, mode=part.mode)
    except (BadInput, Stopped) as fault:
        return TableSet(part.card.name, version, mode=part.mode, fault=str(fault))
