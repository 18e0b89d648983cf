"""Results of cells, for a person and for a program: no number without company."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from math import fsum
from operator import add
from typing import TYPE_CHECKING, Any, Literal

from cutscore.core.condition import describe_condition
from cutscore.core.errors import CutscoreError, OldRecord, RunBroken, Stopped
from cutscore.core.finding import score_key
from cutscore.core.row import RUN_SIGN
from cutscore.core.usage import NOTHING, Usage
from cutscore.results.report_data import who_is_who
from cutscore.results.wording import count

if TYPE_CHECKING:
    from cutscore.bridge.rows import CellRecord
    from cutscore.core.card import Card
    from cutscore.core.estimate import Estimate
    from cutscore.core.row import Row
    from cutscore.results.comparison import Comparison
    from cutscore.results.estimates import ItemScores
    from cutscore.results.people import Reference
    from cutscore.results.verdicts import Versus


@dataclass(frozen=True)
class CellResult:
    """One cell with the rows that were asked for.

    Args:
        missing: Samples that were planned and have no row.
        run: Name of its run folder, where the same cell is there from another one, too.
    """

    record: CellRecord
    rows: tuple[Row, ...]
    missing: int = 0
    run: str = ""

    @property
    def id(self) -> str:
        """Name the cell as its rows do: two runs of one cell are two."""
        return f"{self.record.cell.id}{RUN_SIGN}{self.run}" if self.run else self.record.cell.id

    def of_run(self, run: str) -> CellResult:
        """Return the cell as one of several runs of it."""
        named = replace(self, run=run)
        return replace(named, rows=tuple(row.model_copy(update={"cell": named.id}) for row in self.rows))

    @property
    def unscored(self) -> int:
        return sum(row.ending.status != "marked" for row in self.rows)

    @property
    def label(self) -> str:
        """Name the subject as rows do, which tell when a cell was marked again."""
        cell = self.record.cell
        return cell.subject.label + (" (rescored)" if cell.rescored_from else "")


@dataclass(frozen=True)
class Section:
    """All cells of one benchmark in one mode, in the order in which they are shown.

    Args:
        against: Which comparisons are shown: those with the best cell, or of each second marking with the first.
            A cell with another input than usual is compared with its own subject's usual one, where there is such.
    """

    card: Card
    cells: tuple[CellResult, ...]
    against: Literal["best", "before"] = "best"

    @property
    def mode(self) -> str:
        return self.cells[0].record.cell.mode

    @cached_property
    def labels(self) -> dict[str, str]:
        """Name every cell by its id, as the report does; no two names are equal."""
        who = who_is_who((each.id, each.label, each.record.cell.model, self.arm(each)) for each in self.cells)
        return {cell: each.label for cell, each in who.items()}

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
        return {id(each): item_scores(each.rows, view, label=self.labels[each.id]) for each in self.cells}

    @cached_property
    def verdicts(self) -> tuple[Versus, ...]:
        """Compare cells in the headline, under the names that they have here: all pairs, judged together."""
        from cutscore.results.verdicts import verdicts

        return verdicts(self)

    @cached_property
    def differences(self) -> tuple[Comparison, ...]:
        """Return those of the comparisons that are shown."""
        from cutscore.results.verdicts import shown

        return tuple(each.comparison for each in shown(self, self.verdicts))

    @cached_property
    def people(self) -> Reference | None:
        """Return what people reach who did the tasks by hand, where several did."""
        from cutscore.results.people import reference

        return reference(row for each in self.cells for row in each.rows)

    @cached_property
    def human(self) -> tuple[Estimate, ...]:
        """Return the estimates of the human reference, the headline first; none where there is no reference."""
        from cutscore.results.estimates import estimates

        return estimates(self.people.rows, self.card, self.mode) if self.people else ()

    def arm(self, cell: CellResult) -> str:
        """Describe what makes the input of a cell unlike the usual one."""
        settings = cell.record.cell
        return describe_condition(settings.frames, settings.input, self.card.frames, subject=settings.subject.label)

    def whole(self, cell: CellResult) -> CellResult | None:
        """Return the cell of the same subject, model and run with the usual input, for one that has not."""
        if not self.arm(cell):
            return None
        who = cell.label, cell.record.cell.model, cell.run
        same = (each for each in self.cells if each.rows and (each.label, each.record.cell.model, each.run) == who)
        return next((each for each in same if not self.arm(each)), None)

    def named(self, cell: CellResult) -> list[Row]:
        """Return a cell's rows under the name that it has here."""
        name = self.labels[cell.id]
        return [row.model_copy(update={"subject": name, "model": ""}) for row in cell.rows]


