"""A benchmark → what the front page says of it: the finding, the plot, the tables, the differences."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cutscore.core.finding import score_key
from cutscore.core.row import Row
from cutscore.report.benchmark_site import BenchmarkSite, SiteItem, natural_key, row_anchor
from cutscore.report.compare_page import PAGE as COMPARE_PAGE
from cutscore.report.judge_page import PAGE as JUDGE_PAGE
from cutscore.report.plot import DotPlot, dot_plot
from cutscore.results.cells import CellName
from cutscore.results.fitness import mostly_failed, unfit
from cutscore.results.headline import CellHeadline
from cutscore.results.summary import describe_cost
from cutscore.results.wording import count, digits_for, number

TABLES_PAGE = "tables.html"  # in the benchmark's folder


@dataclass(frozen=True)
class PageLink:
    """A place in the site, from its root."""

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
    """A cell's headline in the first table, with what that adds to it."""

    line: CellHeadline
    failures: str
    cost: str
    lowest: PageLink | None


@dataclass(frozen=True)
class BenchmarkOverview:
    """One benchmark on the front page; pages that it does not have are empty."""

    bench: BenchmarkSite
    plot: DotPlot | None
    score: str
    headlines: tuple[HeadlineRow, ...]
    blocks: tuple[EstimateBlock, ...]
    counted: str
    method: str
    tables: str
    compare: str
    judge: str
    notes: tuple[str, ...]


def overview(bench: BenchmarkSite, *, unscored_max: float) -> BenchmarkOverview:
    """Lay out everything that the front page says of one benchmark; above that share of unscored a cell is unfit."""
    lowest = {name.cell: _lowest(bench, name) for name in bench.names}
    first = bench.headlines[0].estimate if bench.headlines else None
    key = score_key(first.name, first.mode) if first else bench.headline_name
    return BenchmarkOverview(
        bench=bench,
        plot=dot_plot(
            bench.headlines,
            id=bench.folder,
            title=bench.finding,
            axis=f"{key}, scale {bench.scale[0]:g} to {bench.scale[1]:g}",
            levels=bench.levels,
            href=lambda cell: link.href if (link := lowest[cell]) else "",
            ratio=bench.is_ratio,
        ),
        score=key,
        headlines=tuple(
            HeadlineRow(
                line=each,
                failures=_failures(bench.cells[each.name.cell][1].failures),
                cost=describe_cost(bench.cells[each.name.cell][1].rows),
                lowest=lowest[each.name.cell],
            )
            for each in bench.headlines
        ),
        blocks=_blocks(bench),
        counted=count_rows(bench),
        method="; ".join(sorted({each.estimate.method for each in bench.headlines if each.estimate.method})),
        tables=f"{bench.folder}/{TABLES_PAGE}" if any(each.tables.tables for each in bench.results) else "",
        compare=f"{bench.folder}/{COMPARE_PAGE}" if bench.comparisons else "",
        judge=f"{bench.folder}/{JUDGE_PAGE}" if any(row.judgements for row in bench.rows) else "",
        notes=_notes(bench, unscored_max),
    )


def _failures(by_class: Mapping[str, int]) -> str:
    """Write how a subject failed; a single class is named without its count, which stands beside it."""
    names = {kind: kind.replace("_", " ") for kind in by_class}
    return ", ".join(f"{n:,} {names[kind]}" if len(by_class) > 1 else names[kind] for kind, n in by_class.items())


def site_title(overviews: Sequence[BenchmarkOverview]) -> str:
    """Return the finding of the whole site."""
    if not overviews:
        return "nothing was measured"
    if len(overviews) == 1:
        return f"{overviews[0].bench.name}: {overviews[0].bench.finding}"
    leads = {each.bench.finding.split(";")[0] for each in overviews}
    if len(leads) == 1:
        return f"{leads.pop()} on {'both' if len(overviews) == 2 else f'all {len(overviews)}'} benchmarks"
    tops = Counter(each.bench.headlines[0].label for each in overviews if each.bench.headlines)
    if not tops:
        return "nothing was marked"
    label, n = min(tops.items(), key=lambda top: (-top[1], top[0]))
    return f"{label} is highest on {n} of {len(overviews)} benchmarks"


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
    for name in bench.names:
        for estimate in bench.cells[name.cell][0].estimates[name.cell]:
            if estimate is not headlines.get(name.cell):
                group = ", ".join(f"{stratum} = {value}" for stratum, value in sorted(estimate.group.items()))
                heading = (score_key(estimate.name, estimate.mode), group)
                found.setdefault(heading, []).append(CellHeadline(name, estimate))
    scores = bench.own_card.scores if bench.own_card else {}

    def about(key: str, group: str) -> str:
        name = key.partition("@")[0]
        return scores[name].about if name in scores and not group else ""

    order = sorted(found, key=lambda heading: (bool(heading[1]), natural_key(heading[1]) if heading[1] else ()))
    return tuple(
        EstimateBlock(group or key, about(key, group) or (key if group else ""), tuple(found[key, group]))
        for key, group in order
    )


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
    return PageLink(f"{bench.folder}/items/{item.stem}.html#{row_anchor(bench, item, row)}", text)


def _notes(bench: BenchmarkSite, unscored_max: float) -> tuple[str, ...]:
    card = bench.card
    faults = [*mostly_failed(bench.results), *unfit(bench.results, most=unscored_max)]
    faults += [f"its tables could not be made: {each.tables.fault}" for each in bench.results if each.tables.fault]
    if card.version != bench.version:
        other = f"rows are of version {bench.version}, the card here is of version {card.version}: levels not shown"
        return (*faults, other)
    return (*faults, *card.known_gaps)
