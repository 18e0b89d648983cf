"""Tables 8 and 10: factual tasks by category of perception and by difficulty, scores and steps."""

from collections.abc import Mapping, Sequence

from cutscore.benchmarks.videowebarena.analysis.step_lines import share_by, steps_by
from cutscore.benchmarks.videowebarena.dataset import CATEGORIES
from cutscore.benchmarks.videowebarena.defects import DIFFICULTIES
from cutscore.core.estimate import Estimate
from cutscore.core.finding import score_key
from cutscore.core.table import Column, Table
from cutscore.results.tables.lines import CellLine, SampleMark

# As the paper calls them.
NAMES = {
    "visual": "visual perception",
    "audio": "audio perception",
    "multihop": "full video understanding",
    "temporal": "temporal reasoning",
}
STRATA = (
    *(NAMES[name] for name in CATEGORIES),
    *(f"{what} {each}" for what in ("agentic", "video") for each in DIFFICULTIES),
)


def category_tables(lines: Sequence[CellLine], mode: str) -> list[Table]:
    """Return a row for each category and difficulty and a column for each line: final, intermediate, steps."""
    tables = []
    for id, title, name in (
        ("categories-final", "What was done, by category and difficulty", "final"),
        ("categories-intermediate", "What was known, by category and difficulty", "intermediate"),
    ):
        found = share_by(lines, STRATA, strata_of, score_key(name, mode))
        note = f"factual tasks, {name}, {mode}; categories overlap; 95% by video"
        tables.append(_table(id, title, lines, found, digits=3, note=note, paper="Table 8"))
    steps = steps_by(lines, STRATA, strata_of)
    note = "factual tasks, actions in the browser; categories overlap; 95% by video"
    title = "Steps by category and difficulty"
    return [*tables, _table("categories-steps", title, lines, steps, digits=1, note=note, paper="Table 10")]


def strata_of(mark: SampleMark) -> tuple[str, ...]:
    """Name all rows in which a factual task counts; of other tasks none."""
    groups = mark.groups
    if groups.get("set") != "factual":
        return ()
    kinds = [NAMES[name] for name in CATEGORIES if groups.get(name) == "yes"]
    return (*kinds, f"agentic {groups.get('difficulty', '')}", f"video {groups.get('video_difficulty', '')}")


def _table(
    id: str,
    title: str,
    lines: Sequence[CellLine],
    found: Mapping[tuple[int, str], Estimate],
    *,
    digits: int,
    note: str,
    paper: str,
) -> Table:
    there = [name for name in STRATA if any((number, name) in found for number in range(len(lines)))]
    return Table(
        id=id,
        title=title,
        columns=(Column(name="tasks"), *(Column(name=line.label, digits=digits) for line in lines)),
        rows=tuple((name, *(found.get((number, name)) for number in range(len(lines)))) for name in there),
        note=note,
        paper=paper,
    )
