"""Exact time: what is read, what is refused, and what spans share."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from cutscore.core.finding import Finding
from cutscore.core.timeline import Seconds, Span, seconds, span_from, timecode

instants = st.fractions(min_value=0, max_value=100_000, max_denominator=90_000)


@st.composite
def spans(draw: st.DrawFn) -> Span:
    start, end = sorted((draw(instants), draw(instants)))
    return Span(start_s=start, end_s=end)


# --- reading ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (3, Fraction(3)),
        (0.1, Fraction(1, 10)),
        (1e-3, Fraction(1, 1000)),
        ("1001/24000", Fraction(1001, 24000)),
        (" 2.50 ", Fraction(5, 2)),
        ("1e2", Fraction(100)),
        ("01:02.5", Fraction(125, 2)),
        ("1:02:05", Fraction(3725)),
        ("90:00", Fraction(5400)),
        ("-01:02.5", Fraction(-125, 2)),
        (np.float64(0.1), Fraction(1, 10)),
        (np.int64(7), Fraction(7)),
    ],
)
def test_seconds_are_read_as_they_were_meant(written: object, meant: Fraction) -> None:
    assert seconds(written) == meant
    assert type(seconds(written)) is Fraction


@pytest.mark.parametrize(
    "written",
    [
        True,
        float("nan"),
        float("inf"),
        "",
        "soon",
        "1/0",
        ":",
        "1:",
        "1:-2",
        "1:2/3",
        "01:02:03:04",  # frames: how long is one?
        "01:02,5",
        None,
        [1],
        b"1",
        "1e999999999",  # exact, this is a number of a billion digits
        "1E+500",
        "1e-9_9_9_9_9_9_9_9_9",
        "9" * 100_000,
        "9" * 400,  # no float is as large
        f"{10**400}/3",
        10**400,
    ],
)
def test_what_is_no_time_is_refused(written: object) -> None:
    with pytest.raises(ValueError, match="seconds"):
        seconds(written)


@given(st.fractions(min_value=-(10**12), max_value=10**12))
def test_seconds_survive_json(at_s: Fraction) -> None:
    adapter = TypeAdapter(Seconds)
    assert adapter.validate_json(adapter.dump_json(at_s)) == at_s


@given(st.integers(-(10**9), 10**9))
def test_a_timecode_reads_back(milliseconds: int) -> None:
    at_s = Fraction(milliseconds, 1000)
    assert seconds(timecode(at_s)) == at_s


@given(st.fractions(max_denominator=10**6, min_value=-(10**6), max_value=10**6))
def test_a_timecode_is_never_off_by_more_than_half_a_millisecond(at_s: Fraction) -> None:
    assert abs(seconds(timecode(at_s)) - at_s) <= Fraction(1, 2000)


def test_timecodes_carry_over() -> None:
    assert timecode(Fraction("59.9996")) == "01:00.000"
    assert timecode(Fraction("3599.9999")) == "1:00:00.000"
    assert timecode(Fraction("-0.0001")) == "00:00.000"


# --- spans --------------------------------------------------------------------------------------------------------


@given(spans(), spans())
def test_overlap_is_symmetric_and_bounded(one: Span, other: Span) -> None:
    shared = one.overlap(other)
    assert shared == other.overlap(one)
    assert 0 <= shared <= min(one.length_s, other.length_s)
    assert 0 <= one.iou(other) <= 1
    assert one.iou(other) == other.iou(one)
    assert one.iou(one) == 1


@given(spans(), instants, instants)
def test_moving_both_changes_nothing(one: Span, by_s: Fraction, at_s: Fraction) -> None:
    moved = Span(start_s=one.start_s + by_s, end_s=one.end_s + by_s)
    assert moved.length_s == one.length_s
    assert moved.holds(at_s + by_s) == one.holds(at_s)


@given(spans(), instants)
def test_neighbours_share_no_instant(one: Span, length_s: Fraction) -> None:
    after = Span(start_s=one.end_s, end_s=one.end_s + length_s)
    assert one.overlap(after) == 0
    if one.length_s and length_s:
        assert not one.holds(after.start_s)
        assert after.holds(after.start_s)


def test_an_instant_holds_itself() -> None:
    instant = Span(start_s=2, end_s=2)
    assert instant.holds(Fraction(2))
    assert not instant.holds(Fraction("2.001"))
    assert instant.iou(Span(start_s=3, end_s=3)) == 0
    assert instant.iou(Span(start_s=1, end_s=3)) == 0


def test_a_span_does_not_run_backwards() -> None:
    with pytest.raises(ValidationError, match=r"span ends at 1 s, before it starts at 2\.5 s"):
        Span(start_s="5/2", end_s=1)
    assert str(Span(start_s=1, end_s="62.5")) == "00:01.000–01:02.500"


def test_the_short_form_of_a_place() -> None:
    whole = Span(start_s=1, end_s=2)
    assert span_from([1, "2"]) == span_from((1, 2.0)) == span_from({"start_s": 1, "end_s": 2}) == whole
    assert span_from(whole) is whole
    assert span_from(None) is None


@pytest.mark.parametrize("at", ["12", 3, [1], [1, 2, 3], {1, 2}, [2, 1], ["a", "b"]])
def test_what_is_no_place_is_refused(at: object) -> None:
    with pytest.raises(ValidationError):
        Finding(name="cut", value=1, because="x", at=at)


@given(spans())
def test_a_place_survives_json_exactly(at: Span) -> None:
    finding = Finding(name="cut", value=1, because="x", at=at)
    assert Finding.model_validate_json(finding.model_dump_json()) == finding
    assert finding.as_json()["at"] == [float(at.start_s), float(at.end_s)]
