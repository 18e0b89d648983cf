"""The public view of an item: the source video and the instruction."""

from collections.abc import Mapping

from cutscore.benchmarks.covebench.dataset import EDITED, EditTask
from cutscore.core.ask import Ask, AskPart, RequestedFile
from cutscore.prompts import Prompt


def ask(item: EditTask, prompts: Mapping[str, Prompt]) -> Ask:
    """Return all that a subject ever gets: words for whoever reads, and named parts for whoever is a program."""
    prompt, given = prompts["ask"], (item.source,) if item.source else ()
    name = item.source.name if item.source else "that is not at hand"
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
