"""Sums that are still to be paid, told by those that were."""

import numpy as np
import pytest

from cutscore.ledger.forecast import FREE, CostForecast, ForecastCheck, RoleForecast, forecast_from_costs, sum_checks


def role(usd: float | None, *sizes: tuple[int, int]) -> RoleForecast:
    return RoleForecast("subject", "a/b", 1, len(sizes), tuple(sizes), 10, 1, usd, 0.0, ())


def test_an_interval_covers_what_is_paid_later() -> None:
    """300 runs of 20 samples whose costs tell what 80 more will cost."""
    generator, hits = np.random.default_rng(3), 0
    for _ in range(300):
        costs = generator.gamma(4.0, 0.01, 100)
        told = forecast_from_costs(costs[:20].tolist(), 80)
        assert told is not None
        low, mean, high = told
        assert mean == pytest.approx(80 * costs[:20].mean())
        hits += low <= costs[20:].sum() <= high
    assert 0.9 <= hits / 300 <= 0.98


def test_one_sample_has_no_spread_and_none_tells_nothing() -> None:
    assert forecast_from_costs([0.5], 4) == (2.0, 2.0, 2.0)
    assert forecast_from_costs([], 4) is None


def test_what_is_known_is_shown_though_something_is_not() -> None:
    half = CostForecast(None, None, roles=(role(1.5), role(None)))
    assert (half.known_usd, CostForecast(None, None, roles=(role(None),)).known_usd) == (1.5, None)
    assert (FREE.known_usd, FREE.rest_usd) == (0.0, 0.0)


def test_sizes_of_frames_are_named() -> None:
    assert [role(0, *sizes).size for sizes in ([], [(4, 3)], [(4, 3), (5, 3), (8, 6)])] == ["", "4×3", "4×3 to 8×6"]


def test_one_unknown_makes_a_sum_unknown() -> None:
    known = ForecastCheck("x", 1.0, 0.75)
    assert sum_checks([known, known]) == (2.0, 1.5)
    assert sum_checks([known, ForecastCheck("x", 1.0, None)]) == (2.0, None)
