"""How small a difference a paired study can show, and how many samples a given one needs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cutscore.core.errors import BadInput
from cutscore.stats.clustering import clustered_standard_error
from cutscore.stats.resampling import LEVEL, t_quantile

POWER = 0.8
# More clusters than any study has; a difference that needs more is out of reach.
_MAX_CLUSTERS = 10_000_000


@dataclass(frozen=True)
class DetectableDifference:
    """The smallest difference that a study can show.

    Args:
        difference: Smallest true difference that is found separable at 95% with the given power; None when undefined.
        error: Standard error of the difference by cluster; None when undefined.
        power: How often a difference of that size would be found.
        method: How it was computed, or why there is none.
    """

    difference: float | None
    error: float | None
    power: float
    n: int
    clusters: int
    method: str


@dataclass(frozen=True)
class StudySize:
    """Size of a study: clusters, and samples at the pilot's samples for each; None when no such study will do."""

    clusters: int | None
    samples: int | None


def detectable_difference(
    differences: Sequence[float], clusters: Sequence[str], *, power: float = POWER, tests: int = 1
) -> DetectableDifference:
    """Return the smallest difference that a study like this one would find.

    (t at 97.5% + t at the power) × the error by cluster, with one degree of freedom fewer than clusters.

    Differences are first minus second for every shared sample; `power` is above a half. Of `tests` that share the 5%,
    each gets its part, which is what Holm asks of the first of them.
    """
    _check(power)
    if tests < 1:
        raise BadInput("detectable difference", f"{tests} tests cannot be")
    error = clustered_standard_error(differences, clusters)
    size = len(set(clusters))
    if error is None:
        why = ("no samples", "one cluster")[size] if size < 2 else "the differences show no spread between clusters"
        return DetectableDifference(None, None, power, len(differences), size, f"undefined: {why}")
    found = _quantile_sum(size, power, tests=tests) * error
    method = "Student's t on the error by cluster, two-sided 5%" + (f" over {tests} tests" if tests > 1 else "")
    return DetectableDifference(found, error, power, len(differences), size, method)


def required_study_size(
    differences: Sequence[float], clusters: Sequence[str], *, difference: float, power: float = POWER
) -> StudySize:
    """Return the size of a study that finds a difference as large as this, taking a pilot's spread for its own.

    The sign of `difference` does not matter; `power` is how often it is to be found, above a half.
    """
    _check(power)
    error = clustered_standard_error(differences, clusters)
    if error is None or difference == 0:
        return StudySize(None, None)
    size = len(set(clusters))
    return _fewest_clusters(error * math.sqrt(size), len(differences) / size, abs(difference), power)


def _fewest_clusters(of_a_cluster: float, per_cluster: float, difference: float, power: float) -> StudySize:
    """Find the fewest clusters by halving: the reach of a study shrinks with every cluster."""
    low, high = 1, 2
    while _quantile_sum(high, power) * of_a_cluster / math.sqrt(high) > difference:
        low, high = high, high * 2
        if high > _MAX_CLUSTERS:
            return StudySize(None, None)
    while high - low > 1:
        middle = (low + high) // 2
        enough = _quantile_sum(middle, power) * of_a_cluster / math.sqrt(middle) <= difference
        low, high = (low, middle) if enough else (middle, high)
    return StudySize(high, math.ceil(high * per_cluster - 1e-9))


def _quantile_sum(clusters: int, power: float, *, tests: int = 1) -> float:
    return t_quantile(1 - (1 - LEVEL) / (2 * tests), clusters - 1) + t_quantile(power, clusters - 1)


def _check(power: float) -> None:
    if not 0.5 < power < 1:
        raise BadInput("power", f"{power} is not between a half and 1")
