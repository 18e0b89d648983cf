"""Numbers of any length are compared, and told as they were seen."""

import pytest

from cutscore.benchmarks.videowebarena.evaluators.inequalities import match_values


@pytest.mark.parametrize("mode", ["reference", "strict"])
def test_a_number_that_no_float_holds_is_compared(mode):
    huge = "1" * 400
    (less, equal, more) = match_values(["< 5", "== 5", "> 5"], huge, mode)
    assert (less.passed, equal.passed, more.passed) == (False, False, True)
    assert equal.because == f"seen {'1' * 120}, wanted == 5"


def test_a_number_is_told_with_all_its_digits():
    (said,) = match_values(["== 1234568"], "1,234,567", "reference")
    assert (said.passed, said.because) == (False, "seen 1234567, wanted == 1234568")
