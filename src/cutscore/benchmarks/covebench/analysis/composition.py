"""The composition gap: whether edits fail together or stand in each other's way, from the marks of one run.

If the edits of a task succeeded or failed independently of each other, all of them would be done as often as the
product of their rates. Below it, one edit comes at the cost of another; above it, tasks are hard or easy as a whole.

    pairs         P(both done) - P(one) * P(other), over the tasks that ask for both types of edit
    composition   tasks wholly done - rate^n, by the number n of edit points; the rate is that of points in such tasks
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from cutscore.core.estimate import Estimate
from cutscore.core.finding import score_key
from cutscore.core.table import Column, Table, TableCell
from cutscore.results.tables.lines import WHO, CellLine, SampleMark
from cutscore.stats.resampling import Floats, bootstrap_estimate, divide_or_nan, sums_by_cluster

FEWEST = 8  # tasks from which on a gap says anything
ENTRY = "entry/"  # finding for the edits of one type in a task; on 0 … 100
DONE = 100.0


@dataclass(frozen=True)
class PairTask:
    """A task that asks for two types of edit, its source video, and whether all edits of each type are done."""

    cluster: str
    one: bool
    other: bool


def pair_gap(tasks: Sequence[PairTask]) -> Estimate:
    """Return how much more often both types are done than the product of their rates, with a 95% interval by source.

    Of four tasks both are done in one, either alone in one each: 1/4 against 1/2 times 1/2, so the gap is 0. Where
    exactly one of them is done in every task it is -1/4: one comes at the cost of the other.

    >>> tasks = [PairTask(str(n), one, other) for n, (one, other) in enumerate([(True, False), (False, True)] * 2)]
    >>> pair_gap(tasks).value
    -0.25
    """
    columns = np.array([(1, each.one and each.other, each.one, each.other) for each in tasks], dtype=np.float64)
    clusters = [each.cluster for each in tasks]
    sums = sums_by_cluster(columns.reshape(-1, 4), clusters)

    def gap(times: Floats) -> Floats:
        n, both, one, other = (times @ sums).T
        return divide_or_nan(both, n) - divide_or_nan(one, n) * divide_or_nan(other, n)

    return bootstrap_estimate(gap, clusters, name="pair gap", scale=(-1.0, 1.0), undefined="no tasks")


@dataclass(frozen=True)
class WholeTask:
    """A task, its source video, how many edit points it has, and how many of them are done."""

    cluster: str
    points: int
    done: float


def composition_gap(tasks: Sequence[WholeTask]) -> Estimate:
    """Return how much more often tasks are wholly done than rate^n lets expect, with a 95% interval by source.

    Tasks with the same number n of points share a rate. Two tasks of two points, of which one has both done and one
    none: half of the points are done, so a quarter of the tasks were to be expected and half are.

    >>> composition_gap([WholeTask("a", 2, 2), WholeTask("b", 2, 0)]).value
    0.25
    """
    sizes = sorted({each.points for each in tasks})
    columns = [
        [amount for size in sizes for amount in _amounts(each, is_of_size=each.points == size)] for each in tasks
    ]
    clusters = [each.cluster for each in tasks]
    sums = sums_by_cluster(np.array(columns, dtype=np.float64).reshape(len(tasks), -1), clusters)

    def gap(times: Floats) -> Floats:
        totals = (times @ sums).reshape(len(times), len(sizes), 3)
        count, done, whole = totals[..., 0], totals[..., 1], totals[..., 2]
        rates = np.nan_to_num(divide_or_nan(done, count * sizes))  # a size that was not drawn has no tasks to expect
        expected: Floats = (count * rates**sizes).sum(axis=1)
        return divide_or_nan(whole.sum(axis=1) - expected, count.sum(axis=1))

    return bootstrap_estimate(gap, clusters, name="composition gap", scale=(-1.0, 1.0), undefined="no tasks")


def _amounts(task: WholeTask, *, is_of_size: bool) -> tuple[float, float, float]:
    return (1.0, task.done, float(task.done == task.points)) if is_of_size else (0.0, 0.0, 0.0)


def pairs_table(lines: Sequence[CellLine], types: Sequence[str]) -> Table:
    """Return every pair of types that enough tasks ask for, the one that interferes most first."""
    found: list[tuple[float, CellLine, str, str, list[PairTask], Estimate]] = []
    most = 0
    for line in lines:
        for one, other in combinations(types, 2):
            tasks = _pair_tasks(line.marks, one, other)
            most = max(most, len(tasks))
            if len(tasks) >= FEWEST:
                gap = pair_gap(tasks)
                found.append((gap.value or 0.0, line, one, other, tasks, gap))
    found.sort(key=lambda each: (each[0], each[2], each[3]))
    body: list[tuple[TableCell, ...]] = []
    for _, line, one, other, tasks, gap in found:
        rates = [sum(values) / len(tasks) for values in zip(*((each.one, each.other) for each in tasks), strict=True)]
        both = sum(each.one and each.other for each in tasks) / len(tasks)
        body.append((*line.who, one, other, len(tasks), *rates, both, rates[0] * rates[1], gap, _verdict(gap)))
    return Table(
        id="pairs",
        title=_pairs_title(found, most),
        columns=(
            *(Column(name=name) for name in (*WHO, "type", "with")),
            Column(name="tasks", digits=0),
            *(Column(name=name) for name in ("type done", "other done", "both", "product", "gap", "verdict")),
        ),
        rows=tuple(body),
        note=f"over tasks that ask for both types; both minus product, with 95% by source video of each pair alone: "
        f"among many pairs some leave out 0 by chance; pairs of fewer than {FEWEST} tasks are left out",
    )


def _pair_tasks(marks: Sequence[SampleMark], one: str, other: str) -> list[PairTask]:
    keys = f"{ENTRY}{one}", f"{ENTRY}{other}"
    return [
        PairTask(mark.cluster, *(mark.found[key] == DONE for key in keys))
        for mark in marks
        if all(key in mark.found for key in keys)
    ]


def _verdict(gap: Estimate) -> str:
    if gap.low is None or gap.high is None:
        return ""
    return "interfere" if gap.high < 0 else "fail together" if gap.low > 0 else "no gap seen"


def _pairs_title(found: Sequence[tuple[float, CellLine, str, str, list[PairTask], Estimate]], most: int) -> str:
    if not found:
        return f"Pairs of edits: too few tasks to decide: {most} ask for the same pair, it takes {FEWEST}"
    worst = next((each for each in found if _verdict(each[5]) == "interfere"), None)
    if worst is None:
        return "Pairs of edits: none is seen to interfere"
    return f"Pairs of edits: {worst[2]} and {worst[3]} interfere most, for {worst[1].label}"


def composition_table(lines: Sequence[CellLine], mode: str) -> Table:
    """Return tasks that are wholly done beside what independent edits would give, by the number of edit points."""
    body: list[tuple[TableCell, ...]] = []
    short = ""
    for line in lines:
        tasks = whole_tasks(line.marks, mode)
        by_size: dict[str, list[WholeTask]] = {}
        for task in sorted(tasks, key=lambda each: each.points):
            by_size.setdefault(str(task.points), []).append(task)
        by_size["all"] = tasks
        for size, those in by_size.items():
            if those:
                body.append((*line.who, size, *_compose(those)))
        if body and isinstance(gap := body[-1][-1], Estimate) and _verdict(gap) == "interfere" and not short:
            short = f"{line.label} falls short of it"
    return Table(
        id="composition",
        title=f"Whole tasks beside the product of their edit points: {short or 'nobody is seen to fall short of it'}",
        columns=(
            *(Column(name=name) for name in (*WHO, "edit points")),
            Column(name="tasks", digits=0),
            *(Column(name=name) for name in ("points done", "tasks done", "expected", "gap")),
        ),
        rows=tuple(body),
        note=f"{mode}; expected is the rate of points to the power of their number, as if edits were independent; "
        f"below 0 edits come at each other's cost, above it tasks fail as one; no gap over fewer than {FEWEST} tasks",
    )


def whole_tasks(marks: Sequence[SampleMark], mode: str) -> list[WholeTask]:
    """Return the tasks whose edit points were counted."""
    key = score_key("uas", mode)
    return [
        WholeTask(mark.cluster, points := round(mark.wholes[key]), round(mark.scores[key] / DONE * points))
        for mark in marks
        if key in mark.scores and mark.wholes.get(key)
    ]


def _compose(tasks: Sequence[WholeTask]) -> tuple[TableCell, ...]:
    gap = composition_gap(tasks)
    rate = sum(each.done for each in tasks) / sum(each.points for each in tasks)
    whole = sum(each.done == each.points for each in tasks) / len(tasks)
    expected = None if gap.value is None else whole - gap.value
    return len(tasks), rate, whole, expected, gap if len(tasks) >= FEWEST else None
