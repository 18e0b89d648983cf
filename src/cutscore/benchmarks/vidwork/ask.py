"""The public view of an item: clip or keyframes, transcript, question."""

import hashlib
from collections.abc import Mapping

from cutscore.benchmarks.vidwork.dataset import TRANSCRIPT, AnyQuestion, ErrorQuestion, OrderQuestion, transcript_bytes
from cutscore.core.ask import Ask
from cutscore.core.files import FileRef
from cutscore.prompts import Prompt

DOMAINS = {
    "cooking": "cooking",
    "repair_manufacturing": "repair and manufacturing",
    "first_aid_safety": "first aid and safety",
}
PROMPTS = {
    "step_recognition": "steps",
    "temporal_ordering": "order",
    "causal_reasoning": "causal",
    "cross_modal_grounding": "cross_modal",
    "error_detection": "error",
}


def ask(item: AnyQuestion, prompts: Mapping[str, Prompt]) -> Ask:
    """Return all that a subject ever gets. Which prompt was used tells the axis, which is no secret."""
    prompt = prompts[PROMPTS[item.axis]]
    blanks = {"domain": DOMAINS[item.domain], "question": item.question}
    choices: tuple[str, ...] = ()
    if isinstance(item, OrderQuestion):
        blanks |= {"first": item.first, "second": item.second}
        choices = ("before", "after")
    if isinstance(item, ErrorQuestion):
        blanks |= {"description": item.description}
        choices = ("correct", "incorrect")
    return Ask(
        item=item.id,
        brief=prompt.fill(**blanks),
        files=_files(item),
        choices=choices,
        prompts={prompt.name: prompt.digest},
    )


def _files(item: AnyQuestion) -> tuple[FileRef, ...]:
    """Return pictures first, then what is said. A frame plan thins out both clips and keyframes."""
    pictures = (item.clip,) if item.clip is not None else item.keyframes
    said = transcript_bytes(item)
    if said is None:
        return pictures
    digest = hashlib.sha256(said).hexdigest()
    return (*pictures, FileRef(name=TRANSCRIPT, sha256=digest, size_bytes=len(said), media_type="text/vtt"))
