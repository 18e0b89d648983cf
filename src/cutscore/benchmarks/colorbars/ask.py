"""The public view of an item: the clip, the moment, the choices."""

from collections.abc import Mapping

from cutscore.benchmarks.colorbars.dataset import Moment
from cutscore.core.ask import Ask
from cutscore.prompts import Prompt


def ask(item: Moment, prompts: Mapping[str, Prompt]) -> Ask:
    """Give all that a subject ever gets."""
    prompt = prompts["ask"]
    return Ask(
        item=item.id,
        brief=prompt.fill(clip=item.clip.name, at=f"{float(item.at_s):.3f}", choices=", ".join(item.choices)),
        files=(item.clip,),
        choices=item.choices,
        prompts={"ask": prompt.digest},
    )
