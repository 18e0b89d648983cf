"""Several benchmarks side by side: who stands where in each, beside people, and how far below them the best lies.

Nothing is averaged over benchmarks: their scores do not mean the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutscore.core.estimate import Estimate
from cutscore.core.subject import is_person
from cutscore.core.table import Column, Plot, Table, TableCell
from cutscore.results.estimates import ItemScores, headline, item_scores, mean_score, pair_items
from cutscore.results.tables.benchmark_tables import AcrossTables
from cutscore.results.tables.lines import ORACLE, plain_columns
from cutscore.results.tables.pooled_lines import in_points
from cutscore.results.wording import number
from cutscore.stats.paired import paired_differences

if TYPE_CHECKING:
    from cutscore.results.benchmark import BenchmarkResult
    from cutscore.results.cells import CellResult

HUMAN = "human"
NOTE = "headline of each benchmark; 95% by its clusters"


def across_tables(results: Sequence[BenchmarkResult]) -> AcrossTables:
    """Make the tables over all of these benchmarks: the standing, and the gap to people."""
    if len({each.card.name for each in results}) < 2:
        return AcrossTables(())
    return AcrossTables((standing_table(results), human_gap_table(results)))


def standing_table(results: Sequence[BenchmarkResult]) -> Table:
    """Return the headline of each stack on each benchmark, then what people reach, where they did the tasks.

    A stack is a subject with its model, on the whole input. Who did not take part has a blank.
    """
    found: dict[tuple[str, str], dict[int, Estimate]] = {}
    for place, result in enumerate(results):
        for cell in _stacks(result):
            name = result.names[cell.id]
            found.setdefault((name.subject, name.model), {})[place] = result.estimates[cell.id][0]
    order = sorted(found, key=lambda who: (who[0] == ORACLE, who))
    places = range(len(results))
    body: list[tuple[TableCell, ...]] = [(*who, *(found[who].get(place) for place in places)) for who in order]
    people = [_human(result) for result in results]
    if any(people):
        body.append((HUMAN, "", *(None if each is None else each.estimate for each in people)))
    names = _names(results)
    rivals = {
        (name.subject, name.model)
        for result in results
        for cell in _stacks(result)
        if (name := result.names[cell.id]) and cell.label != ORACLE and not result.role(cell)
    }
    return Table(
        id="standing",
        title=_standing_title({" ".join(filter(None, who)): len(found[who]) for who in rivals}, len(results)),
        columns=plain_columns("subject", "model", *names),
        rows=tuple(body),
        note=f"{NOTE}; {HUMAN}: of each task the median over people",
        paper="Figure 2",
        plot=Plot(values=tuple(names), labels=("subject", "model")),
    )


def _standing_title(measured: Mapping[str, int], benchmarks: int) -> str:
    """Say of each who competes on how many benchmarks it was measured; of several, how many were on all."""
    if len(measured) == 1:
        ((who, n),) = measured.items()
        return f"{who} was measured on {n} of {benchmarks} benchmarks"
    n = sum(each == benchmarks for each in measured.values())
    return f"{n} of {len(measured)} contestants {'was' if n == 1 else 'were'} measured on all {benchmarks} benchmarks"


def human_gap_table(results: Sequence[BenchmarkResult]) -> Table:
    """Return the best stack of each benchmark, what people reach, and best minus people in points, paired by item."""
    body: list[tuple[TableCell, ...]] = []
    for name, result in zip(_names(results), results, strict=True):
        best, people = _best(result), _human(result)
        if best is None:
            continue
        level, gap = (None, None) if people is None else (people.estimate, _gap(result, best, people))
        body.append((name, result.labels[best.id], result.estimates[best.id][0], level, gap))
    gaps = [each.value for row in body if isinstance(each := row[-1], Estimate) and each.value is not None]
    return Table(
        id="human-gap",
        title=_gap_title(gaps),
        columns=(*plain_columns("benchmark", "best stack", "best", HUMAN), Column(name="gap", digits=1, unit="points")),
        rows=tuple(body) if gaps else (),
        note=f"{NOTE}; gap: best minus {HUMAN}, paired by item, on the items that both have",
        paper="Figure 2",
    )


def _gap_title(gaps: Sequence[float]) -> str:
    if not gaps:
        return "No gap to people: nobody did the tasks by hand"
    low, high = min(gaps), max(gaps)
    if high > 0:
        return f"The best stack is above people in {sum(gap > 0 for gap in gaps)} of {len(gaps)} benchmarks"
    if len(gaps) == 1:
        return f"The best stack lies {number(-low, 1)} points below people"
    return f"The best stack lies {number(-high, 1)} to {number(-low, 1)} points below people"


def _stacks(result: BenchmarkResult) -> list[CellResult]:
    """Return the cells that a standing shows: on the whole input, and of nobody who is a person."""
    usual = [each for each in result.cells if each.rows and not result.unusual(each) and not is_person(each.label)]
    return [each for each in usual if result.estimates[each.id]]


def _best(result: BenchmarkResult) -> CellResult | None:
    rivals = [each for each in _stacks(result) if each.label != ORACLE and not result.role(each)]
    return max(rivals, key=lambda each: mean_score(result.scores[id(each)]), default=None)


@dataclass(frozen=True)
class _Human:
    estimate: Estimate
    scores: ItemScores


def _human(result: BenchmarkResult) -> _Human | None:
    """Return what people reach: the median over several, or the one who did the tasks."""
    if result.people is not None:
        view = headline(result.card, result.mode)
        return _Human(result.human[0], item_scores(result.people.rows, result.card, view, label=HUMAN))
    alone = [each for each in result.cells if is_person(each.label) and each.rows and not result.unusual(each)]
    return _Human(result.estimates[alone[0].id][0], result.scores[id(alone[0])]) if alone else None


def _gap(result: BenchmarkResult, best: CellResult, people: _Human) -> Estimate | None:
    view = headline(result.card, result.mode)
    pair = pair_items(result.scores[id(best)], people.scores, result.card, view)
    return in_points(paired_differences([pair])[0].estimate) if pair.shared else None


def _names(results: Sequence[BenchmarkResult]) -> list[str]:
    """Name benchmarks, with version and mode where one is there twice."""
    short = [each.card.name for each in results]
    return [
        name if short.count(name) == 1 else f"{each.title} {each.mode}".strip()
        for name, each in zip(short, results, strict=True)
    ]
