"""Marking a repair as H.1 of the paper has it: hard gates, then what the defect asks for.

A defect inside a window is worth 0.9 · s_in + 0.1 · s_out. Swapped shots are compared whole, and their score multiplied
by the length factor. What is to be cut out is worth the share of ranges that the report found, each as far as it was
reported, if the film was rendered as the report says.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from cutscore.benchmarks.repair.dataset import RepairItem
from cutscore.benchmarks.repair.defect import CUT_OUT, VISUAL
from cutscore.benchmarks.repair.report import FIXED, REPORT
from cutscore.benchmarks.repair.verify.findings import measure_finding, report_findings, reward_findings
from cutscore.benchmarks.repair.verify.job import (
    RepairJob,
    check_cuts,
    clip_length_s,
    compare_clips,
    find_copy_fault,
    find_delivery_fault,
    find_film_faults,
)
from cutscore.benchmarks.repair.verify.options import read_limit_s, weigh
from cutscore.benchmarks.repair.verify.outside import WORSE, FaultSearch, charge_reward, is_worse
from cutscore.benchmarks.repair.verify.placement import (
    Measure,
    PlacedMeasure,
    RepairReward,
    composite,
    gated_reward,
    length_factor,
    place_all,
    table2_reward,
    window_reward,
)
from cutscore.benchmarks.repair.verify.range_match import RangeMatch, TrueRange, match_ranges
from cutscore.benchmarks.repair.verify.ranges import RangeReport, read_ranges
from cutscore.benchmarks.repair.verify.residual import count_mended
from cutscore.benchmarks.repair.verify.time_alignment import offset_findings
from cutscore.benchmarks.repair.verify.window import (
    PICTURES,
    WindowComparison,
    measure_values,
    streams_of,
)
from cutscore.benchmarks.repair.verify.window_sound import SOUNDS
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.frozen import canonical_json
from cutscore.core.judgement import Judges
from cutscore.scoring.verifiers.film_faults import fault_findings
from cutscore.scoring.verifiers.refusal import Refusal, refuse_missing

# Looking for a copy is slow, and some outputs cannot be one: those that mend much of the window, where encodes of the
# broken clip get next to nothing, and those that are shorter than the broken clip.
COPY_BELOW, COPY_WITHIN_S = 0.5, Fraction(1, 4)
# Of the pictures outside: whoever hands over the window with black or anything else around it did not repair the clip.
MOST_RUINED = 0.5
# Of golden's movement inside the window: a still of what stood before a tint is near to pictures of a calm scene.
LEAST_MOVED = 0.2
IN_PLACE, ENOUGH_SDR = 0.5, 20.0  # of swapped shots: the s_in from which they are put back, and good sound in dB


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
    differs in ranges, of which §2.5 counts the reported ones. `strict` counts an s_in above what encodes and filters
    without knowledge reach, and found ranges among all, true or reported, with a limit on clean time. `table2` is the
    5/35/60 of the paper's Table 2. A hard gate is 0 in all of them.
    """
    measures = tuple(weigh(item.measures, options))
    tolerance_s = read_limit_s("tolerance_s", options, item.tolerance_s)
    most_clean_s = read_limit_s("most_clean_s", options, item.most_clean_s)
    report = _read_report(evidence, item, failure=deliverable.failure)
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


def _read_report(evidence: Evidence, item: RepairItem, *, failure: str) -> RangeReport | Refusal:
    text = evidence.text(REPORT)
    if text is None:
        return refuse_missing(REPORT, failure)
    return read_ranges(text, clip_s=clip_length_s(evidence.store.path(item.broken)))


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
    job = RepairJob(
        output=evidence.path(FIXED),
        broken=store.path(item.broken),
        golden=store.path(item.golden),
        sha256=(file.sha256, item.broken.sha256, item.golden.sha256),
        wanted=next(each for each in item.deliveries if each.name == FIXED),
        kind=item.defect.kind,
        window=item.defect.window,
    )
    if refusal := find_delivery_fault(job):
        return _refuse(refusal, item)
    if job.kind in CUT_OUT and isinstance(report, Refusal):
        return _refuse(Refusal("malformed ranges", f"{report.name}: {report.reason}"), item)
    if job.kind in CUT_OUT:
        as_long = abs(clip_length_s(job.output) - clip_length_s(job.broken)) <= COPY_WITHIN_S
        refusal = find_copy_fault(job) if as_long else None
        return _refuse(refusal, item) if refusal else _mark_cuts(job, item, match)
    edit = _mark_window(job, item, measures)
    refusal = find_copy_fault(job) if (edit.paper.s_in or 0) <= COPY_BELOW else None
    return _refuse(refusal, item) if refusal else edit


def _refuse(refusal: Refusal, item: RepairItem) -> _EditReward:
    gated = partial(gated_reward, refusal.name, refusal.reason, window=item.defect.window)
    return _EditReward(gated(mode="paper"), gated(mode="precision"), gated(mode="strict"))


