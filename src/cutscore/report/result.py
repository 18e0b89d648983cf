"""What the report is told: who was measured, with which estimates, how two of them differ, and the tables."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from cutscore.core.estimate import Difference, Estimate
from cutscore.core.table import Table


@dataclass(frozen=True)
class Result:
    """The estimates of one cell.

    Args:
        cell: Id of the cell, as in its rows.
        mode: Scoring mode of the headline; empty when the benchmark has one way of marking.
        estimates: The first without a group is the headline.
        unfit: Why its numbers are no measurement; empty when they are one.
    """

    benchmark: str
    version: str
    cell: str
    subject: str
    model: str
    mode: str
    estimates: tuple[Estimate, ...]
    unfit: tuple[str, ...] = ()

    @property
    def headline(self) -> Estimate | None:
        return next((estimate for estimate in self.estimates if not estimate.group), None)


@dataclass(frozen=True)
class Contrast:
    """A paired difference, with the benchmark that it belongs to.

    Its labels name the two cells as `Who` does: `blind`, `openai/x`, `video · openai/x`, or by cell id.
    """

    benchmark: str
    version: str
    difference: Difference


@dataclass(frozen=True)
class TableSet:
    """The tables of one benchmark in one scoring mode, in the order in which they are shown.

    Args:
        fault: Why there are none although there should be; empty when nothing went wrong.
    """

    benchmark: str
    version: str
    tables: tuple[Table, ...] = ()
    mode: str = ""
    fault: str = ""


@dataclass(frozen=True)
class Who:
    """A cell as people name it.

    Args:
        mark: Tail of the cell's id where subject and model do not tell two cells apart, else empty.
    """

    cell: str
    subject: str
    model: str = ""
    mark: str = ""

    @property
    def label(self) -> str:
        """Name the cell in one line; the plain kind `model` goes by the model's own name.

        >>> Who("model-3f", "model", "openai/x").label, Who("video-3f", "video", "openai/x").label
        ('openai/x', 'video · openai/x')
        """
        words = [self.subject] if self.subject != "model" or not self.model else []
        return " · ".join([*words, *filter(None, [self.model, self.mark])])

    @property
    def names(self) -> frozenset[str]:
        """Give every name by which a difference may call this cell."""
        return frozenset(
            {self.label, self.cell, f"{self.subject} {self.model}".strip()}
            if not self.mark
            else {self.label, self.cell}
        )


def who_is_who(cells: Iterable[tuple[str, str, str]]) -> dict[str, Who]:
    """Name cells, given as (cell, subject, model), so that no two names are equal."""
    known = {cell: (subject, model) for cell, subject, model in cells}
    shared = Counter(known.values())
    return {
        cell: Who(cell, subject, model, mark=cell.rpartition("-")[2][:12] if shared[subject, model] > 1 else "")
        for cell, (subject, model) in sorted(known.items())
    }
