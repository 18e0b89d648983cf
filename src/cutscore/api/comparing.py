"""Compare runs from Python: paired differences with the verdicts of `cutscore compare`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutscore.api.data_frames import ResultFrame, flat_estimate
from cutscore.api.reading import Results
from cutscore.core.errors import BadInput

if TYPE_CHECKING:
    from cutscore.results.cells import CellResult
    from cutscore.results.run_comparison import ComparedPair, RunComparison

    Run = str | Path | Results | CellResult | Sequence[CellResult]


class PairedResults:
    """Pairs of cells with their differences and verdicts, as `compare` returns them.

    Cells go by letters, as on the command line. Iterating gives the pairs: `pair.found.comparison` has the difference,
    the test and the verdict, `pair.found.flips(5)` the items on which the two differ most.
    """

    def __init__(self, found: RunComparison) -> None:
        self.found = found
        self.warnings = found.warnings

    def __iter__(self) -> Iterator[ComparedPair]:
        return (pair for view in self.found.views for pair in view.pairs)

    @cached_property
    def cells(self) -> ResultFrame:
        """A row for each cell and score: its letter, its name, and its estimate by itself."""
        return ResultFrame(
            [
                {"benchmark": view.benchmark.result.title, "key": cell.key, "cell": cell.label}
                | flat_estimate(view.estimates[cell.key])
                for view in self.found.views
                for cell in view.benchmark.cells
            ]
        )

    @cached_property
    def pairs(self) -> ResultFrame:
        """A row for each pair and score: first minus second, its interval, its test and its verdict."""
        return ResultFrame(
            [
                {
                    "benchmark": view.benchmark.result.title,
                    "first": pair.first.label,
                    "second": pair.second.label,
                    **flat_estimate(made.difference.estimate),
                    "unscored": made.unscored,
                    "p_value": made.test.p_value,
                    "p_adjusted": made.p_adjusted,
                    "separable": made.separable,
                    "verdict": made.verdict,
                    "detectable": made.detectable,
                    "items_differ": len(pair.found.items),
                }
                for view in self.found.views
                for pair in view.pairs
                for made in (pair.found.comparison,)
            ]
        )

    @cached_property
    def settings(self) -> ResultFrame:
        """A row for each setting in which cells differ: its value for each of them, by letter."""
        return ResultFrame(
            [
                {"benchmark": part.result.title, "setting": name, **values}
                for part in self.found.benchmarks
                for name, values in part.settings.items()
            ]
        )

    def flips(self, most: int = 5) -> ResultFrame:
        """Return the items on which each pair differs most, with both scores and the reason of each."""
        return ResultFrame(
            [
                {
                    "first": pair.first.label,
                    "second": pair.second.label,
                    "item": flip.item,
                    "first_value": flip.first.value,
                    "second_value": flip.second.value,
                    "first_because": flip.first.finding.because if flip.first.finding else None,
                    "second_because": flip.second.finding.because if flip.second.finding else None,
                }
                for pair in self
                for flip in pair.found.flips(most)
            ]
        )

    def as_json(self, *, flips: int = 0) -> dict[str, Any]:
        """Return the object that `cutscore compare --json` prints, without its schema."""
        return self.found.as_json(flips=flips)

    def __repr__(self) -> str:
        from cutscore.results.wording import figures

        made = [(pair.first.label, pair.second.label, pair.found.comparison) for pair in self]
        return "\n".join(
            f"{first} − {second}: {' '.join(figures(each.difference.estimate))}, {each.verdict}"
            for first, second, each in made
        )

    def _repr_html_(self) -> str:
        """Show the pairs as a table."""
        shown = ("first", "second", "name", "value", "low", "high", "n", "clusters", "verdict")
        rows = zip(*(self.pairs[name] for name in shown), strict=True)
        return ResultFrame([dict(zip(shown, row, strict=True)) for row in rows])._repr_html_()


def compare(*runs: Run, everything: bool = False, with_references: bool = False) -> PairedResults:
    """Compare cells of the same benchmark and version, item by item.

    Of two runs each contestant of the first is compared with each of the second; of one, or of more than two, all of
    them with each other, and each with the guess. A run that is one cell takes part whoever it is. Only
    items that both have count. Verdicts hold for all pairs together (Holm).

        pairs = cutscore.compare("old", "new")
        pairs.pairs.pandas()[["first", "second", "value", "low", "high", "verdict"]]

        results = cutscore.read("logs")
        cutscore.compare(results.cells[0], results.cells[1]).flips(3)

    Args:
        runs: Run folders (also a benchmark's or a cell's folder in one), `Results`, or cells of them.
        everything: Compare every score, mode and group, not the headline alone.
        with_references: Compare `oracle`, `blind`, `null`, planted faults and people as if they competed.

    Raises:
        BadInput: A folder holds no run, or nothing can be compared.
    """
    from cutscore.results.compare_runs import compare_runs

    if not runs:
        raise BadInput("compare", "needs a run", "name a run folder, or two")
    cells = [_cells(run) for run in runs]
    names = [_name(run) for run in runs]
    return PairedResults(compare_runs(cells, names=names, everything=everything, with_references=with_references))


def _cells(run: Run) -> Sequence[CellResult]:
    from cutscore.results.cells import CellResult, read_run

    if isinstance(run, str | Path):
        return read_run(Path(run))
    if isinstance(run, Results):
        return run.cells
    return [run] if isinstance(run, CellResult) else run


def _name(run: Run) -> str:
    """Name a run for an error; cells go by their ids."""
    return str(run) if isinstance(run, str | Path) else ", ".join(each.id for each in _cells(run))
