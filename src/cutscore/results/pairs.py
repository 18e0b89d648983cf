"""Cells of one benchmark → who is compared with whom, and the one verdict on each pair that every command repeats.

Contestants meet each other, and each of them the guess; what else shows a level (`core.subject.reference_role`) is
compared with nobody unless somebody asks for it. All comparisons of a benchmark's headline are one family: their
p-values are adjusted together (Holm), whichever of them a command goes on to show. So `run`, `compare` and `report` say
the same of the same cells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from cutscore.results.references import reference_cell

if TYPE_CHECKING:
    from cutscore.core.card import Card
    from cutscore.results.benchmark import BenchmarkResult
    from cutscore.results.cells import CellResult
    from cutscore.results.comparison import Comparison
    from cutscore.results.estimates import ItemScores, ScoreView
    from cutscore.results.flips import Flip

    Pair = tuple[CellResult, CellResult]

# Rivals that are all compared with each other; of more, each is compared with the best alone. Forty cells would make
# 780 tests, among which hardly any difference could be shown.
MOST_CROSSED = 8


@dataclass(frozen=True)
class CellComparison:
    """Two cells in one view, and what they let one say."""

    first: CellResult
    second: CellResult
    comparison: Comparison

    @cached_property
    def items(self) -> list[str]:
        """Return the items that have two different scores, those that differ most first."""
        from cutscore.results.flips import differing_items

        scores = self.comparison.scores
        return differing_items(scores.first, scores.second)

    def flips(self, most: int) -> tuple[Flip, ...]:
        """Return the items that differ most, with both reasons."""
        from cutscore.results.flips import item_flips

        scores = self.comparison.scores
        rows = self.first.rows, self.second.rows
        return item_flips(self.items[:most], scores.first, scores.second, rows=rows, view=scores.view)


def rank_rivals(result: BenchmarkResult) -> list[CellResult]:
    """Rank the cells that compete, best first: all that have rows, but none that is an arm of another.

    References are among them only where they were asked for.
    """
    from cutscore.results.estimates import mean_score

    def rank(cell: CellResult) -> tuple[float, str]:
        scores = result.scores[id(cell)]
        return -mean_score(scores), scores.label

    return sorted((each for each in result.rivals if each.rows and result.whole(each) is None), key=rank)


def choose_pairs(result: BenchmarkResult) -> list[Pair]:
    """Choose who is compared with whom; this is what verdicts are adjusted for.

    Rivals are compared with each other, the better one first; more than `MOST_CROSSED` with the best alone. Then each
    contestant is compared with the guess of the run. A cell that was marked again is compared with its first marking
    too, and a cell with another input than usual with its own subject's usual one and nobody else: it is an ablation,
    no rival.
    """
    ranked = rank_rivals(result)
    crossed = list(combinations(ranked, 2))
    if len(ranked) > MOST_CROSSED:
        crossed = [(ranked[0], other) for other in ranked[1:]]
    guess = reference_cell(result, "guess")
    crossed += [(each, guess) for each in ranked if guess is not None and not result.with_references]
    filled = [each for each in result.cells if each.rows]
    again = [(each, first) for each in filled for first in filled if is_remarking(each, first)]
    arms = [(each, whole) for each in filled if (whole := result.whole(each)) is not None]
    named = {frozenset(map(id, pair)) for pair in again}
    return [*(pair for pair in crossed if frozenset(map(id, pair)) not in named), *again, *arms]


def is_remarking(cell: CellResult, first: CellResult) -> bool:
    """Return whether a cell is another marking of the first."""
    return cell.record.cell.rescored_from == first.record.cell.id and cell.run == first.run


def shown_comparisons(result: BenchmarkResult) -> tuple[CellComparison, ...]:
    """Choose what a table shows: each with the best and with the guess, and arms with their whole.

    Of a run that was marked again, each with its first marking instead.
    """
    if result.against == "before":
        return tuple(each for each in result.comparisons if is_remarking(each.first, each.second))
    ends = [each for each in (next(iter(rank_rivals(result)), None), reference_cell(result, "guess")) if each]
    return tuple(
        each
        for each in result.comparisons
        if any(each.first is end or each.second is end for end in ends) or result.whole(each.first) is each.second
    )


def compare_pairs(
    pairs: Sequence[Pair],
    views: Sequence[ScoreView],
    card: Card,
    scores: Callable[[CellResult, ScoreView], ItemScores],
) -> tuple[CellComparison, ...]:
    """Compare pairs in some views, one view after the other; all of it is adjusted together."""
    from cutscore.results.comparison import ScorePair, compare_scores

    cells = {id(cell): cell for pair in pairs for cell in pair}
    matched = []
    for view in views:
        seen = {key: scores(cell, view) for key, cell in cells.items()}
        matched += [ScorePair(seen[id(one)], seen[id(two)], card, view) for one, two in pairs]
    found = zip([*pairs] * len(views), compare_scores(matched), strict=True)
    return tuple(CellComparison(*pair, comparison) for pair, comparison in found)
