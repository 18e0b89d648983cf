"""The temporal panels of Figure 4: accuracy by the length of the source, and by frames that were delivered."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cutscore.benchmarks.covebench.analysis.lengths import FRAMES, SECONDS
from cutscore.core.finding import score_key
from cutscore.core.table import Table
from cutscore.results.tables.lines import CellLine
from cutscore.results.tables.score_tables import group_table

# The paper does not tell its bounds; these part clips of 3 to 21 seconds, and what its editors can make of them.
STEPS: Mapping[str, int] = {SECONDS: 5, FRAMES: 40}
TITLES = {SECONDS: "By seconds of the source", FRAMES: "By frames that were delivered"}


def length_tables(lines: Sequence[CellLine], mode: str) -> list[Table]:
    """Return accuracy by each length that is known of some sample."""
    made = []
    for name, step in STEPS.items():
        known = {mark.found[name] for line in lines for mark in line.marks if name in mark.found}
        if not known:
            continue
        order = [stretch(low, step) for low in range(0, int(max(known)) + 1, step)]
        placed = [place_by(line, name, step) for line in lines]
        id, score = name.replace(" ", "-"), score_key("acc", mode)
        table = group_table(id, TITLES[name], placed, name, order, score=score, note="acc; bounds are ours")
        alone = f"{TITLES[name]}: all lie in {stretch(min(known), step)}"
        title = alone if len({stretch(each, step) for each in known}) == 1 else table.title
        made.append(table.model_copy(update={"paper": "Figure 4", "title": title}))
    return made


def place_by(line: CellLine, name: str, step: int) -> CellLine:
    """Return a line whose samples are grouped by a finding, in steps."""
    marks = [
        replace(mark, groups={**mark.groups, name: stretch(mark.found[name], step)}) if name in mark.found else mark
        for mark in line.marks
    ]
    return replace(line, marks=marks)


def stretch(value: float, step: int) -> str:
    """Name the step that a value lies in, by its first and last whole number.

    >>> stretch(4.96, 5), stretch(5, 5), stretch(81, 40)
    ('0–4', '5–9', '80–119')
    """
    low = int(value) // step * step
    return f"{low}–{low + step - 1}"
