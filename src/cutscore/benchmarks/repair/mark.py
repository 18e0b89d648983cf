"""Marking a repair as H.1 of the paper has it: hard gates, then what the defect asks for.

A defect inside a window is worth 0.9 · s_in + 0.1 · s_out. Swapped shots are compared whole, and their score multiplied
by the length factor. What is to be cut out is worth the share of ranges that the report found, each as far as it was
reported, if the film was rendered as the report says.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path

from cutscore.benchmarks.repair.dataset import RepairItem
from cutscore.benchmarks.repair.defect import CUT_OUT, VISUAL, DefectKind
from cutscore.benchmarks.repair.report import FIXED, REPORT
from cutscore.benchmarks.repair.verify.copies import find_copy
from cutscore.benchmarks.repair.verify.findings import measure_finding, report_findings, reward_findings
from cutscore.benchmarks.repair.verify.honesty import dishonesty
from cutscore.benchmarks.repair.verify.options import read_limit_s, weigh
from cutscore.benchmarks.repair.verify.placement import (
    Measure,
    RepairReward,
    gated_reward,
    length_factor,
    place_all,
    table2_reward,
    window_reward,
)
from cutscore.benchmarks.repair.verify.range_match import RangeMatch, TrueRange, match_ranges
from cutscore.benchmarks.repair.verify.ranges import RangeReport, read_ranges
from cutscore.benchmarks.repair.verify.time_alignment import offset_findings
from cutscore.benchmarks.repair.verify.window import (
    SOUNDS,
    WindowComparison,
    compare_window,
    measure_values,
    streams_of,
)
from cutscore.core.bundle import Delivery
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.frozen import canonical_json
from cutscore.core.judgement import Judges
from cutscore.core.timeline import Span
from cutscore.media import deliverable as delivered_media
from cutscore.scoring.verifiers.delivery import check_delivery
from cutscore.scoring.verifiers.refusal import Refusal, refuse_missing

# Looking for a copy is slow, and some outputs cannot be one: those that mend much of the window, where encodes of the
# broken clip get next to nothing, and those that are shorter than the broken clip.
COPY_BELOW, COPY_WITHIN_S = 0.5, Fraction(1, 4)
# Of the pictures outside: whoever hands over the window with black or anything else around it did not repair the clip.
MOST_RUINED = 0.5
# Of golden's movement inside the window: a still of what stood before a tint is near to pictures of a calm scene.
LEAST_MOVED = 0.2
KEPT = 32  # outputs whose measurements are kept: every mode and every choice of weights asks for the same ones


@dataclass(frozen=True)
class _RepairJob:
    """An output and what it is compared with; equal jobs have equal files."""

    output: Path
    broken: Path
    golden: Path
    sha256: tuple[str, ...]
    wanted: Delivery
    kind: DefectKind
    window: Span


@dataclass(frozen=True)
class _EditReward:
    """The rewards of an edit in `paper`, `precision` and `strict`, and findings that explain them."""

    paper: RepairReward
    precision: RepairReward
    strict: RepairReward
    details: Sequence[Finding] = ()


def mark(
    deliverable: Deliverable, evidence: Evidence, item: RepairItem, judges: Judges, *, options: Mapping[str, str]
) -> list[Finding]:
    """Return the reward in four modes, its two sides, what the report located and named, and every measurement.

    `paper` is H.1 as it is worded, but that a found range is worth its share (`verify.range_match`); `precision`
    differs in ranges, of which §2.5 counts the reported ones. `strict` counts s_out only beside an s_in above encode
    noise, and found ranges among all, true or reported, with a limit on clean time. `table2` is the 5/35/60 of the
    paper's Table 2. A hard gate is 0 in all of them.
    """
    measures = tuple(weigh(item.measures, options))
    tolerance_s = read_limit_s("tolerance_s", options, item.tolerance_s)
    most_clean_s = read_limit_s("most_clean_s", options, item.most_clean_s)
    report = read_ranges(evidence.text(REPORT), clip_s=_length_s(evidence.store.path(item.broken)))
    reported = () if isinstance(report, Refusal) else report.ranges
    truth = item.ranges or (TrueRange(spans=(item.defect.window,), kind=item.defect.kind),)
    match = match_ranges(reported, truth, tolerance_s=tolerance_s, most_clean_s=most_clean_s)
    try:
        edit = _mark_edit(evidence, item, measures, report, match, failure=deliverable.failure)
    except BadInput as fault:  # the subject's file; what this machine lacks is another error
        edit = _refuse(Refusal("not a video", f"{FIXED} {fault.fact}"), item)
    rewards = (edit.paper, edit.precision, edit.strict, _table2(edit, report, match, options["localisation"]))
    return [
        *reward_findings(rewards, item, FIXED if evidence.file(FIXED) else None),
        *report_findings(report, match, item),
        *(measure_finding(placed, item) for placed in edit.paper.measures),
        *edit.details,
        Finding(name="blob", value=edit.paper.reward, because=canonical_json(edit.paper).decode()),
    ]


def _mark_edit(
    evidence: Evidence,
    item: RepairItem,
    measures: Sequence[Measure],
    report: RangeReport | Refusal,
    match: RangeMatch,
    *,
    failure: str,
) -> _EditReward:
    """Check the hard gates of H.1.4 in their order, then mark; look for a copy only where one is possible."""
    file, store = evidence.file(FIXED), evidence.store
    if file is None:
        return _refuse(refuse_missing(FIXED, failure), item)
    job = _RepairJob(
        output=evidence.path(FIXED),
        broken=store.path(item.broken),
        golden=store.path(item.golden),
        sha256=(file.sha256, item.broken.sha256, item.golden.sha256),
        wanted=next(each for each in item.deliveries if each.name == FIXED),
        kind=item.defect.kind,
        window=item.defect.window,
    )
    if refusal := _delivery_fault(job):
        return _refuse(refusal, item)
    if job.kind in CUT_OUT and isinstance(report, Refusal):
        return _refuse(Refusal("malformed ranges", f"{report.name}: {report.reason}"), item)
    if job.kind in CUT_OUT:
        as_long = abs(_length_s(job.output) - _length_s(job.broken)) <= COPY_WITHIN_S
        refusal = _copy_fault(job) if as_long else None
        return _refuse(refusal, item) if refusal else _mark_cuts(job, item, match)
    edit = _mark_window(job, item, measures)
    refusal = _copy_fault(job) if (edit.paper.s_in or 0) <= COPY_BELOW else None
    return _refuse(refusal, item) if refusal else edit


@lru_cache(maxsize=KEPT)
def _delivery_fault(job: _RepairJob) -> Refusal | None:
    unmet = [check for check in check_delivery(job.output, job.wanted) if not check.met]
    because = "; ".join(check.reason for check in unmet)
    return Refusal(unmet[0].name, f"{FIXED} {because}") if unmet else None


@lru_cache(maxsize=KEPT)
def _copy_fault(job: _RepairJob) -> Refusal | None:
    """Refuse a copy of the broken clip: in the stream of the defect, or in all streams where it is to be cut out."""
    streams = streams_of(job.kind)
    if len(streams) > 1 and (job.kind not in CUT_OUT or not delivered_media.has_sound(job.broken)):
        streams = ("pictures",)  # a swap is measured by its pictures
    golden = None if job.kind in CUT_OUT else job.golden
    found = [find_copy(job.output, job.broken, job.window, stream, golden=golden) for stream in streams]
    return found[0] if all(found) else None


@lru_cache(maxsize=KEPT)
def _compare(job: _RepairJob, sounds: tuple[str, ...]) -> WindowComparison:
    window = None if job.kind == "swapped_shots" else job.window
    return compare_window(job.output, job.golden, window, streams_of(job.kind), sounds)


@lru_cache(maxsize=KEPT)
def _honesty_fault(job: _RepairJob, cuts: tuple[Span, ...]) -> Refusal | None:
    return dishonesty(job.output, job.broken, cuts)


@lru_cache(maxsize=KEPT)
def _length_s(path: Path) -> Fraction:
    return delivered_media.probe(path).duration_s or Fraction(0)


def _refuse(refusal: Refusal, item: RepairItem) -> _EditReward:
    gated = partial(gated_reward, refusal.name, refusal.reason, window=item.defect.window)
    return _EditReward(gated(mode="paper"), gated(mode="precision"), gated(mode="strict"))


def _mark_window(job: _RepairJob, item: RepairItem, measures: Sequence[Measure]) -> _EditReward:
    """Place what was measured between broken and golden."""
    found = _compare(job, tuple(each.name for each in item.measures if each.where == "in" and each.name in SOUNDS))
    floor_db = next((each.broken for each in item.measures if (each.name, each.where) == ("psnr", "out")), 0.0)
    if (ruined := found.share_below(floor_db)) > MOST_RUINED:
        because = f"{ruined:.0%} of the pictures outside of the window lie below {floor_db:g} dB"
        return _refuse(Refusal("another film", because), item)
    inside = place_all(measure_values(found, measures, "in"), measures, where="in")
    outside = place_all(measure_values(found, measures, "out"), measures, where="out")
    details = offset_findings(found.offsets, file=FIXED)
    if job.kind in VISUAL and found.moved is not None:
        because = f"inside the window {FIXED} shows {found.moved:.0%} of golden's movement"
        details.append(Finding(name="moved", value=found.moved, because=because, file=FIXED, at=job.window))
        if found.moved < LEAST_MOVED:
            inside = tuple(each.model_copy(update={"score": 0.0}) for each in inside)
    paper = window_reward(inside, outside, window=job.window, mode="paper")
    strict = window_reward(inside, outside, window=job.window, mode="strict", encode_noise=item.encode_noise)
    if job.kind != "swapped_shots":
        return _EditReward(paper, _as_precision(paper), strict, details)
    out_s = _length_s(job.output)
    factor = float(length_factor(out_s, found.length_s))
    because = f"{FIXED} lasts {float(out_s):.2f} s, golden {float(found.length_s):.2f} s"
    details.append(Finding(name="length_factor", value=factor, because=because, file=FIXED))
    paper, strict = (_multiply(each, factor, because) for each in (paper, strict))
    return _EditReward(paper, _as_precision(paper), strict, details)


def _as_precision(paper: RepairReward) -> RepairReward:
    """Return the reward of a kind whose ranges decide nothing."""
    return paper.model_copy(update={"mode": "precision"})


def _multiply(reward: RepairReward, factor: float, reason: str) -> RepairReward:
    if factor == 1:
        return reward
    because = f"{reward.because}, times {factor:.3f} since {reason}"
    return reward.model_copy(update={"reward": reward.reward * factor, "because": because})


def _mark_cuts(job: _RepairJob, item: RepairItem, match: RangeMatch) -> _EditReward:
    """Count the ranges that were found, if pictures and sound are the broken clip without the reported ones."""
    refusal = _honesty_fault(job, tuple(each.span for each in match.reported))
    because = f"{refusal.name}: {refusal.reason}" if refusal else f"{FIXED} is the clip without the reported ranges"
    honest = Finding(name="honest", value=float(refusal is None), because=because, file=FIXED)
    if refusal:
        return replace(_refuse(refusal, item), details=[honest])
    made = partial(RepairReward, window=job.window, because=match.because)
    return _EditReward(
        paper=made(mode="paper", reward=match.recall),
        precision=made(mode="precision", reward=match.precision),
        strict=made(mode="strict", reward=match.strict),
        details=[honest],
    )


def _table2(edit: _EditReward, report: RangeReport | Refusal, match: RangeMatch, how: str) -> RepairReward:
    """Return the reward of Table 2, which does not say how its three parts are measured.

    Format is the share of the two files that can be read as asked. Localisation is the report's ranges against the
    window or the true ranges: within the tolerance, as in `strict`, or their overlap. Edit is `strict` itself.
    """
    if edit.paper.gate:
        return gated_reward(edit.paper.gate, edit.paper.because, mode="table2", window=edit.paper.window)
    return table2_reward(
        format_ok=0.5 if isinstance(report, Refusal) else 1.0,
        localised=match.strict if how == "match" else match.overlap,
        edited=edit.strict.reward,
        window=edit.paper.window,
    )
