import math

import numpy as np
import pytest
import scipy.stats

from cutscore.core.errors import BadInput
from cutscore.stats.clustering import clustered_standard_error
from cutscore.stats.correction import Calibration
from cutscore.stats.prediction import ppi_mean


def names(n: int, tag: str = "") -> list[str]:
    return [f"{tag}{number:05d}" for number in range(n)]


def scores(
    generator: np.random.Generator, clips: int, *, each: int, off: float = 0.6
) -> tuple[list[float], list[float], list[str]]:
    """Labels with mean 5, verdicts that follow them but run too high, in clips that share their difficulty."""
    truth = 5 + generator.normal(0, 0.8, clips).repeat(each) + generator.normal(0, 0.8, clips * each)
    judged = truth + off + generator.normal(0, 0.6, clips * each)
    return truth.tolist(), judged.tolist(), [f"{row // each:05d}" for row in range(clips * each)]


def test_equals_the_published_formula_where_samples_are_independent() -> None:
    """PPI++ (2023), mean: λ = Cov(Y, f) / ((1 + n/N) Var f), variance Var(Y − λf)/n + λ² Var(f)/N."""
    generator = np.random.default_rng(1)
    truth, said, where = scores(generator, 2000, each=1)
    _, judged, there = scores(generator, 6000, each=1)
    found = ppi_mean(Calibration(truth, said, where), judged, names(6000, "other "), scale=(0, 10))
    y, f, g = np.array(truth), np.array(said), np.array(judged)
    trust = np.cov(y, f)[0, 1] / ((1 + len(y) / len(g)) * np.var(np.concatenate([f, g]), ddof=1))
    mean = y.mean() + trust * (g.mean() - f.mean())
    error = math.sqrt(np.var(y - trust * f, ddof=1) / len(y) + trust**2 * np.var(g, ddof=1) / len(g))
    assert there[0] == "00000"
    assert found.trust == pytest.approx(trust, rel=0.02)
    assert found.mean.value == pytest.approx(mean, abs=1e-3)
    assert found.mean.low is not None
    assert found.mean.high is not None
    assert (found.mean.high - found.mean.low) / (2 * 1.961) == pytest.approx(error, rel=2e-3)
    assert (found.mean.n, found.mean.clusters, found.labels_only.n) == (8000, 8000, 2000)
    assert found.mean.method.startswith(f"PPI++ with trust {found.trust:.3f}, 2000 labels in 2000 clusters")


def test_labels_alone_are_the_clustered_error_and_students_t() -> None:
    truth, said, where = scores(np.random.default_rng(2), 12, each=3)
    found = ppi_mean(Calibration(truth, said, where), [], [], scale=(0, 10))
    error = clustered_standard_error(truth, where)
    assert error is not None
    reach = scipy.stats.t.ppf(0.975, 11)
    for side in (found.mean, found.labels_only):
        assert (side.low, side.high) == pytest.approx((np.mean(truth) - reach * error, np.mean(truth) + reach * error))
    assert found.trust == 0


@pytest.mark.parametrize(("clips", "each", "shared"), [(40, 1, False), (40, 3, False), (40, 3, True)])
def test_interval_covers_the_truth_and_is_shorter(clips: int, each: int, shared: bool) -> None:
    """1,000 studies: labels on 40 clips, verdicts on 160 more, or on other samples of clips that also have labels."""
    hits, widths, alone = 0, [], []
    for study in range(1000):
        generator = np.random.default_rng(study)
        truth, said, where = scores(generator, 200, each=each)
        chosen = np.arange(200 * each) % each == 0 if shared else np.arange(200 * each) < clips * each
        chosen &= np.arange(200 * each) < 60 * each
        pick = [np.array(column)[chosen] for column in (truth, said, where)]
        rest = [np.array(column)[~chosen] for column in (said, where)]
        calibration = Calibration(pick[0].tolist(), pick[1].tolist(), pick[2].tolist())
        found = ppi_mean(calibration, rest[0].tolist(), rest[1].tolist(), scale=(0, 10))
        assert found.mean.low is not None
        assert found.mean.high is not None
        hits += found.mean.low <= 5 <= found.mean.high
        widths.append(found.mean.high - found.mean.low)
        alone.append((found.labels_only.high or 0) - (found.labels_only.low or 0))
    assert 0.93 <= hits / 1000 <= 0.97
    assert np.mean(widths) < 0.85 * np.mean(alone)


def test_a_judge_that_knows_nothing_is_hardly_trusted() -> None:
    generator = np.random.default_rng(3)
    truth, _, where = scores(generator, 300, each=1)
    found = ppi_mean(
        Calibration(truth, generator.random(300).tolist(), where), generator.random(900).tolist(), names(900, "x")
    )
    assert found.trust < 0.15
    constant = ppi_mean(Calibration(truth, [0.5] * 300, where), [0.5] * 900, names(900, "x"), scale=(0, 10))
    assert constant.trust == 0
    assert (constant.mean.low, constant.mean.high) == (constant.labels_only.low, constant.labels_only.high)


def test_too_little_is_undefined() -> None:
    nothing = ppi_mean(Calibration([], [], []), [1.0], ["a"])
    assert (nothing.mean.value, nothing.mean.method) == (None, "undefined: no labels")
    one = ppi_mean(Calibration([1.0, 0.0], [1.0, 0.0], ["a", "a"]), [1.0, 0.0], ["b", "c"])
    assert (one.mean.low, one.mean.method) == (None, "undefined: one cluster with labels")
    flat = ppi_mean(Calibration([1.0] * 5, [1.0] * 5, names(5)), [1.0] * 9, names(9, "x"))
    assert (flat.mean.value, flat.mean.low) == (1.0, None)
    assert flat.mean.method == "undefined: labels and verdicts show no spread between clusters"
    with pytest.raises(BadInput, match="value number 0 is nan"):
        ppi_mean(Calibration([1.0], [1.0], ["a"]), [math.nan], ["b"])
