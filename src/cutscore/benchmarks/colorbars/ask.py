"""The public view of an item: the clip, the question, the choices."""

from collections.abc import Mapping

from cutscore.benchmarks.colorbars.dataset import ColorbarsItem
from cutscore.core.ask import Ask
from cutscore.prompts import Prompt


def ask(item: ColorbarsItem, prompts: Mapping[str, Prompt]) -> Ask:
    """Return all that a subject ever gets."""
    frame, question = prompts["ask"], prompts[item.kind]
    words = question.fill(at=f"{float(item.at_s):.3f}").strip()
    return Ask(
        item=item.id,
        brief=frame.fill(clip=item.clip.name, question=words, choices=", ".join(item.choices)),
        files=(item.clip,),
        choices=item.choices,
        prompts={"ask": frame.digest, item.kind: question.digest},
    )
