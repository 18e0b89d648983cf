"""Why agents failed, beside the paper's shares (Table 1)."""

from collections.abc import Mapping, Sequence
from itertools import chain

from cutscore.benchmarks.agenticvbench.families import Family
from cutscore.benchmarks.agenticvbench.published import PAPER_REASONS, PublishedNumber
from cutscore.core.table import Column, Table, TableCell
from cutscore.results.behaviour.failures import COUNT, REASONS, failure_table
from cutscore.results.behaviour.reason_file import read_reasons

PAPER = ", paper"  # after the name of a family: the paper's column


def failure_reasons_table(families: Sequence[Family], published: Mapping[str, PublishedNumber]) -> Table:
    """Return the share of each reason in percent, of the samples on the whole task, each family beside the paper's.

    Reasons are those that 'cutscore failures' has left in the runs.
    """
    cells = {cell.record.cell.id: cell.record.run for family in families for cell in family.cells}
    found = [each for each in read_reasons(cells.values()) if each.cell in cells]
    names = [family.name for family in families]
    ours = failure_table(found, names)
    body: list[tuple[TableCell, ...]] = []
    for line, (words, *shares) in zip((*REASONS, COUNT), ours.rows, strict=True):
        # A family of which nobody said anything has no count: it may be that nobody was asked.
        known = [each or None for each in shares] if line == COUNT else shares
        theirs = [_paper(published, name, line) for name in names]
        body.append((words, *chain.from_iterable(zip(known, theirs, strict=True))))
    wide = (Column(name=word, digits=0) for name in names for word in (name, f"{name}{PAPER}"))
    if not found:
        title, note = "No reasons yet: 'cutscore failures RUN --judge J' asks for them", ""
    else:
        title, note = ours.title, f"{ours.note}; the paper does not say how its failures were chosen"
    return ours.model_copy(
        update={"title": title, "columns": (ours.columns[0], *wide), "rows": tuple(body), "note": note}
    )


def _paper(published: Mapping[str, PublishedNumber], family: str, line: str) -> float | None:
    id = f"failures {family}" if line == COUNT else f"reasons {family} {PAPER_REASONS.get(line, line)}"
    return published[id].paper if id in published else None
