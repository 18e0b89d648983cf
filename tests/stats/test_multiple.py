import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.errors import BadInput
from cutscore.stats.multiple import holm

many = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@given(many, st.floats(0.001, 0.5))
def test_holm_rejects_what_its_steps_reject(p_values: list[float], level: float) -> None:
    """Step down through sorted p-values while p ≤ level / (tests left); adjusted values say the same at every level."""
    rejected = set()
    for step, number in enumerate(sorted(range(len(p_values)), key=lambda each: p_values[each])):
        if p_values[number] * (len(p_values) - step) > level:
            break
        rejected.add(number)
    assert {number for number, value in enumerate(holm(p_values)) if value is not None and value <= level} == rejected


@given(many)
def test_adjusted_values_keep_order_and_only_grow(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    for raw, family in zip(p_values, adjusted, strict=True):
        assert family is not None
        assert raw <= family * (1 + 1e-12)
        assert family <= 1
    order = sorted(range(len(p_values)), key=lambda each: p_values[each])
    assert [adjusted[number] for number in order] == sorted(adjusted)  # type: ignore[type-var]


def test_published_steps() -> None:
    """The fifteen p-values of Benjamini and Hochberg (1995), of which Holm rejects 3 at 5%."""
    p_values = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
        0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000,
    ]  # fmt: skip
    assert sum(value <= 0.05 for value in holm(p_values) if value is not None) == 3


def test_tests_that_could_not_be_made_do_not_count() -> None:
    assert holm([None, 0.02, None]) == (None, 0.02, None)
    assert holm([]) == ()
    with pytest.raises(BadInput, match="p-values: nan is no probability; give None for a test that could not be made"):
        holm([float("nan")])


def test_holm_keeps_false_alarms_of_a_whole_family_at_5_in_100() -> None:
    alarms = [min(holm(row)) <= 0.05 for row in np.random.default_rng(0).random((2000, 10)).tolist()]  # type: ignore[type-var, operator]
    assert 0.035 <= np.mean(alarms) <= 0.065
