"""The public view of an item: the broken clip, what the client says about it, what to hand over."""

from collections.abc import Mapping

from cutscore.benchmarks.repair.dataset import RepairItem
from cutscore.benchmarks.repair.defect import KINDS
from cutscore.benchmarks.repair.report import FIXED, REPORT, SCHEMA
from cutscore.core.ask import Ask
from cutscore.prompts import Prompt


def ask(item: RepairItem, prompts: Mapping[str, Prompt]) -> Ask:
    """Return all that a subject ever gets: neither when the defect is nor which of the ten kinds it is."""
    prompt = prompts["ask"]
    brief = prompt.fill(
        clip=item.broken.name,
        request=item.brief,
        fixed=item.brief_line(FIXED),
        report=item.brief_line(REPORT),
        schema=SCHEMA,
        kinds=", ".join(KINDS),
    )
    return item.make_ask(brief, prompts={"ask": prompt.digest})


def variant(item: RepairItem, prompts: Mapping[str, Prompt], name: str) -> Ask | None:
    """Return the ask with a hint before it: `location` tells where, `fix` also what to do."""
    return item.with_hint(ask(item, prompts), name)
