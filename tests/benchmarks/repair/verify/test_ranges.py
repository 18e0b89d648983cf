"""Ranges in report.md: the one form that is read, and everything else refused by name."""

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.benchmarks.repair.report import SCHEMA, ReportedRange
from cutscore.benchmarks.repair.verify.ranges import LONGEST, MOST_RANGES, RangeReport, read_ranges
from cutscore.core.evidence import MAX_TEXT_BYTES
from cutscore.core.timeline import Span
from cutscore.scoring.verifiers.refusal import Refusal

CLIP_S = Fraction(60)


def block(*ranges: object, schema: object = SCHEMA, fence: str = "```", info: str = "json") -> str:
    text = json.dumps({"schema": schema, "ranges": list(ranges)})
    return f"{fence}{info}\n{text}\n{fence}\n"


def said(start_s: object, end_s: object, **more: object) -> dict[str, object]:
    return {"start_s": start_s, "end_s": end_s, **more}


def read(report: str, clip_s: Fraction = CLIP_S) -> RangeReport | Refusal:
    return read_ranges(report, clip_s=clip_s)


TWO = RangeReport(
    (
        ReportedRange(Span(start_s="1.1", end_s="1.5"), "filler_words"),
        ReportedRange(Span(start_s=2, end_s="3.25")),
    )
)
GOOD = block(said(1.1, 1.5, type="filler_words"), said(2, 3.25))


@pytest.mark.parametrize(
    "report",
    [
        GOOD,
        f"# What I did\n\nCut two.\n\n{GOOD}\nDone.",
        GOOD.replace("\n", "\r\n"),
        GOOD.removesuffix("\n"),
        f"\ufeff{GOOD}",
        GOOD.replace("```", "~~~"),
        GOOD.replace("```", "``````"),
        GOOD.replace("```json", "   ```  JSON  title"),
        f'```json\n{{"other": 1}}\n```\n{GOOD}```\nffmpeg -i broken.mp4\n```',
        f"```text\n{SCHEMA}\n```\n{GOOD}",
        f"````json\n{GOOD}{SCHEMA}".replace("json", "md") + f"\n````\n{GOOD}",  # quoted in a longer fence
        f"```text\n```json\n```\n{GOOD}",  # a fence with a word does not close
        f"```asked``` is code in a line\n{GOOD}",
        f"Use `{SCHEMA}` as ```asked```.\n{GOOD}",
        block(said(1.1, 1.5, type="filler_words", text="um"), said(2, 3.25, confidence=0.5)),
    ],
)
def test_one_fenced_block_is_read_wherever_it_stands(report: str) -> None:
    assert read(report) == TWO


def test_seconds_are_exact_and_ranges_may_touch_each_other_and_the_ends() -> None:
    found = read(block(said(0, 0.1), said(0.1, 60)))
    first, second = Span(start_s=0, end_s=Fraction(1, 10)), Span(start_s=Fraction(1, 10), end_s=60)
    assert found == RangeReport((ReportedRange(first), ReportedRange(second)))


def test_no_range_is_an_answer() -> None:
    assert read(block()) == RangeReport()


def test_an_end_that_was_printed_with_six_decimals_is_the_end_of_the_clip() -> None:
    clip_s = Fraction(1001, 30)  # 33.366666…
    found = read(block(said(33, 33.366667)), clip_s)
    assert found == RangeReport((ReportedRange(Span(start_s=33, end_s=clip_s)),))
    assert isinstance(read(block(said(33, 33.368)), clip_s), Refusal)


