"""The public view of an item: the source video and the instruction."""

from collections.abc import Mapping

from cutscore.benchmarks.covebench.atomic_edits import AtomicEdit, with_edits
from cutscore.benchmarks.covebench.dataset import EDITED, EditTask
from cutscore.core.ask import Ask, AskPart, RequestedFile
from cutscore.core.errors import BadInput
from cutscore.prompts import Prompt

NOT_AT_HAND = "that is not at hand"


def ask(item: EditTask, prompts: Mapping[str, Prompt]) -> Ask:
    """Return all that a subject ever gets: words for whoever reads, and named parts for whoever is a program."""
    prompt, given = prompts["ask"], (item.source,) if item.source else ()
    name = item.source.name if item.source else NOT_AT_HAND
    return Ask(
        item=item.id,
        brief=prompt.fill(source=name, instruction=item.instruction.strip(), edited=EDITED),
        files=given,
        wanted=(RequestedFile(name=EDITED, about="the edited video"),),
        parts=(
            AskPart(role="instruction", text=item.instruction),
            *(AskPart(role="source", file=file.name) for file in given),
        ),
        prompts={"ask": prompt.digest},
    )


def ask_under(item: EditTask, prompts: Mapping[str, Prompt], conditions: Mapping[str, str]) -> Ask:
    """Return the ask under the conditions of the card: with `decompose=sequential` the edits one by one, too."""
    whole = ask(item, prompts)
    if conditions["decompose"] != "sequential":
        return whole
    if not item.edits:
        fact = "does not say what asks for each of its edits alone, so it cannot be edited step by step"
        raise BadInput(f"item '{item.id}'", fact, "give each evaluation group an 'instruction', or leave decompose out")
    first, prompt = item.source.name if item.source else NOT_AT_HAND, prompts["ask"]
    sources = (first, *(f"edited-{number}.mp4" for number in range(1, len(item.edits))))
    briefs = [
        prompt.fill(source=name, instruction=text, edited=EDITED)
        for name, text in zip(sources, item.edits, strict=True)
    ]
    told = zip(item.edits, briefs, sources, strict=True)
    return with_edits(whole, [AtomicEdit(instruction=text, brief=brief, source=name) for text, brief, name in told])
