"""Student's t without scipy, for whole degrees of freedom, which is all that counting clusters needs."""

import math
from functools import cache
from statistics import NormalDist

_STEPS = 80  # bisection to far below the last bit that matters
_MANY = 500  # degrees from which the series is longer than it is worth


@cache
def t_quantile(probability: float, degrees: int) -> float:
    """Return the value that Student's t stays below with this probability.

    Exact up to 500 degrees; beyond, the normal curve with corrections whose error is below 1e-9 in the middle 99.9%.

    >>> round(t_quantile(0.975, 9), 4)
    2.2622
    """
    if degrees > _MANY:
        far = _near_normal(NormalDist().inv_cdf(0.5 + abs(probability - 0.5)), degrees)
        return math.copysign(far, probability - 0.5)
    inside = 2 * abs(probability - 0.5)
    low, high = 0.0, math.pi / 2
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, degrees) < inside else (low, middle)
    return math.copysign(math.sqrt(degrees) * math.tan(low), probability - 0.5)


def _near_normal(z: float, degrees: int) -> float:
    """Correct a quantile of the normal curve for degrees of freedom (Abramowitz and Stegun 26.7.5)."""
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + first / degrees + second / degrees**2 + third / degrees**3 + fourth / degrees**4


def _within(angle: float, degrees: int) -> float:
    """Return P(|T| <= √degrees · tan(angle)), by its finite series in cos² (Abramowitz and Stegun 26.7.3, 26.7.4)."""
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees % 2
    term, total = (cosine if odd else 1.0), 0.0
    for step in range(degrees // 2):
        total += term
        term *= cosine**2 * (2 * step + 1 + odd) / (2 * step + 2 + odd)
    return 2 / math.pi * (angle + sine * total) if odd else sine * total
