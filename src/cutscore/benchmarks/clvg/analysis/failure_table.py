"""Rows → why videos failed: weaknesses by code, and what was no video at all, with its cause."""

from collections import Counter
from collections.abc import Sequence

from cutscore.benchmarks.clvg.weaknesses import read_catalogue
from cutscore.core.table import Table, TableCell
from cutscore.results.tables.lines import WHO, CellLine, plain_columns

WEAKNESS = "weakness/"
OTHER = "other"


def failure_table(lines: Sequence[CellLine], source: str) -> Table:
    """Return how many samples of each line show each weakness, were refused, or were no video."""
    body: list[tuple[TableCell, ...]] = []
    known = read_catalogue()
    for line in lines:
        counts: Counter[str] = Counter()
        for mark in line.marks:
            codes = [name.removeprefix(WEAKNESS) for name in mark.found if name.startswith(WEAKNESS)]
            counts.update(codes or ([f"no video: {mark.failure_class}"] if mark.failure_class else []))
        for code, number in counts.most_common():
            says = known[code].says if code in known else ""
            body.append((*line.who, code, number, len(line.marks), says))
    return Table(
        id="failures",
        title=f"Why videos fail, by the {source}",
        columns=plain_columns(*WHO, "cause", "samples", "of", "in words"),
        rows=tuple(body),
        note="a sample with several weaknesses counts for each of them; a refusal is a fail with its own cause",
    )
