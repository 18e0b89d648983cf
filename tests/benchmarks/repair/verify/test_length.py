"""The length penalty: one case on each side of ten percent, and what grows with it."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.benchmarks.repair.verify.length import length_factor
from cutscore.core.errors import Unscored


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
