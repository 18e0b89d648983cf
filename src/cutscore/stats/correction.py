"""The share of passes by an erring judge, corrected by what people said about some of its verdicts.

A judge that passes one bad clip in five adds to every score, and more verdicts do not help: the error is the judge's.
Labels on a slice say how large it is. The interval carries the uncertainty of that slice too, so a score that rests
on forty labels looks like it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

from cutscore.core.errors import BadInput
from cutscore.core.estimate import Estimate
from cutscore.stats.clustering import effective_size
from cutscore.stats.intervals import estimate
from cutscore.stats.resampling import DECIMALS, LEVEL, Draws, check_columns, clip, t_quantile


@dataclass(frozen=True)
class Calibration:
    """Samples that have both a label from people and the judge's verdict."""

    truth: Sequence[float]
    judged: Sequence[float]
    clusters: Sequence[str]


@dataclass(frozen=True)
class CorrectedRate:
    """A share of passes, corrected for the judge's errors, and the share of passes by the judge (`raw`).

    Sensitivity is the share of true passes that the judge passes, specificity of true failures that it fails.
    """

    rate: Estimate
    raw: float | None
    sensitivity: Estimate
    specificity: Estimate


@dataclass(frozen=True)
class _Share:
    """A share of yes, as many independent samples as it is worth, and its clusters."""

    value: float
    worth: float
    clusters: int

    def add_cases(self, cases: float) -> "_Share":
        """Return the share with so many cases added, half of them yes."""
        worth = self.worth + cases
        return _Share((self.value * self.worth + cases / 2) / worth, worth, self.clusters)

    @property
    def variance(self) -> float:
        """Return the variance of a share of so many independent samples."""
        return self.value * (1 - self.value) / self.worth


def corrected_rate(
    judged: Sequence[float],
    clusters: Sequence[str],
    calibration: Calibration,
    *,
    name: str = "corrected rate",
    **draws: Unpack[Draws],
) -> CorrectedRate:
    """Return the share of true passes among samples that only the judge has seen (Rogan and Gladen, 1978).

    (rate + specificity − 1) / (sensitivity + specificity − 1), cut to 0 … 1. The interval is that of Lang and
    Reiczigel (2014), which adds a few cases to every count, so that a judge without an error on ten labels is not
    taken for one without errors; samples count by what they are worth given clusters, and Student's t stands in for the
    normal curve. Undefined when the labels do not show, at 95%, that the judge does better than chance: any
    share would then be possible. Where a sample is in both sets, the interval is a little wide.

    All verdicts and labels are 0 or 1.
    """
    check_columns(name, clusters, judged)
    check_columns(name, calibration.clusters, calibration.truth, calibration.judged)
    for verdict in (*judged, *calibration.judged, *calibration.truth):
        if verdict not in (0, 1):
            raise BadInput(f"estimate '{name}'", f"verdict {verdict} is neither 0 nor 1", "use ppi_mean for scores")
    rows = list(zip(calibration.truth, calibration.judged, calibration.clusters, strict=True))
    of_passes = ([said for truth, said, _ in rows if truth], [unit for truth, _, unit in rows if truth])
    of_failures = ([1 - said for truth, said, _ in rows if not truth], [unit for truth, _, unit in rows if not truth])
    value, ends, method = _rogan_gladen(_share(judged, clusters), _share(*of_passes), _share(*of_failures))
    return CorrectedRate(
        rate=Estimate(
            name=name,
            value=value,
            low=ends and ends[0],
            high=ends and ends[1],
            n=len(judged),
            clusters=len(set(clusters)),
            method=method,
        ),
        raw=sum(judged) / len(judged) if len(judged) else None,
        sensitivity=estimate(*of_passes, name=f"{name}: sensitivity", **draws),
        specificity=estimate(*of_failures, name=f"{name}: specificity", **draws),
    )


def _share(values: Sequence[float], clusters: Sequence[str]) -> _Share | None:
    if len(values) == 0:
        return None
    return _Share(sum(values) / len(values), effective_size(values, clusters), len(set(clusters)))


def _rogan_gladen(
    raw: _Share | None, hit: _Share | None, quiet: _Share | None
) -> tuple[float | None, tuple[float, float] | None, str]:
    """Return the corrected share, its interval and how they were made, from rate, sensitivity and specificity."""
    if raw is None:
        return None, None, "undefined: no samples"
    if hit is None or quiet is None:
        return None, None, "undefined: the labels hold passes only or failures only"
    gain = hit.value + quiet.value - 1
    if gain <= 0:
        return None, None, "undefined: on the labels the judge does no better than chance"
    value = round(clip((raw.value + quiet.value - 1) / gain), DECIMALS)
    ends, method = _lang_reiczigel(raw, hit, quiet)
    # With lopsided labels the middle of the interval may lie off the plain value; the interval then reaches to it.
    return value, ends and (min(ends[0], value), max(ends[1], value)), method


def _lang_reiczigel(raw: _Share, hit: _Share, quiet: _Share) -> tuple[tuple[float, float] | None, str]:
    """Return the ends of the interval and how they were made, or None and why there are none."""
    fewest = min(raw.clusters, hit.clusters, quiet.clusters)
    if fewest < 2:
        return None, "undefined: one cluster"
    reach = t_quantile((1 + LEVEL) / 2, fewest - 1)
    rate, hit, quiet = raw.add_cases(reach**2), hit.add_cases(2), quiet.add_cases(2)
    gain = hit.value + quiet.value - 1
    if gain - reach * math.sqrt(hit.variance + quiet.variance) <= 0:
        return None, "undefined: the labels do not show at 95% that the judge does better than chance"
    middle = (rate.value + quiet.value - 1) / gain
    # Their correction for the skew that comes from dividing by an uncertain gain.
    shift = 2 * reach**2 * (middle * hit.variance - (1 - middle) * quiet.variance)
    error = math.sqrt(rate.variance + middle**2 * hit.variance + (1 - middle) ** 2 * quiet.variance) / gain
    low, high = (middle + shift + sign * reach * error for sign in (-1, 1))
    if high <= 0 or low >= 1:
        # Cut to the scale this would be an interval of no width, and as wrong as it is sharp.
        return None, "undefined: the judge's errors on the labels do not explain its verdicts here"
    ends = round(clip(low), DECIMALS), round(clip(high), DECIMALS)
    return ends, "Rogan–Gladen, interval of Lang and Reiczigel on samples' worth by cluster"
