"""Who needs no key: `blind` guesses from the question, `transcript` listens, the reader listens and looks."""

import re
from collections.abc import Sequence
from random import Random

from cutscore.benchmarks.vidwork.reader.descriptions import check_description
from cutscore.benchmarks.vidwork.reader.inputs import listen, look
from cutscore.benchmarks.vidwork.reader.narration import Narration
from cutscore.benchmarks.vidwork.reader.stature import answer_by_sight
from cutscore.benchmarks.vidwork.reader.tableau import Tableau
from cutscore.benchmarks.vidwork.usual_steps import USUAL_STEPS
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileStore
from cutscore.core.subject import WorkContext
from cutscore.core.timeline import timecode
from cutscore.core.trajectory import Action

# What is usual: the answer of somebody who has not seen the clip.
REASONS = {
    "cooking": "So that it cooks evenly, tastes better and does not burn or stick.",
    "repair": "So that the part fits, holds tightly and does not get damaged.",
    "first aid": "To keep the person safe, stop the bleeding and prevent an infection.",
}
LOOKS = ("white", "black", "silver", "blue", "red", "a bowl", "a knife", "a table")

# As our prompts write it.
BOTH = re.compile(r"^A: (?P<first>.+)\nB: (?P<second>.+)$", re.MULTILINE)
DESCRIBED = re.compile(r"like this:\n(?P<description>.+?)\n\n", re.DOTALL)
QUESTION = re.compile(r"^.*\?\s*$", re.MULTILINE)
PART = re.compile(r"\b(?P<side>before|after)\b[^\"“\n]*[\"“](?P<step>.+?)[\"”]", re.IGNORECASE)
QUOTED = re.compile(r"[\"“](?P<step>.+?)[\"”]")
SKIPPED = re.compile(r"\b(skip\w*|left out|omitted|without|not done|missing)\b", re.IGNORECASE)


def blind(ask: Ask, seed: int, store: FileStore) -> Deliverable:
    """Answer from the prompt alone: a coin for closed questions, else what is usual in the domain.

    Which kind of question it is shows in the name of the prompt. Equal seeds guess alike.
    """
    if ask.choices:
        return Deliverable(text=f"ANSWER: {Random(seed).choice(ask.choices)}")
    domain = next((name for name in USUAL_STEPS if f"({name}" in ask.brief), "cooking")  # as our prompts write it
    if "steps" in ask.prompts:
        return Deliverable(text=numbered_list(USUAL_STEPS[domain]))
    return Deliverable(text=Random(seed).choice(LOOKS) if "cross_modal" in ask.prompts else REASONS[domain])


def transcript(ask: Ask, context: WorkContext) -> Deliverable:
    """Answer as the reader does, by what is said alone."""
    return reader(ask.model_copy(update={"files": tuple(ref for ref in ask.files if ref.is_text)}), context)


def reader(ask: Ask, context: WorkContext) -> Deliverable:
    """Answer by what is said and by the frames of the plan; what neither tells is guessed, as `blind` does.

    It looks only where the answer is to be seen: it cannot name what it sees as a narrator would.
    """
    narration = listen(ask, context)
    looks = look(ask, context) if "cross_modal" in ask.prompts else ()
    answer = _answer(ask, narration, looks, context.seed)
    given = blind(ask, context.seed, context.store) if answer is None else Deliverable(text=answer)
    told = "\n".join(_describe_step(text, narration) for text in _quoted_steps(ask.brief))
    why = "Nothing that was heard or seen decides it, so this is a guess." if answer is None else ""
    context.steps.add(why, did=Action(tool="answer", arguments={"text": given.text}), saw=told)
    return given


def _quoted_steps(brief: str) -> list[str]:
    """Return the steps that a question is about, as far as it quotes them."""
    both = BOTH.search(brief)
    return [both["first"], both["second"]] if both else [quoted["step"] for quoted in QUOTED.finditer(brief)]


def _describe_step(text: str, narration: Narration) -> str:
    """Say in words where a step was told of."""
    step = narration.find(text)
    return f"“{text}”: {'nobody tells of it' if step is None else f'told at {timecode(step.at_s)}, “{step.text}”'}"


def _answer(ask: Ask, narration: Narration, looks: Sequence[Tableau], seed: int) -> str | None:
    """Return the answer as far as something was heard or seen that bears on it; None for a guess."""
    if "order" in ask.prompts:
        both = BOTH.search(ask.brief)
        is_before = narration.is_before(both["first"], both["second"]) if both else None
        return None if is_before is None else f"ANSWER: {'before' if is_before else 'after'}"
    if "error" in ask.prompts:
        described = DESCRIBED.search(ask.brief)
        holds = check_description(narration, described["description"]) if described else None
        return None if holds is None else f"ANSWER: {'correct' if holds else 'incorrect'}"
    if "steps" in ask.prompts:
        return numbered_list(_find_steps(ask.brief, narration)) or None
    question = next(reversed(QUESTION.findall(ask.brief)), "").strip()
    is_sight = "cross_modal" in ask.prompts
    return answer_by_sight(question, narration, looks, seed) if is_sight else _find_cause(question, narration)


def numbered_list(steps: Sequence[str]) -> str:
    """Return steps as an answer lists them."""
    return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))


def _find_steps(brief: str, narration: Narration) -> list[str]:
    """Return the steps that were told, or those before or after one that the question quotes."""
    part = PART.search(brief)
    at_s = narration.when(part["step"]) if part else None
    if part is None or at_s is None:
        return [step.text for step in narration.steps]
    is_before, own = part["side"].lower() == "before", narration.find(part["step"])
    return [step.text for step in narration.steps if step is not own and (step.at_s <= at_s) == is_before]


def _find_cause(question: str, narration: Narration) -> str | None:
    """Return what was said right after the step, or what may have needed it."""
    quoted = QUOTED.search(question)
    about = quoted["step"] if quoted else question
    if SKIPPED.search(question.replace(about, "") if quoted else question):
        blocked = narration.blocked_without(about)
        return f"{blocked.text}." if blocked is not None else None
    reason = narration.reason(about)
    return f"{reason}." if reason is not None else None
