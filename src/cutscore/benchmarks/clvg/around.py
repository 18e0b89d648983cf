"""Around a generator: what it can make (`generator=`), and a model that writes its script (`script=`).

A script is the instruction written anew by a model that has read the whole context: the paper lets one understand, and
another one draw (4.3, Table 4). Both scripts are steps of the sample; what the writer costs is booked in its role.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cutscore.benchmarks.clvg.ask_parts import INSTRUCTION, LENGTH, SCRIPT_REQUEST
from cutscore.benchmarks.clvg.generators.profile import GeneratorProfile, read_profile
from cutscore.core.ask import Ask, AskPart
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import SubjectFailed
from cutscore.core.subject import AcceptedInput, Subject, WorkContext
from cutscore.core.trajectory import Action

if TYPE_CHECKING:
    from inspect_ai.model import Content

ANY = "any"  # no profile: every case is asked as it is
WRITER = "script"
FRAMES = "fps=2,max=32"  # how a writer that takes frames looks at clips, unless --frames says otherwise


def wrap(subject: Subject, conditions: Mapping[str, str]) -> Subject:
    """Return the subject with what the conditions put around it; a script is written for what it can make."""
    if conditions["script"]:
        subject = ScriptedGenerator(subject)
    return subject if conditions["generator"] == ANY else FittedGenerator(subject, conditions["generator"])


@dataclass(frozen=True)
class FittedGenerator:
    """A generator that is asked for what it can make, and for no case beyond what it takes in."""

    subject: Subject
    name: str

    @property
    def profile(self) -> GeneratorProfile:
        """What it takes in and can make."""
        return read_profile(self.name)

    @property
    def takes(self) -> AcceptedInput:
        """What of an ask it takes in."""
        return self.profile.takes

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Ask for the nearest that it can make."""
        asked = ask.part(LENGTH)
        wanted = asked.value if asked else None
        fitted = self.profile.fit(float(wanted) if isinstance(wanted, int | float) else None)
        if fitted:
            said = ", ".join(f"{name} {value:g}" for name, value in fitted.items())
            context.steps.add(did=Action(tool="fit request", arguments={"generator": self.name, **fitted}), saw=said)
        others = tuple(part for part in ask.parts if part.role not in fitted)
        parts = tuple(AskPart(role=name, text=f"{value:g}", value=value) for name, value in fitted.items())
        return await self.subject.work(ask.model_copy(update={"parts": (*others, *parts)}), context)


@dataclass(frozen=True)
class ScriptedGenerator:
    """A generator whose instruction a model writes anew, from the whole context."""

    subject: Subject

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Let the script be written, then let the generator work by it."""
        request, before = ask.part(SCRIPT_REQUEST), ask.part(INSTRUCTION)
        if request is None or before is None:
            raise SubjectFailed(WRITER, "was asked without a request for a script", failure_class="crash")
        script = await write_script(ask, request.text, context)
        told = {"before": before.text, "after": script}
        context.steps.add(did=Action(tool="write script", arguments=told), saw=script)
        return await make_from(script, self.subject, with_script(ask, before.text, script), context)


async def make_from(script: str, subject: Subject, ask: Ask, context: WorkContext) -> Deliverable:
    """Let a generator work by a script. It is handed over as text: readers, and later turns, look back on it."""
    try:
        made = await subject.work(ask, context)
    except SubjectFailed as failure:
        made = Deliverable(failure=str(failure), failure_class=failure.failure_class or "crash")
    if not made.files and not made.failure:  # else its script would pass for something that it made
        made = Deliverable(failure="handed over nothing", failure_class="nothing")
    return made.model_copy(update={"text": script})


def with_script(ask: Ask, before: str, script: str) -> Ask:
    """Return an ask with another instruction, in its words and in its parts; the rest stays."""
    kept = tuple(part for part in ask.parts if part.role not in (INSTRUCTION, SCRIPT_REQUEST))
    brief = ask.brief.replace(before.strip(), script, 1)
    return ask.model_copy(update={"brief": brief, "parts": (AskPart(role=INSTRUCTION, text=script), *kept)})


async def write_script(ask: Ask, request: str, context: WorkContext) -> str:
    """Return the script that the model in the role `script` writes, after it was shown every file of the context."""
    from inspect_ai.model import ChatMessageUser, ContentText, get_model

    from cutscore.models.door import count_model_calls
    from cutscore.models.references import content_for
    from cutscore.models.refusals import FAILURES

    shown: list[Content] = [content_for(ref) for ref in ask.files]
    looks = replace(context, frames=context.frames or FRAMES)
    with count_model_calls(looks):  # else it would be shown references, and nothing would be booked
        output = await get_model(role=WRITER).generate([ChatMessageUser(content=[*shown, ContentText(text=request)])])
    failed, failure = FAILURES.get(output.stop_reason, (None, ""))
    if failure or not output.completion.strip():
        raise SubjectFailed(WRITER, failure or "wrote nothing", failure_class=failed or "nothing")
    return output.completion.strip()
