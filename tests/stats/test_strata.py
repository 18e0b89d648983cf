"""A drawn part is made like the whole."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.stats.strata import stratified_sample

WHOLES = st.dictionaries(st.text("abcdefgh", min_size=1, max_size=4), st.sampled_from(["x", "y", "z"]), min_size=1)


@given(WHOLES, st.integers(0, 40), st.integers(0, 3))
def test_every_stratum_has_its_share(whole: dict[str, str], n: int, seed: int) -> None:
    drawn = stratified_sample(whole, n, seed=seed)
    assert len(drawn) == len(set(drawn)) == min(n, len(whole))
    assert drawn == stratified_sample(dict(reversed(whole.items())), n, seed=seed)
    had = Counter(whole[name] for name in drawn)
    for stratum, size in Counter(whole.values()).items():
        assert abs(had[stratum] - len(drawn) * size / len(whole)) < 1


def test_what_is_left_goes_to_the_largest_remainders() -> None:
    """Shares of 2.6 and 1.4 are three and one."""
    whole = {f"{number:02d}": "x" if number < 13 else "y" for number in range(20)}
    for seed in range(5):
        assert Counter(whole[name] for name in stratified_sample(whole, 4, seed=seed)) == {"x": 3, "y": 1}


def test_another_seed_draws_others() -> None:
    whole = {f"{number:02d}": "one" for number in range(40)}
    draws = {tuple(stratified_sample(whole, 5, seed=seed)) for seed in range(4)}
    assert len(draws) == 4


def test_less_than_nothing_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="cannot draw -1 of 1"):
        stratified_sample({"a": "x"}, -1)
