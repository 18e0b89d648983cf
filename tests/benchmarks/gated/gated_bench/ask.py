"""The public view of an item."""

from collections.abc import Mapping

from cutscore.core.ask import Ask, RequestedFile
from cutscore.prompts import Prompt
from gated_bench.dataset import Hidden


def ask(item: Hidden, prompts: Mapping[str, Prompt]) -> Ask:
    """Give all that a subject ever gets."""
    told = "\n".join(each.brief_line for each in item.deliveries if each.about != "untold")
    return Ask(
        item=item.id,
        brief=prompts["ask"].fill(brief=item.brief, told=told),
        files=item.materials,
        wanted=tuple(RequestedFile(name=each.name) for each in item.deliveries),
        prompts={"ask": prompts["ask"].digest},
    )
