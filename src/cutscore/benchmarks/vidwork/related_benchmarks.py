"""What this benchmark asks beside what others do, as its paper sees them (Table 1), and what these items ask."""

from collections.abc import Sequence

from cutscore.benchmarks.vidwork.dataset import AXES
from cutscore.core.table import Table
from cutscore.results.tables.lines import CellLine, plain_columns

FULLY, PARTLY, NOT = "fully", "partly", "–"
ASKED = ("steps", "order", "causal", "error", "cross-modal", "several domains")
# By the columns of Table 1: f is fully, p is partly.
TABLE_1 = {
    "TemporalBench": "pfp---",
    "MMTBENCH": "--p-f-",
    "CRIT": "-pf-f-",
    "ENC-Bench": "-----f",
    "WikiMixQA": "--p-f-",
    "DesignQA": "p--fp-",
    "FinanceQA": "--f--f",
    "M-LongDoc": "-pp-f-",
    "VidWork-Bench": "ffffff",
}
_SIGNS = {"f": FULLY, "p": PARTLY, "-": NOT}
_AXIS = dict(zip(ASKED, (*AXES[:3], AXES[4], AXES[3]), strict=False))


def related_benchmarks(lines: Sequence[CellLine]) -> Table:
    """Return Table 1, with one more line for the items that were asked here."""
    marks = [mark for line in lines for mark in line.marks]
    axes = {mark.groups.get("axis", "") for mark in marks}
    domains = {mark.groups.get("domain", "") for mark in marks} - {""}
    here = [FULLY if _AXIS[name] in axes else NOT for name in ASKED[:-1]] + [FULLY if len(domains) > 1 else NOT]
    body = [(name, *(_SIGNS[sign] for sign in signs)) for name, signs in TABLE_1.items()]
    return Table(
        id="related",
        title=f"The items that were asked here cover {here.count(FULLY)} of {len(ASKED)}, the paper's all",
        columns=plain_columns("benchmark", *ASKED),
        rows=(*body, ("these items", *here)),
        note="the paper's own reading of eight others; these items: what was asked at all, one item is enough",
        paper="Table 1",
    )
