"""Section 5.2: whether who knew the fact also did the task, by site."""

from collections import Counter
from collections.abc import Sequence

from cutscore.benchmarks.videowebarena.analysis.site_table import TOTAL
from cutscore.benchmarks.videowebarena.sites import WITH_TASKS
from cutscore.core.finding import score_key
from cutscore.core.table import Table, TableCell
from cutscore.results.tables.lines import WHO, CellLine, SampleMark, plain_columns
from cutscore.stats.correlation import spearman_rho

CELLS = ((True, True), (True, False), (False, True), (False, False))
COLUMNS = ("knew, did", "knew, did not", "did, knew not", "neither")


def knowing_table(lines: Sequence[CellLine], mode: str) -> Table:
    """Return how often factual tasks were known and done, and how the two go together.

    Of two scores that are 0 or 1, the rank correlation is the phi coefficient.
    """
    final, asked = score_key("final", mode), score_key("intermediate", mode)
    body: list[tuple[TableCell, ...]] = []
    for line in lines:
        both = [mark for mark in line.marks if final in mark.scores and asked in mark.scores]
        for site in (*WITH_TASKS, TOTAL):
            marks = [mark for mark in both if site in (TOTAL, mark.groups.get("site"))]
            if marks:
                body.append((*line.who, site, len(marks), *_counts(marks, final, asked), _phi(marks, final, asked)))
    return Table(
        id="knew-did",
        title="Whether who knows the fact also does the task",
        columns=plain_columns(*WHO, "site", "n", *COLUMNS, "phi"),
        rows=tuple(body),
        note=f"factual tasks with both scores, {mode}; knew: intermediate is 1, did: final is 1; 95% by video",
        paper="Section 5.2",
    )


def _counts(marks: Sequence[SampleMark], final: str, asked: str) -> list[int]:
    seen = Counter((mark.scores[asked] == 1, mark.scores[final] == 1) for mark in marks)
    return [seen[cell] for cell in CELLS]


def _phi(marks: Sequence[SampleMark], final: str, asked: str) -> TableCell:
    knew, did = ([mark.scores[name] for mark in marks] for name in (asked, final))
    return spearman_rho(knew, did, [mark.cluster for mark in marks], name="phi")
