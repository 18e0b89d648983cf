"""What `compare` says of runs: cells under letters, every pair with its verdict, and which settings differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cutscore.results.pairs import CellComparison, compare_pairs
from cutscore.results.settings_diff import CAUTIONS, differing_settings, settings_of

if TYPE_CHECKING:
    from cutscore.core.estimate import Estimate
    from cutscore.results.benchmark import BenchmarkResult
    from cutscore.results.cells import CellResult
    from cutscore.results.estimates import ItemScores, ScoreView


@dataclass(frozen=True)
class ComparedCell:
    """A cell that is compared: its letter in tables, its name, and the numbers of the runs that hold it."""

    key: str
    label: str
    runs: frozenset[int]
    cell: CellResult

    @cached_property
    def settings(self) -> dict[str, Any]:
        """Return how the cell was made."""
        return settings_of(self.cell)


@dataclass(frozen=True)
class ComparedPair:
    """Two cells in one view, under their letters."""

    first: ComparedCell
    second: ComparedCell
    found: CellComparison

    @property
    def title(self) -> str:
        """Name the difference by its letters."""
        return f"{self.first.key} − {self.second.key}"

    @property
    def names(self) -> tuple[str, str]:
        """Return what a sentence calls the two: their labels, or their letters where the labels are the same."""
        if self.first.label == self.second.label:
            return self.first.key, self.second.key
        return self.first.label, self.second.label


@dataclass(frozen=True)
class ViewComparison:
    """All cells of a benchmark in one view, with the estimate of each by its letter."""

    benchmark: BenchmarkComparison
    view: ScoreView
    estimates: Mapping[str, Estimate]
    pairs: tuple[ComparedPair, ...]


@dataclass(frozen=True)
class BenchmarkComparison:
    """All that is compared in one version of one benchmark: its cells under their letters, the best first, in pairs.

    Rows hold the scores of every mode; that of the first cell is the one that is shown.
    """

    result: BenchmarkResult
    cells: tuple[ComparedCell, ...]
    pairs: tuple[tuple[ComparedCell, ComparedCell], ...]

    @cached_property
    def settings(self) -> dict[str, dict[str, Any]]:
        """Return the settings that differ: name → letter of the cell → value."""
        return differing_settings({each.key: each.settings for each in self.cells})

    @property
    def cautions(self) -> list[str]:
        """Warn of settings that move what a number means."""
        return [f"{self.result.title}: {CAUTIONS[name]}" for name in CAUTIONS if name in self.settings]

    def compare_views(self, *, everything: bool) -> Iterator[ViewComparison]:
        """Compare the headline, or every score, mode and group.

        The headline is judged by itself, so that its verdicts are those of `run` and `report` whatever stands beside
        it. All other views are judged together.
        """
        from cutscore.results.estimates import estimate_views, item_scores

        label = {id(each.cell): each.label for each in self.cells}
        card, pairs = self.result.card, [(one.cell, two.cell) for one, two in self.pairs]

        def scores(cell: CellResult, view: ScoreView) -> ItemScores:
            return item_scores(cell.rows, card, view, label=label[id(cell)])

        first, *others = self._views(everything=everything)
        found = iter([*compare_pairs(pairs, [first], card, scores), *compare_pairs(pairs, others, card, scores)])
        for view in (first, *others):
            alone = estimate_views([(each.cell.rows, view) for each in self.cells], card)
            estimates = {each.key: estimate for each, estimate in zip(self.cells, alone, strict=True)}
            yield ViewComparison(self, view, estimates, tuple(ComparedPair(*pair, next(found)) for pair in self.pairs))

    def _views(self, *, everything: bool) -> list[ScoreView]:
        """Choose what is compared: the headline and beside it the strict one, or all that any cell has a score for."""
        from cutscore.results.estimates import ScoreView, all_views

        rows = self.result.rows
        first, *others = all_views(rows, self.result.card, self.result.mode)
        if everything:
            scored = {key for row in rows for key in row.ending.scores}
            return [first, *(view for view in others if view.key in scored)]
        strict = ScoreView(first.name, "strict")
        return [first, strict] if strict in others else [first]


@dataclass(frozen=True)
class RunComparison:
    """Everything that is compared, and what a reader should know of what is not."""

    benchmarks: tuple[BenchmarkComparison, ...]
    views: tuple[ViewComparison, ...]
    warnings: tuple[str, ...]

    def as_json(self, *, flips: int) -> dict[str, Any]:
        """Return the object that `compare` prints, with so many flips of each pair."""
        pairs = [(view, pair) for view in self.views for pair in view.pairs]
        return {
            "tests": sum(pair.found.comparison.p_adjusted is not None for _, pair in pairs),
            "cells": [self._cell(each) for part in self.benchmarks for each in part.cells],
            "pairs": [_pair(view.benchmark.result, pair, flips=flips) for view, pair in pairs],
            "settings": [
                {"benchmark": part.result.card.name, "version": part.result.version, "name": name, "values": values}
                for part in self.benchmarks
                for name, values in part.settings.items()
            ],
        }

    def _cell(self, compared: ComparedCell) -> dict[str, Any]:
        cell = compared.cell.record.cell
        return {
            "key": compared.key,
            "label": compared.label,
            "benchmark": cell.benchmark,
            "version": cell.version,
            "id": cell.id,
            "subject": cell.subject.label,
            "model": cell.model or None,
            "folder": str(compared.cell.record.folder),
            "estimates": [
                view.estimates[compared.key].as_json() for view in self.views if compared.key in view.estimates
            ],
        }


def _pair(result: BenchmarkResult, pair: ComparedPair, *, flips: int) -> dict[str, Any]:
    both = (pair.first, pair.second)
    differ = differing_settings({each.key: each.settings for each in both})
    return {
        "benchmark": result.card.name,
        "version": result.version,
        "keys": [each.key for each in both],
        "cells": [each.cell.record.cell.id for each in both],
        **pair.found.comparison.as_json(),
        "items_differ": len(pair.found.items),
        "flips": [flip.as_json() for flip in pair.found.flips(flips)],
        "differs": {name: list(values.values()) for name, values in differ.items()},
    }
