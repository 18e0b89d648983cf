"""The best sample of a family, step by step: abridged listings like the case studies of the paper (Appendix B)."""

from collections.abc import Sequence

from cutscore.benchmarks.agenticvbench.families import Family
from cutscore.core.row import Row
from cutscore.core.table import Table, TableCell
from cutscore.core.trajectory import Step
from cutscore.results.behaviour.measures import behaviour_of
from cutscore.results.stored_steps import read_stored_steps
from cutscore.results.tables.costs import SampleCost
from cutscore.results.tables.lines import plain_columns
from cutscore.results.tables.listings import abridge, shorten
from cutscore.results.wording import count, number, usd

CASES = ("sequencing", "repair", "repurpose")
FIRST, LAST = 16, 8  # calls of a listing; what lies between is counted


def case_tables(families: Sequence[Family], costs: Sequence[SampleCost]) -> list[Table]:
    """Return a listing for each family of the paper's case studies: its best sample that has steps."""
    dollars = {each.row.key: each.seen_usd for each in costs}
    made = []
    for family in families:
        if family.name in CASES and (found := _best(family)) is not None:
            made.append(_listing(family, *found, dollars.get(found[0].key)))
    return made


def _best(family: Family) -> tuple[Row, tuple[Step, ...]] | None:
    """Return the sample with the highest headline and its steps; of equal ones that with the fewest calls."""
    scored = [(cell, row) for cell in family.cells for row in cell.rows if family.key in row.ending.scores]

    def rank(row: Row) -> tuple[float, int, tuple[str, ...], int]:
        did = behaviour_of(row)
        return -row.ending.scores[family.key], did.calls if did else 0, (row.cell, row.item), row.epoch

    for cell, row in sorted(scored, key=lambda each: rank(each[1])):
        if steps := read_stored_steps(row, cell.record.store):
            return row, steps
    return None


def _listing(family: Family, row: Row, steps: Sequence[Step], cost: float | None) -> Table:
    calls = [line for place, step in enumerate(steps) for line in _lines(step, steps[place + 1 :])]
    took = [count(len(calls), "call")]
    wall_s = row.environment.get("wall_s")
    took += [f"{number(wall_s / 60, 1)} minutes"] if isinstance(wall_s, int | float) else []
    took += [] if cost is None else [usd(cost)]
    score = number(row.ending.scores[family.key], 3)
    return Table(
        id=f"case-{family.name}",
        title=f"{row.subject} {row.model} on {row.item} of {family.name}: {score} with {', '.join(took)}",
        columns=plain_columns("step", "tool", "called with", "came back"),
        rows=tuple(abridge(calls, first=FIRST, last=LAST, noun="call", at=2)),
        note=f"repetition {row.epoch}; the best sample of the family, with the fewest calls of equal ones; shortened",
        paper="Appendix B",
    )


def _lines(step: Step, later: Sequence[Step]) -> list[tuple[TableCell, ...]]:
    """Return a line for each call of a step, with what came back after the last of them."""
    back = next((each for each in later if each.parent == step.parent and each.by in ("tool", "model")), None)
    heard = shorten(back.error or back.saw or _pictures(back)) if back is not None and back.by == "tool" else ""
    who = f"#{step.n}" if step.parent is None else f"#{step.n}, for #{step.parent}"
    words = [shorten(" ".join(str(value) for value in call.arguments.values())) for call in step.did]
    last = len(words) - 1
    return [(who, call.tool, words[place], heard if place == last else "") for place, call in enumerate(step.did)]


def _pictures(step: Step) -> str:
    return f"({count(len(step.media), 'picture')})" if step.media else ""
