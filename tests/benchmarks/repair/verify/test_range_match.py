"""Matching ranges: the paper's rule word by word, what stays of a defect, and bots that report everything."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.benchmarks.repair.report import ReportedRange
from cutscore.benchmarks.repair.verify.range_match import RangeMatch, TrueRange, match_ranges, range_findings
from cutscore.core.errors import Unscored
from cutscore.core.timeline import Span

Ends = tuple[str | float, str | float]


def true(*spans: Ends, kind: str = "filler_words") -> TrueRange:
    return TrueRange(spans=tuple(Span(start_s=start, end_s=end) for start, end in spans), kind=kind)


def reported(*spans: Ends, kind: str = "filler_words") -> list[ReportedRange]:
    return [ReportedRange(Span(start_s=start, end_s=end), kind) for start, end in spans]


def match(said: list[ReportedRange], truth: list[TrueRange], tolerance: str = "1/4", clean: str = "1") -> RangeMatch:
    return match_ranges(said, truth, tolerance_s=Fraction(tolerance), most_clean_s=Fraction(clean))


TRUTH = [true((5, 6)), true((10, 12)), true((20, "20.5"))]


def scores(found: RangeMatch) -> tuple[float, float, float, float]:
    return found.recall, found.precision, found.strict, found.located


def test_the_truth_itself_gets_full_marks() -> None:
    found = match(reported((5, 6), (10, 12), (20, "20.5")), TRUTH)
    assert scores(found) == (1, 1, 1, 1)
    assert (found.pairs, float(found.clean_s)) == (((0, 0), (1, 1), (2, 2)), 0)
    assert found.because == "3 of 3 ranges found, 3 reported"


def test_the_score_is_the_share_of_true_ranges() -> None:
    found = match(reported((5, 6), (30, "30.5")), TRUTH)
    assert scores(found) == (1 / 3, 1 / 2, 1 / 4, 1 / 4)
    assert found.clean_s == Fraction(1, 2)
    assert found.because == "1 of 3 ranges found, 2 reported, of which 1 met none"


def test_who_finds_one_of_two_ranges_gets_no_more_in_strict() -> None:
    assert scores(match(reported((5, 6)), TRUTH[:2])) == (1 / 2, 1, 1 / 2, 1 / 2)


def test_nothing_reported_is_nothing_found() -> None:
    assert scores(match([], TRUTH)) == (0, 0, 0, 0)
    assert match([], TRUTH).overlap == 0


def test_overlap_is_the_mean_of_the_best_ious() -> None:
    assert match(reported((5, "5.5"), (5, 6), (10, 14)), TRUTH).overlap == pytest.approx((1 + 1 / 2 + 0) / 3)
    assert match(reported((11, 12)), [true((10, 11), (11, 12))]).overlap == 1  # either copy


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ((5, 6), 1),
        (("4.75", "6.25"), 1),  # both endpoints off by exactly the tolerance
        (("5.25", "5.75"), 1),
        (("4.749", 6), 0),
        ((5, "6.251"), 0),
        (("5.251", 6), 0),
        ((4.5, 5.5), 0),
    ],
)
def test_both_endpoints_lie_within_the_tolerance_itself_included(said: Ends, found: int) -> None:
    assert len(match(reported(said), [true((5, 6))]).pairs) == found


@pytest.mark.parametrize(
    ("said", "share"),
    [
        ((5, "5.36"), 1),
        (("4.9", "5.5"), 1),  # more than the range is no less of it
        (("5.02", "5.344"), 1),  # a tenth stays
        (("5.02", "5.343"), pytest.approx(0.323 / 0.36)),
        (("5.16", "5.2"), pytest.approx(1 / 9)),  # 40 ms out of 360
        (("5.18", "5.36"), 1 / 2),
        (("5.18", "5.54"), 1 / 2),  # as long as the range, and half beside it
    ],
)
def test_what_stays_of_a_range_costs_in_every_mode(said: Ends, share: float) -> None:
    found = match(reported(said), [true((5, "5.36"))], tolerance="0.18")
    assert scores(found) == (share, share, share, 1)
    assert ("of what was found is not reported" in found.because) is (share != 1)


def test_of_a_long_range_a_picture_may_stay() -> None:
    for end, share in (("11.96", 1), ("11.95", 0.975)):
        assert match(reported((10, end)), [true((10, 12))]).recall == share


def test_what_other_reported_ranges_take_of_a_range_does_not_stay() -> None:
    pieces = reported((10, "11.5"), ("11.6", 12))
    assert match(pieces, [true((10, 12))], tolerance="1/2").recall == pytest.approx(0.95)


def test_half_of_a_repeat_is_half_of_it_wherever_it_is_cut() -> None:
    """Two copies of half a second; any half second between the first one's start and the second one's end may go."""
    truth = [true(*[(10 + step / 10, 10.5 + step / 10) for step in range(6)], kind="repeated_frames")]
    for start in (10.0, 10.1, 10.3, 10.75):
        assert match(reported((start, start + 0.25)), truth).recall == pytest.approx(1 / 2)


def test_nine_sprayed_ranges_locate_a_ninth() -> None:
    sprayed = reported(*[(start, start + 1) for start in range(1, 18, 2)])
    found = match(sprayed, [true((5, 6))])
    assert (found.recall, found.precision, found.strict) == (1, 1 / 9, 0)
    assert found.located == 1 / 9


def test_truths_are_taken_in_order_of_time_whatever_order_they_come_in() -> None:
    found = match(reported((5, 6)), [true((20, 21)), true((5, 6))])
    assert [each.spans[0].start_s for each in found.truth] == [5, 20]
    assert found.pairs == ((0, 0),)


def test_a_prediction_that_was_refused_stays_free() -> None:
    # The closest to the first truth is the only one there is; it is refused there and accepted by the second.
    assert match(reported((10, 12)), [true((5, 6)), true((10, 12))]).pairs == ((1, 0),)


def test_a_prediction_that_was_accepted_is_used_up() -> None:
    twice = [true((5, 6)), true(("5.1", "6.1"))]
    assert match(reported((5, 6)), twice).recall == 1 / 2


def test_the_closest_is_the_one_whose_larger_error_is_smallest() -> None:
    # Off by 4 and 4 s, or by 1 and 5 s, which is less at one end and in sum.
    found = match(reported((6, 8), (11, 17)), [true((10, 12))], tolerance="5")
    assert found.pairs == ((0, 0),)
    assert match(reported((8, 10), (12, 14)), [true((10, 12))], tolerance="5").pairs == ((0, 0),)  # a tie: the earlier


def test_either_copy_of_a_repeated_picture_may_go_and_both_are_one_too_many() -> None:
    truth = [true((10, 11), (11, 12), kind="repeated_frames")]
    for said in ((10, 11), (11, 12)):
        assert scores(match(reported(said), truth)) == (1, 1, 1, 1)
        assert match(reported(said), truth).clean_s == 0
    both = match(reported((10, 11), (11, 12)), truth, clean="1/2")
    assert (both.recall, both.precision, float(both.clean_s), both.strict) == (1, 1 / 2, 1, 0)


def test_two_of_three_copies_may_go_in_whatever_ranges() -> None:
    copies: list[Ends] = [(10, 11), (11, 12), (12, 13)]
    truth = [true(*copies), true(*copies)]
    assert match(reported((10, 11), (12, 13)), truth).strict == 1
    assert match(reported((10, 12)), truth).clean_s == 0  # two copies in one range: not matched, yet not clean
    assert match(reported((10, 13)), truth).clean_s == 1  # one has to stay
    assert match(reported((10, 11), (20, 21)), truth).clean_s == 1


@pytest.mark.parametrize(("limit", "strict"), [("1/2", 1), ("0.499", 0)])
def test_clean_time_beyond_the_limit_costs_everything_in_strict(limit: str, strict: float) -> None:
    found = match(reported(("4.75", "6.25")), [true((5, 6))], clean=limit)
    assert (found.clean_s, found.recall, found.strict) == (Fraction(1, 2), 1, strict)
    assert ("of clean time cut out" in found.because) is (strict == 0)


def tiles(width: Fraction, clip_s: int, offset: Fraction = Fraction(0)) -> list[ReportedRange]:
    count = int((clip_s - offset) / width)
    return [ReportedRange(Span(start_s=offset + i * width, end_s=offset + (i + 1) * width)) for i in range(count)]


def test_a_bot_that_reports_every_second_gains_in_paper_and_nothing_in_strict() -> None:
    lucky = match(tiles(Fraction(1), 60), [true((5, 6)), true((30, 31)), true((44, 45))])
    assert (lucky.recall, float(lucky.clean_s)) == (1, 57)  # what H.1.3 pays for it
    assert lucky.strict == 0
    assert lucky.precision == lucky.located == 3 / 60


@pytest.mark.parametrize("seed", range(10))
def test_no_tiling_of_the_clip_scores_in_strict(seed: int) -> None:
    draw = Random(seed)
    starts = sorted(draw.sample(range(60), 3))
    truth = [true((start, start + draw.choice((0.5, 0.75, 1)))) for start in starts]
    for width in (Fraction(1, 2), Fraction(3, 4), Fraction(1), Fraction(3, 2), Fraction(10), Fraction(60)):
        assert match(tiles(width, 60, Fraction(seed, 20) if width < 10 else Fraction(0)), truth).strict == 0


def test_findings_say_how_each_range_was_met() -> None:
    found = range_findings(match(reported(("5.1", "5.9"), (30, 31)), TRUTH[:2]))
    assert [(each.name, round(each.value, 6)) for each in found] == [
        ("range_found", 1),
        ("start_error_s", 0.1),
        ("end_error_s", -0.1),
        ("range_iou", 0.8),
        ("type_right", 1),
        ("range_found", 0),
        ("start_error_s", 20),
        ("end_error_s", 19),
        ("range_iou", 0),
        ("type_right", 1),
        ("reported", 1),
        ("reported", 0),
    ]
    assert [str(found[each].at) for each in (4, 5, -2, -1)] == [
        "00:05.000–00:06.000",
        "00:10.000–00:12.000",
        "00:05.100–00:05.900",
        "00:30.000–00:31.000",
    ]
    assert found[-2].because == "filler_words is reported here, and 00:05.000–00:06.000 is meant"
    assert found[-1].because == "filler_words is reported here, and no true range is there within the tolerance"
    assert found[0].because == "00:05.100–00:05.900 reported for 00:05.000–00:06.000"
    assert found[5].because == "00:30.000–00:31.000 reported for 00:10.000–00:12.000, which is not within the tolerance"


def test_a_range_that_met_one_is_not_measured_from_another() -> None:
    found = range_findings(match(reported((5, 6)), TRUTH[:2]))
    assert [(each.name, each.value) for each in found[5:]] == [("range_found", 0), ("reported", 1)]
    assert found[5].because == "no reported range meets 00:10.000–00:12.000"


def test_findings_measure_from_the_copy_that_was_meant() -> None:
    found = range_findings(match(reported((11, 12), kind="echo"), [true((10, 11), (11, 12))]))
    assert [each.value for each in found] == [1, 0, 0, 1, 0, 1]
    assert found[0].at == Span(start_s=11, end_s=12)


@pytest.mark.parametrize("kind", ["", "echo", "filler_words "])
def test_a_type_that_is_not_said_or_another_is_not_right(kind: str) -> None:
    assert range_findings(match(reported((5, 6), kind=kind), TRUTH[:1]))[-2].value == 0


def test_an_item_without_a_true_range_is_our_failure() -> None:
    with pytest.raises(Unscored, match="no true range"):
        match([], [])


CUTS = st.lists(st.integers(0, 40), min_size=2, max_size=8, unique=True).map(sorted)


def spans(cuts: list[int]) -> list[Ends]:
    return [(start / 2, end / 2) for start, end in zip(cuts[::2], cuts[1::2], strict=False)]


@settings(max_examples=60)
@given(CUTS, CUTS, st.integers(0, 6), st.integers(0, 20))
def test_strict_is_never_above_paper_nor_precision(one: list[int], two: list[int], t: int, clean: int) -> None:
    said, truth = reported(*spans(one)), [true(each) for each in spans(two)]
    found = match(said, truth, tolerance=f"{t}/2", clean=str(clean))
    assert 0 <= found.strict <= min(found.recall, found.precision) <= 1
    assert found.recall <= len(found.pairs) / len(truth)
    assert found.strict <= found.located <= 1
    assert all(_near(said[place].span, found.truth[number].spans[0], Fraction(t, 2)) for number, place in found.pairs)
    assert 0 <= found.clean_s <= sum(each.span.length_s for each in said)


def _near(one: Span, other: Span, tolerance_s: Fraction) -> bool:
    return abs(one.start_s - other.start_s) <= tolerance_s and abs(one.end_s - other.end_s) <= tolerance_s
