"""Figures of summed confusions: undefined with a reason, paired over the same draws, and tau-b is MCC."""

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from cutscore.core.errors import BadInput
from cutscore.core.matching import Confusion, verdict_confusion
from cutscore.stats.confusion import confusion_differences, confusion_figures, constant_confusions
from cutscore.stats.detection import detection

verdicts = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=40)


def confusions(pairs: list[tuple[bool, bool]]) -> list[Confusion]:
    return [verdict_confusion(truth=truth, said=said) for truth, said in pairs]


def names(count: int) -> list[str]:
    return [f"clip {number:03}" for number in range(count)]


@given(verdicts)
def test_binary_mcc_is_that_of_detection_and_kendalls_tau_b(pairs: list[tuple[bool, bool]]) -> None:
    truth, said = [one for one, _ in pairs], [two for _, two in pairs]
    found = confusion_figures(confusions(pairs), names(len(pairs)), kind="binary", resamples=20)
    same = detection(truth, said, names(len(pairs)), resamples=20)
    assert found.mcc == same.mcc.model_copy(update={"name": "binary MCC"})
    assert found.f1 == same.f1.model_copy(update={"name": "binary F1"})
    tau = kendalltau([int(each) for each in truth], [int(each) for each in said]).statistic
    if found.mcc.value is None:
        assert tau != tau, "scipy has no number either"
    else:
        assert found.mcc.value == pytest.approx(tau)
    if any(truth) and not all(truth):
        assert found.rec_fpr.value == pytest.approx((same.hits.value or 0) - (same.false_alarms.value or 0))


def test_a_judge_that_does_not_look_has_no_mcc_and_says_why() -> None:
    truth = [True] * 12 + [False] * 8
    fails_all = confusion_figures(constant_confusions(truth, said=True), names(20), kind="binary", resamples=50)
    passes_all = confusion_figures(constant_confusions(truth, said=False), names(20), kind="binary", resamples=50)
    for each in (fails_all, passes_all):
        assert (each.mcc.value, each.mcc.method) == (None, "undefined: truth or answer is always the same")
        assert each.rec_fpr.value == 0
    assert fails_all.f1.value == pytest.approx(24 / 32), "which is why F1 alone misleads"
    assert passes_all.f1.value == 0
    assert fails_all.total == Confusion(tp=12, fp=8)


def test_one_class_and_nothing_at_all_are_undefined() -> None:
    one = confusion_figures(confusions([(False, False)] * 4), names(4), kind="binary", resamples=10)
    assert [each.value for each in one.estimates] == [None, None, None]
    assert one.f1.method == "undefined: nothing is a case and nothing was flagged"
    assert one.rec_fpr.method == "undefined: all samples are of one class"
    none = confusion_figures([], [], kind="fractional")
    assert {each.method for each in none.estimates} == {"undefined: no samples"}


def test_the_kind_is_in_every_name() -> None:
    made = [confusion_figures([], [], kind=kind).estimates for kind in ("binary", "fractional")]  # type: ignore[arg-type]
    assert [[each.name for each in row] for row in made] == [
        ["binary MCC", "binary F1", "binary Rec−FPR"],
        ["fractional MCC", "fractional F1", "fractional Rec−frac_FPR"],
    ]


def test_fractional_figures_are_those_of_the_sum() -> None:
    shares = [
        Confusion(tp=0.4, fp=0.4, fn=0.2),
        Confusion(tn=1),
        Confusion(fp=1),
        Confusion(tp=1 / 3, fp=1 / 3, fn=1 / 3),
    ]
    found = confusion_figures(shares, names(4), kind="fractional", resamples=20)
    tp, fp, fn, tn = 0.4 + 1 / 3, 1.4 + 1 / 3, 0.2 + 1 / 3, 1.0
    assert found.f1.value == pytest.approx(2 * tp / (2 * tp + fp + fn))
    assert found.mcc.value == pytest.approx((tp * tn - fp * fn) / sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)))
    assert found.rec_fpr.value == pytest.approx(tp / (tp + fn) - fp / (fp + tn))


def test_samples_of_one_cluster_are_drawn_together() -> None:
    pairs = [(True, True), (True, False), (False, False), (False, True)] * 10
    apart = confusion_figures(confusions(pairs), names(40), kind="binary", resamples=500)
    together = confusion_figures(
        confusions(pairs), [f"c{place // 8}" for place in range(40)], kind="binary", resamples=500
    )
    assert (apart.mcc.n, apart.mcc.clusters, together.mcc.clusters) == (40, 40, 5)
    assert together.mcc.method == "undefined: all resamples have the same value", "every cluster is alike"


BETTER, WORSE = [(True, True), (False, False)] * 30, [(True, True), (False, True), (True, False), (False, False)] * 15


def test_a_difference_is_paired() -> None:
    cells = confusions(BETTER), confusions(WORSE)
    mcc, f1, rec_fpr = confusion_differences(
        *cells, names(60), kind="binary", first_label="p*", second_label="p0", resamples=500
    )
    assert (mcc.estimate.value, rec_fpr.estimate.value) == (pytest.approx(1), pytest.approx(1))
    assert mcc.leaves_out_zero
    assert (f1.first, f1.second, f1.estimate.name) == ("p*", "p0", "binary F1")
    same = confusion_differences(
        cells[1], cells[1], names(60), kind="binary", first_label="p*", second_label="p0", resamples=50
    )
    assert [each.leaves_out_zero for each in same] == [False] * 3
    assert [each.estimate.value for each in same] == [0.0] * 3


def test_a_difference_from_a_judge_that_does_not_look_is_undefined_unless_counted_as_zero() -> None:
    truth = [one for one, _ in BETTER]
    sides = confusions(BETTER), constant_confusions(truth, said=True)
    plain, *_ = confusion_differences(
        *sides, names(60), kind="binary", first_label="p*", second_label="p0", resamples=50
    )
    assert (plain.estimate.value, plain.leaves_out_zero) == (None, None)
    assert plain.estimate.method == "undefined: of one side: truth or answer is always the same"
    counted, *_ = confusion_differences(
        *sides,
        names(60),
        kind="binary",
        first_label="p*",
        second_label="p0",
        undefined_as_zero=True,
        resamples=50,
    )
    assert (counted.estimate.name, counted.estimate.value) == ("binary MCC, undefined as 0", 1.0)


def test_columns_of_unequal_length_are_refused() -> None:
    with pytest.raises(BadInput, match="confusions: there are 2 of them and 1 clusters"):
        confusion_figures(confusions(BETTER[:2]), ["a"], kind="binary")