def sections(cells: Iterable[CellResult], *, against: Literal["best", "before"] = "best") -> list[Section]:
    """Sort cells into benchmarks; two versions or modes of one are two, since their numbers do not mix."""
    from cutscore.registry import benchmark

    by_bench: dict[tuple[str, str, str], list[CellResult]] = {}
    for each in cells:
        cell = each.record.cell
        by_bench.setdefault((cell.benchmark, cell.version, cell.mode), []).append(each)
    made = [Section(benchmark(name).card, tuple(each), against) for (name, *_), each in by_bench.items()]
    for part in made:
        if part.mode and part.mode not in part.card.modes:
            fact = f"was marked in mode '{part.mode}', which benchmark '{part.card.name}' does not have any more"
            raise OldRecord(f"cell '{part.cells[0].record.cell.id}'", fact, "mark it again with 'cutscore rescore'")
    return made


def outdated(parts: Sequence[Section]) -> tuple[str, ...]:
    """Warn of cells of another version than the card that is installed: floors and scales are read from the card."""
    return tuple(
        f"{part.card.name}: cells of version {found} are read with the card of version {part.card.version}"
        for part in parts
        if (found := part.cells[0].record.cell.version) != part.card.version
    )


def as_json(part: Section, *, most: float) -> dict[str, Any]:
    """Return the object that `run` prints for one benchmark.

    Args:
        part: The benchmark.
        most: Share of samples that may be unscored before a cell is called unfit.
    """
    rows = [row for each in part.cells for row in each.rows]
    judged = [row for row in rows if row.judge]
    single = part.cells[0].record.cell if len(part.cells) == 1 else None
    return {
        "benchmark": part.card.name,
        "version": part.cells[0].record.cell.version,
        "mode": part.mode,
        "subject": single.subject.label if single else None,
        "model": (single.model or None) if single else None,
        "n": sum(row.ending.status == "marked" for row in rows),
        "unscored": sum(row.ending.status != "marked" for row in rows),
        "unfit": list(unfit([part], most=most)),
        "estimates": _estimates(part, bare=single is not None),
        "cells": [_cell(each) for each in part.cells],
        "differences": [each.as_json() for each in part.differences],
        **({"human": _human(part.people, part.human)} if part.people else {}),
        "usage": _plain_usage(usage_of(rows)),
        **({"judge_usage": _plain_usage(_added(row.judge_usage for row in judged))} if judged else {}),
        "cost_usd": cost_of(rows),
    }


def _human(people: Reference, human: Sequence[Estimate]) -> dict[str, Any]:
    return {"editors": people.editors, "estimates": [estimate.as_json() for estimate in human]}


def _estimates(part: Section, *, bare: bool) -> list[dict[str, Any]]:
    made = []
    for each in part.cells:
        cell = each.record.cell
        who = {} if bare else {"subject": cell.subject.label, "model": cell.model or None, "cell": cell.id}
        made += [{**estimate.as_json(), **who} for estimate in part.estimates[cell.id]]
    return made


