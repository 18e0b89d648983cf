"""The public view of an item: the film, the client's brief, what to hand over."""

from collections.abc import Mapping

from cutscore.benchmarks.repurpose.dataset import FILM, REPORT, Commission
from cutscore.core.ask import Ask
from cutscore.prompts import Prompt


def ask(item: Commission, prompts: Mapping[str, Prompt]) -> Ask:
    """Return all that a subject ever gets."""
    prompt = prompts["ask"]
    brief = prompt.fill(
        source=item.source.name,
        content=item.content,
        form=item.form,
        brief=item.brief.strip(),
        film=item.brief_line(FILM),
        report=item.brief_line(REPORT),
    )
    return item.make_ask(brief, prompts={"ask": prompt.digest})


def variant(item: Commission, prompts: Mapping[str, Prompt], name: str) -> Ask | None:
    """Return the same ask behind an editor's notes on the source; None where there are none."""
    return item.with_hint(ask(item, prompts), name)
