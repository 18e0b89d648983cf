"""Cells of one benchmark → who is compared with whom, and the one verdict on each pair that every command repeats.

All comparisons of a benchmark's headline are one family: their p-values are adjusted together (Holm), whichever of them
a command goes on to show. So `run`, `compare` and `report` say the same of the same cells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cutscore.core.card import Card
    from cutscore.results.comparison import Comparison, Matchup
    from cutscore.results.estimates import ItemScores, View
    from cutscore.results.flips import Flip
    from cutscore.results.sections import CellResult, Section

    Pair = tuple[CellResult, CellResult]

# Rivals that are all compared with each other; of more, each is compared with the best alone. Forty cells would make
# 780 tests, among which hardly anything could be told.
MOST_CROSSED = 8


@dataclass(frozen=True)
class Versus:
    """Two cells in one view, and what they let one say."""

    first: CellResult
    second: CellResult
    matchup: Matchup
    comparison: Comparison

    @cached_property
    def items(self) -> list[str]:
        """Name the items that have two different scores, those that differ most first."""
        from cutscore.results.flips import differing

        return differing(self.matchup.first, self.matchup.second)

    def flips(self, most: int) -> tuple[Flip, ...]:
        """Return the items that differ most, with both reasons."""
        from cutscore.results.flips import flips

        one, two = self.matchup.first, self.matchup.second
        rows = self.first.rows, self.second.rows
        return flips(self.items[:most], one, two, rows=rows, view=self.matchup.view)


def rivals(part: Section) -> list[CellResult]:
    """Rank the cells that compete, best first: all that have rows, but none that is an arm of another."""
    from cutscore.results.estimates import mean

    def rank(cell: CellResult) -> tuple[float, str]:
        scores = part.scores[id(cell)]
        return -mean(scores), scores.label

    return sorted((each for each in part.cells if each.rows and part.whole(each) is None), key=rank)


def pairs_of(part: Section) -> list[Pair]:
    """Choose who is compared with whom; this is what verdicts are adjusted for.

    Rivals are compared with each other, the better one first; more than `MOST_CROSSED` with the best alone. A cell that
    was marked again is compared with its first marking too, and a cell with another input than usual with its own
    subject's usual one and nobody else: it is an ablation, no rival.
    """
    ranked = rivals(part)
    crossed = list(combinations(ranked, 2))
    if len(ranked) > MOST_CROSSED:
        crossed = [(ranked[0], other) for other in ranked[1:]]
    filled = [each for each in part.cells if each.rows]
    again = [(each, first) for each in filled for first in filled if is_again(each, first)]
    arms = [(each, whole) for each in filled if (whole := part.whole(each)) is not None]
    named = {frozenset(map(id, pair)) for pair in again}
    return [*(pair for pair in crossed if frozenset(map(id, pair)) not in named), *again, *arms]


def is_again(cell: CellResult, first: CellResult) -> bool:
    """Return whether a cell is another marking of the first."""
    return cell.record.cell.rescored_from == first.record.cell.id and cell.run == first.run


def verdicts(part: Section) -> tuple[Versus, ...]:
    """Compare the cells of a benchmark in its headline."""
    from cutscore.results.estimates import headline

    view = headline(part.card, part.mode)
    return family(pairs_of(part), [view], part.card, lambda cell, _: part.scores[id(cell)])


def shown(part: Section, found: Sequence[Versus]) -> tuple[Versus, ...]:
    """Choose what a table shows: each with the best and arms with their whole, or each with its first marking."""
    if part.against == "before":
        return tuple(each for each in found if is_again(each.first, each.second))
    best = next(iter(rivals(part)), None)
    return tuple(
        each for each in found if each.first is best or each.second is best or part.whole(each.first) is each.second
    )


def family(
    pairs: Sequence[Pair], views: Sequence[View], card: Card, scores: Callable[[CellResult, View], ItemScores]
) -> tuple[Versus, ...]:
    """Compare pairs in some views, one view after the other; all of it is adjusted together.

    Args:
        pairs: First and second.
        views: What is compared.
        card: Of their benchmark.
        scores: Gives the scores of a cell in a view, with its name.
    """
    from cutscore.results.comparison import Matchup, compare

    cells = {id(cell): cell for pair in pairs for cell in pair}
    matchups = []
    for view in views:
        seen = {key: scores(cell, view) for key, cell in cells.items()}
        matchups += [Matchup(seen[id(one)], seen[id(two)], card, view) for one, two in pairs]
    found = zip([*pairs] * len(views), matchups, compare(matchups), strict=True)
    return tuple(Versus(*pair, matchup, comparison) for pair, matchup, comparison in found)
