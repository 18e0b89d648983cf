"""The public view of an item: the clip, and how high one may count."""

from collections.abc import Mapping

from cutscore.core.ask import Ask
from cutscore.prompts import Prompt
from cutscore_flashes.dataset import COUNTS, FlashItem


def ask(item: FlashItem, prompts: Mapping[str, Prompt]) -> Ask:
    """Return all that a subject ever gets."""
    prompt = prompts["ask"]
    return Ask(
        item=item.id,
        brief=prompt.fill(clip=item.clip.name, choices=", ".join(COUNTS)),
        files=(item.clip,),
        choices=COUNTS,
        prompts={"ask": prompt.digest},
    )
