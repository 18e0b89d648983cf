"""A model that is sent words and sends words back, in a role of its own: a matcher, an optimiser.

Like a judge's, its replies are journaled and its calls are booked in the folder that it shares with others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from anyio import from_thread, to_thread
from pydantic import JsonValue

from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef
from cutscore.core.frozen import digest_of
from cutscore.core.judgement import Wait
from cutscore.core.tally import Tally
from cutscore.models.boundary import Boundary
from cutscore.models.provider import require_reachable, script_digest
from cutscore.models.refusals import FILTERED
from cutscore.scoring.judges.ask import RawReply
from cutscore.scoring.judges.call_folder import CallFolder
from cutscore.scoring.judges.journal import JournalEntry
from cutscore.scoring.judges.sending import send_messages

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, Model


@dataclass(frozen=True)
class TextModel:
    """A model by Inspect's name, in a role, with the purse of a folder.

    Args:
        params: How it answers, in the words of Inspect's `GenerateConfig`.
        replies: Counts every reply, those of the journal at what they once cost. What was paid now is in the ledger.
        wait: Runs a coroutine function to its end, for the thread that asks: of a running event loop, whose worker that
            thread is, or a portal's `call`.
    """

    name: str
    role: str
    calls: CallFolder
    params: Mapping[str, JsonValue] = field(default_factory=dict)
    replies: Tally = field(default_factory=Tally)
    wait: Wait = from_thread.run

    async def reply(self, system: str, words: str, *, turn: int = 1) -> RawReply:
        """Return what the model says, from the journal where it has said so before.

        Args:
            system: Our own words.
            words: What it is asked about; whatever others wrote is fenced in there.
            turn: Number of the asking: the same words may be asked again for another reply.

        Raises:
            Unscored: The provider gave up.
            BudgetReached: The money is spent.
        """
        from cutscore.cells.judge_record import judging_threads

        return await to_thread.run_sync(partial(self._reply_once, system, words, turn), limiter=judging_threads())

    def reply_from_thread(self, system: str, words: str, *, turn: int = 1) -> RawReply:
        """Do as `reply`, for whoever may block: `wait` says where the call is made."""
        return self._reply_once(system, words, turn)

    def _reply_once(self, system: str, words: str, turn: int) -> RawReply:
        made_of = {"model": self.name, "made_of": script_digest(self.name), "params": dict(self.params)}
        key = digest_of({**made_of, "role": self.role, "system": system, "words": words, "turn": turn})
        entry = self.calls.journal.call_once(key, partial(self._send, key, system, words, turn))
        self.replies.add_booked_call(entry.usage, entry.cost_usd)
        return RawReply(entry.reply, refused=entry.stop == FILTERED or not entry.reply.strip())

    def _send(self, key: str, system: str, words: str, turn: int) -> JournalEntry:
        from inspect_ai.model import ChatMessageSystem, ChatMessageUser

        tally = self.calls.tally(self.name)
        boundary = Boundary(
            path=_no_file,
            tally=tally,
            frames="",
            takes="text",
            clean=self.calls.clean,
            role=self.role,
            notes=self.calls.journal.notes(key),
            turn=turn,
        )
        said: list[ChatMessage] = [ChatMessageSystem(content=system), ChatMessageUser(content=words)]
        output = send_messages(said, boundary, model=self._model, wait=self.wait)
        return JournalEntry(
            key=key,
            judge=self.name,
            role=self.role,
            questions=(),
            attempt=turn,
            reply=output.completion,
            stop="" if output.stop_reason == "stop" else output.stop_reason,
            usage=tally.usage,
            cost_usd=tally.cost_usd,
            warnings=tuple(tally.warnings),
        )

    @cached_property
    def _model(self) -> Model:
        """The model, made when the first reply is not in the journal."""
        from inspect_ai.model import GenerateConfig, get_model

        patience = {"max_retries": self.calls.settings.max_retries, "attempt_timeout": self.calls.settings.timeout_s}
        return get_model(self.name, config=GenerateConfig(**patience, **self.params), memoize=False)


def open_text_model(
    name: str,
    role: str,
    calls: CallFolder,
    *,
    params: Mapping[str, JsonValue] | None = None,
    wait: Wait = from_thread.run,
) -> TextModel:
    """Return a model in a role, after a look at its price and at whether it can be asked from here."""
    calls.ledger(name)
    require_reachable(name)
    return TextModel(name, role, calls, params or {}, wait=wait)


def _no_file(ref: FileRef) -> Path:
    raise BadInput(f"file '{ref.name}'", "was sent to a model that reads words alone")
