"""Prediction-powered means: few labels from people, many verdicts from a judge, one honest interval.

The judge's mean on everything is sharp and off; people's mean on a slice is true and wide. Their difference on the
slice says how far off the judge is, and subtracting it keeps most of the sharpness without the error.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cutscore.core.estimate import Estimate
from cutscore.stats.correction import Calibration
from cutscore.stats.resampling import DECIMALS, LEVEL, SAME, Floats, Places, check_columns, places, sums_by_cluster
from cutscore.stats.student import t_quantile


@dataclass(frozen=True)
class PoweredMean:
    """A mean over labels, sharpened by verdicts on samples without one.

    Args:
        mean: Prediction-powered mean with its interval.
        labels_only: Mean of the labels alone with the same kind of interval, to see what the judge adds.
        trust: Weight of the judge, from 0 (of no use) to 1, chosen to make the interval short.
    """

    mean: Estimate
    labels_only: Estimate
    trust: float


def ppi_mean(
    calibration: Calibration,
    judged: Sequence[float],
    clusters: Sequence[str],
    *,
    name: str = "powered mean",
    scale: tuple[float, float] = (0.0, 1.0),
) -> PoweredMean:
    """Return the mean that people would give all samples (PPI++: Angelopoulos, Duchi and Zrnic, 2023).

    mean label + trust × (mean verdict without label − mean verdict with label). The labelled samples must be a random
    slice. The error is by cluster, in closed form, and a cluster may have samples of both kinds; trust is what
    makes it smallest (their λ, here from sums by cluster), kept within 0 … 1. The interval is Student's t with one
    degree fewer than clusters with labels, cut to the scale. Undefined with fewer than 2 such clusters, and
    where labels and verdicts show no spread.

    Args:
        calibration: Labelled samples with their verdicts.
        judged: Verdicts on samples without a label.
        clusters: Unit of each of them.
        name: Name of the estimate.
        scale: Bottom and top of the scores.
    """
    check_columns(name, calibration.clusters, calibration.truth, calibration.judged)
    check_columns(name, clusters, judged)
    place, size = places([*calibration.clusters, *clusters])
    labels = len(calibration.truth)
    labelled = len(set(calibration.clusters))
    if labels == 0:
        nothing = Estimate(name=name, value=None, n=0, clusters=0, scale=scale, method="undefined: no labels")
        return PoweredMean(mean=nothing, labels_only=nothing, trust=0.0)
    here, there = place[:labels], place[labels:]
    truth, said = _column(calibration.truth), _column(calibration.judged)
    # What each cluster adds to the error of the labels' mean, and of the two means of verdicts.
    of_labels = _pull(truth, here, size)
    of_judge = _pull(said, here, size) - _pull(_column(judged), there, size) if len(judged) else np.zeros(size)
    trust = _trust(of_labels, of_judge)
    mean = float(truth.mean())
    moved = mean + trust * (float(np.mean(judged)) - float(said.mean())) if len(judged) else mean

    how = f"{labels} labels in {labelled} clusters, error by cluster, Student's t"
    everything = {"n": labels + len(judged), "clusters": size}
    return PoweredMean(
        mean=_with_ends(
            Estimate(name=name, value=moved, scale=scale, method=f"PPI++ with trust {trust:.3f}, {how}", **everything),
            of_labels - trust * of_judge,
            labelled=labelled,
        ),
        labels_only=_with_ends(
            Estimate(name=f"{name}, labels only", value=mean, scale=scale, method=how, n=labels, clusters=labelled),
            of_labels,
            labelled=labelled,
        ),
        trust=trust,
    )


def _column(values: Sequence[float]) -> Floats:
    return np.asarray(values, dtype=np.float64)


def _pull(values: Floats, place: Places, size: int) -> Floats:
    """Return how much each cluster moves the mean off its middle: its residuals added up, over n."""
    residuals = (values - values.mean())[:, np.newaxis] / len(values)
    return sums_by_cluster(residuals, place, size)[:, 0]


def _trust(of_labels: Floats, of_judge: Floats) -> float:
    spread = float(of_judge @ of_judge)
    return min(max(float(of_labels @ of_judge) / spread, 0.0), 1.0) if spread > SAME**2 else 0.0


def _with_ends(found: Estimate, pulls: Floats, *, labelled: int) -> Estimate:
    """Add the interval to a value, from what each cluster adds to its error, or say why there is none."""
    bottom, top = found.scale
    value = found.value or 0.0
    cut = {"value": round(min(max(value, bottom), top), DECIMALS)}
    if labelled < 2:
        return found.model_copy(update={**cut, "method": "undefined: one cluster with labels"})
    # Residuals about a mean that was itself estimated are too small, by as much as for the labels alone.
    error = math.sqrt(labelled / (labelled - 1) * float(pulls @ pulls))
    if error <= SAME * (top - bottom):
        why = "undefined: labels and verdicts show no spread between clusters"
        return found.model_copy(update={**cut, "method": why})
    half = t_quantile((1 + LEVEL) / 2, labelled - 1) * error
    low, high = (round(min(max(value + sign * half, bottom), top), DECIMALS) for sign in (-1, 1))
    return found.model_copy(update={**cut, "low": low, "high": high})
