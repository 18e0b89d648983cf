"""A model as a judge: any that Inspect can ask, shown clips or frames, every call booked and written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from cutscore.core.errors import Unscored
from cutscore.core.evidence import Evidence
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import Judge, Judgement, JudgeSession, Question, SampleJudge
from cutscore.core.tally import Tally
from cutscore.models.boundary import Boundary
from cutscore.models.provider import MediaInput
from cutscore.models.refusals import FILTERED
from cutscore.prompts import Prompt
from cutscore.scoring.judges.ask import AskPolicy, Interviewer, RawReply
from cutscore.scoring.judges.exhibits import originals
from cutscore.scoring.judges.journal import Journal, JournalEntry
from cutscore.scoring.judges.request import Attempt, JudgeRequest, chat_messages, prompts_of_view
from cutscore.scoring.judges.sending import send_messages

if TYPE_CHECKING:
    from inspect_ai.model import Model


@dataclass(frozen=True)
class ModelJudge:
    """A model, by Inspect's name, as the judge of one cell.

    Args:
        config: How patiently it is asked, in the words of Inspect's `GenerateConfig`.
        params: How it answers, in the same words; another temperature is another request.
    """

    name: str
    texts: Mapping[str, Prompt]
    policy: AskPolicy
    frames: str
    takes: MediaInput
    source_digest: str
    journal: Journal
    config: Mapping[str, Any]
    params: Mapping[str, JsonValue] = field(default_factory=dict)

    @property
    def model(self) -> str:
        """The model that is asked, which is also the name of the judge."""
        return self.name

    @property
    def prompts(self) -> Mapping[str, str]:
        """Digest of each prompt, by name."""
        return {name: prompt.digest for name, prompt in self.texts.items()}

    @property
    def terms(self) -> Mapping[str, JsonValue]:
        """Votes, and whatever counts in the digest of a request."""
        votes: dict[str, JsonValue] = {"votes": self.policy.votes, "stop_early": self.policy.stop_early}
        return {**votes, **self.request_terms}

    @property
    def request_terms(self) -> dict[str, JsonValue]:
        """What counts in the digest of every request; how many votes there are does not, so more can be added."""
        plain: dict[str, JsonValue] = {"model": self.name, "made_of": self.source_digest, "frames": self.frames}
        return {**plain, "takes": self.takes, **({"params": dict(self.params)} if self.params else {})}

    @cached_property
    def inspect_model(self) -> Model:
        """The model, made when the first call is not in the journal: marking again needs no key."""
        from inspect_ai.model import GenerateConfig, get_model

        return get_model(self.name, config=GenerateConfig(**self.config, **self.params), memoize=False)

    def for_sample(self, session: JudgeSession) -> Judge:
        """Return the judge for one sample; all samples share model and journal."""
        return SampleJudge(self.name, partial(self._ask, session))

    def _ask(
        self, session: JudgeSession, questions: Sequence[Question], evidence: Evidence, *, view: JudgeView = WHOLE_VIEW
    ) -> list[Judgement]:
        frames = view.frames or self.frames
        asking = Interviewer(
            judge=self.name,
            send=partial(self._send_once, session, evidence, frames),
            prompts=prompts_of_view(self.texts, view),
            terms={**self.request_terms, "frames": frames},
            policy=self.policy,
            view=view,
            on_retry=session.tally.add_retry,
        )
        return asking.ask(questions, evidence)

    def _send_once(
        self, session: JudgeSession, evidence: Evidence, frames: str, request: JudgeRequest, attempt: Attempt
    ) -> RawReply:
        """Send a request unless its reply is in the journal. A provider that gives up is no reply and not kept."""
        try:
            call = partial(self._send, session, evidence, frames, request, attempt)
            entry = self.journal.call_once(request.key, call)
        except Unscored as gave_up:
            return RawReply(fault=str(gave_up))
        tally = session.tally
        tally.add_booked_call(entry.usage, entry.cost_usd)
        tally.take_over(entry.seen, entry.warnings)
        return RawReply(entry.reply, refused=entry.stop == FILTERED or not entry.reply.strip())

    def _send(
        self, session: JudgeSession, evidence: Evidence, frames: str, request: JudgeRequest, attempt: Attempt
    ) -> JournalEntry:
        counts = session.tally
        tally = Tally(purse=counts.purse, before_call=counts.before_call, on_retry=counts.add_retry)
        boundary = Boundary(
            path=lambda ref: evidence.store.path(ref),  # noqa: PLW0108  evidence without files has no store
            tally=tally,
            frames=frames,
            takes=self.takes,
            clean=session.clean,
            strangers=True,
            role=session.role,
            notes=self.journal.notes(request.key),
        )
        output = send_messages(chat_messages(request), boundary, model=self.inspect_model, wait=session.wait)
        files = originals(request.shown)
        return JournalEntry(
            key=request.key,
            judge=self.name,
            role=session.role,
            questions=tuple(question.id for question in request.questions),
            vote=attempt.vote,
            attempt=attempt.number,
            reply=output.completion,
            stop="" if output.stop_reason == "stop" else output.stop_reason,
            seen=tuple(each.model_copy(update={"clip": files[each.clip.name]}) for each in tally.seen),
            usage=tally.usage,
            cost_usd=tally.cost_usd,
            warnings=tuple(tally.warnings),
        )
