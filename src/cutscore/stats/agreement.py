"""Agreement of two raters beyond chance: Cohen's kappa, plain and weighted.

Given with the rate of agreement and with how often each rater used each category: at a base rate of 95% two raters
who never look agree 90 times in 100, and kappa can be low there although they hardly ever differ.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, Unpack

import numpy as np

from cutscore.core.errors import BadInput
from cutscore.core.estimate import Estimate
from cutscore.stats.resampling import (
    Draws,
    Floats,
    Statistic,
    bootstrap_estimate,
    check_columns,
    divide_or_nan,
    sums_by_cluster,
)

Weights = Literal["none", "linear", "quadratic"]


@dataclass(frozen=True)
class Agreement:
    """How far two raters agree.

    Args:
        kappa: Agreement beyond chance, 1 at most; 0 is what chance gives.
        rate: Share of samples with the very same category, whatever the weights.
        chance: The rate that two raters with these base rates reach without looking; None without samples.
        base_rates: Share of each category with the first rater and with the second, in the order of categories.
    """

    kappa: Estimate
    rate: Estimate
    chance: float | None
    base_rates: dict[str, tuple[float, float]]


def cohen_kappa(
    first: Sequence[str],
    second: Sequence[str],
    clusters: Sequence[str],
    *,
    categories: Sequence[str],
    weights: Weights = "none",
    name: str = "kappa",
    **draws: Unpack[Draws],
) -> Agreement:
    """Return Cohen's kappa with its 95% interval by cluster.

    Kappa is 1 minus disagreement seen over disagreement expected from the base rates. A disagreement by k steps weighs
    1 (`none`), k (`linear`) or k² (`quadratic`). Undefined when both raters use one and the same category
    throughout: chance then explains everything. Categories that nobody used change plain kappa not at all;
    they hold their place on the scale of the weighted ones.

    Categories stand in order, for weighted kappa one step apart; the rate is called `name rate`.
    """
    check_columns(name, clusters, first, second)
    number = _numbers(categories, (*first, *second), name=name)
    n, k = len(first), len(number)
    cells = np.zeros((n, k * k))
    cells[np.arange(n), [number[one] * k + number[two] for one, two in zip(first, second, strict=True)]] = 1
    by_cluster = sums_by_cluster(cells, clusters)
    estimate = partial(bootstrap_estimate, clusters=clusters, columns=k * k, **draws)
    table = by_cluster.sum(axis=0).reshape(k, k)
    rows, columns = (table.sum(axis=axis) / max(n, 1) for axis in (1, 0))
    shares = {each: (float(rows[at]), float(columns[at])) for each, at in number.items()}
    same = "both raters gave one and the same category throughout"
    return Agreement(
        kappa=estimate(_kappa(by_cluster, disagreement(k, weights)), name=name, scale=(-1.0, 1.0), undefined=same),
        rate=estimate(_rate(by_cluster, k), name=f"{name} rate", scale=(0.0, 1.0), undefined="no samples"),
        chance=sum(one * two for one, two in shares.values()) if n else None,
        base_rates=shares,
    )


def _kappa(by_cluster: Floats, cost: Floats) -> Statistic:
    def kappa(times: Floats) -> Floats:
        """Return 1 minus disagreement seen over disagreement expected, for each resample."""
        seen = (times @ by_cluster).reshape(len(times), *cost.shape)
        rows, columns = seen.sum(axis=2), seen.sum(axis=1)
        expected = np.einsum("ri,ij,rj->r", rows, cost, columns)
        observed = np.einsum("rij,ij->r", seen, cost) * rows.sum(axis=1)
        return 1 - divide_or_nan(observed, expected)

    return kappa


def _rate(by_cluster: Floats, k: int) -> Statistic:
    def rate(times: Floats) -> Floats:
        """Return the share of samples on the diagonal, for each resample."""
        seen = times @ by_cluster
        return divide_or_nan(seen[:, :: k + 1].sum(axis=1), seen.sum(axis=1))

    return rate


def _numbers(categories: Sequence[str], labels: Sequence[str], *, name: str) -> dict[str, int]:
    """Number the categories in order; raise BadInput where one is named twice or a label is none of them."""
    number = {category: position for position, category in enumerate(categories)}
    if len(number) != len(categories):
        raise BadInput(f"estimate '{name}'", "a category is named twice")
    for label in labels:
        if label not in number:
            raise BadInput(f"estimate '{name}'", f"'{label}' is none of its {len(number)} categories", "add it")
    return number


def disagreement(categories: int, weights: Weights) -> Floats:
    """Return what each pair of categories costs, 0 on the diagonal.

    >>> disagreement(3, "quadratic")[0].tolist()
    [0.0, 1.0, 4.0]
    """
    steps = np.abs(np.subtract.outer(np.arange(categories), np.arange(categories))).astype(np.float64)
    powers: dict[Weights, Floats] = {"none": (steps > 0).astype(np.float64), "linear": steps, "quadratic": steps**2}
    if weights not in powers:
        raise BadInput("kappa", f"weights '{weights}' are not known", "use none, linear or quadratic")
    return powers[weights]