@pytest.mark.parametrize(
    ("report", "name", "because"),
    [
        ("", "no block", "report.md has no fenced JSON block of cutscore-ranges-1"),
        ("I cut 1.1 to 1.5 s.", "no block", ""),
        (json.dumps({"schema": SCHEMA, "ranges": []}), "no block", ""),
        (block(said(1, 2), info=""), "no block", ""),
        (block(said(1, 2), info="json5"), "no block", ""),
        (block(said(1, 2), schema="cutscore-ranges"), "no block", ""),
        ("    " + GOOD, "no block", ""),
        (GOOD + GOOD, "two blocks", "report.md has 2 blocks of cutscore-ranges-1"),
        (GOOD.removesuffix("```\n"), "not closed", "report.md ends inside of its block"),
        (GOOD.replace("```\n", "~~~\n"), "not closed", ""),
        (GOOD + "x" * LONGEST, "too long", "report.md has more than 200,000 characters"),
        (GOOD.replace('"ranges"', "'ranges'"), "not JSON", "the block of cutscore-ranges-1 is not JSON from"),
        (GOOD.replace('"ranges"', '"schema": 1, "ranges"'), "not JSON", "the block of cutscore-ranges-1 has the key"),
        (GOOD.replace("1.5", "NaN"), "not JSON", "the block of cutscore-ranges-1 has the number NaN"),
        (GOOD.replace("1.5", "1e999"), "not JSON", ""),
        (GOOD.replace("1.5", "9" * 5000), "not JSON", ""),
        (GOOD.replace("1.5", "[" * 500), "not JSON", ""),
        (block(said(1, 2), schema=[SCHEMA]), "shape", "the block is not an object with schema"),
        (f'```json\n["{SCHEMA}", [1, 2]]\n```', "shape", ""),
        (f'```json\n{{"schema": "{SCHEMA}", "ranges": "all"}}\n```', "shape", ""),
        (f'```json\n{{"schema": "{SCHEMA}", "ranges": {{"start_s": 1, "end_s": 2}}}}\n```', "shape", ""),
        (block([1, 2]), "shape", "range 1 is not an object with start_s and end_s"),
        (block({"start": 1, "end": 2}), "shape", ""),
        (block(said(1, 2), None), "shape", "range 2 is not an object"),
        (block(said("1", "2")), "wrong type", "range 1 does not begin and end at numbers"),
        (block(said("00:01", 2)), "wrong type", ""),
        (block(said(False, True)), "wrong type", ""),
        (block(said(1, None)), "wrong type", ""),
        (block(said(1, 2, type=["noise", "echo"])), "wrong type", "the type of range 1 is not a text but list"),
        (block(said(2, 1)), "reversed", "range 1, 2 to 1 s, ends before it begins"),
        (block(said(1, 1)), "empty", "range 1, 1 to 1 s, has no length"),
        (block(said(-0.1, 1)), "outside", "range 1, -0.1 to 1 s, does not lie in the clip of 60 s"),
        (block(said(59, 61)), "outside", ""),
        (block(said(60, 60.0005)), "outside", ""),
        (block(said(0, 1e308)), "outside", ""),
        (block(said(0, 10**4000)), "outside", ""),
        (block(*[said(i / 100, i / 100 + 0.01) for i in range(MOST_RANGES + 1)]), "too many", "1,001 ranges are"),
    ],
)
def test_other_reports_are_refused_by_name(report: str, name: str, because: str) -> None:
    found = read(report)
    assert isinstance(found, Refusal), found
    assert found.name == name
    assert found.reason.startswith(because)
    assert len(found.reason) < 250


@pytest.mark.parametrize(
    ("listed", "read_as", "told"),
    [
        ([(3, 4), (1, 2)], [(1, 2), (3, 4)], "they are not listed in order of time"),
        ([(1, 2), (1, 2)], [(1, 2)], "some overlap, and all 2 cover 1"),
        ([(1, 3), (2, 4), (6, 7)], [(1, 4), (6, 7)], "some overlap, and all 3 cover 2"),
        ([(1, 9), (2, 3), (8, 9.5)], [(1, 9.5)], "some overlap, and all 3 cover 1"),
        (
            [(5, 6), (1, 3), (2, 4)],
            [(1, 4), (5, 6)],
            "they are not listed in order of time; some overlap, and all 3 cover 2",
        ),
        ([(1, 2), (2, 3)], [(1, 2), (2, 3)], ""),
    ],
)
def test_ranges_are_read_as_the_stretches_that_they_cover(
    listed: list[tuple[float, float]], read_as: list[tuple[float, float]], told: str
) -> None:
    found = read(block(*[said(*each, type="echo") for each in listed]))
    assert isinstance(found, RangeReport)
    assert [(float(each.span.start_s), float(each.span.end_s)) for each in found.ranges] == read_as
    assert {each.kind for each in found.ranges} == {"echo"}
    assert found.remark == (f"ranges are read as the stretches that they cover: {told}" if told else "")


@pytest.mark.parametrize(("kinds", "kind"), [(("blur", ""), "blur"), (("", ""), ""), (("blur", "echo"), "")])
def test_a_stretch_that_is_called_everything_is_called_nothing(kinds: tuple[str, str], kind: str) -> None:
    found = read(block(*[said(1, 2, type=each) for each in kinds]))
    assert isinstance(found, RangeReport)
    assert [each.kind for each in found.ranges] == [kind]


def test_a_report_that_evidence_cut_off_is_always_too_long() -> None:
    assert LONGEST < MAX_TEXT_BYTES / 4  # no character takes more bytes


NUMBERS = st.floats() | st.integers() | st.booleans() | st.none() | st.text(max_size=3)


@settings(max_examples=60)
@given(st.lists(st.builds(said, NUMBERS, NUMBERS) | NUMBERS, max_size=3), st.text(max_size=20))
def test_whatever_is_reported_is_in_order_and_in_the_clip_or_refused(ranges: list[object], around: str) -> None:
    found = read(f"{around}\n{block(*ranges)}{around}")
    if isinstance(found, RangeReport):
        ends = [end for each in found.ranges for end in (each.span.start_s, each.span.end_s)]
        assert ends == sorted(ends)
        assert all(0 <= end <= CLIP_S for end in ends)
        assert all(each.span.length_s > 0 for each in found.ranges)
