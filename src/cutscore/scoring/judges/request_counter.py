"""A model judge that sends nothing: it puts its requests together and counts what they would carry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from pydantic import JsonValue

from cutscore.core.errors import BadInput
from cutscore.core.evidence import Evidence
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import CellJudge, Judge, Judgement, JudgeSession, Question, SampleJudge
from cutscore.models.expected_call import ExpectedCall, expect_call
from cutscore.scoring.judges.ask import Interviewer, RawReply
from cutscore.scoring.judges.model import ModelJudge
from cutscore.scoring.judges.request import Attempt, JudgeRequest, chat_messages, prompts_of_view

UNSENT = "nothing was sent: requests are only counted"


@dataclass(frozen=True)
class RequestCounter:
    """Stands in for a model judge; `heard` has every request that it would send, with how many questions it asks."""

    judge: CellJudge
    heard: list[tuple[ExpectedCall, int]] = field(default_factory=list)
    prompts: Mapping[str, str] = field(default_factory=dict)
    terms: Mapping[str, JsonValue] = field(default_factory=dict)
    model: str = ""

    @property
    def name(self) -> str:
        """The name of the judge that it stands in for."""
        return self.judge.name

    def for_sample(self, session: JudgeSession) -> Judge:
        """Return itself as the judge of a sample."""
        return SampleJudge(self.name, self._ask)

    def _ask(
        self, questions: Sequence[Question], evidence: Evidence, *, view: JudgeView = WHOLE_VIEW
    ) -> list[Judgement]:
        real = getattr(self.judge, "cell_judge", self.judge)
        if not isinstance(real, ModelJudge):
            raise BadInput(f"judge '{self.name}'", "is no model whose requests can be counted")
        asking = Interviewer(
            judge=self.name,
            send=partial(self._count, real, evidence, view.frames or real.frames),
            prompts=prompts_of_view(real.texts, view),
            terms={},
            policy=real.policy,
            view=view,
        )
        return asking.ask(questions, evidence)

    def _count(
        self, real: ModelJudge, evidence: Evidence, frames: str, request: JudgeRequest, attempt: Attempt
    ) -> RawReply:
        said = chat_messages(request)
        call = expect_call(said, path=lambda ref: evidence.store.path(ref), frames=frames, takes=real.takes)  # noqa: PLW0108
        self.heard.append((call, len(request.questions)))
        return RawReply(fault=UNSENT)
