"""Pairs of cells → the compare page: by how much, whether chance can be ruled out, on which items, and what differs.

That no difference is seen is said as plainly as the opposite. Settings that two cells do not share stand beside their
difference, since a difference between two frame plans is no difference between two models.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cutscore.core.card import Card
from cutscore.core.row import Row
from cutscore.report.benchmark_site import BenchmarkSite, SiteItem, row_anchor
from cutscore.report.embed import Media
from cutscore.report.page_parts import player_seconds
from cutscore.report.plot import MOST_LABEL, DotPlot, Point, lay_out_plot, shorten_label, tight_scale
from cutscore.results.cells import CellName
from cutscore.results.comparison import Comparison
from cutscore.results.flips import Flip, FlipSide
from cutscore.results.pairs import CellComparison
from cutscore.results.settings_diff import differing_settings, settings_of, short_value
from cutscore.results.wording import count, counted, digits_for, figures, names, number, p_value, tone

PAGE = "compare.html"
# More dots in one drawing nobody compares; the rest is in the sections below it.
MOST_DRAWN = 28
MOST_FLIPS = 12  # of each pair


@dataclass(frozen=True)
class FlipCell:
    """A score of a flip, coloured as everywhere, where it leads, and the film that was handed in, from the root."""

    text: str
    tone: str
    href: str
    because: str
    film: str = ""


FlipRow = tuple[str, str, tuple[FlipCell, FlipCell]]  # id and page of an item, and both scores


@dataclass(frozen=True)
class PairSection:
    """Two cells on the page."""

    id: str
    first: CellName
    second: CellName
    finding: str
    figures: tuple[tuple[str, str], ...]
    settings: tuple[tuple[str, str, str], ...]
    flips: tuple[FlipRow, ...]
    more: str


@dataclass(frozen=True)
class ComparePage:
    """All pairs of a benchmark."""

    title: str
    plot: DotPlot | None
    pairs: tuple[PairSection, ...]


def compare_page(bench: BenchmarkSite, media: Media) -> ComparePage | None:
    """Lay out the comparison of a benchmark's cells; None when there is nothing to compare."""
    found = bench.comparisons
    if not found:
        return None
    settings = {cell: settings_of(each) for cell, (_, each) in bench.cells.items()}
    items = {item.id: item for item in bench.items}
    sections = tuple(
        _section(f"d{place}", pair, bench=bench, media=media, items=items, settings=settings)
        for place, pair in enumerate(found, start=1)
    )
    return ComparePage(_title(bench.name, found), _plot(bench, found, sections), sections)


def _title(bench: str, found: Sequence[CellComparison]) -> str:
    """Return the finding: in how many pairs a difference is seen, or what is said of the only one."""
    if len(found) == 1:
        return f"{bench}: {pair_finding(found[0].comparison)}"
    apart = sum(pair.comparison.separable is True for pair in found)
    return f"{bench}: a difference is seen in {apart or 'none'} of {len(found)} pairs"


def _plot(bench: BenchmarkSite, found: Sequence[CellComparison], sections: Sequence[PairSection]) -> DotPlot:
    points = [
        Point(
            _pair_label(each.first.label, each.second.label),
            pair.comparison.difference.estimate,
            f"#{each.id}",
            leads="see this pair",
            hollow=not pair.comparison.separable,
        )
        for pair, each in zip(found[:MOST_DRAWN], sections, strict=False)
    ]
    return lay_out_plot(
        points,
        id="compare-plot",
        title="Paired differences",
        axis=f"difference of {bench.score_label}",
        caption=f"Dots are {'differences of ratios' if bench.is_ratio else 'mean differences'} on the items that both "
        "have, bars 95% intervals of each pair by itself. A ring is a pair in which no difference is seen, whatever "
        f"its bar says: among so many comparisons, or so few {bench.card.cluster_noun}s, it may be chance.",
        levels=[("no difference", 0.0)],
        ends=tight_scale(points, [0.0]),
    )