def _mark_window(job: RepairJob, item: RepairItem, measures: Sequence[Measure]) -> _EditReward:
    """Place what was measured between broken and golden."""
    whole = job.kind == "swapped_shots"
    sounds = tuple(each.name for each in item.measures if each.where == "in" and each.name in SOUNDS)
    found = compare_clips(job, ("sdr",) if whole else sounds)
    floor_db = next((each.broken for each in item.measures if (each.name, each.where) == ("psnr", "out")), 0.0)
    if (ruined := found.share_below(floor_db)) > MOST_RUINED:
        because = f"{ruined:.0%} of the pictures outside of the window lie below {floor_db:g} dB"
        return _refuse(Refusal("another film", because), item)
    inside = place_all(measure_values(found, measures, "in"), measures, where="in")
    outside = place_all(measure_values(found, measures, "out"), measures, where="out")
    details = offset_findings(found.offsets, file=FIXED)
    if found.mended is not None:
        because = f"{found.mended:.0%} of the defect is gone from {FIXED}, by its strength"
        details.append(Finding(name="mended", value=found.mended, because=because, file=FIXED, at=job.window))
    if job.kind in VISUAL and found.moved is not None:
        because = f"inside the window {FIXED} shows {found.moved:.0%} of golden's movement"
        details.append(Finding(name="moved", value=found.moved, because=because, file=FIXED, at=job.window))
        if found.moved < LEAST_MOVED:
            inside = tuple(each.model_copy(update={"score": 0.0}) for each in inside)
    mended = 1.0 if found.mended is None else count_mended(found.mended)
    placed = partial(window_reward, inside, outside, window=job.window, mended=mended)
    paper = placed(mode="paper")
    strict = placed(mode="strict", floor=item.encode_noise)
    faults = find_film_faults(job, job.golden, _search_of(job, found, inside, outside))
    strict = charge_reward(strict, faults, clip_length_s(job.output))
    details += fault_findings(faults, FIXED)
    if not whole:
        return _EditReward(paper, _as_precision(paper), strict, details)
    out_s = clip_length_s(job.output)
    factor = float(length_factor(out_s, found.length_s))
    because = f"{FIXED} lasts {float(out_s):.2f} s, golden {float(found.length_s):.2f} s"
    details.append(Finding(name="length_factor", value=factor, because=because, file=FIXED))
    paper, strict = (_multiply(each, factor, because) for each in (paper, strict))
    return _EditReward(paper, _as_precision(paper), strict, details)


def _search_of(
    job: RepairJob, found: WindowComparison, inside: Sequence[PlacedMeasure], outside: Sequence[PlacedMeasure]
) -> FaultSearch:
    """Return what is worth a look: streams that measure clearly worse than golden where nothing was to be mended.

    Swapped shots have no outside. Once they stand in their places, what is worse is no longer the swap.
    """
    if job.kind != "swapped_shots":
        pictures, sound = is_worse(outside, PICTURES), is_worse(outside, ("sdr",))
        return FaultSearch(pictures=pictures, sound=sound, window=job.window, touched=streams_of(job.kind))
    in_place = (composite(inside) or 0.0) >= IN_PLACE
    sdr = found.sound["sdr", "in"]
    return FaultSearch(
        pictures=in_place and is_worse(inside, PICTURES),
        sound=in_place and sdr is not None and sdr < WORSE * ENOUGH_SDR,
    )


def _as_precision(paper: RepairReward) -> RepairReward:
    """Return the reward of a kind whose ranges decide nothing."""
    return paper.model_copy(update={"mode": "precision"})


def _multiply(reward: RepairReward, factor: float, reason: str) -> RepairReward:
    if factor == 1:
        return reward
    because = f"{reward.because}, times {factor:.3f} since {reason}"
    return reward.model_copy(update={"reward": reward.reward * factor, "because": because})


def _mark_cuts(job: RepairJob, item: RepairItem, match: RangeMatch) -> _EditReward:
    """Count the ranges that were found, if pictures and sound are the broken clip without the reported ones."""
    rendering = check_cuts(job, tuple(each.span for each in match.reported))
    refusal = rendering.refusal
    because = f"{refusal.name}: {refusal.reason}" if refusal else f"{FIXED} is the clip without the reported ranges"
    honest = Finding(name="honest", value=float(refusal is None), because=because, file=FIXED)
    if refusal:
        return replace(_refuse(refusal, item), details=[honest])
    made = partial(RepairReward, window=job.window, because=match.because)
    # With all ranges found the film is golden's; else its sound lags behind golden's, more by every range.
    right = len(match.pairs) == len(match.truth) == len(match.reported)
    search = FaultSearch(pictures=rendering.dull, sound=right and rendering.distorted)
    faults = find_film_faults(job, job.golden if right else job.broken, search)
    return _EditReward(
        paper=made(mode="paper", reward=match.recall),
        precision=made(mode="precision", reward=match.precision),
        strict=charge_reward(made(mode="strict", reward=match.strict), faults, clip_length_s(job.output)),
        details=[honest, *fault_findings(faults, FIXED)],
    )


def _table2(edit: _EditReward, report: RangeReport | Refusal, match: RangeMatch, how: str) -> RepairReward:
    """Return the reward of Table 2, which does not say how its three parts are measured.

    Format is the share of the two files that can be read as asked. Localisation is the report's ranges against the
    window or the true ranges: within the tolerance, as in `strict`, or their overlap. As a found range counts by what
    was cut out of it, a window that is located counts by its s_in. Edit is `strict` itself.
    """
    if edit.paper.gate:
        return gated_reward(edit.paper.gate, edit.paper.because, mode="table2", window=edit.paper.window)
    located, s_in = match.strict if how == "match" else match.overlap, edit.strict.s_in
    return table2_reward(
        format_ok=0.5 if isinstance(report, Refusal) else 1.0,
        localised=located if s_in is None else located * s_in,
        edited=edit.strict.reward,
        window=edit.paper.window,
    )
