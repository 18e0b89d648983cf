"""What a judge said about one sample, from the session into the log and into a row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import Field

from cutscore.cells.progress import CallRetried
from cutscore.cells.run_context import RunContext
from cutscore.core.evidence import Evidence
from cutscore.core.frozen import FrozenModel
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import FLAGS, CellJudge, Judge, Judgement, Judges, JudgeSession, Question, Wait, ask_judge
from cutscore.core.manifest import FrameManifest
from cutscore.core.subject import SubjectSpec
from cutscore.core.tally import Tally
from cutscore.core.usage import Usage

KEY = "cutscore.judged/1"
ROLE = "judge"  # under which `mark` finds the judge

# Flags that are about the sample more than about one answer; its row says so, too.
TOLD = ("addressed", "broken seal", "self")


class JudgeRecord(FrozenModel):
    """The record of a judge's work on one sample; retries are by class: a provider's fault, `unreadable`, `refusal`."""

    judgements: tuple[Judgement, ...] = ()
    seen: tuple[FrameManifest, ...] = ()
    usage: Usage | None = None
    cost_usd: float | None = None
    retries: dict[str, int] = Field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class RecordedJudge:
    """A judge at work on one sample, and somebody who writes down what it says."""

    judge: Judge
    tally: Tally
    said: list[Judgement] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The judge's name."""
        return self.judge.name

    def ask(
        self, questions: Sequence[Question], evidence: Evidence, *, view: JudgeView = WHOLE_VIEW
    ) -> list[Judgement]:
        """Ask the judge, and write down what it says."""
        made = list(ask_judge(self.judge, questions, evidence, view))
        self.said.extend(made)
        return made

    @property
    def judges(self) -> Judges:
        """The judges as `mark` takes them."""
        return {ROLE: self}

    def record(self) -> JudgeRecord:
        """Return what was said, with what it took."""
        flags = Counter(flag for each in self.said for flag in each.flags if flag in TOLD)
        return JudgeRecord(
            judgements=tuple(self.said),
            seen=tuple(self.tally.seen),
            usage=self.tally.usage,
            cost_usd=self.tally.cost_usd,
            retries=dict(sorted(self.tally.retries.items())),
            warnings=(*self.tally.warnings, *(f"judge: {FLAGS[flag]}" for flag in TOLD if flags[flag])),
        )


def open_session(
    cell_judge: CellJudge,
    context: RunContext,
    item: str,
    subject: SubjectSpec,
    *,
    wait: Wait,
    model: str = "",
    epoch: int = 1,
) -> RecordedJudge:
    """Seat a judge for one sample of a cell."""
    tally = Tally(
        purse=context.purse(item, epoch),
        on_retry=lambda fault: context.listener(CallRetried(fault)),
    )
    session = JudgeSession(
        item=item,
        subject=subject,
        wait=wait,
        model=model,
        epoch=epoch,
        tally=tally,
        clean=context.redact.text if context.redact else None,
    )
    return RecordedJudge(cell_judge.for_sample(session), tally)


def read_judge_record(score: Mapping[str, Any]) -> JudgeRecord:
    """Read the record from a logged score; an empty one when nobody judged."""
    plain = (score.get("metadata") or {}).get(KEY)
    return JudgeRecord() if plain is None else JudgeRecord.model_validate_json(plain)
