"""Several lines as one: of each item that all of them have, the mean over them.

So a family of models, or all stacks that were given the same hint, can be set against others item by item.
"""

from collections.abc import Sequence
from math import fsum

from cutscore.core.estimate import Difference, Estimate
from cutscore.results.tables.lines import CellLine
from cutscore.stats.paired import PairedScores, paired_differences

POINTS = 100  # of a score whose scale goes from 0 to 1


def pooled_scores(lines: Sequence[CellLine], name: str) -> dict[str, float]:
    """Return the mean over lines of a score, or of another finding's value, for each item that all of them have.

    Each line weighs the same. It is no ratio score: those would need their wholes.
    """
    values = [line.by_item(name) for line in lines]
    shared = [item for item in values[0] if all(item in each for each in values)] if values else []
    return {item: fsum(each[item] for each in values) / len(values) for item in shared}


def pair_pooled(
    first: Sequence[CellLine],
    second: Sequence[CellLine],
    name: str,
    *,
    labels: tuple[str, str],
    scale: tuple[float, float] = (0.0, 1.0),
) -> PairedScores[str]:
    """Put two groups of lines side by side, to be compared on the items that all of them have."""
    clusters = {item: cluster for line in (*first, *second) for item, cluster in line.clusters().items()}
    return PairedScores(pooled_scores(first, name), pooled_scores(second, name), clusters, name, *labels, scale=scale)


def pooled_difference(pair: PairedScores[str]) -> Difference | None:
    """Return the difference of two groups of lines with its interval by cluster; None without a shared item."""
    return paired_differences([pair])[0] if pair.shared else None


def in_points(estimate: Estimate) -> Estimate:
    """Return an estimate in hundredths of the scale from 0 to 1, as papers give differences.

    >>> in_points(Estimate(name="lift", value=0.13, low=0.125, high=0.5, n=8, clusters=4)).high
    50.0
    """
    ends = {name: None if value is None else value * POINTS for name, value in _ends(estimate).items()}
    bounds = estimate.bounds and tuple(each * POINTS for each in estimate.bounds)
    return estimate.model_copy(update={**ends, "bounds": bounds, "scale": tuple(e * POINTS for e in estimate.scale)})


def _ends(estimate: Estimate) -> dict[str, float | None]:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}
