"""The public view of an item."""

from collections.abc import Mapping

from cutscore.core.ask import Ask
from cutscore.prompts import Prompt
from tally_bench.dataset import CutClip


def ask(item: CutClip, prompts: Mapping[str, Prompt]) -> Ask:
    """Give all that a subject ever gets."""
    brief = prompts["ask"].fill(number=str(item.number))
    return Ask(item=item.id, brief=brief, prompts={"ask": prompts["ask"].digest})
