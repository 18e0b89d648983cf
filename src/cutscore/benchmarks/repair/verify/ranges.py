"""Time ranges read from `report.md`: what a subject says that it cut from a clip.

The paper wants "a list of time ranges" and leaves its form open; ours is that of `repair.report`. The block may stand
anywhere in the report. Ranges lie inside the clip. Those that overlap, or stand there twice, are read as the stretch
that they cover, in whatever order they come; those that only touch stay apart. `type` may be left out, and keys that
are not named there are not read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from pydantic import JsonValue

from cutscore.benchmarks.repair.report import REPORT, SCHEMA, ReportedRange
from cutscore.core.strict_json import read_json
from cutscore.core.timeline import Span, seconds
from cutscore.scoring.verifiers.refusal import LONGEST_QUOTE, Refusal

# Evidence gives at least 250,000 characters of a file before it cuts off: what was cut off is refused as too long.
LONGEST = 200_000
MOST_RANGES = 1_000
# Tools print six decimals, so an honest end of the clip may lie a little behind it.
SLACK_S = Fraction(1, 1000)

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*(\S*)")


@dataclass(frozen=True)
class RangeReport:
    """The ranges of a report, in order of time and disjoint, and how they differ from what was listed, if they do."""

    ranges: tuple[ReportedRange, ...] = ()
    remark: str = ""


def read_ranges(report: str, *, clip_s: Fraction) -> RangeReport | Refusal:
    """Read the reported ranges.

    No ranges at all are an answer, too: a wrong one. An end up to a millisecond behind the clip is the clip's end.

    Returns:
        The ranges, or why there are none: `too long`, `no block` (in which the schema is named), `two
        blocks`, `not closed`, `not JSON` (also duplicate keys, NaN, depth), `shape`, `too many`, `wrong type` (texts,
        true), `reversed`, `empty`, `outside`.
    """
    text = _block_text(report)
    if isinstance(text, Refusal):
        return text
    try:
        listed = _list_of_ranges(read_json(text))
    except ValueError as fault:
        return Refusal("not JSON", f"the block of {SCHEMA} {str(fault)[:100]}")
    if listed is None:
        return Refusal("shape", f"the block is not an object with schema '{SCHEMA}' and a list of ranges")
    if len(listed) > MOST_RANGES:
        return Refusal("too many", f"{len(listed):,} ranges are reported, more than {MOST_RANGES:,}")
    return _check_ranges(listed, clip_s)


def _block_text(report: str) -> str | Refusal:
    """Return the text of the one block that counts."""
    if len(report) > LONGEST:
        return Refusal("too long", f"{REPORT} has more than {LONGEST:,} characters")
    # By its text, so that a block which names the schema and is not JSON is refused and not passed over.
    blocks = [(text, closed) for text, closed in _json_blocks(report) if SCHEMA in text]
    if not blocks:
        return Refusal("no block", f"{REPORT} has no fenced JSON block of {SCHEMA}")
    if len(blocks) > 1:
        return Refusal("two blocks", f"{REPORT} has {len(blocks)} blocks of {SCHEMA}, and nobody can tell which counts")
    ((text, closed),) = blocks
    return text if closed else Refusal("not closed", f"{REPORT} ends inside of its block of {SCHEMA}")


def _list_of_ranges(whole: JsonValue) -> list[JsonValue] | None:
    ranges = whole.get("ranges") if isinstance(whole, dict) and whole.get("schema") == SCHEMA else None
    return ranges if isinstance(ranges, list) else None


def _check_ranges(listed: list[JsonValue], clip_s: Fraction) -> RangeReport | Refusal:
    ranges: list[ReportedRange] = []
    for number, plain in enumerate(listed, 1):
        made = _read_range(plain, f"range {number}", clip_s)
        if isinstance(made, Refusal):
            return made
        ranges.append(made)
    return unite_ranges(ranges)


def unite_ranges(listed: Sequence[ReportedRange]) -> RangeReport:
    """Put ranges in order of time, and join those that overlap; the remark says what was done.

    A joined range has the type that its parts name, and none where they name several: a stretch that is called
    everything is called nothing.
    """
    groups: list[list[ReportedRange]] = []
    for each in sorted(listed, key=lambda range_: (range_.span.start_s, range_.span.end_s)):
        if groups and each.span.start_s < max(part.span.end_s for part in groups[-1]):
            groups[-1].append(each)
        else:
            groups.append([each])
    ranges = tuple(_join_ranges(group) for group in groups)
    told = []
    if any(after.span.start_s < before.span.start_s for before, after in pairwise(listed)):
        told.append("they are not listed in order of time")
    if len(ranges) < len(listed):
        told.append(f"some overlap, and all {len(listed)} cover {len(ranges)}")
    return RangeReport(ranges, f"ranges are read as the stretches that they cover: {'; '.join(told)}" if told else "")


def _join_ranges(group: Sequence[ReportedRange]) -> ReportedRange:
    kinds = {each.kind for each in group if each.kind}
    span = Span(start_s=group[0].span.start_s, end_s=max(each.span.end_s for each in group))
    return ReportedRange(span, kinds.pop() if len(kinds) == 1 else "")


def _read_range(plain: JsonValue, which: str, clip_s: Fraction) -> ReportedRange | Refusal:
    if not isinstance(plain, dict) or not {"start_s", "end_s"} <= plain.keys():
        return Refusal("shape", f"{which} is not an object with start_s and end_s")
    ends, kind = (plain["start_s"], plain["end_s"]), plain.get("type", "")
    if any(isinstance(end, bool) or not isinstance(end, int | float) for end in ends):
        return Refusal("wrong type", f"{which} does not begin and end at numbers")
    if not isinstance(kind, str):
        return Refusal("wrong type", f"the type of {which} is not a text but {type(kind).__name__}")
    try:
        start_s, end_s = map(seconds, ends)
    except ValueError:  # further off than any clip is long
        return Refusal("outside", f"{which} does not lie in the clip of {float(clip_s):g} s")
    wrong = _placement_fault(start_s, end_s, clip_s)
    if wrong is not None:
        from_to = " to ".join(str(end)[:LONGEST_QUOTE] for end in ends)
        return Refusal(wrong[0], f"{which}, {from_to} s, {wrong[1]}")
    return ReportedRange(Span(start_s=start_s, end_s=min(end_s, clip_s)), kind)


def _placement_fault(start_s: Fraction, end_s: Fraction, clip_s: Fraction) -> tuple[str, str] | None:
    if end_s < start_s:
        return "reversed", "ends before it begins"
    if end_s == start_s:
        return "empty", "has no length"
    if start_s < 0 or start_s >= clip_s or end_s > clip_s + SLACK_S:
        return "outside", f"does not lie in the clip of {float(clip_s):g} s"
    return None


def _json_blocks(report: str) -> Iterator[tuple[str, bool]]:
    """Return the text of each fenced block marked `json`, as CommonMark fences them, and whether it was closed.

    A fence is three or more backticks or tildes; the block ends at as many or more of the same, alone on a line. So a
    block that is quoted inside of a longer fence is text of that block and not a block of its own.
    """
    fence, marked, inside = "", False, list[str]()
    for line in report.removeprefix("\ufeff").split("\n"):  # some editors put a byte order mark in front
        found = _FENCE.match(line)
        if not fence:
            if found and not (found[1][0] == "`" and "`" in line[found.end(1) :]):  # that would be code in a line
                fence, marked, inside = found[1], found[2].casefold() == "json", []
        elif found and found[1].startswith(fence) and not line[found.end(1) :].strip():
            if marked:
                yield "\n".join(inside), True
            fence = ""
        else:
            inside.append(line)
    if fence and marked:
        yield "\n".join(inside), False