def _cell(each: CellResult) -> dict[str, Any]:
    cell, log = each.record.cell, each.record.log
    return {
        "id": cell.id,
        "subject": cell.subject.label,
        "model": cell.model or None,
        **({"judge": cell.judge} if cell.judge else {}),
        **({"input": cell.input} if cell.input else {}),
        "log": str(log) if log else None,
    }


def usage_of(rows: Iterable[Row]) -> Usage | None:
    """Add up tokens; one row that does not know makes the sum unknown."""
    return _added(row.usage for row in rows)


def _added(usages: Iterable[Usage | None]) -> Usage | None:
    known = list(usages)
    return None if None in known else reduce(add, (each for each in known if each), NOTHING)


def cost_of(rows: Iterable[Row]) -> float | None:
    """Add up money; one row that does not know makes the sum unknown."""
    known = [row.cost_usd for row in rows]
    return None if None in known else fsum(each for each in known if each is not None)


def _plain_usage(usage: Usage | None) -> dict[str, Any] | None:
    return None if usage is None else usage.model_dump(mode="json")


def unfit(parts: Sequence[Section], *, most: float) -> tuple[str, ...]:
    """Warn of cells in which too much is unscored to call the number a measurement."""
    return tuple(said for part in parts for each in part.cells for said in unfit_cell(part, each, most))


def unfit_cell(part: Section, cell: CellResult, most: float) -> list[str]:
    """Explain why the numbers of a cell are no measurement; nothing when they are one."""
    said = _unfit_judge(part, cell, most)
    if cell.rows and cell.unscored / len(cell.rows) > most:
        share = f"{cell.unscored / len(cell.rows):.0%}"
        name = part.labels[cell.id]
        said.append(
            f"{part.card.name} {name} is unfit: {cell.unscored:,} of {len(cell.rows):,} samples are unscored "
            f"({share}, at most {most:.0%} may be); most often: {common_reason(cell.rows)}"
        )
    return said


def _unfit_judge(part: Section, cell: CellResult, most: float) -> list[str]:
    """Warn of scores that a judge left open too often, though the samples themselves are marked."""
    marked = [row for row in cell.rows if row.ending.status == "marked"]
    said = []
    for name in (name for name, score in part.card.scores.items() if score.judged and cell.record.cell.judge):
        key = score_key(name, part.mode)
        open_ones = [row for row in marked if key not in row.ending.scores]
        if marked and len(open_ones) / len(marked) > most:
            reasons = Counter(each.because for row in open_ones for each in row.judgements if each.answer is None)
            why = reasons.most_common(1)[0][0] if reasons else "no opinion was given"
            said.append(
                f"{part.card.name} {part.labels[cell.id]} is unfit: {cell.record.cell.judge} left "
                f"{name} open for {len(open_ones):,} of {count(len(marked), 'sample')} "
                f"({len(open_ones) / len(marked):.0%}, at most {most:.0%} may be); most often: {why}"
            )
    return said


def common_reason(rows: Iterable[Row]) -> str:
    """Return the reason that most samples without a mark share."""
    reasons = Counter(row.ending.because for row in rows if row.ending.status != "marked")
    return reasons.most_common(1)[0][0] if reasons else ""


def broken(cells: Sequence[CellResult]) -> CutscoreError | None:
    """Explain why a run is not complete: samples without a row, or a cell in which nothing was marked."""
    missing = sum(each.missing for each in cells)
    if missing:
        total = missing + sum(len(each.rows) for each in cells)
        fact = f"{missing:,} of {count(total, 'sample')} {'has' if missing == 1 else 'have'} no row"
        return RunBroken("run", fact, "run the same command again to go on")
    for each in cells:
        if each.rows and each.unscored == len(each.rows):
            kind = Stopped if all(row.ending.status == "stopped" for row in each.rows) else RunBroken
            fact = f"nothing was marked; most often because {common_reason(each.rows)}"
            return kind(f"cell '{each.record.cell.id}'", fact, "mend that and run the same command again")
    return None
