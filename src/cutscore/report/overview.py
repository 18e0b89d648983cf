"""A `Bench` → what the front page says of it: the finding, the plot, the tables, the differences."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from cutscore.core.estimate import Estimate
from cutscore.core.finding import score_key
from cutscore.core.row import Row
from cutscore.report.duels import PAGE as COMPARE_PAGE
from cutscore.report.gather import Bench, Entry, anchor, natural
from cutscore.report.headline import finding
from cutscore.report.judging import PAGE as JUDGE_PAGE
from cutscore.report.plot import DotPlot, dot_plot
from cutscore.results.report_data import Contrast, Who
from cutscore.results.wording import cost, count, digits_for, interval, number, verdict

TABLES_PAGE = "tables.html"  # in the benchmark's folder


@dataclass(frozen=True)
class Link:
    """A place in the site, from its root."""

    href: str
    text: str


@dataclass(frozen=True)
class Line:
    """One estimate of one cell, as a table shows it."""

    who: Who
    value: str
    interval: str
    n: str
    unscored: str
    bounds: str


@dataclass(frozen=True)
class Block:
    """The estimates of one score (and one group), one line for each cell."""

    heading: str
    about: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Standings:
    """What the first table adds to a cell's headline."""

    line: Line
    stopped: int
    cost: str
    lowest: Link | None


@dataclass(frozen=True)
class Gap:
    """A paired difference in words."""

    pair: str
    value: str
    interval: str
    n: str
    verdict: str
    separable: bool
    left_out: str


@dataclass(frozen=True)
class Section:
    """One benchmark on the front page; `tables` is where its tables are, empty when it has none."""

    bench: Bench
    id: str
    title: str
    about: str
    finding: str
    plot: DotPlot | None
    score: str
    standings: tuple[Standings, ...]
    blocks: tuple[Block, ...]
    gaps: tuple[Gap, ...]
    counted: str
    method: str
    tables: str
    compare: str
    judge: str
    notes: tuple[str, ...]


def section(bench: Bench) -> Section:
    """Say everything that the front page says of one benchmark."""
    said = finding(bench.standings, bench.contrasts, bench.marks)
    lowest = {who.cell: _lowest(bench, who) for who in bench.whos}
    key = _headline_key(bench)
    blocks = _blocks(bench)
    card = bench.card
    return Section(
        bench=bench,
        id=bench.folder,
        title=card.title if card else bench.name,
        about=card.about if card else "",
        finding=said,
        plot=dot_plot(
            bench.standings,
            id=bench.folder,
            title=said,
            axis=_axis(bench, key),
            marks=bench.marks,
            href=lambda cell: link.href if (link := lowest[cell]) else "",
        ),
        score=key,
        standings=tuple(
            Standings(
                line=_line(each.who, each.estimate),
                stopped=sum(row.ending.status == "stopped" for row in bench.rows if row.cell == each.who.cell),
                cost=cost(row for row in bench.rows if row.cell == each.who.cell),
                lowest=lowest[each.who.cell],
            )
            for each in bench.standings
        ),
        blocks=blocks,
        gaps=tuple(_gap(contrast, bench.whos) for contrast in bench.contrasts),
        counted=counted(bench),
        method="; ".join(sorted({each.estimate.method for each in bench.standings if each.estimate.method})),
        tables=f"{bench.folder}/{TABLES_PAGE}" if any(each.tables for each in bench.tables) else "",
        compare=f"{bench.folder}/{COMPARE_PAGE}" if bench.duels else "",
        judge=f"{bench.folder}/{JUDGE_PAGE}" if any(row.judgements for row in bench.rows) else "",
        notes=_notes(bench),
    )


def site_title(sections: Sequence[Section]) -> str:
    """Return the finding of the whole site."""
    if not sections:
        return "nothing was measured"
    if len(sections) == 1:
        return f"{sections[0].bench.name}: {sections[0].finding}"
    leads = {each.finding.split(";")[0] for each in sections}
    if len(leads) == 1:
        return f"{leads.pop()} on {'both' if len(sections) == 2 else f'all {len(sections)}'} benchmarks"
    tops = Counter(each.bench.standings[0].label for each in sections if each.bench.standings)
    if not tops:
        return "nothing was marked"
    label, n = min(tops.items(), key=lambda top: (-top[1], top[0]))
    return f"{label} is highest on {n} of {len(sections)} benchmarks"


