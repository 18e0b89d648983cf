"""What the report is told: who was measured, with which estimates, how two of them differ, and the tables."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from cutscore.core.estimate import Difference, Estimate
from cutscore.core.row import tail_of
from cutscore.core.table import Table


@dataclass(frozen=True)
class Result:
    """The estimates of one cell.

    Args:
        cell: Id of the cell, as in its rows.
        mode: Scoring mode of the headline; empty when the benchmark has one way of marking.
        estimates: The first without a group is the headline.
        unfit: Why its numbers are no measurement; empty when they are one.
        arm: What makes its input unlike the usual one, in words; empty when nothing does.
    """

    benchmark: str
    version: str
    cell: str
    subject: str
    model: str
    mode: str
    estimates: tuple[Estimate, ...]
    unfit: tuple[str, ...] = ()
    arm: str = ""

    @property
    def headline(self) -> Estimate | None:
        return next((estimate for estimate in self.estimates if not estimate.group), None)


@dataclass(frozen=True)
class Contrast:
    """A paired difference, with the benchmark that it belongs to.

    Its labels name the two cells as `Who` does: `blind`, `openai/x`, `video · openai/x`, or by cell id.

    Args:
        separable: Whether chance is ruled out at 95%, for all pairs of the benchmark together; None without a test.
        lacking: Clusters that it takes, where there are too few for any difference to be separable; else 0.
    """

    benchmark: str
    version: str
    difference: Difference
    separable: bool | None
    lacking: int = 0


@dataclass(frozen=True)
class Flipped:
    """An item that two cells did not get alike, with the reason of either."""

    item: str
    first: float
    second: float
    first_because: str = ""
    second_because: str = ""


@dataclass(frozen=True)
class Duel:
    """Two cells of one benchmark, compared.

    Args:
        first, second: Ids of the cells.
        difference: First minus second, on the items that both have.
        separable: Whether chance is ruled out at 95%, for all duels of the benchmark together; None without a test.
        p_adjusted: The p-value behind that, adjusted for all of them.
        test: How it was tested.
        detectable: The difference that so many items could have shown; None when that is undefined.
        unscored: Items that both were asked and that lack a mark on either side.
        differ: Items on which the two have different scores.
        flips: Those that differ most.
        settings: What differs in how they were made: name, value of the first, value of the second.
        lacking: Clusters that it takes, where there are too few for any difference to be separable; else 0.
    """

    benchmark: str
    version: str
    first: str
    second: str
    difference: Difference
    separable: bool | None
    p_adjusted: float | None
    test: str
    detectable: float | None
    unscored: int
    differ: int
    flips: tuple[Flipped, ...] = ()
    settings: tuple[tuple[str, str, str], ...] = ()
    lacking: int = 0


@dataclass(frozen=True)
class Corrected:
    """A subject's score as a judge gives it, and without the judge's errors where these are known."""

    subject: str
    kind: str
    raw: Estimate
    corrected: Estimate | None
    because: str


@dataclass(frozen=True)
class Calibrated:
    """How far a judge agrees with people on one kind of question, or on one group of it."""

    title: str
    judge: tuple[Estimate, ...]
    people: tuple[Estimate, ...]


@dataclass(frozen=True)
class JudgeTold:
    """What is known of a judge that gave opinions on a benchmark.

    Args:
        judge: Its name.
        calibrated: Whether a card with held-out labels holds for it.
        because: Why (not).
        scores: Of the subjects.
        parts: From its card; empty without one.
        flips: Chance that two of its votes on one question differ; None when nobody knows.
    """

    benchmark: str
    version: str
    judge: str
    calibrated: bool
    because: str
    scores: tuple[Corrected, ...] = ()
    parts: tuple[Calibrated, ...] = ()
    flips: Estimate | None = None


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
        arm: What makes its input unlike the usual one, in words; empty when nothing does.
        mark: What does (`tail_of`) where all this does not tell two cells apart, else empty.
    """

    cell: str
    subject: str
    model: str = ""
    arm: str = ""
    mark: str = ""

    @property
    def label(self) -> str:
        """Name the cell in one line; the plain kind `model` goes by the model's own name.

        >>> Who("model-3f", "model", "openai/x").label, Who("video-3f", "video", "openai/x").label
        ('openai/x', 'video · openai/x')
        """
        words = [self.subject] if self.subject != "model" or not self.model else []
        name = " · ".join([*words, *filter(None, [self.model, self.mark])])
        return f"{name} ({self.arm})" if self.arm else name

    @property
    def names(self) -> frozenset[str]:
        """Return every name by which a difference may call this cell."""
        plain = () if self.mark or self.arm else (f"{self.subject} {self.model}".strip(),)
        return frozenset({self.label, self.cell, *plain})


def who_is_who(cells: Iterable[tuple[str, str, str, str]]) -> dict[str, Who]:
    """Name cells, given as (cell, subject, model, arm), so that no two names are equal.

    >>> runs = [("blind-3f@may", "blind", "", ""), ("blind-3f@june", "blind", "", "")]
    >>> [each.label for each in who_is_who(runs).values()]
    ['blind · june', 'blind · may']
    """
    known = {cell: (subject, model, arm) for cell, subject, model, arm in cells}
    shared = Counter(known.values())
    return {
        cell: Who(cell, *names, mark=tail_of(cell) if shared[names] > 1 else "")
        for cell, names in sorted(known.items())
    }
