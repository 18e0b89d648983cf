"""Pairs of cells → the compare page: by how much, whether chance can be ruled out, on which items, and what differs.

"Not separable" is said as plainly as the opposite. Settings that two cells do not share stand beside their difference,
since a difference between two frame plans is no difference between two models.
"""

from dataclasses import dataclass
from fractions import Fraction

from cutscore.report.gather import Bench, Entry
from cutscore.report.plot import DotPlot, Point, laid_out, tight_scale
from cutscore.results.report_data import Duel, Flipped, Who
from cutscore.results.wording import count, digits_for, interval, names, number, tone

PAGE = "compare.html"
# More dots in one drawing nobody compares; the rest is in the sections below it.
MOST_DRAWN = 28
_THOUSANDTH = Fraction(1, 1000)


@dataclass(frozen=True)
class Cell:
    """A score of a flip, coloured as everywhere, and where it leads."""

    text: str
    tone: str
    href: str
    because: str


@dataclass(frozen=True)
class FlipLine:
    """An item on which two differ."""

    item: str
    href: str
    first: Cell
    second: Cell


@dataclass(frozen=True)
class DuelSection:
    """Two cells on the page."""

    id: str
    first: Who
    second: Who
    finding: str
    figures: tuple[tuple[str, str], ...]
    settings: tuple[tuple[str, str, str], ...]
    flips: tuple[FlipLine, ...]
    more: str


@dataclass(frozen=True)
class ComparePage:
    """All pairs of a benchmark."""

    title: str
    plot: DotPlot | None
    duels: tuple[DuelSection, ...]


def compare_page(bench: Bench) -> ComparePage | None:
    """Lay out the comparison of a benchmark's cells; None when there is nothing to compare."""
    if not bench.duels:
        return None
    who = {each.cell: each for each in bench.whos}
    entries = {entry.item: entry for entry in bench.entries}
    sections = tuple(
        _section(f"d{place}", duel, (who[duel.first], who[duel.second]), bench=bench, entries=entries)
        for place, duel in enumerate(bench.duels, start=1)
    )
    return ComparePage(_title(bench), _plot(bench, sections), sections)


def _title(bench: Bench) -> str:
    """Return the finding: how many pairs can be told apart."""
    told, pairs = sum(duel.separable is True for duel in bench.duels), len(bench.duels)
    if pairs == 1:
        return f"{bench.name}: the two {'can' if told else 'cannot'} be told apart"
    return f"{bench.name}: {told or 'none'} of {pairs} pairs can be told apart"


def _plot(bench: Bench, sections: tuple[DuelSection, ...]) -> DotPlot:
    points = [
        Point(
            f"{each.first.label} − {each.second.label}",
            duel.difference.estimate,
            f"#{each.id}",
            leads="see this pair",
            hollow=not duel.separable,
        )
        for duel, each in zip(bench.duels[:MOST_DRAWN], sections, strict=False)
    ]
    return laid_out(
        points,
        id="compare-plot",
        title="Paired differences",
        axis=f"difference of {bench.headline_name}",
        caption="Dots are mean differences, bars 95% intervals of each pair by itself. A ring is a pair that cannot be "
        "told apart, whatever its bar says: among so many comparisons, or so few clusters, it may be chance.",
        levels=[("no difference", 0.0)],
        ends=tight_scale(points, [0.0]),
    )


def _section(id: str, duel: Duel, whos: tuple[Who, Who], *, bench: Bench, entries: dict[str, Entry]) -> DuelSection:
    first, second = whos
    flips = tuple(_flip(bench, duel, each, entries[each.item]) for each in duel.flips if each.item in entries)
    left = duel.differ - len(flips)
    return DuelSection(
        id=id,
        first=first,
        second=second,
        finding=verdict(duel, first.label, second.label),
        figures=_figures(duel),
        settings=duel.settings,
        flips=flips,
        more=f"on {count(left, 'other item')}" if left > 0 else "",
    )


def verdict(duel: Duel, first: str, second: str) -> str:
    """Say in a sentence what two cells let one say."""
    value = duel.difference.estimate.value
    if value is None:
        return f"{names([first, second])} have no marked item in common"
    if duel.lacking:
        few = f"{duel.difference.estimate.clusters:,} and it takes {duel.lacking:,}"
        return f"{names([first, second])} cannot be told apart: too few clusters, {few}"
    if not duel.separable:
        return f"{names([first, second])} are not separable at 95%"
    ahead, behind = (first, second) if value > 0 else (second, first)
    return f"{ahead} is ahead of {behind} by {number(abs(value), digits_for(duel.difference.estimate.scale))}"


def _figures(duel: Duel) -> tuple[tuple[str, str], ...]:
    estimate = duel.difference.estimate
    digits = digits_for(estimate.scale)
    left_out = duel.difference.only_first + duel.difference.only_second
    told = [
        ("difference", number(estimate.value, digits)),
        ("95% interval", interval(estimate.low, estimate.high, digits)),
        ("n in clusters", f"{estimate.n:,} in {estimate.clusters:,}"),
        ("adjusted p", _p(duel.p_adjusted)),
        ("could have shown", "undefined" if duel.detectable is None else number(duel.detectable, digits)),
    ]
    told += [("unscored", f"{duel.unscored:,}")] if duel.unscored else []
    told += [("without a partner", f"{left_out:,}")] if left_out else []
    return (*told, ("test", duel.test))


def _p(value: float | None) -> str:
    if value is None:
        return "undefined"
    return "<0.001" if value < _THOUSANDTH else number(value, 3)


def _flip(bench: Bench, duel: Duel, flip: Flipped, entry: Entry) -> FlipLine:
    page = f"items/{entry.stem}.html"

    def cell(id: str, value: float, because: str) -> Cell:
        place = next((n for n, row in enumerate(entry.rows, start=1) if row.cell == id), None)
        href = f"{page}#r{place}" if place else page
        return Cell(number(value, digits_for(bench.scale)), tone(value, bench.scale), href, because)

    return FlipLine(
        flip.item,
        page,
        cell(duel.first, flip.first, flip.first_because),
        cell(duel.second, flip.second, flip.second_because),
    )
