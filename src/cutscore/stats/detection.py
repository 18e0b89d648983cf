"""How well a yes-or-no answer tells two kinds of samples apart: MCC, F1, d′ and criterion, AUC.

A detector that flags everything finds every error. So a rate of detection is never printed alone: it stands beside the
rate of false alarms, and d′ and criterion say how much is telling apart and how much is a readiness to say yes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from cutscore.core.estimate import Estimate
from cutscore.stats.confusion import CellFormula, f1, mcc
from cutscore.stats.intervals import estimate
from cutscore.stats.resampling import (
    Draws,
    Floats,
    bootstrap_estimate,
    check_columns,
    cluster_indices,
    divide_or_nan,
    sums_by_cluster,
)

_ONE_CLASS = "all samples are of one class"


@dataclass(frozen=True)
class Detection:
    """What a detector does.

    Args:
        hits: Share of true cases that it flags; its samples are these cases, and its interval that of their mean.
        false_alarms: Share of the others that it flags, likewise.
        mcc: Matthews' correlation of truth and answer; undefined when either is always the same.
        f1: Harmonic mean of precision and hits; undefined when nothing is true and nothing is flagged.
        d_prime: z(hits) − z(false alarms), log-linear: half a case is added to both rates, one to both counts
            (Hautus, 1995), so that rates of 0 and 1 stay finite. 0 is chance.
        criterion: −(z(hits) + z(false alarms)) / 2, log-linear; below 0 it says yes too readily, above too rarely.
        base_rate: Share of true cases; None without samples.
    """

    hits: Estimate
    false_alarms: Estimate
    mcc: Estimate
    f1: Estimate
    d_prime: Estimate
    criterion: Estimate
    base_rate: float | None


def detection(
    truth: Sequence[bool],
    said: Sequence[float],
    clusters: Sequence[str],
    *,
    name: str = "detection",
    **draws: Unpack[Draws],
) -> Detection:
    """Return hits, false alarms, MCC, F1, d′ and criterion with 95% intervals by cluster, all from the same draws.

    `said` is a share of the times where a sample was asked about more than once.
    """
    check_columns(name, clusters, truth, said)
    case, flag = np.asarray(truth, dtype=np.bool_), np.asarray(said, dtype=np.float64)
    cells = np.column_stack([case * flag, ~case * (1 - flag), ~case * flag, case * (1 - flag)])
    by_cluster = sums_by_cluster(cells, clusters)
    n = len(case)
    reach = float(_d_prime(*np.array([[case.sum()], [(~case).sum()], [0.0], [0.0]]))[0]) if 0 < case.sum() < n else 1.0

    def measure(
        what: str,
        formula: CellFormula,
        scale: tuple[float, float],
        undefined: str = _ONE_CLASS,
    ) -> Estimate:
        """Estimate one formula of the four cells."""
        return bootstrap_estimate(
            lambda times: formula(*(times @ by_cluster).T),
            clusters,
            name=f"{name} {what}",
            scale=scale,
            undefined=undefined,
            **draws,
        )

    def rate(what: str, kind: bool, undefined: str) -> Estimate:
        """Estimate how often one kind of samples is flagged, as their mean is estimated anywhere else."""
        mine = [at for at, true in enumerate(truth) if bool(true) is kind]
        found = estimate([said[at] for at in mine], [clusters[at] for at in mine], name=f"{name} {what}", **draws)
        return found if mine else found.model_copy(update={"method": f"undefined: {undefined}"})

    return Detection(
        hits=rate("hits", True, "no sample is a case"),
        false_alarms=rate("false alarms", False, "every sample is a case"),
        mcc=measure("MCC", mcc, (-1.0, 1.0), "truth or answer is always the same"),
        f1=measure("F1", f1, (0.0, 1.0), "nothing is a case and nothing was flagged"),
        d_prime=measure("d′", _d_prime, (-reach, reach)),
        criterion=measure("criterion", _criterion, (-reach, reach)),
        base_rate=float(case.mean()) if n else None,
    )


def auc(
    truth: Sequence[bool],
    scores: Sequence[float],
    clusters: Sequence[str],
    *,
    name: str = "AUC",
    **draws: Unpack[Draws],
) -> Estimate:
    """Return the chance that a case scores higher than another sample, ties half (Mann and Whitney), with its interval.

    Undefined with one class only; the interval also when every case lies above every other: no resample could
    show anything else.

    A higher score means more likely a case.
    """
    check_columns(name, clusters, truth, scores)
    place, _ = cluster_indices(clusters)
    case = np.asarray(truth, dtype=np.bool_)
    levels, level = np.unique(np.asarray(scores, dtype=np.float64), return_inverse=True)
    # Cases and others at each level of score; memory grows with samples because most cells would be empty.
    order = np.argsort(level, kind="stable")
    starts = np.flatnonzero(np.diff(level[order], prepend=-1))

    def area(times: Floats) -> Floats:
        drawn = times[:, place[order]]
        cases, others = (np.add.reduceat(drawn * kind[order], starts, axis=1) for kind in (case, ~case))
        below = np.cumsum(others, axis=1) - others / 2
        return divide_or_nan((cases * below).sum(axis=1), cases.sum(axis=1) * others.sum(axis=1))

    return bootstrap_estimate(
        area, clusters, name=name, scale=(0.0, 1.0), undefined=_ONE_CLASS, **draws, columns=max(len(case), len(levels))
    )


def _d_prime(hit: Floats, quiet: Floats, alarm: Floats, missed: Floats) -> Floats:
    z_hit, z_alarm = _z_rates(hit, quiet, alarm, missed)
    return z_hit - z_alarm


def _criterion(hit: Floats, quiet: Floats, alarm: Floats, missed: Floats) -> Floats:
    z_hit, z_alarm = _z_rates(hit, quiet, alarm, missed)
    return -(z_hit + z_alarm) / 2


def _z_rates(hit: Floats, quiet: Floats, alarm: Floats, missed: Floats) -> tuple[Floats, Floats]:
    """Return the normal quantiles of hits and false alarms, log-linear; not-a-number where a class is missing."""
    from scipy.special import ndtri

    both = (hit + missed > 0) & (alarm + quiet > 0)
    z_hit = np.where(both, ndtri((hit + 0.5) / (hit + missed + 1)), np.nan)
    return z_hit, np.where(both, ndtri((alarm + 0.5) / (alarm + quiet + 1)), np.nan)
