import math

import numpy as np
import pytest
import scipy.stats

from cutscore.stats.student import t_quantile


@pytest.mark.parametrize(
    ("degrees", "tabled"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (9, 2.2622), (10, 2.2281), (30, 2.0423), (1000, 1.9623)],
)
def test_two_sided_95_percent_as_in_any_table(degrees: int, tabled: float) -> None:
    assert t_quantile(0.975, degrees) == pytest.approx(tabled, abs=5e-5)
    assert t_quantile(0.025, degrees) == -t_quantile(0.975, degrees)


@pytest.mark.parametrize("probability", [0.6, 0.9, 0.975, 0.999])
@pytest.mark.parametrize("degrees", [3, 8, 21, 170])
def test_against_the_integral_of_the_density(degrees: int, probability: float) -> None:
    """The density integrated by the trapezoid rule, which knows nothing of the series."""
    value = t_quantile(probability, degrees)
    grid = np.linspace(0, value, 200_001)
    log_constant = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2) - math.log(degrees * math.pi) / 2
    density = np.exp(log_constant - (degrees + 1) / 2 * np.log1p(grid**2 / degrees))
    assert 0.5 + np.trapezoid(density, grid) == pytest.approx(probability, abs=1e-9)


@pytest.mark.parametrize("probability", [0.0005, 0.025, 0.5, 0.8, 0.975, 0.9995])
@pytest.mark.parametrize("degrees", [500, 501, 5_000, 10_000_000])
def test_many_degrees_are_as_near_as_few(degrees: int, probability: float) -> None:
    assert t_quantile(probability, degrees) == pytest.approx(scipy.stats.t.ppf(probability, degrees), abs=1e-9)
