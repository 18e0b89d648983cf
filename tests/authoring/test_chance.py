"""Guessing is held to what the card calls chance."""

import math

from hypothesis import given
from hypothesis import strategies as st

from cutscore.authoring.chance import chance_faults, chance_interval
from cutscore.core.card import ScoreCard


@given(st.integers(1, 400), st.floats(0.01, 0.99))
def test_the_binomial_interval_holds_what_it_says(n: int, chance: float) -> None:
    """Exact: the mass outside is at most 0.1%, and no interval that is one step narrower at an end holds as much."""
    low, high = chance_interval(chance, n, (0.0, 1.0), binary=True)
    mass = [math.comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n + 1)]
    first, last = round(low * n), round(high * n)
    assert math.fsum(mass[:first]) <= 0.0005 + 1e-9
    assert math.fsum(mass[last + 1 :]) <= 0.0005 + 1e-9
    assert math.fsum(mass[: first + 1]) > 0.0005 - 1e-9
    assert math.fsum(mass[last:]) > 0.0005 - 1e-9


def test_chance_at_an_end_of_the_scale_and_very_many_guesses() -> None:
    assert chance_interval(0.0, 60, (0.0, 1.0), binary=True) == (0.0, 0.0)
    assert chance_interval(1.0, 60, (0.0, 1.0), binary=True) == (1.0, 1.0)
    low, high = chance_interval(0.25, 100_000, (0.0, 1.0), binary=True)
    assert 0.245 < low < 0.25 < high < 0.255


def test_graded_guesses_are_held_to_the_wider_bound() -> None:
    card = ScoreCard(about="a grade", chance=5.0, scale=(0.0, 10.0))
    assert chance_faults("blind", [5.5, 4.5] * 30, card) == []
    assert chance_faults("blind", [9.5, 8.5] * 30, card) == [
        "blind scores 9.000, chance is 5 (99.9% of n=60: 2.483 to 7.517)"
    ]
    assert chance_faults("blind", [9.5], card.model_copy(update={"chance": None})) == []
