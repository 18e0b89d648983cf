"""The public view of an item: the clips, what the film tells, what to hand over."""

from collections.abc import Mapping

from cutscore.benchmarks.sequencing.dataset import FILM, ORDER, SequencingItem
from cutscore.core.ask import Ask
from cutscore.prompts import Prompt


def ask(item: SequencingItem, prompts: Mapping[str, Prompt]) -> Ask:
    """Return all that a subject ever gets."""
    prompt = prompts["ask"]
    brief = prompt.fill(
        count=str(len(item.materials)),
        clips=", ".join(ref.name for ref in item.materials),
        synopsis=item.brief,
        solution=item.brief_line(ORDER),
        film=item.brief_line(FILM),
    )
    return item.make_ask(brief, prompts={"ask": prompt.digest})


def variant(item: SequencingItem, prompts: Mapping[str, Prompt], name: str) -> Ask | None:
    """Return the ask behind a hint; None where nobody wrote that hint for this film."""
    return item.with_hint(ask(item, prompts), name)
