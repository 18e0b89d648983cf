"""The public view of an item: the candidates, the storyboard, what its terms mean, what to hand over."""

import json
from collections.abc import Mapping

from cutscore.benchmarks.assembly.dataset import DIMENSIONS, FIELDS, FILM, MANIFEST, AssemblyItem
from cutscore.core.ask import Ask
from cutscore.prompts import Prompt

LEFT_OUT = "no_"
CINEMATIC = "cinematic"  # all four that say how a slot is filmed


def ask(item: AssemblyItem, prompts: Mapping[str, Prompt]) -> Ask:
    """Return all that a subject ever gets."""
    return _ask_with(item, prompts, FIELDS)


def variant(item: AssemblyItem, prompts: Mapping[str, Prompt], name: str) -> Ask | None:
    """Return the task with a field left out of every slot: `no_description`, `no_lens` and so on.

    `no_cinematic` leaves out all four that say how a slot is filmed, and the description stays.
    """
    field = name.removeprefix(LEFT_OUT)
    left_out = DIMENSIONS if field == CINEMATIC else (field,)
    if not any(getattr(shot, each) for shot in item.storyboard for each in left_out):
        return None
    return _ask_with(item, prompts, [each for each in FIELDS if each not in left_out])


def _ask_with(item: AssemblyItem, prompts: Mapping[str, Prompt], fields: list[str] | tuple[str, ...]) -> Ask:
    prompt, sheet = prompts["ask"], prompts["shot-language"]
    brief = prompt.fill(
        count=str(len(item.materials)),
        clips=", ".join(ref.name for ref in item.materials),
        story=item.brief,
        slots=str(len(item.storyboard)),
        storyboard=storyboard(item, fields),
        shot_language=sheet.text.strip(),
        first=item.slots[0],
        second=item.slots[1],
        solution=item.brief_line(MANIFEST),
        film=item.brief_line(FILM),
    )
    return item.make_ask(brief, prompts={"ask": prompt.digest, "shot-language": sheet.digest})


def storyboard(item: AssemblyItem, fields: list[str] | tuple[str, ...] = FIELDS) -> str:
    """Write the storyboard as JSON: a list of slots with those of these fields that are not open."""
    slots = [
        {"slot": shot.slot, **{name: getattr(shot, name) for name in fields if getattr(shot, name)}}
        for shot in item.storyboard
    ]
    return json.dumps(slots, ensure_ascii=False, indent=1)
