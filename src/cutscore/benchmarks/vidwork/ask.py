"""The public view of an item: frames, transcript, question."""

from collections.abc import Mapping, Sequence

from cutscore.benchmarks.vidwork.dataset import AnyQuestion, ErrorQuestion, OrderQuestion
from cutscore.core.ask import Ask
from cutscore.core.files import FileRef
from cutscore.core.timeline import timecode
from cutscore.prompts import Prompt

MOST_KEYFRAMES = 8  # the paper's cap; clips are sampled by the frame plan instead

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
    """Give all that a subject ever gets. Which prompt was used tells the axis, which is no secret."""
    prompt = prompts[PROMPTS[item.axis]]
    blanks = {"domain": DOMAINS[item.domain], "question": item.question, "transcript": _spoken(item)}
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
        files=(item.clip,) if item.clip is not None else midpoints(item.keyframes, MOST_KEYFRAMES),
        choices=choices,
        prompts={prompt.name: prompt.digest},
    )


def midpoints(keyframes: Sequence[FileRef], most: int) -> tuple[FileRef, ...]:
    """Thin keyframes out to the middles of equal parts: one of many is the middle one.

    The paper caps frames and does not say which ones stay.
    """
    count = min(most, len(keyframes))
    return tuple(keyframes[(2 * part + 1) * len(keyframes) // (2 * count)] for part in range(count))


def _spoken(item: AnyQuestion) -> str:
    segments = item.transcript.segments if item.transcript is not None else ()
    return "\n".join(f"[{timecode(each.start_s)}] {each.text}" for each in segments) or "(nothing)"
