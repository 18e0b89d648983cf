"""A benchmark → its own page: the finding, the plot, results of contestants and references, differences, notes."""

from collections.abc import Mapping
from dataclasses import dataclass

from cutscore.core.finding import score_key
from cutscore.core.row import Row
from cutscore.core.subject import ReferenceRole
from cutscore.report.benchmark_site import BenchmarkSite, SiteItem, natural_key, row_anchor
from cutscore.report.plot import DotPlot, dot_plot
from cutscore.results.cells import CellName
from cutscore.results.fitness import mostly_failed, unfit
from cutscore.results.headline import CellHeadline
from cutscore.results.summary import describe_cost
from cutscore.results.wording import count, digits_for, number


@dataclass(frozen=True)
class PageLink:
    """A place in the benchmark's folder."""

    href: str
    text: str


@dataclass(frozen=True)
class EstimateBlock:
    """The estimates of one score (and one group), one line for each cell."""

    heading: str
    about: str
    lines: tuple[CellHeadline, ...]


@dataclass(frozen=True)
class HeadlineRow:
    """A cell's headline in the first table, with what that adds to it; `role` is empty for one that competes."""

    line: CellHeadline
    role: ReferenceRole
    failures: str
    cost: str
    lowest: PageLink | None


@dataclass(frozen=True)
class BenchmarkPage:
    """What the page of one benchmark says."""

    plot: DotPlot | None
    contestants: tuple[HeadlineRow, ...]
    references: tuple[HeadlineRow, ...]
    blocks: tuple[EstimateBlock, ...]
    counted: str
    method: str
    notes: tuple[str, ...]


def benchmark_page(bench: BenchmarkSite, *, unscored_max: float) -> BenchmarkPage:
    """Lay out the page of one benchmark; above that share of unscored a cell is unfit."""
    lowest = {name.cell: _lowest(bench, name) for name in bench.names}

    def row(each: CellHeadline) -> HeadlineRow:
        cell = bench.cells[each.name.cell][1]
        return HeadlineRow(
            line=each,
            role=each.role,
            failures=_failures(cell.failures),
            cost=describe_cost(cell.rows),
            lowest=lowest[cell.id],
        )

    return BenchmarkPage(
        plot=dot_plot(
            bench.contestants,
            id=bench.folder,
            title=bench.finding,
            axis=f"{bench.score_label}, scale {bench.scale[0]:g} to {bench.scale[1]:g}",
            levels=list(bench.marks.items()),
            href=lambda cell: link.href if (link := lowest[cell]) else "",
            ratio=bench.is_ratio,
            chance=bench.levels.chance is not None,
            noun=bench.card.cluster_noun,
        ),
        contestants=tuple(map(row, bench.contestants)),
        references=tuple(map(row, bench.references)),
        blocks=_blocks(bench),
        counted=count_rows(bench),
        method="; ".join(sorted({each.estimate.method for each in bench.headlines if each.estimate.method})),
        notes=_notes(bench, unscored_max),
    )


def _failures(by_class: Mapping[str, int]) -> str:
    """Write how a subject failed; a single class is named without its count, which stands beside it."""
    names = {kind: kind.replace("_", " ") for kind in by_class}
    return ", ".join(f"{n:,} {names[kind]}" if len(by_class) > 1 else names[kind] for kind, n in by_class.items())


def count_rows(bench: BenchmarkSite) -> str:
    """Reconcile: items × epochs × subjects, how each row ended, and who lacks rows."""
    rows = bench.rows
    epochs = max((row.epoch for row in rows), default=0)
    expected = len(bench.items) * epochs * len(bench.names)
    parts = [count(len(bench.items), "item"), count(epochs, "epoch"), count(len(bench.names), "subject")]
    ended = ", ".join(
        f"{n:,} {status}"
        for status in ("marked", "unscored", "stopped")
        if (n := sum(row.ending.status == status for row in rows)) or status != "stopped"
    )
    failed = sum(row.failed for row in rows)
    ended += f"; {failed:,} of the marked ones failed" if failed else ""
    text = f"{' × '.join(parts)}: {count(len(rows), 'row')}, {ended}"
    if len(rows) < expected:
        text += f"; {expected - len(rows):,} of {expected:,} are not there"
    return text


def _blocks(bench: BenchmarkSite) -> tuple[EstimateBlock, ...]:
    """Return every estimate but the headline: other modes and scores first, then groups, cells always in one order."""
    found: dict[tuple[str, str], list[CellHeadline]] = {}
    headlines = {each.name.cell: each.estimate for each in bench.headlines}
    for name in sorted(bench.names, key=lambda name: bool(bench.role(name.cell))):  # contestants first
        for estimate in bench.cells[name.cell][0].estimates[name.cell]:
            if estimate is not headlines.get(name.cell):
                group = ", ".join(f"{stratum} = {value}" for stratum, value in sorted(estimate.group.items()))
                heading = (score_key(estimate.name, estimate.mode), group)
                found.setdefault(heading, []).append(CellHeadline(name, estimate))
    scores = bench.own_card.scores if bench.own_card else {}

    def head(key: str, group: str) -> tuple[str, str]:
        name = key.partition("@")[0]
        if group:
            return group, bench.card.label(name)
        return bench.card.label(name), ": ".join(filter(None, [key, scores[name].about if name in scores else ""]))

    order = sorted(found, key=lambda heading: (bool(heading[1]), natural_key(heading[1]) if heading[1] else ()))
    return tuple(EstimateBlock(*head(key, group), tuple(found[key, group])) for key, group in order)


def _lowest(bench: BenchmarkSite, name: CellName) -> PageLink | None:
    """Return the item where a cell lost most, at the place in the clip that says why; None when it lost nothing."""
    marked: list[tuple[float, int, SiteItem, Row]] = []
    for index, item in enumerate(bench.items):
        for row in item.rows:
            score = bench.score(row) if row.cell == name.cell else None
            if score is not None and score < bench.scale[1]:
                marked.append((score, index, item, row))
    if not marked:
        return None
    score, _, item, row = min(marked, key=lambda each: each[:2])
    text = f"{item.id} ({number(score, digits_for(bench.scale))})"
    return PageLink(f"items/{item.stem}.html#{row_anchor(bench, item, row)}", text)


def _notes(bench: BenchmarkSite, unscored_max: float) -> tuple[str, ...]:
    card = bench.card
    faults = [*mostly_failed(bench.results), *unfit(bench.results, most=unscored_max)]
    faults += [f"its tables could not be made: {each.tables.fault}" for each in bench.results if each.tables.fault]
    if card.version != bench.version:
        other = f"rows are of version {bench.version}, the card here is of version {card.version}: levels not shown"
        return (*faults, other)
    return (*faults, *card.known_gaps)
