import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.errors import BadInput
from cutscore.stats.reliability import krippendorff_alpha


def names(n: int) -> list[str]:
    return [f"{number}" for number in range(n)]


# The worked example of Krippendorff's note (2011), section C: four observers, twelve units, missing values.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
UNITS = [list(unit) for unit in zip(*OBSERVERS, strict=True)]


@pytest.mark.parametrize(("level", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_published_alpha(level: str, published: float) -> None:
    found = krippendorff_alpha(UNITS, names(12), level=level, resamples=200)  # type: ignore[arg-type]
    assert found.value == pytest.approx(published, abs=5e-4)
    assert (found.n, found.clusters) == (11, 11)  # the last unit has one value and pairs with nothing
    assert found.low is not None
    assert found.low < published


def naive_alpha(units: list[list[float | None]], level: str) -> float:
    """The definition over all pairs of values, in loops."""
    kept = [[value for value in unit if value is not None] for unit in units]
    kept = [unit for unit in kept if len(unit) > 1]
    values = [value for unit in kept for value in unit]

    def apart(one: float, two: float) -> float:
        if level == "nominal":
            return float(one != two)
        if level == "interval":
            return (one - two) ** 2
        low, high = sorted((one, two))
        between = sum(low <= value <= high for value in values)
        return (between - (values.count(low) + values.count(high)) / 2) ** 2 if low < high else 0.0

    seen = sum(sum(apart(*pair) for pair in itertools.permutations(unit, 2)) / (len(unit) - 1) for unit in kept)
    expected = sum(apart(*pair) for pair in itertools.permutations(values, 2)) / (len(values) - 1)
    return 1 - seen / expected


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@given(
    units=st.lists(
        st.lists(st.one_of(st.none(), st.integers(100, 104)), min_size=3, max_size=3), min_size=2, max_size=12
    )
)
def test_alpha_equals_the_definition_in_loops(level: str, units: list[list[float | None]]) -> None:
    found = krippendorff_alpha(units, names(len(units)), level=level, resamples=20)  # type: ignore[arg-type]
    kept = [unit for unit in units if sum(value is not None for value in unit) > 1]
    if len({value for unit in kept for value in unit} - {None}) < 2:
        assert found.value is None
        assert found.method == ("undefined: all values are the same" if kept else "undefined: no samples")
    else:
        assert found.value == pytest.approx(naive_alpha(units, level), abs=1e-9)


def test_alpha_interval_equals_a_slow_bootstrap_with_the_same_draws() -> None:
    generator = np.random.default_rng(7)
    units = [[int(level), int(level + generator.integers(0, 2)), None] for level in generator.integers(0, 5, 20)]
    clips = [f"{number:02d}" for number in range(20)]
    reach = 2.093024 * math.sqrt(20 / 19)
    tail = math.erfc(reach / math.sqrt(2)) / 2
    for level in ("nominal", "ordinal", "interval"):
        found = krippendorff_alpha(units, clips, level=level, resamples=100, seed=2)  # type: ignore[arg-type]
        draws = np.random.default_rng(2).integers(0, 20, size=(100, 20))
        slow = [naive_alpha([units[row] for row in draw], level) for draw in draws]
        assert (found.low, found.high) == pytest.approx(tuple(np.quantile(slow, [tail, 1 - tail])), abs=1e-6)


def test_alpha_names_what_is_wrong() -> None:
    with pytest.raises(BadInput, match="estimate 'alpha': 'high' is no number; an ordinal scale needs numbers"):
        krippendorff_alpha([["high", "high"]], ["a"], level="ordinal")
    with pytest.raises(BadInput, match="level 'ratio' is not known; use nominal, ordinal or interval"):
        krippendorff_alpha([[1, 2]], ["a"], level="ratio")  # type: ignore[arg-type]
    assert krippendorff_alpha([["x", "x"], ["y", "y"]], ["a", "b"]).value == 1
