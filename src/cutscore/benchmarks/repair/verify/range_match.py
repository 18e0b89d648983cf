"""Reported time ranges against the true ones: AgenticVBench, Appendix H.1.3.

For each true range in order of time, the closest reported range that is still free, closest by the larger of the two
endpoint errors; accepted when both endpoints lie within the tolerance, which is itself within. A range that is not
accepted stays free.

An accepted range is worth the share of the true one that is reported, and so cut out: the tolerance of a short range is
half of it, and who leaves most of a defect in has not mended it. That share is ours; §2.5 places every measurement
between broken (0) and golden (1). Four numbers are made of these shares and the pairs:

    recall       over true ranges: H.1.3, the mode `paper`; who cuts out a comb of a clip loses nothing by it
    precision    over reported ranges: §2.5 words it so, and it is the mode `precision`
    strict       over all ranges, true or reported, a pair counted once (Jaccard), so never above the other two; 0 when
                 more clean time was cut out than a stated limit allows
    located      the same without shares and limit: what the report knows, whatever is left of the defect
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pydantic import Field

from cutscore.benchmarks.repair.report import ReportedRange
from cutscore.core.errors import Unscored
from cutscore.core.finding import REPORTED, Finding
from cutscore.core.frozen import FrozenModel
from cutscore.core.timeline import Span

# What of a true range may stay at no cost, the smaller of the two: planted ranges end at whole pictures, and what is
# heard or seen in them ends a little before.
ROUNDED_S, ROUNDED_SHARE = Fraction(1, 25), Fraction(1, 10)


class TrueRange(FrozenModel):
    """One stretch that should go: where it lies, first as it was planted, then other places that are as right.

    Of a picture that is shown twice either may go, and the clip is the same afterwards.
    """

    spans: tuple[Span, ...] = Field(min_length=1)
    kind: str = ""


@dataclass(frozen=True)
class RangeMatch:
    """Which ranges meet, both in order of time; pairs are (number in truth, number in reported), from 0."""

    reported: tuple[ReportedRange, ...]
    truth: tuple[TrueRange, ...]
    pairs: tuple[tuple[int, int], ...]
    shares: tuple[Fraction, ...]  # of each pair, how much of the true range was reported
    clean_s: Fraction  # reported, and no part of any true range
    most_clean_s: Fraction  # how much of that is let pass

    @property
    def recall(self) -> float:
        """The score of the mode `paper`."""
        return float(sum(self.shares) / len(self.truth))

    @property
    def precision(self) -> float:
        """The score of the mode `precision`; 0 when nothing is reported."""
        return float(sum(self.shares) / len(self.reported)) if self.reported else 0.0

    @property
    def strict(self) -> float:
        """The score of the mode `strict`."""
        return 0.0 if self.clean_s > self.most_clean_s else float(sum(self.shares) / self._either)

    @property
    def located(self) -> float:
        """Pairs over all ranges, true or reported: who reports every second of a clip has located nothing."""
        return len(self.pairs) / self._either

    @property
    def _either(self) -> int:
        return len(self.truth) + len(self.reported) - len(self.pairs)

    @property
    def overlap(self) -> float:
        """Mean over true ranges of the largest IoU with a reported one."""
        best = [
            max((said.span.iou(span) for said in self.reported for span in true.spans), default=Fraction(0))
            for true in self.truth
        ]
        return float(sum(best) / len(best))

    @property
    def because(self) -> str:
        """The sentence of a finding."""
        told = f"{len(self.pairs)} of {len(self.truth)} ranges found, {len(self.reported)} reported"
        if len(self.reported) > len(self.pairs):
            told += f", of which {len(self.reported) - len(self.pairs)} met none"
        if self.shares and min(self.shares) < 1:
            told += f"; {1 - float(sum(self.shares) / len(self.shares)):.0%} of what was found is not reported"
        cut = f"; {float(self.clean_s):.3f} s of clean time cut out, {float(self.most_clean_s):.3f} s are let pass"
        return told + cut if self.clean_s > self.most_clean_s else told


def match_ranges(
    reported: Sequence[ReportedRange], truth: Sequence[TrueRange], *, tolerance_s: Fraction, most_clean_s: Fraction
) -> RangeMatch:
    """Match reported ranges, sorted and disjoint, with true ones, each with at most one.

    Each endpoint may lie off by the tolerance; `most_clean_s` may go in `strict`.
    """
    if not truth:
        raise Unscored("ranges", "the item has no true range")
    ordered = tuple(sorted(truth, key=lambda each: (each.spans[0].start_s, each.spans[0].end_s)))
    errors = [[_distance(range_, each) for range_ in reported] for each in ordered]
    pairs = _find_pairs(errors, tolerance_s)
    return RangeMatch(
        reported=tuple(reported),
        truth=ordered,
        pairs=pairs,
        shares=tuple(_reported_share(reported, place, ordered[number], tolerance_s) for number, place in pairs),
        clean_s=_clean_s(reported, ordered),
        most_clean_s=most_clean_s,
    )


def range_findings(match: RangeMatch) -> list[Finding]:
    """Return of each true range how it was found, and of each reported one whether it met any.

    Errors are reported minus true, in seconds: a start of +0.1 leaves the first tenth of the defect in. A true range
    that was not found is measured from the nearest reported one that met no other: how far off is worth to know.
    """
    pairs, found = dict(match.pairs), []
    free = [place for place in range(len(match.reported)) if place not in pairs.values()]
    for number, true in enumerate(match.truth):
        place = pairs.get(number, min(free, key=lambda each: _distance(match.reported[each], true), default=None))
        if place is None:
            because = f"no reported range meets {true.spans[0]}"
            found.append(Finding(name="range_found", value=0.0, because=because, at=true.spans[0]))
            continue
        reported = match.reported[place]
        span = min(true.spans, key=lambda each: _endpoint_error(reported.span, each))
        told = f"{reported.span} reported for {span}"
        told += "" if number in pairs else ", which is not within the tolerance"
        for name, value in (
            ("range_found", float(number in pairs)),
            ("start_error_s", float(reported.span.start_s - span.start_s)),
            ("end_error_s", float(reported.span.end_s - span.end_s)),
            ("range_iou", float(reported.span.iou(span))),
            ("type_right", float(bool(true.kind) and reported.kind == true.kind)),
        ):
            found.append(Finding(name=name, value=value, because=told, at=span))
    met = {place: match.truth[number].spans[0] for number, place in match.pairs}
    return found + [_reported_finding(each, met.get(place)) for place, each in enumerate(match.reported)]


def _reported_finding(said: ReportedRange, met: Span | None) -> Finding:
    told = f"{said.kind or 'something'} is reported here"
    told += f", and {met} is meant" if met else ", and no true range is there within the tolerance"
    return Finding(name=REPORTED, value=float(met is not None), because=told, at=said.span)


def _endpoint_error(one: Span, other: Span) -> Fraction:
    return max(abs(one.start_s - other.start_s), abs(one.end_s - other.end_s))


def _distance(reported: ReportedRange, true: TrueRange) -> Fraction:
    return min(_endpoint_error(reported.span, span) for span in true.spans)


def _find_pairs(errors: Sequence[Sequence[Fraction]], tolerance_s: Fraction) -> tuple[tuple[int, int], ...]:
    free, pairs = dict.fromkeys(range(len(errors[0]))), []
    for number, row in enumerate(errors):
        closest = min(free, key=lambda place: row[place], default=None)  # of equally close ones the earliest
        if closest is not None and row[closest] <= tolerance_s:
            pairs.append((number, closest))
            del free[closest]
    return tuple(pairs)


def _reported_share(reported: Sequence[ReportedRange], place: int, true: TrueRange, tolerance_s: Fraction) -> Fraction:
    """Return how much of a true range goes when all that is reported is cut out, 0 … 1.

    It counts at that of its places which the accepted range meets best.
    """
    met = [span for span in true.spans if _endpoint_error(reported[place].span, span) <= tolerance_s]
    return max(_share_of(span, _cut_s(reported, span)) for span in met)


def _share_of(span: Span, cut_s: Fraction) -> Fraction:
    free_s = min(ROUNDED_S, ROUNDED_SHARE * span.length_s)
    return Fraction(1) if span.length_s - cut_s <= free_s else cut_s / span.length_s


def _clean_s(reported: Sequence[ReportedRange], truth: Sequence[TrueRange]) -> Fraction:
    """Return the reported seconds outside of all true ranges.

    Each true range counts at one of its places, where most of it was reported, and no place counts twice: of two
    copies of a picture one has to stay.
    """
    chosen: list[Span] = []
    for each in truth:
        free = [span for span in each.spans if not any(span.overlap(other) for other in chosen)]
        chosen += sorted(free, key=lambda span: -_cut_s(reported, span))[:1]
    return sum((each.span.length_s for each in reported), Fraction(0)) - sum(_cut_s(reported, span) for span in chosen)


def _cut_s(reported: Sequence[ReportedRange], span: Span) -> Fraction:
    return sum((each.span.overlap(span) for each in reported), Fraction(0))
