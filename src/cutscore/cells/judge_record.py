"""What judges said about one sample, from the session into the log and into a row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from anyio import CapacityLimiter
from anyio.lowlevel import RunVar
from pydantic import Field, JsonValue

from cutscore.cells.progress import CallRetried
from cutscore.cells.run_context import RunContext
from cutscore.core.evidence import Evidence
from cutscore.core.frozen import FrozenModel
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import (
    FLAGS,
    JUDGE_ROLE,
    CellJudge,
    Judge,
    Judgement,
    JudgeSession,
    Question,
    Wait,
    ask_judge,
)
from cutscore.core.manifest import FrameManifest
from cutscore.core.subject import SubjectSpec
from cutscore.core.tally import Tally
from cutscore.core.usage import Usage

KEY = "cutscore.judged/1"
ROLES = "roles"  # key of the further judges in a cell's terms of judging

# Whoever waits for a judge keeps a thread. Decoding for that judge's call takes a thread as well, so the two must not
# draw from one pool: with all threads waiting, nobody could decode.
JUDGED_AT_ONCE = 40
_threads: RunVar[CapacityLimiter] = RunVar("cutscore_judging_threads")

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
class JudgesByRole:
    """All judges of a cell, by role. The cell's identity has what each of them depends on."""

    by_role: Mapping[str, CellJudge]

    @property
    def name(self) -> str:
        """The judge's name as the user wrote it; empty when only further roles are seated."""
        return self.by_role[JUDGE_ROLE].name if JUDGE_ROLE in self.by_role else ""

    @property
    def models(self) -> tuple[str, ...]:
        """The models that are asked, each once."""
        return tuple(sorted({each.model for each in self.by_role.values()} - {""}))

    @property
    def prompts(self) -> Mapping[str, str]:
        """Digest of each prompt file that any of them uses, by name."""
        return {name: digest for each in self.by_role.values() for name, digest in each.prompts.items()}

    @property
    def terms(self) -> dict[str, JsonValue]:
        """What else can change the answers: the judge's terms, and those of further roles."""
        own = dict(self.by_role[JUDGE_ROLE].terms) if JUDGE_ROLE in self.by_role else {}
        further: dict[str, JsonValue] = {
            role: {**each.terms, "name": each.name, "model": each.model}
            for role, each in sorted(self.by_role.items())
            if role != JUDGE_ROLE
        }
        return {**own, ROLES: further} if further else own


@dataclass(frozen=True)
class RecordedJudge:
    """A judge at work on one sample, and somebody who writes down what it says."""

    judge: Judge
    said: list[Judgement]
    role: str = JUDGE_ROLE

    @property
    def name(self) -> str:
        """The judge's name."""
        return self.judge.name

    def ask(
        self, questions: Sequence[Question], evidence: Evidence, *, view: JudgeView = WHOLE_VIEW
    ) -> list[Judgement]:
        """Ask the judge, and write down what it says."""
        made = list(ask_judge(self.judge, questions, evidence, view))
        if self.role != JUDGE_ROLE:
            made = [each.model_copy(update={"role": self.role}) for each in made]
        self.said.extend(made)
        return made


@dataclass(frozen=True)
class RecordedJudges:
    """The judges of one sample as `mark` takes them, by role, with all that they said and what it took."""

    judges: Mapping[str, RecordedJudge]
    tally: Tally
    said: list[Judgement]

    @property
    def name(self) -> str:
        """The judge's name; empty when only further roles are seated."""
        return self.judges[JUDGE_ROLE].name if JUDGE_ROLE in self.judges else ""

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
    seated: JudgesByRole,
    context: RunContext,
    item: str,
    subject: SubjectSpec,
    *,
    wait: Wait,
    model: str = "",
    epoch: int = 1,
) -> RecordedJudges:
    """Seat the judges for one sample of a cell."""
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
    said: list[Judgement] = []
    judges = {
        role: RecordedJudge(each.for_sample(replace(session, role=role)), said, role)
        for role, each in seated.by_role.items()
    }
    return RecordedJudges(judges, tally, said)


def judging_threads() -> CapacityLimiter:
    """Return the threads of this event loop in which somebody may wait for a judge."""
    try:
        return _threads.get()
    except LookupError:
        _threads.set(made := CapacityLimiter(JUDGED_AT_ONCE))
        return made


def read_judge_record(score: Mapping[str, Any]) -> JudgeRecord:
    """Read the record from a logged score; an empty one when nobody judged."""
    plain = (score.get("metadata") or {}).get(KEY)
    return JudgeRecord() if plain is None else JudgeRecord.model_validate_json(plain)
