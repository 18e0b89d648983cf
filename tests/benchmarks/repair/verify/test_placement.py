"""Placement: the line between the anchors, the window split, and what has no place; the length penalty."""

import json
from fractions import Fraction
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from cutscore.benchmarks.repair.verify.placement import (
    Measure,
    PlacedMeasure,
    RepairReward,
    composite,
    gated_reward,
    length_factor,
    place,
    place_all,
    table2_reward,
    window_reward,
)
from cutscore.core.errors import Unscored
from cutscore.core.timeline import Span

PSNR = Measure(name="psnr", broken=20, golden=40)
NOISE_FLOOR = Measure(name="noise_db", broken=-30, golden=-60, smaller_is_better=True)


@pytest.mark.parametrize(
    ("out", "score"), [(20, 0), (40, 1), (30, 0.5), (25, 0.25), (10, 0), (55, 1), (inf, 1), (-inf, 0), (1e308, 1)]
)
def test_an_output_lies_on_the_line_from_broken_to_golden(out: float, score: float) -> None:
    assert place(out, PSNR) == score


@pytest.mark.parametrize(("out", "score"), [(-30, 0), (-60, 1), (-45, 0.5), (-10, 0), (-80, 1), (-inf, 1), (inf, 0)])
def test_smaller_may_be_better(out: float, score: float) -> None:
    assert place(out, NOISE_FLOOR) == score


@pytest.mark.parametrize("out", [nan, None])
def test_an_output_without_a_value_gets_nothing(out: float | None) -> None:
    assert place(out, PSNR) == place(out, NOISE_FLOOR) == 0


@pytest.mark.parametrize(
    "measure",
    [
        Measure(name="psnr", broken=30, golden=30),
        Measure(name="psnr", broken=30, golden=30.5, noise=0.5),  # no more than the noise
        Measure(name="psnr", broken=30, golden=29),  # golden is worse
        Measure(name="psnr", broken=30, golden=40, smaller_is_better=True),
    ],
)
def test_a_measure_that_cannot_tell_golden_from_broken_is_our_failure(measure: Measure) -> None:
    with pytest.raises(Unscored, match=r"measure 'psnr': golden has .*, broken 30, better by no more than the noise"):
        place(35, measure)


def test_just_more_than_the_noise_is_enough() -> None:
    assert place(30.75, Measure(name="psnr", broken=30, golden=30.75, noise=0.5)) == 1


@pytest.mark.parametrize("field", ["broken", "golden", "weight", "noise"])
@pytest.mark.parametrize("value", [nan, inf, -inf])
def test_anchors_are_finite(field: str, value: float) -> None:
    with pytest.raises(ValidationError):
        Measure(**{"name": "psnr", "broken": 20, "golden": 40, field: value})


@pytest.mark.parametrize("weight", [0, -1])
def test_what_counts_nothing_is_not_declared(weight: float) -> None:
    with pytest.raises(ValidationError):
        Measure(name="psnr", broken=20, golden=40, weight=weight)


DECLARED = [
    Measure(name="quality", broken=1, golden=3, weight=2),
    Measure(name="fidelity", broken=0, golden=20, weight=1),
    Measure(name="quality", where="out", broken=1, golden=3),
]


def test_weights_are_shared_out_among_what_is_declared() -> None:
    inside = place_all({"quality": 3, "fidelity": 10}, DECLARED, where="in")
    assert [each.share for each in inside] == pytest.approx([2 / 3, 1 / 3])
    assert composite(inside) == pytest.approx((2 * 1 + 1 * 0.5) / 3)
    (outside,) = place_all({"quality": 2}, DECLARED, where="out")
    assert (outside.share, outside.score) == (1, 0.5)


def test_a_measure_that_was_not_taken_or_declared_twice_is_our_failure() -> None:
    with pytest.raises(Unscored, match="'fidelity' was not measured inside the window"):
        place_all({"quality": 3}, DECLARED, where="in")
    with pytest.raises(Unscored, match="declared twice outside the window"):
        place_all({"quality": 3}, [*DECLARED, DECLARED[-1]], where="out")


