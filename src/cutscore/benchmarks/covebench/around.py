"""Around an editor: it is asked edit by edit, each time with what came of the edit before as its source.

The paper compares both ways, and finds that editors do better when they are asked for everything at once. What an
editor takes in may be prepared by a rule, too (`input_rules.py`).
"""

import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from anyio import to_thread
from pydantic import JsonValue

from cutscore.benchmarks.covebench.atomic_edits import AtomicEdit, read_edits
from cutscore.benchmarks.covebench.input_rules import NO_RULE, PreparedInput
from cutscore.core.ask import Ask, AskPart
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import SubjectFailed
from cutscore.core.files import FileRef
from cutscore.core.subject import Subject, WorkContext, WorkNotes
from cutscore.core.trajectory import Action


def wrap(subject: Subject, conditions: Mapping[str, str]) -> Subject:
    """Return the subject with what the conditions put around it; where both do, each edit has its input prepared."""
    if (rule := conditions["input_rule"]) != NO_RULE:
        subject = PreparedInput(subject, rule)
    return SequentialEditor(subject) if conditions["decompose"] == "sequential" else subject


@dataclass(frozen=True)
class SequentialEditor:
    """Asks an editor for one edit after the other, and hands over what the last one made of the video."""

    subject: Subject

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Ask for all edits; where one fails, what is there so far is handed over, and the edit is named."""
        edits, made = read_edits(ask), None
        for number, edit in enumerate(edits, start=1):
            where = f"edit {number} of {len(edits)} ('{edit.instruction}')"
            began_s = time.monotonic()
            arguments: dict[str, JsonValue] = {"number": number, "of": len(edits), "instruction": edit.instruction}
            try:
                made = await self._edit(ask_alone(ask, edit, made), context, number)
            except SubjectFailed as failure:
                context.steps.add(did=Action(tool="ask for one edit", arguments=arguments), error=str(failure))
                fact = f"{where} failed: {failure}"
                raise SubjectFailed("sequential", fact, failure_class=failure.failure_class) from failure
            arguments["seconds"] = round(time.monotonic() - began_s, 3)
            context.steps.add(did=Action(tool="ask for one edit", arguments=arguments), media=(made,))
            # Where this sample ends early, whoever looks into its folder finds the video as it is by now.
            await to_thread.run_sync(shutil.copyfile, context.store.path(made), context.workspace / made.name)
        return Deliverable(files=(made,) if made else ())

    async def _edit(self, ask: Ask, context: WorkContext, number: int) -> FileRef:
        """Return the video that an editor makes of one ask, in a folder and with notes of its own."""
        own = replace(
            context,
            make_workspace=partial(_make_folder, context, f"edit-{number}"),
            notes=NotesOfEdit(context.notes, number),
        )
        done = await self.subject.work(ask, own)
        name = ask.wanted[0].name
        if done.failure:
            raise SubjectFailed("editor", done.failure, failure_class=done.failure_class or "crash")
        if (video := done.file(name)) is None:
            raise SubjectFailed("editor", f"handed over no {name}", failure_class="nothing")
        return video


@dataclass(frozen=True)
class NotesOfEdit:
    """The notes of a sample, apart for each edit: what was noted of one video is not taken for the next."""

    notes: WorkNotes
    number: int

    def get(self, key: str) -> JsonValue:
        """Return what was written under a key for this edit, None when there is nothing."""
        return self.notes.get(f"edit-{self.number} {key}")

    def put(self, key: str, value: JsonValue) -> None:
        """Write something down for this edit."""
        self.notes.put(f"edit-{self.number} {key}", value)


def ask_alone(ask: Ask, edit: AtomicEdit, before: FileRef | None) -> Ask:
    """Return the ask for one edit of what the edit before has made, or of the source."""
    source = ask.part("source")
    given = ask.file(source.file) if source else None
    video = before.model_copy(update={"name": edit.source}) if before else given
    files = (video,) if video else ()
    parts = (
        AskPart(role="instruction", text=edit.instruction),
        *(AskPart(role="source", file=each.name) for each in files),
    )
    return ask.model_copy(update={"brief": edit.brief, "files": files, "parts": parts})


def _make_folder(context: WorkContext, name: str) -> Path:
    folder = context.workspace / name
    folder.mkdir(exist_ok=True)
    return folder
