"""Running audits: the judge is asked again about changed inputs, and what could not be run says why."""

import random
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from cutscore.core.errors import UnknownName
from cutscore.core.estimate import Estimate
from cutscore.core.frozen import FrozenModel
from cutscore.results.judge_card.audits.catalogue import (
    NAMES,
    SELF,
    Audit,
    AuditContext,
    all_audits,
    measure_self_preference,
)
from cutscore.results.judge_card.audits.effects import BeforeAfter, pair_before_after
from cutscore.results.judge_card.verdicts import JudgeCase, JudgeOf, JudgeVerdict, ask
from cutscore.store import Store

# Every audit asks again about every deliverable, so there is an end to it unless somebody wants more.
MOST_CASES = 50


class AuditResult(FrozenModel):
    """What one audit found, or why it was not run; the telling estimate comes first."""

    name: str
    measured: bool
    because: str
    estimates: tuple[Estimate, ...] = ()


def run_audits(
    judge_of: JudgeOf | None,
    cases: Sequence[JudgeCase],
    before: Sequence[JudgeVerdict],
    setting: AuditContext,
    *,
    wanted: Collection[str] = NAMES,
    most: int = MOST_CASES,
    seed: int = 42,
) -> tuple[AuditResult, ...]:
    """Run audits and give one result for each that there is, also for those that could not be run.

    `judge_of` gives the judge for a case, without a memory of earlier answers, and is None when nobody can be asked.
    The seed is that of the draw of at most so many cases, and of the order of shuffled frames.
    """
    for name in wanted:
        if name not in NAMES:
            raise UnknownName.among("audit", name, NAMES)
    drawn = draw_cases(cases, most, seed)
    made = []
    with tempfile.TemporaryDirectory(prefix="cutscore-") as folder:
        for audit in all_audits(seed=seed):
            if audit.name not in wanted:
                made.append(AuditResult(name=audit.name, measured=False, because="not asked for"))
            elif judge_of is None:
                made.append(AuditResult(name=audit.name, measured=False, because="the judge could not be asked again"))
            else:
                found = _ask_again(audit, judge_of, drawn, before, Store(Path(folder)))
                if audit.name == "repeat" and found:
                    setting = replace(setting, again=found["same"])
                made.append(_measure(audit, found, setting))
    return (*made, _self_preference(setting, SELF in wanted))


def draw_cases(cases: Sequence[JudgeCase], most: int, seed: int) -> list[JudgeCase]:
    """Draw so many cases, the same for the same cases in any order."""
    ordered = sorted(cases, key=lambda case: (case.benchmark, case.item, case.subject, case.epoch))
    return ordered if len(ordered) <= most else random.Random(seed).sample(ordered, most)


def _ask_again(
    audit: Audit, judge_of: JudgeOf, cases: Sequence[JudgeCase], before: Sequence[JudgeVerdict], store: Store
) -> dict[str, BeforeAfter]:
    """Ask about every case that can be changed; nothing when there is none."""
    found = {}
    for name, change in audit.changes.items():
        changed = (other for case in cases if (other := change(case, store)) is not None)
        found[name] = pair_before_after(before, ask(judge_of, changed))
    return found if all(each.both or each.unread for each in found.values()) else {}


def _measure(audit: Audit, found: dict[str, BeforeAfter], setting: AuditContext) -> AuditResult:
    if not found:
        return AuditResult(name=audit.name, measured=False, because=audit.lacking)
    estimates, said = audit.measure(found, setting)
    return AuditResult(name=audit.name, measured=True, because=said, estimates=estimates)


def _self_preference(setting: AuditContext, wanted: bool) -> AuditResult:
    outcome = measure_self_preference(setting) if wanted else "not asked for"
    if isinstance(outcome, str):
        return AuditResult(name=SELF, measured=False, because=outcome)
    return AuditResult(name=SELF, measured=True, because=outcome[1], estimates=outcome[0])
