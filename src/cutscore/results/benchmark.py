"""All cells of one benchmark: their names, estimates, pairs, tables and judges, each computed once when asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from cutscore.core.arm import describe_arm, unusual_settings
from cutscore.core.errors import BadInput, OldRecord, Stopped
from cutscore.core.finding import score_key
from cutscore.core.subject import ReferenceRole, reference_role
from cutscore.results.cells import CellName, CellResult, name_cells

if TYPE_CHECKING:
    from cutscore.core.card import Card
    from cutscore.core.estimate import Estimate
    from cutscore.core.row import Row
    from cutscore.results.calibration import JudgeCalibration
    from cutscore.results.estimates import ItemScores
    from cutscore.results.headline import CellHeadline
    from cutscore.results.pairs import CellComparison
    from cutscore.results.people import HumanReference
    from cutscore.results.references import ReferenceLevel, Role
    from cutscore.results.tables.benchmark_tables import BenchmarkTables

Shown = Literal["best", "before"]


@dataclass(frozen=True)
class BenchmarkResult:
    """All cells of one version of a benchmark in one scoring mode, in the order in which they are shown.

    Args:
        card: Of the benchmark that is installed; its version may be another one. Chance is that of the cells' items.
        cells: At least one.
        against: Which comparisons are shown: those with the best cell, or of each second marking with the first.
            A cell with another input or conditions than usual is compared with its own subject's usual one, where there
            is such.
        with_references: Ceiling, guess, floor, people and planted faults compete as well.
    """

    card: Card
    cells: tuple[CellResult, ...]
    against: Shown = "best"
    with_references: bool = False

    @property
    def version(self) -> str:
        """Return the version of the benchmark that the cells ran."""
        return self.cells[0].record.cell.version

    @property
    def mode(self) -> str:
        """Return the scoring mode of the headline; empty when there is only one way of marking."""
        return self.cells[0].record.cell.mode

    @property
    def title(self) -> str:
        """Name benchmark and version, as tables do."""
        return f"{self.card.name} v{self.version}"

    @property
    def rows(self) -> list[Row]:
        """Return the samples of all cells."""
        return [row for each in self.cells for row in each.rows]

    @cached_property
    def names(self) -> dict[str, CellName]:
        """Return the name of every cell by its id; no two are equal."""
        return name_cells((each.id, each.label, each.record.cell.model, self.arm(each)) for each in self.cells)

    @property
    def labels(self) -> dict[str, str]:
        """Return the name of every cell in one line, by its id."""
        return {cell: each.label for cell, each in self.names.items()}

    @cached_property
    def estimates(self) -> dict[str, tuple[Estimate, ...]]:
        """Return the estimates of every cell by its id, the headline first."""
        from cutscore.results.estimates import estimates

        return {each.id: estimates(each.rows, self.card, self.mode) for each in self.cells}

    @cached_property
    def scores(self) -> dict[int, ItemScores]:
        """Return the headline of every cell by item, under the name that it has here.

        By `id` of the cell: `compare` may meet one cell in two run folders.
        """
        from cutscore.results.estimates import headline, item_scores

        view = headline(self.card, self.mode)
        labels = self.labels
        return {id(each): item_scores(each.rows, self.card, view, label=labels[each.id]) for each in self.cells}

    @cached_property
    def comparisons(self) -> tuple[CellComparison, ...]:
        """Compare cells in the headline: contestants with each other, then with the guess; all judged together."""
        from cutscore.results.estimates import headline
        from cutscore.results.pairs import choose_pairs, compare_pairs

        views = [headline(self.card, self.mode)]
        return compare_pairs(choose_pairs(self), views, self.card, lambda cell, _: self.scores[id(cell)])

    @cached_property
    def differences(self) -> tuple[CellComparison, ...]:
        """Return those of the comparisons that are shown."""
        from cutscore.results.pairs import shown_comparisons

        return shown_comparisons(self)

    @cached_property
    def headlines(self) -> tuple[CellHeadline, ...]:
        """Return the headline of every cell with what it shows, best first."""
        from cutscore.results.headline import CellHeadline, rank_headlines

        return tuple(
            rank_headlines(
                CellHeadline(
                    self.names[each.id], self.estimates[each.id][0], "" if self.with_references else self.role(each)
                )
                for each in self.cells
            )
        )

    @cached_property
    def finding(self) -> str:
        """Return what was found, in one sentence: who is best, who did no better than a guess."""
        from cutscore.results.headline import ScoreLevels, describe_finding

        floor, chance = (self.level(role).value for role in ("floor", "guess"))
        return describe_finding(self.headlines, self.comparisons, ScoreLevels(floor, chance))

    def level(self, role: Role) -> ReferenceLevel:
        """Return ceiling, guess or floor of the headline: as measured in the run, else as the card has it."""
        from cutscore.results.references import reference_level

        return reference_level(self, role)

    @cached_property
    def people(self) -> HumanReference | None:
        """Return what people reach who did the tasks by hand, where several did."""
        from cutscore.results.people import human_reference

        return human_reference(self.rows)

    @cached_property
    def human(self) -> tuple[Estimate, ...]:
        """Return the estimates of the human reference, the headline first; none where there is no reference."""
        from cutscore.results.estimates import estimates

        return estimates(self.people.rows, self.card, self.mode) if self.people else ()

    @cached_property
    def tables(self) -> BenchmarkTables:
        """Return the benchmark's own tables, or why they could not be made, which does not cost a report."""
        from cutscore.results.tables.benchmark_tables import BenchmarkTables, make_tables

        try:
            return make_tables(self)
        except (BadInput, Stopped) as fault:
            return BenchmarkTables(self, fault=str(fault))

    @cached_property
    def calibrations(self) -> tuple[JudgeCalibration, ...]:
        """Return what is known of the judges that gave opinions."""
        from cutscore.results.calibration import calibrate_judges

        return calibrate_judges(self)

    def role(self, cell: CellResult) -> ReferenceRole:
        """Return what a cell shows beside those that compete; empty for one that competes."""
        return reference_role(cell.record.cell.subject, self.card.planted)

    @cached_property
    def contestants(self) -> tuple[CellResult, ...]:
        """Return the cells that compete: all but ceiling, guess, floor, people and planted faults."""
        return tuple(each for each in self.cells if not self.role(each))

    @property
    def rivals(self) -> tuple[CellResult, ...]:
        """Return the cells that are ranked and compared with each other."""
        return self.cells if self.with_references else self.contestants

    @cached_property
    def references(self) -> tuple[CellResult, ...]:
        """Return the cells that the others are read against."""
        return tuple(each for each in self.cells if self.role(each))

    def unusual(self, cell: CellResult) -> dict[str, str]:
        """Return the settings of input and work in which a cell differs from the usual, by name."""
        own = cell.record.cell
        return unusual_settings(
            own.frames, own.input, self.card.frames, subject=own.subject.label, conditions=own.conditions
        )

    def arm(self, cell: CellResult) -> str:
        """Describe what makes input and work of a cell unlike the usual."""
        return describe_arm(self.unusual(cell), self.card.frames)

    def whole(self, cell: CellResult) -> CellResult | None:
        """Return the cell that an ablation is compared with, for one that is an ablation.

        It is of the same subject, model and run, and is unusual in less: in nothing, or in what all cells of that run
        were set to. Of several, the one that is unusual in most of the same.
        """
        mine = self.unusual(cell).items()
        who = cell.label, cell.record.cell.model, cell.run
        same = [each for each in self.cells if each.rows and (each.label, each.record.cell.model, each.run) == who]
        able = [each for each in same if self.unusual(each).items() < mine]
        return max(able, key=lambda each: len(self.unusual(each)), default=None)

    def named_rows(self, cell: CellResult) -> list[Row]:
        """Return a cell's rows under the name that it has here."""
        name = self.labels[cell.id]
        return [row.model_copy(update={"subject": name, "model": ""}) for row in cell.rows]

    def row_status(self, row: Row) -> str:
        """Return how the headline of one sample ended: `marked`, `unscored`, `stopped` or `excluded`."""
        return row.ending.status_of(score_key(self.card.headline, self.mode))

    def row_score(self, row: Row) -> float | None:
        """Return the headline of one sample, or whatever score it has instead; None when it has none, or a gap."""
        scores = row.ending.scores
        if row.ending.gap(score_key(self.card.headline, self.mode)):
            return None
        for key in (score_key(self.card.headline, self.mode), self.card.headline):
            if key in scores:
                return scores[key]
        return next(iter(scores.values()), None)


