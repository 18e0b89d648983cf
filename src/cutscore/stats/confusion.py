"""MCC, F1 and Rec−FPR of summed confusions, with intervals by cluster, and two of them on the same samples.

Binary confusions (one verdict a sample) and fractional ones (shares of a sample) give different figures on different
scales, so every figure has the kind in its name. Where a denominator is 0 a figure is undefined and says why; whoever
searches for the best prompt counts it as 0 instead. On binary confusions Kendall's tau-b is the same number as MCC.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, Unpack

import numpy as np

from cutscore.core.errors import BadInput
from cutscore.core.estimate import Difference, Estimate
from cutscore.core.matching import Confusion, verdict_confusion
from cutscore.stats.resampling import Draws, Floats, bootstrap_estimate, divide_or_nan, sums_by_cluster

ConfusionKind = Literal["binary", "fractional"]
# Of the cells hit, quiet, alarm, missed: TP, TN, FP, FN.
CellFormula = Callable[[Floats, Floats, Floats, Floats], Floats]


def mcc(hit: Floats, quiet: Floats, alarm: Floats, missed: Floats) -> Floats:
    """Return Matthews' correlation of truth and answer; not-a-number where either is always the same."""
    margins = (hit + alarm) * (hit + missed) * (quiet + alarm) * (quiet + missed)
    return divide_or_nan(hit * quiet - alarm * missed, np.sqrt(margins))


def f1(hit: Floats, quiet: Floats, alarm: Floats, missed: Floats) -> Floats:
    """Return the harmonic mean of precision and recall; not-a-number without a case and without a flag."""
    return divide_or_nan(2 * hit, 2 * hit + alarm + missed)


def rec_fpr(hit: Floats, quiet: Floats, alarm: Floats, missed: Floats) -> Floats:
    """Return recall minus the rate of false alarms; not-a-number where all samples are of one class."""
    return divide_or_nan(hit, hit + missed) - divide_or_nan(alarm, alarm + quiet)


@dataclass(frozen=True)
class _Figure:
    """A formula, its name by kind of confusion, its scale, and why it may have no value."""

    formula: CellFormula
    names: Mapping[ConfusionKind, str]
    scale: tuple[float, float]
    undefined: str


# In a fractional confusion false alarms are also items of defective samples: FP/(FP+TN) is no rate of false positives.
_FIGURES = (
    _Figure(
        mcc,
        {"binary": "binary MCC", "fractional": "fractional MCC"},
        (-1.0, 1.0),
        "truth or answer is always the same",
    ),
    _Figure(
        f1,
        {"binary": "binary F1", "fractional": "fractional F1"},
        (0.0, 1.0),
        "nothing is a case and nothing was flagged",
    ),
    _Figure(
        rec_fpr,
        {"binary": "binary Rec−FPR", "fractional": "fractional Rec−frac_FPR"},
        (-1.0, 1.0),
        "all samples are of one class",
    ),
)


@dataclass(frozen=True)
class ConfusionFigures:
    """MCC, F1 and Rec−FPR of the same samples, and the sum that they stand on."""

    mcc: Estimate
    f1: Estimate
    rec_fpr: Estimate
    total: Confusion

    @property
    def estimates(self) -> tuple[Estimate, ...]:
        """All of them, MCC first."""
        return self.mcc, self.f1, self.rec_fpr


def confusion_figures(
    confusions: Sequence[Confusion], clusters: Sequence[str], *, kind: ConfusionKind, **draws: Unpack[Draws]
) -> ConfusionFigures:
    """Return the figures of some samples with 95% intervals by cluster, all from the same draws."""
    cells = _cells_by_cluster(confusions, clusters)

    def measure(figure: _Figure) -> Estimate:
        return bootstrap_estimate(
            partial(_value, figure.formula, cells),
            clusters,
            name=figure.names[kind],
            scale=figure.scale,
            undefined=figure.undefined,
            **draws,
        )

    correlation, harmonic, difference = map(measure, _FIGURES)
    return ConfusionFigures(correlation, harmonic, difference, total=sum(confusions, start=Confusion()))


def confusion_differences(
    first: Sequence[Confusion],
    second: Sequence[Confusion],
    clusters: Sequence[str],
    *,
    kind: ConfusionKind,
    first_label: str,
    second_label: str,
    undefined_as_zero: bool = False,
    **draws: Unpack[Draws],
) -> tuple[Difference, ...]:
    """Return first minus second in MCC, F1 and Rec−FPR, over the same samples in the same draws.

    Args:
        first: What each sample adds, in the order of the samples.
        second: The same for the other side.
        clusters: Of the samples.
        kind: Of both.
        first_label: Who the first is, for its name.
        second_label: Likewise.
        undefined_as_zero: Count a figure without a value as 0, as a search for the best does; the name says so. Else
            the difference is undefined where one of the two is.
        draws: Resamples and seed.
    """
    mine, theirs = _cells_by_cluster(first, clusters), _cells_by_cluster(second, clusters)
    same = len(first) > 0 and all(one == other for one, other in zip(first, second, strict=True))

    def difference(formula: CellFormula, times: Floats) -> Floats:
        sides = (_value(formula, cells, times) for cells in (mine, theirs))
        one, other = (np.nan_to_num(each, nan=0.0) if undefined_as_zero else each for each in sides)
        return one - other

    def compare(figure: _Figure) -> Difference:
        width = figure.scale[1] - figure.scale[0]
        found = bootstrap_estimate(
            partial(difference, figure.formula),
            clusters,
            name=figure.names[kind] + (", undefined as 0" if undefined_as_zero else ""),
            scale=(-width, width),
            undefined=f"of one side: {figure.undefined}",
            **draws,
        )
        known = found.low is not None and found.high is not None
        leaves_out = not found.low <= 0 <= found.high if known else None  # type: ignore[operator]
        return Difference(
            estimate=found,
            first=first_label,
            second=second_label,
            leaves_out_zero=False if same else leaves_out,
            only_first=0,
            only_second=0,
        )

    return tuple(compare(figure) for figure in _FIGURES)


def constant_confusions(truth: Sequence[bool], *, said: bool) -> list[Confusion]:
    """Return the binary confusions of a judge that does not look: always a weakness (fails all), or never (passes all).

    >>> constant_confusions([True, False], said=True)[1]
    Confusion(tp=0.0, tn=0.0, fp=1.0, fn=0.0)
    """
    return [verdict_confusion(truth=bool(each), said=said) for each in truth]


def _cells_by_cluster(confusions: Sequence[Confusion], clusters: Sequence[str]) -> Floats:
    if len(confusions) != len(clusters):
        fact = f"there are {len(confusions)} of them and {len(clusters)} clusters"
        raise BadInput("confusions", fact, "give one for each sample")
    cells = np.array([each.cells for each in confusions], dtype=np.float64).reshape(len(confusions), 4)
    return sums_by_cluster(cells, clusters)


def _value(formula: CellFormula, cells: Floats, times: Floats) -> Floats:
    return formula(*(times @ cells).T)
