"""Rewards, measurements and ranges as findings: what a report shows of a repair."""

from collections.abc import Iterator, Sequence

from cutscore.benchmarks.repair.dataset import RepairItem
from cutscore.benchmarks.repair.report import FIXED
from cutscore.benchmarks.repair.verify.placement import PlacedMeasure, RepairReward
from cutscore.benchmarks.repair.verify.range_match import RangeMatch, range_findings
from cutscore.benchmarks.repair.verify.ranges import RangeReport
from cutscore.core.finding import Finding
from cutscore.scoring.verifiers.refusal import UNREADABLE, Refusal


def reward_findings(rewards: Sequence[RepairReward], item: RepairItem, file: str | None) -> Iterator[Finding]:
    """Return the reward of each mode, and both sides of the first, the paper's; without a file none was delivered."""
    window = item.defect.window if file else None
    for each in rewards:
        because = f"{each.gate}: {each.because}" if each.gate else each.because
        yield Finding(
            name="reward",
            value=each.reward,
            because=because,
            file=file,
            at=window,
            mode=each.mode,
            unreadable=each.gate in UNREADABLE,
        )
    paper = rewards[0]
    for name, where, value in (("s_in", "in", paper.s_in), ("s_out", "out", paper.s_out)):
        if any(measure.where == where for measure in item.measures):
            because = f"{paper.gate}: {paper.because}" if paper.gate else _sum_text(paper.measures, where)
            yield Finding(name=name, value=value or 0.0, because=because, file=file, at=window)


def measure_finding(placed: PlacedMeasure, item: RepairItem) -> Finding:
    """Return one measurement: its value on the output, and where 0 and 1 lie."""
    measure = placed.measure
    out = "no value" if placed.out is None else placed.out if isinstance(placed.out, str) else f"{placed.out:.3f}"
    because = f"{out} {measure.where}side the window; {measure.broken:.3f} is 0 and {measure.golden:.3f} is 1"
    name = f"{measure.name}_{measure.where}"
    return Finding(name=name, value=placed.score, because=because, file=FIXED, at=item.defect.window)


def report_findings(report: RangeReport | Refusal, match: RangeMatch, item: RepairItem) -> Iterator[Finding]:
    """Return what the report located and named, whatever became of the clip."""
    if isinstance(report, Refusal):
        because = f"{report.name}: {report.reason}"
        yield from (Finding(name=name, value=0.0, because=because) for name in ("located", "named"))
        return
    found = range_findings(match)
    right = sum(each.value for each in found if each.name == "type_right")
    share = f"{right:g} of {len(match.truth)} true ranges have a reported one of their type beside them"
    yield Finding(name="located", value=match.located, because=match.because, file=item.broken.name)
    yield Finding(name="named", value=right / len(match.truth), because=share, file=item.broken.name)
    if report.remark:
        yield Finding(name="ranges_read", value=len(report.ranges), because=report.remark, file=item.broken.name)
    yield from (each.model_copy(update={"file": item.broken.name}) for each in found)


def _sum_text(measures: Sequence[PlacedMeasure], where: str) -> str:
    side = [each for each in measures if each.measure.where == where]
    return " + ".join(f"{each.measure.name} {each.score:.3f} · {each.share:.2f}" for each in side) or "left out"
