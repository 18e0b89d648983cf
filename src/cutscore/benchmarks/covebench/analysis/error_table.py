"""How often each kind of error of G.4 was made: in its own unit, and as the paper stacks them."""

from collections.abc import Sequence

from cutscore.core.estimate import Estimate
from cutscore.core.table import Column, Plot, Table, TableCell
from cutscore.results.tables.lines import WHO, CellLine, SampleMark, item_means
from cutscore.results.tables.means import mean_table

UNITS = {
    "execution": "edit points",
    "entanglement": "preservation questions",
    "physics": "videos",
    "degradation": "videos",
}


def errors_table(lines: Sequence[CellLine]) -> Table:
    """Return how often each kind of error was made, in its own unit, and which share of all errors it is.

    Shares are those of the paper's stacks, over the sum of the four counts; blank where one of the four is not known.
    """
    body: list[tuple[TableCell, ...]] = []
    for line in lines:
        sums = {kind: sum_errors(line.marks, kind) for kind in UNITS}
        counts = [each[0] for each in sums.values() if each is not None]
        every = sum(counts) if len(counts) == len(UNITS) else 0.0
        for kind, found in sums.items():
            rate = _rate(line, f"error/{kind}")
            count, whole = found or (None, None)
            share = count / every if every and count is not None else None
            flagged = sum(f"mismatch/{kind}" in mark.found for mark in line.marks) or None
            body.append((*line.who, kind, UNITS[kind], count, whole, rate, share, flagged))
    return Table(
        id="errors",
        title=_title(lines),
        columns=(
            *(Column(name=name) for name in (*WHO, "error", "unit")),
            *(Column(name=name, digits=0) for name in ("errors", "of")),
            Column(name="rate"),
            Column(name="share of errors"),
            Column(name="sums flagged", digits=0),
        ),
        rows=tuple(body),
        note="rates are per unit of their own, shares over the sum of the four counts; physics and degradation are "
        "known where a model sits in the role forensics (--role forensics=PROVIDER/NAME), else they and the shares are "
        "blank; flagged are scores that this judge adds up otherwise than its own deductions; the paper shows "
        "its shares, of 100 tasks, in a picture alone",
        paper="Figure 6",
        plot=Plot(values=("rate",), labels=WHO, by="error"),
    )


def sum_errors(marks: Sequence[SampleMark], kind: str) -> tuple[float, float] | None:
    """Return how many errors of a kind were made, and of how many that could be; an item counts once, by its mean."""
    name = f"error/{kind}"
    known = [mark for mark in marks if name in mark.found]
    parts = item_means(known, lambda mark: mark.found[name] * mark.wholes[name])
    wholes = item_means(known, lambda mark: mark.wholes[name])
    return (sum(each for each, _ in parts.values()), sum(each for each, _ in wholes.values())) if known else None


def _rate(line: CellLine, name: str) -> Estimate | None:
    def share(mark: SampleMark) -> tuple[str, float] | None:
        return (name, mark.found[name]) if name in mark.found else None

    return mean_table([line], (name,), share, whole=lambda mark: mark.wholes[name]).cells.get((0, name))


def _title(lines: Sequence[CellLine]) -> str:
    rates = {
        kind: found[0] / found[1]
        for kind in UNITS
        if (found := sum_errors([mark for line in lines if line.competes for mark in line.marks], kind)) and found[1]
    }
    top = max(rates, key=lambda kind: rates[kind], default="")
    return f"Errors: {top} is the commonest in its own unit" if top and rates[top] else "Errors: none is known"
