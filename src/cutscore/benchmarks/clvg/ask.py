"""The public view of an item: the instruction and the context, as words and as named parts."""

from collections.abc import Mapping

from cutscore.benchmarks.clvg.ask_parts import GENERATED, INSTRUCTION, LENGTH, SCRIPT_REQUEST
from cutscore.benchmarks.clvg.dataset import ContextPart, GenerationCase
from cutscore.core.ask import Ask, AskPart, RequestedFile
from cutscore.prompts import Prompt


def ask(item: GenerationCase, prompts: Mapping[str, Prompt]) -> Ask:
    """Return all that a generator ever gets: words for whoever reads, and named parts for whoever is a program."""
    prompt = prompts["ask"]
    return Ask(
        item=item.id,
        brief=prompt.fill(
            instruction=item.instruction.strip(),
            context=describe_context(item.whole_context),
            length=f"It should last about {item.length_s:g} seconds." if item.length_s else "",
            generated=GENERATED,
        ),
        files=item.files,
        wanted=(RequestedFile(name=GENERATED, about="the video"),),
        parts=(
            AskPart(role=INSTRUCTION, text=item.instruction),
            *(AskPart(role=part.role, text=part.text, file=part.file) for part in item.whole_context),
            *((AskPart(role=LENGTH, text=f"{item.length_s:g}", value=item.length_s),) if item.length_s else ()),
        ),
        prompts={"ask": prompt.digest},
    )


def ask_under(item: GenerationCase, prompts: Mapping[str, Prompt], conditions: Mapping[str, str]) -> Ask:
    """Return the ask under the conditions of the card: with `script=MODEL` also what its writer is told."""
    made = ask(item, prompts)
    if not conditions["script"]:
        return made
    prompt = prompts["script"]
    told = prompt.fill(instruction=item.instruction.strip(), context=describe_context(item.whole_context))
    parts = (*made.parts, AskPart(role=SCRIPT_REQUEST, text=told))
    return made.model_copy(update={"parts": parts, "prompts": {**made.prompts, "script": prompt.digest}})


def describe_context(parts: tuple[ContextPart, ...]) -> str:
    r"""Return the parts of a context as lines of words.

    >>> describe_context((ContextPart(role="first_frame", file="a.png"), ContextPart(role="style", text="ink")))
    '- first frame: a.png\n- style: ink'
    """
    if not parts:
        return "There is nothing but these words."
    lines = (f"- {part.role.replace('_', ' ')}: {', '.join(filter(None, (part.file, part.text)))}" for part in parts)
    return "\n".join(lines)