def at(score: float) -> list[PlacedMeasure]:
    return [PlacedMeasure(measure=PSNR, out=20 + 20 * score, score=score, share=1)]


@pytest.mark.parametrize(
    ("s_in", "s_out", "reward"), [(1, 1, 1), (0, 0, 0), (1, 0, 0.9), (0, 1, 0.1), (0.5, 0.5, 0.5), (0.8, 0.2, 0.74)]
)
def test_the_window_counts_nine_times_the_rest(s_in: float, s_out: float, reward: float) -> None:
    found = window_reward(at(s_in), at(s_out))
    assert found.reward == pytest.approx(reward)
    assert (found.s_in, found.s_out, found.mode) == (s_in, s_out, "paper")


@pytest.mark.parametrize(("s_in", "reward"), [(0, 0), (0.03, 0), (0.04, 0.136)])
def test_strictly_nothing_counts_up_to_what_filters_without_knowledge_reach(s_in: float, reward: float) -> None:
    found = window_reward(at(s_in), at(1), mode="strict", floor=0.03)
    assert found.reward == pytest.approx(reward)
    assert ("encodes and filters without knowledge reach 0.030" in found.because) is (s_in <= 0.03)
    assert window_reward(at(s_in), at(1), floor=0.03).reward == pytest.approx(0.9 * s_in + 0.1)


def test_no_more_counts_than_what_is_mended_of_the_defect() -> None:
    found = window_reward(at(0.8), at(1), mended=0.5)
    assert (found.reward, found.s_in) == (pytest.approx(0.55), 0.5)
    assert found.because == (
        "inside the window 0.500, outside 1.000; measures give 0.800 inside, but 50% of the defect is left"
    )
    assert window_reward(at(0.4), at(1), mended=0.5).s_in == 0.4


def test_a_window_over_the_whole_clip_is_the_whole_reward() -> None:
    assert window_reward(at(0.5), []).reward == 0.5
    strict = window_reward(at(0.5), [], mode="strict", floor=0.4)
    assert (strict.reward, strict.s_out, strict.because) == (0.5, None, "inside the window 0.500")


def test_nothing_inside_the_window_is_our_failure() -> None:
    with pytest.raises(Unscored, match="nothing is measured inside the window"):
        window_reward([], at(1))


def test_table_two_is_a_mode_of_its_own() -> None:
    assert table2_reward(format_ok=1, localised=1, edited=1).reward == 1
    found = table2_reward(format_ok=1, localised=0.5, edited=0.25)
    assert found.reward == pytest.approx(0.05 + 0.175 + 0.15)
    assert found.mode == "table2"
    with pytest.raises(ValidationError):
        table2_reward(format_ok=1, localised=1, edited=1.5)


@pytest.mark.parametrize(("localised", "edited", "reward"), [(0, 0, 0), (1, 0, 0.40), (0, 1, 0.65), (0, 0.01, 0.056)])
def test_a_right_format_counts_only_beside_something(localised: float, edited: float, reward: float) -> None:
    found = table2_reward(format_ok=1, localised=localised, edited=edited)
    assert found.reward == pytest.approx(reward)
    assert ("nothing located or mended" in found.because) == (reward == 0)


def test_a_closed_gate_pays_nothing_and_is_named() -> None:
    found = gated_reward("copy", "the output is the broken input")
    assert (found.reward, found.gate, found.s_in, found.because) == (0, "copy", None, "the output is the broken input")
    with pytest.raises(ValidationError, match="gate 'copy' closed"):
        RepairReward(reward=0.1, mode="paper", gate="copy", because="x")


