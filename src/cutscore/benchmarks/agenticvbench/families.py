"""The families of a run, and every stack as one line over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cutscore.core.finding import score_key
from cutscore.core.subject import is_person
from cutscore.results.tables.lines import MEDIAN, CellLine, SampleMark, cell_lines

if TYPE_CHECKING:
    from cutscore.results.benchmark import BenchmarkResult
    from cutscore.results.cells import CellResult

ORDER = ("assembly", "repair", "sequencing", "repurpose")
SCORE = "score"  # the headline of whatever family a mark is of
FAMILY = "family"
HUMAN = "human"


@dataclass(frozen=True)
class Family:
    """One family as it was measured: every line of its tables, marked by the headline in the paper's mode."""

    name: str
    result: BenchmarkResult
    lines: tuple[CellLine, ...]

    @property
    def key(self) -> str:
        """Name the headline as rows do."""
        return score_key(self.result.card.headline, self.result.mode)

    @property
    def scale(self) -> tuple[float, float]:
        """Return the scale of the headline."""
        return self.result.card.scores[self.result.card.headline].scale

    @property
    def stacks(self) -> list[CellLine]:
        """Return the lines that compete: on the whole task, and neither a person nor the oracle."""
        return [line for line in self.lines if line.competes and not is_person(line.subject)]

    @property
    def cells(self) -> list[CellResult]:
        """Return the cells on the whole task whose subject works with a model."""
        return [each for each in self.result.cells if each.record.cell.model and not self.result.unusual(each)]

    @property
    def people(self) -> CellLine | None:
        """Return the median over people, or the one who did the tasks."""
        several = [line for line in self.lines if line.remark == MEDIAN]
        alone = [line for line in self.lines if is_person(line.subject) and not line.arm]
        return next(iter(several or alone), None)


def find_families(results: Sequence[BenchmarkResult]) -> list[Family]:
    """Return the families in their order; of several versions or modes of one, the last, in the card's mode if any."""
    chosen: dict[str, BenchmarkResult] = {}
    for each in sorted(results, key=lambda one: (one.mode == one.card.mode(None), one.version)):
        chosen[each.card.name] = each
    found = [chosen[name] for name in ORDER if name in chosen]
    return [Family(each.card.name, each, tuple(cell_lines(each.rows, plan=each.card.frames))) for each in found]


def merge_stacks(families: Sequence[Family]) -> list[CellLine]:
    """Return one line for each stack, with the marks of all families that it was measured on."""
    found: dict[tuple[str, str, str], list[SampleMark]] = {}
    for family in families:
        for line in family.stacks:
            found.setdefault(line.who, []).extend(_marks(family, line))
    return [CellLine(subject, model, found[subject, model, tail], tail=tail) for subject, model, tail in sorted(found)]


def merge_people(families: Sequence[Family]) -> CellLine | None:
    """Return what people reach over all families; None where nobody did a task by hand."""
    marks = [mark for family in families if family.people for mark in _marks(family, family.people)]
    return CellLine(HUMAN, "", marks, remark=MEDIAN) if marks else None


def in_family(line: CellLine, family: str) -> CellLine:
    """Return what a line over all families has of one."""
    return replace(line, marks=[mark for mark in line.marks if mark.groups[FAMILY] == family])


def _marks(family: Family, line: CellLine) -> list[SampleMark]:
    """Return the marks of a line with the headline alone; names of items and clusters hold in all families."""
    return [
        replace(
            mark,
            item=f"{family.name}/{mark.item}",
            cluster=f"{family.name}/{mark.cluster}",
            groups={FAMILY: family.name},
            scores={SCORE: mark.scores[family.key]} if family.key in mark.scores else {},
            found={},
            wholes={},
            because=mark.because or ("no headline" if family.key not in mark.scores else ""),
        )
        for mark in line.marks
    ]
