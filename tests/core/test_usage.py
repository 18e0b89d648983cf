"""Unknown stays unknown, however much is added."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from cutscore.core.tally import NoPurse, Tally
from cutscore.core.usage import TOKEN_BUCKETS, ZERO_USAGE, Usage

usages = st.builds(Usage, **{name: st.none() | st.integers(0, 10**12) for name in TOKEN_BUCKETS})


@given(usages, usages, usages)
def test_addition_is_what_it_is_for_numbers(one: Usage, two: Usage, three: Usage) -> None:
    assert one + two == two + one
    assert (one + two) + three == one + (two + three)
    assert one + ZERO_USAGE == one


@given(usages, usages)
def test_a_bucket_is_known_only_when_both_know_it(one: Usage, two: Usage) -> None:
    for name in TOKEN_BUCKETS:
        mine, theirs, both = (getattr(usage, name) for usage in (one, two, one + two))
        assert both == (None if mine is None or theirs is None else mine + theirs)


def test_five_buckets_none_below_zero() -> None:
    assert tuple(Usage.model_fields) == (*TOKEN_BUCKETS, "video_s")
    assert Usage().input is None
    with pytest.raises(ValidationError):
        Usage(input=-1)


def test_a_tally_forgets_nothing_and_invents_nothing() -> None:
    booked: list[tuple[str, Usage | None]] = []

    class Purse(NoPurse):
        def pay(self, call: str, model: str, usage: Usage | None) -> None:
            booked.append((model, usage))

    tally = Tally(purse=Purse())
    assert tally.usage == ZERO_USAGE
    tally.add_call("1", "m", Usage(input=3, output=1))
    assert tally.usage is not None
    assert (tally.usage.input, tally.usage.output, tally.usage.cached) == (3, 1, None)
    tally.add_call("2", "m", None)
    tally.add_call("3", "m", Usage(input=3))
    assert [tally.calls, tally.usage] == [3, None]
    assert booked == [("m", Usage(input=3, output=1)), ("m", None), ("m", Usage(input=3))]
    tally.add_retry("429")
    tally.add_retry("429")
    assert tally.retries == {"429": 2}
    tally.warn("once")
    tally.warn("once")
    assert tally.warnings == ["once"]
