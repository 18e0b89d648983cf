"""What a judge named beside what people named: which weaknesses are the same, and what that comes to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from cutscore.core.judgement import Weakness

# `paper`: the verdict counts once beside every item (Algorithm 1). `reference`: plain counts, as the released code.
MatchMode = Literal["paper", "reference"]


@dataclass(frozen=True)
class Confusion:
    """What some samples add to each cell of a confusion matrix; a case is a sample that has a weakness.

    >>> Confusion(tp=1) + Confusion(fn=0.5)
    Confusion(tp=1.0, tn=0.0, fp=0.0, fn=0.5)
    """

    tp: float = 0.0
    tn: float = 0.0
    fp: float = 0.0
    fn: float = 0.0

    def __add__(self, other: "Confusion") -> "Confusion":
        return Confusion(*(float(one + two) for one, two in zip(self.cells, other.cells, strict=True)))

    @property
    def cells(self) -> tuple[float, float, float, float]:
        """The cells in the order tp, tn, fp, fn; many times as fast as `dataclasses.astuple`, which copies deeply."""
        return self.tp, self.tn, self.fp, self.fn

    @property
    def total(self) -> float:
        """The sum of all cells."""
        return self.tp + self.tn + self.fp + self.fn

    def normalised(self) -> "Confusion":
        """Return the cells as shares that add up to 1."""
        return Confusion(*(float(cell / self.total) for cell in self.cells))


def verdict_confusion(*, truth: bool, said: bool) -> Confusion:
    """Return the confusion of one verdict: whether there is a weakness, and whether the judge says so.

    >>> verdict_confusion(truth=True, said=False)
    Confusion(tp=0.0, tn=0.0, fp=0.0, fn=1.0)
    """
    return Confusion(
        tp=float(truth and said), tn=float(not truth and not said), fp=float(said and not truth), fn=float(truth > said)
    )


@dataclass(frozen=True)
class WeaknessPairs:
    """What a matcher says of two lists.

    Args:
        pairs: (number in the reference, number in the prediction), from 0, in order; one-to-one unless coverage was
            asked for.
        plausible: Predictions without a partner that are right all the same, where the matcher can tell.
        refused: Pairs that it claimed and that cannot be: of numbers that are not there, or of one that is taken.
    """

    pairs: tuple[tuple[int, int], ...] = ()
    plausible: frozenset[int] = frozenset()
    refused: int = 0


class Matcher(Protocol):
    """Somebody who tells which weaknesses of two lists are the same."""

    @property
    def name(self) -> str:
        """What it goes by, for the name of every figure that stands on it."""

    @property
    def approximate(self) -> bool:
        """Whether it compares wordings rather than meanings."""

    def pair(
        self, reference: Sequence[Weakness], predicted: Sequence[Weakness], *, coverage: bool = False
    ) -> WeaknessPairs:
        """Pair as many as can be paired, one to one; with `coverage` one prediction may cover several of the reference.

        Which of equally many pairs are formed is always the same.
        """


@dataclass(frozen=True)
class MatchResult:
    """Two lists of weaknesses of one sample, matched.

    Args:
        confusion: Algorithm 1's shares, which add up to 1; fractional.
        binary: The same from the verdicts alone: one cell is 1.
        reference, predicted: What was compared, after cleaning; pairs are numbers in these.
        omissions: What people named and the judge did not, by their words.
        hallucinations: What the judge named and people did not, by its words; what is plausible is not among them.
        dropped: A sentence for every entry that was none.
        refused: Pairs that the matcher claimed and that cannot be.
    """

    confusion: Confusion
    binary: Confusion
    pairs: tuple[tuple[int, int], ...]
    reference: tuple[Weakness, ...]
    predicted: tuple[Weakness, ...]
    omissions: tuple[str, ...]
    hallucinations: tuple[str, ...]
    matcher: str
    approximate: bool
    mode: MatchMode
    plausible: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    refused: int = 0

    @property
    def basis(self) -> str:
        """What figures stand on, for their names."""
        return f"{self.matcher} (approximate)" if self.approximate else self.matcher


# Matches what people named (first) with what a judge named, with all options settled.
MatchWeaknesses = Callable[[Sequence[Weakness], Sequence[Weakness]], MatchResult]