def _pair_label(first: str, second: str) -> str:
    """Name a pair in the room that a dot's name has; what is cut is cut on both sides, so that both can be told.

    >>> _pair_label("reader", "blind"), _pair_label("anthropic/claude-opus-4-7", "openai/gpt-5.5")
    ('reader − blind', 'anthropic/claude… − openai/gpt-5.5')
    """
    room = MOST_LABEL - len(" − ")
    left = shorten_label(first, max(room // 2, room - len(second)) - 1)
    return f"{left} − {shorten_label(second, room - len(left))}"


def _section(
    id: str,
    pair: CellComparison,
    *,
    bench: BenchmarkSite,
    media: Media,
    items: Mapping[str, SiteItem],
    settings: Mapping[str, Mapping[str, Any]],
) -> PairSection:
    first, second = (next(name for name in bench.names if name.cell == cell.id) for cell in (pair.first, pair.second))
    flips = tuple(_flip_row(bench, pair, flip, items[flip.item], media) for flip in pair.flips(MOST_FLIPS))
    left = len(pair.items) - len(flips)
    differ = differing_settings({name.cell: settings[name.cell] for name in (first, second)})
    return PairSection(
        id=id,
        first=first,
        second=second,
        finding=pair_finding(pair.comparison),
        figures=_figures(pair.comparison, bench.card),
        settings=tuple(
            (setting, short_value(each[first.cell]), short_value(each[second.cell])) for setting, each in differ.items()
        ),
        flips=flips,
        more=f"on {count(left, 'other item')}" if left > 0 else "",
    )


def pair_finding(comparison: Comparison) -> str:
    """Describe in a sentence what two cells let one say; a verdict that names nobody follows both names."""
    both = names([comparison.difference.first, comparison.difference.second])
    return comparison.verdict if comparison.separable else f"{both}: {comparison.verdict}"


def _figures(comparison: Comparison, card: Card) -> tuple[tuple[str, str], ...]:
    difference, estimate = comparison.difference, comparison.difference.estimate
    value, ends = figures(estimate)
    left_out = difference.only_first + difference.only_second
    reach = comparison.detectable
    made = [("difference", value), ("95% interval", ends), ("on", counted(estimate, card))]
    made += [("adjusted p", p_value(comparison.p_adjusted))] if comparison.p_adjusted is not None else []
    made += [("could have shown", number(reach, digits_for(estimate.scale)))] if reach is not None else []
    made += [("unscored", f"{comparison.unscored:,}")] if comparison.unscored else []
    made += [("without a partner", f"{left_out:,}")] if left_out else []
    return (*made, ("test", comparison.test.method))


def _flip_row(bench: BenchmarkSite, pair: CellComparison, flip: Flip, item: SiteItem, media: Media) -> FlipRow:
    page = f"items/{item.stem}.html"

    def cell(id: str, side: FlipSide) -> FlipCell:
        mine = [row for row in item.rows if row.cell == id]
        row = next((row for row in mine if row.epoch == side.epoch), mine[0] if mine else None)
        return FlipCell(
            text=number(side.value, digits_for(bench.scale)),
            tone=tone(side.value, bench.scale),
            href=f"{page}#{row_anchor(bench, item, row)}" if row else page,
            because=side.finding.because if side.finding is not None else "",
            film=_film(bench, row, side, media) if row else "",
        )

    return flip.item, page, (cell(pair.first.id, flip.first), cell(pair.second.id, flip.second))


def _film(bench: BenchmarkSite, row: Row, side: FlipSide, media: Media) -> str:
    """Return where the film lies that a subject handed in, at the second of the finding; empty where there is none."""
    files = [media.show(ref, bench.stores[row.cell]) for ref in row.deliverable.files]
    film = next((file.href for file in files if file.tag == "video" and file.href), "")
    at = side.finding.at if side.finding is not None else None
    return f"{film}#t={player_seconds(at.start_s)}" if film and at else film