def benchmark_results(
    cells: Iterable[CellResult], *, against: Shown = "best", with_references: bool = False
) -> list[BenchmarkResult]:
    """Sort cells into benchmarks; two versions or modes of one are two, since their numbers do not mix.

    Raises:
        OldRecord: The installed benchmark does not have the mode of a cell any more.
    """
    from cutscore.registry import benchmark

    by_benchmark: dict[tuple[str, str, str], list[CellResult]] = {}
    for each in cells:
        cell = each.record.cell
        by_benchmark.setdefault((cell.benchmark, cell.version, cell.mode), []).append(each)
    made = [
        BenchmarkResult(_card_of_data(benchmark(name).card, each), tuple(each), against, with_references)
        for (name, *_), each in by_benchmark.items()
    ]
    for result in made:
        if result.mode and result.mode not in result.card.modes:
            fact = f"was marked in mode '{result.mode}', which benchmark '{result.card.name}' does not have any more"
            raise OldRecord(f"cell '{result.cells[0].record.cell.id}'", fact, "mark it again with 'cutscore rescore'")
    return made


def _card_of_data(card: Card, cells: Sequence[CellResult]) -> Card:
    """Return the card with the chance of the items that these cells had; None where they had different ones."""
    told = [each.record.cell.chance for each in cells]
    scores = {}
    for name, score in card.scores.items():
        found = {score.chance if chance is None else chance.get(name) for chance in told}
        scores[name] = score.model_copy(update={"chance": found.pop() if len(found) == 1 else None})
    return card.model_copy(update={"scores": scores})


def outdated_versions(results: Sequence[BenchmarkResult]) -> tuple[str, ...]:
    """Warn of cells of another version than the card that is installed: floors and scales are read from the card."""
    return tuple(
        f"{each.card.name}: cells of version {each.version} are read with the card of version {each.card.version}"
        for each in results
        if each.version != each.card.version
    )
