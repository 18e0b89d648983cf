"""Section 5.2: whether who knew the fact also did the task, by site and across sites."""

from collections import Counter
from collections.abc import Sequence
from statistics import StatisticsError, correlation, fmean

from cutscore.benchmarks.videowebarena.analysis.published_tables import published
from cutscore.benchmarks.videowebarena.analysis.site_table import TOTAL, site_names
from cutscore.core.finding import score_key
from cutscore.core.table import Table, TableCell
from cutscore.results.tables.lines import WHO, CellLine, SampleMark, plain_columns
from cutscore.stats.correlation import spearman_rho

CELLS = ((True, True), (True, False), (False, True), (False, False))
FEWEST_SITES = 3  # through two points there is always a line
COLUMNS = ("knew, did", "knew, did not", "did, knew not", "neither")


def knowing_table(lines: Sequence[CellLine], mode: str) -> Table:
    """Return how often factual tasks were known and done, and how the two go together.

    Of two scores that are 0 or 1, the rank correlation is the phi coefficient.
    """
    final, asked = score_key("final", mode), score_key("intermediate", mode)
    body: list[tuple[TableCell, ...]] = []
    for line in lines:
        both = [mark for mark in line.marks if final in mark.scores and asked in mark.scores]
        for site in (*site_names(lines), TOTAL):
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


def across_sites_table(lines: Sequence[CellLine], mode: str) -> Table:
    """Return how the two scores of sites go together, of ours and of the agents and people in print.

    The paper says that they are linearly correlated for people and not for models. It prints the scores that this rests
    on, in Table 6, and no coefficient.
    """
    final, asked = score_key("final", mode), score_key("intermediate", mode)
    body: list[tuple[TableCell, ...]] = []
    for line in lines:
        both = [mark for mark in line.marks if final in mark.scores and asked in mark.scores]
        sites = [[mark for mark in both if mark.groups.get("site") == site] for site in site_names(lines)]
        means = [[fmean(mark.scores[name] for mark in each) for name in (final, asked)] for each in sites if each]
        if len(means) >= FEWEST_SITES:
            body.append((*line.who, len(means), _correlation(means)))
    printed = [
        (
            f"{agent}, in print",
            "",
            "",
            len(sites) - 1,
            _correlation([f[:2] for site, f in sites.items() if site != TOTAL]),
        )
        for agent, sites in published()["table_6"].items()
    ]
    return Table(
        id="knew-did-across-sites",
        title="Whether sites on which more is known are those on which more is done",
        columns=plain_columns(*WHO, "sites", "r"),
        rows=tuple([*body, *printed] if body else ()),
        note=f"factual tasks, {mode}; linear correlation of intermediate and final over sites; in print: of Table 6",
        paper="Section 5.2",
    )


def _correlation(pairs: Sequence[Sequence[float]]) -> float | None:
    try:
        return correlation(*zip(*pairs, strict=True))
    except StatisticsError:  # one of them is the same on all sites
        return None


def _counts(marks: Sequence[SampleMark], final: str, asked: str) -> list[int]:
    seen = Counter((mark.scores[asked] == 1, mark.scores[final] == 1) for mark in marks)
    return [seen[cell] for cell in CELLS]


def _phi(marks: Sequence[SampleMark], final: str, asked: str) -> TableCell:
    knew, did = ([mark.scores[name] for mark in marks] for name in (asked, final))
    return spearman_rho(knew, did, [mark.cluster for mark in marks], name="phi")