def counted(bench: Bench) -> str:
    """Reconcile: items × epochs × subjects, how each row ended, and who lacks rows."""
    rows = bench.rows
    epochs = max((row.epoch for row in rows), default=0)
    expected = len(bench.entries) * epochs * len(bench.whos)
    parts = [count(len(bench.entries), "item"), count(epochs, "epoch"), count(len(bench.whos), "subject")]
    ended = ", ".join(
        f"{n:,} {status}"
        for status in ("marked", "unscored", "stopped")
        if (n := sum(row.ending.status == status for row in rows)) or status != "stopped"
    )
    text = f"{' × '.join(parts)}: {count(len(rows), 'row')}, {ended}"
    if len(rows) < expected:
        text += f"; {expected - len(rows):,} of {expected:,} are not there"
    return text


def _headline_key(bench: Bench) -> str:
    first = bench.standings[0].estimate if bench.standings else None
    return score_key(first.name, first.mode) if first else bench.headline_name


def _axis(bench: Bench, key: str) -> str:
    low, high = bench.scale
    return f"{key}, scale {low:g} to {high:g}"


def _line(who: Who, estimate: Estimate) -> Line:
    digits = digits_for(estimate.scale)
    bounds = interval(*estimate.bounds, digits) if estimate.bounds and estimate.unscored else ""
    return Line(
        who=who,
        value=number(estimate.value, digits),
        interval=interval(estimate.low, estimate.high, digits),
        n=f"{estimate.n:,} in {estimate.clusters:,}",
        unscored=f"{estimate.unscored:,}",
        bounds=bounds,
    )


def _blocks(bench: Bench) -> tuple[Block, ...]:
    """Return every estimate but the headline: other modes and scores first, then groups, cells always in one order."""
    found: dict[tuple[str, str], list[Line]] = {}
    who = {each.cell: each for each in bench.whos}
    place = {cell: index for index, cell in enumerate(who)}
    results = sorted(bench.results, key=lambda result: place[result.cell])
    for result in results:
        for estimate in result.estimates:
            if estimate is not result.headline:
                group = ", ".join(f"{name} = {value}" for name, value in sorted(estimate.group.items()))
                heading = (score_key(estimate.name, estimate.mode), group)
                found.setdefault(heading, []).append(_line(who[result.cell], estimate))
    scores = bench.own_card.scores if bench.own_card else {}

    def about(key: str, group: str) -> str:
        name = key.partition("@")[0]
        return scores[name].about if name in scores and not group else ""

    order = sorted(found, key=lambda heading: (bool(heading[1]), natural(heading[1]) if heading[1] else ()))
    return tuple(
        Block(group or key, about(key, group) or (key if group else ""), tuple(found[key, group]))
        for key, group in order
    )


def _gap(contrast: Contrast, whos: Sequence[Who]) -> Gap:
    def label(name: str) -> str:
        known = [who.label for who in whos if name in who.names]
        return known[0] if len(known) == 1 else name

    difference = contrast.difference
    estimate = difference.estimate
    digits = digits_for(estimate.scale)
    left = difference.only_first + difference.only_second
    grouped = ", ".join(f"{name} = {value}" for name, value in sorted(estimate.group.items()))
    return Gap(
        pair=f"{label(difference.first)} − {label(difference.second)}" + (f" ({grouped})" if grouped else ""),
        value=number(estimate.value, digits),
        interval=interval(estimate.low, estimate.high, digits),
        n=f"{estimate.n:,} in {estimate.clusters:,}",
        verdict=verdict(contrast.separable, contrast.lacking),
        separable=bool(contrast.separable),
        left_out=f"{count(left, 'sample')} without a partner left out" if left else "",
    )


def _lowest(bench: Bench, who: Who) -> Link | None:
    """Return the item where a cell lost most, at the place in the clip that says why; None when it lost nothing."""
    marked: list[tuple[float, int, Entry, Row]] = []
    for index, entry in enumerate(bench.entries):
        for row in entry.rows:
            score = bench.score(row) if row.cell == who.cell else None
            if score is not None and score < bench.scale[1]:
                marked.append((score, index, entry, row))
    if not marked:
        return None
    score, _, entry, row = min(marked, key=lambda each: each[:2])
    text = f"{entry.item} ({number(score, digits_for(bench.scale))})"
    return Link(f"{bench.folder}/items/{entry.stem}.html#{anchor(bench, entry, row)}", text)


def _notes(bench: Bench) -> tuple[str, ...]:
    card = bench.card
    faults = [said for result in bench.results for said in result.unfit]
    faults += [f"its tables could not be made: {each.fault}" for each in bench.tables if each.fault]
    if card is None:
        return (*faults, f"benchmark '{bench.name}' is not installed here, so its floor and chance are not shown")
    if card.version != bench.version:
        other = f"rows are of version {bench.version}, the card here is of version {card.version}: levels not shown"
        return (*faults, other)
    return (*faults, *card.known_gaps)
