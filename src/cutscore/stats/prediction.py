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
from cutscore.stats.resampling import (
    DECIMALS,
    LEVEL,
    ROUNDING,
    Floats,
    Indices,
    check_columns,
    clip,
    cluster_indices,
    t_quantile,
)


@dataclass(frozen=True)
class PoweredMean:
    """A mean over labels, sharpened by verdicts on samples without one, and the mean of the labels alone.

    `trust` is the weight of the judge, from 0 (of no use) to 1, chosen to make the interval short.
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
    """
    check_columns(name, calibration.clusters, calibration.truth, calibration.judged)
    check_columns(name, clusters, judged)
    if len(calibration.truth) == 0:
        nothing = Estimate(name=name, value=None, n=0, clusters=0, scale=scale, method="undefined: no labels")
        return PoweredMean(mean=nothing, labels_only=nothing, trust=0.0)
    columns = calibration.truth, calibration.judged, judged
    truth, said, unlabelled = (np.asarray(column, dtype=np.float64) for column in columns)
    place, size = cluster_indices([*calibration.clusters, *clusters])
    here, there = place[: len(truth)], place[len(truth) :]
    of_labels = _influence(truth, here, size)
    of_judge = _influence(said, here, size) - _influence(unlabelled, there, size) if len(judged) else np.zeros(size)
    trust = _trust(of_labels, of_judge)
    mean = float(truth.mean())
    moved = mean + trust * (float(unlabelled.mean()) - float(said.mean())) if len(judged) else mean

    labelled = len(set(calibration.clusters))
    how = f"{len(truth)} labels in {labelled} clusters, error by cluster, Student's t"
    sizes = {"n": len(truth) + len(judged), "clusters": size}
    powered = Estimate(name=name, value=moved, scale=scale, method=f"PPI++ with trust {trust:.3f}, {how}", **sizes)
    sizes = {"n": len(truth), "clusters": labelled}
    alone = Estimate(name=f"{name}, labels only", value=mean, scale=scale, method=how, **sizes)
    return PoweredMean(
        mean=_add_interval(powered, of_labels - trust * of_judge, labelled=labelled),
        labels_only=_add_interval(alone, of_labels, labelled=labelled),
        trust=trust,
    )


def _influence(values: Floats, place: Indices, size: int) -> Floats:
    """Return how much each cluster moves the mean off its middle: its residuals added up, over n."""
    residuals = (values - values.mean()) / len(values)
    return np.bincount(place, weights=residuals, minlength=size).astype(np.float64)


def _trust(of_labels: Floats, of_judge: Floats) -> float:
    spread = float(of_judge @ of_judge)
    return min(max(float(of_labels @ of_judge) / spread, 0.0), 1.0) if spread > ROUNDING**2 else 0.0


def _add_interval(found: Estimate, influence: Floats, *, labelled: int) -> Estimate:
    """Add the interval to a value, from what each cluster adds to its error, or the reason why there is none."""
    bottom, top = found.scale
    value = found.value or 0.0
    cut = {"value": round(clip(value, found.scale), DECIMALS)}
    if labelled < 2:
        return found.model_copy(update={**cut, "method": "undefined: one cluster with labels"})
    # Residuals about a mean that was itself estimated are too small, by as much as for the labels alone.
    error = math.sqrt(labelled / (labelled - 1) * float(influence @ influence))
    if error <= ROUNDING * (top - bottom):
        why = "undefined: labels and verdicts show no spread between clusters"
        return found.model_copy(update={**cut, "method": why})
    half = t_quantile((1 + LEVEL) / 2, labelled - 1) * error
    low, high = (round(clip(value + sign * half, found.scale), DECIMALS) for sign in (-1, 1))
    return found.model_copy(update={**cut, "low": low, "high": high})