def test_the_blob_holds_everything_and_comes_back_from_json() -> None:
    inside = place_all({"quality": inf, "fidelity": nan}, DECLARED, where="in")
    outside = place_all({"quality": 2.5}, DECLARED, where="out")
    found = window_reward(inside, outside, window=Span(start_s=12, end_s=17))
    text = found.model_dump_json()
    plain = json.loads(text)
    assert plain["reward"] == pytest.approx(0.9 * 2 / 3 + 0.1 * 0.75)
    assert plain["window"] == ["12", "17"]
    assert [each["out"] for each in plain["measures"]] == ["inf", None, 2.5]
    assert [each["measure"]["where"] for each in plain["measures"]] == ["in", "in", "out"]
    assert RepairReward.model_validate_json(text) == found


FINITE = st.floats(-1e6, 1e6)


@given(FINITE, FINITE, FINITE, FINITE)
def test_more_repair_never_scores_less(broken: float, golden: float, one: float, other: float) -> None:
    if abs(golden - broken) < 1e-6:
        return
    measure = Measure(name="m", broken=broken, golden=golden, smaller_is_better=golden < broken)
    worse, better = sorted((one, other), reverse=golden < broken)
    assert 0 <= place(worse, measure) <= place(better, measure) <= 1
    assert (place(broken, measure), place(golden, measure)) == (0, 1)


@given(st.lists(st.tuples(st.floats(0.01, 100), st.floats(0, 1)), min_size=1, max_size=6), st.floats(0, 1))
def test_rewards_stay_in_range_and_strict_never_pays_more(parts: list[tuple[float, float]], s_out: float) -> None:
    inside = [
        PlacedMeasure(measure=Measure(name="m", broken=0, golden=1, weight=weight), out=score, score=score, share=1)
        for weight, score in parts
    ]
    paper = window_reward(inside, at(s_out), floor=0.02)
    strict = window_reward(inside, at(s_out), floor=0.02, mode="strict")
    assert 0 <= strict.reward <= paper.reward <= 1
    full = [each.model_copy(update={"score": 1.0}) for each in inside]
    assert window_reward(full, at(1)).reward == 1


@pytest.mark.parametrize(
    ("out_s", "factor"),
    [
        ("100", "1"),
        ("90", "1"),  # exactly ten percent shorter
        ("110", "1"),  # exactly ten percent longer
        ("89.999", "0.89999"),
        ("110.001", "100000/110001"),
        ("50", "1/2"),
        ("200", "1/2"),
        ("0", "0"),
        ("-1", "0"),
    ],
)
def test_up_to_ten_percent_is_free_and_beyond_it_costs_the_share(out_s: str, factor: str) -> None:
    assert length_factor(Fraction(out_s), Fraction(100)) == Fraction(factor)


def test_ten_percent_is_exact_at_broadcast_rates() -> None:
    golden_s = 235 * Fraction(1001, 1000)
    assert length_factor(golden_s * Fraction(11, 10), golden_s) == 1
    assert length_factor(golden_s * Fraction(11, 10) + Fraction(1, 90_000), golden_s) < 1


def test_what_is_free_can_be_changed() -> None:
    assert length_factor(Fraction(101), Fraction(100), free=Fraction(0)) == Fraction(100, 101)
    assert length_factor(Fraction(100), Fraction(100), free=Fraction(0)) == 1


@pytest.mark.parametrize("golden_s", [0, -1])
def test_a_golden_without_length_is_our_failure(golden_s: int) -> None:
    with pytest.raises(Unscored, match="golden: lasts"):
        length_factor(Fraction(1), Fraction(golden_s))


LENGTHS = st.fractions(min_value=Fraction(1, 100), max_value=10_000)


@given(LENGTHS, LENGTHS, LENGTHS)
def test_further_off_on_one_side_never_costs_less(golden_s: Fraction, one: Fraction, other: Fraction) -> None:
    near, far = sorted((one, other))
    for sign in (1, -1):
        nearer, further = (length_factor(golden_s + sign * off, golden_s) for off in (near, far))
        assert 0 <= further <= nearer <= 1
