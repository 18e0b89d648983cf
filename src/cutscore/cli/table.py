"""Results as a table: who, value, interval, n in clusters, unscored; below it who differs from the best."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cutscore.cli.columns import GAP, columns, pad, width
from cutscore.results.sections import CellResult, Section, cost_of
from cutscore.results.wording import count, digits_for, interval, number, usd, verdict

if TYPE_CHECKING:
    from cutscore.core.estimate import Estimate
    from cutscore.core.finding import Finding

MEDIAN = "median per task"


def table(parts: Sequence[Section]) -> str:
    """Write results and paired differences as a table."""
    names = {id(part): f"{part.card.name} v{part.cells[0].record.cell.version}" for part in parts}
    left = max((width(name) for name in names.values()), default=0)
    lines: list[tuple[str, ...]] = []
    for part in parts:
        head = names[id(part)]
        for each in part.cells:
            for label, estimate in _shown(part, each):
                lines.append((pad(head, left) + GAP + label, *figures(estimate), _last(estimate, each)))
                head = ""
        lines += [(pad("", left) + GAP + who, *figures(estimate), MEDIAN) for who, estimate in _reference(part)]
        for made in part.differences:
            said = f"{made.difference.first} − {made.difference.second}, paired"
            lines.append((said, *figures(made.difference.estimate), verdict(made.separable, made.lacking)))
    notes = [note for part in parts for note in _marks(part)]
    return "\n".join([columns(lines, right=(1,)), *notes, *_judged(parts)])


def _shown(part: Section, cell: CellResult) -> Iterable[tuple[str, Estimate]]:
    """Return the headline, the same score in every other mode beside it, and what a judge thinks."""
    label, judge = part.labels[cell.id], cell.record.cell.judge
    for estimate in part.estimates[cell.id]:
        judged = bool(judge) and part.card.scores[estimate.name].judged
        if (estimate.name == part.card.headline or judged) and not estimate.group:
            name = f"{label} {estimate.name} by {judge}" if judged else label
            yield (f"{name} @{estimate.mode}" if estimate.mode else name), estimate


def _reference(part: Section) -> Iterable[tuple[str, Estimate]]:
    """Return the human reference of the headline in every mode, where several people did the tasks."""
    for estimate in part.human:
        if part.people and estimate.name == part.card.headline and not estimate.group:
            yield part.people.label + (f" @{estimate.mode}" if estimate.mode else ""), estimate


def figures(estimate: Estimate) -> tuple[str, str, str]:
    """Return value, interval and counts of an estimate."""
    digits = digits_for(estimate.scale)
    n = f"n={estimate.n:,} in {count(estimate.clusters, 'cluster')}"
    return number(estimate.value, digits), interval(estimate.low, estimate.high, digits), n


def _last(estimate: Estimate, cell: CellResult) -> str:
    return f"{estimate.unscored:,} unscored" + (f"   {cell.missing:,} missing" if cell.missing else "")


def _judged(parts: Sequence[Section]) -> Iterable[str]:
    """Describe how verdicts are reached, where one is not what the interval beside it suggests."""
    for part in parts:
        for each in part.differences:
            if each.difference.leaves_out_zero and not each.separable:
                yield "intervals are of each pair alone; verdicts are by a test for all pairs together (Holm)"
                return


def place_of(finding: Finding) -> str:
    """Describe where in which file a finding looked; nothing when it names no file."""
    return f"({finding.file}{f' {finding.at}' if finding.at else ''})" if finding.file else ""


def _marks(part: Section) -> list[str]:
    """Say once what tells cells apart whose subject and model are equal."""
    notes = []
    for each in part.cells:
        cell = each.record.cell
        twins = [other for other in part.cells if (other.label, other.record.cell.model) == (each.label, cell.model)]
        changed = {name: value for twin in twins for name, (value, _) in cell.differs(twin.record.cell).items()}
        if changed:
            alone = sum(part.arm(twin) == part.arm(each) for twin in twins) == 1
            name = (part.arm(each) or "otherwise") if alone else part.labels[cell.id]
            said = (f"{name} {'all' if (name, value) == ('input', '') else value}" for name, value in changed.items())
            notes.append(f"{name}: {', '.join(said)}")
    return list(dict.fromkeys(notes))


def cost_line(parts: Sequence[Section]) -> str:
    """Describe what models cost; nothing when no model was asked."""
    rows = [row for part in parts for each in part.cells for row in each.rows if each.record.cell.models]
    if not rows:
        return ""
    priced = [row for row in rows if row.cost_usd is not None]
    unknown = len(rows) - len(priced)
    known = usd(cost_of(priced)) if priced else "unknown"
    return f"cost: {known} for {count(len(priced) or len(rows), 'sample')}" + (
        f", unknown for {unknown:,}" if priced and unknown else ""
    )
