"""Truth is replaced by another value of the same kind."""

from enum import Enum
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from cutscore.authoring.leaks import changed_value
from cutscore.core.files import FileRef


class Mood(Enum):
    GLAD = 1
    SAD = 2


ref = FileRef(name="a.mp4", sha256="0" * 64, size_bytes=1)
values = st.recursive(
    st.booleans() | st.integers() | st.fractions() | st.text() | st.sampled_from(Mood) | st.just(ref),
    lambda inner: st.lists(inner, min_size=1) | st.tuples(inner) | st.dictionaries(st.text(), inner, min_size=1),
    max_leaves=8,
)


@given(values)
def test_otherwise_is_another_value_of_the_same_kind(value: object) -> None:
    assert changed_value(value) != value
    assert type(changed_value(value)) is type(value)


def test_what_has_no_other_value_stays() -> None:
    assert changed_value(None) is None
    assert changed_value(Fraction(1, 3)) == Fraction(4, 3)
    assert changed_value(frozenset({1})) == {2}
