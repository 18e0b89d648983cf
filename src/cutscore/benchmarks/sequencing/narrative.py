"""What happens in a film, shot by shot: written beside it by a person, by a model that watched it, or by the stage."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pydantic import Field, JsonValue

from cutscore.authoring.footage import Clip
from cutscore.authoring.writers import Writer
from cutscore.benchmarks.sequencing.synopsis import beside
from cutscore.core.frozen import FrozenModel
from cutscore.prompts import load_prompt
from cutscore.stage.scene import Scene
from cutscore.stage.timeline import Event, timeline

PROMPTS = Path(__file__).parent / "prompts" / "build"
SUFFIX = ".narrative.md"
LONGEST = 4000  # characters: two sentences for each of twenty shots
OPENING = "What happens in the film, shot by shot:"

# What becomes of a thing, by the kind of change; what is missing here is told by its own name.
_HAPPENS = {
    "move": "moves",
    "feel": "looks",
    "appear": "appears",
    "vanish": "is gone",
    "held": "is taken",
    "part": "is let go",
    "on": "is put down",
    "inside": "is put away",
    "turn": "turns",
    "fill": "fills",
    "count": "changes in number",
}
_WITH_RESULT = {"feel"}


class _Written(FrozenModel):
    narrative: str = Field(min_length=20, max_length=LONGEST)


def narrative(clip: Clip, writer: Writer) -> str | None:
    """Tell what happens in a film in its order: NAME.narrative.md beside it, else the model, else the acts of a scene.

    Args:
        clip: The film.
        writer: A model with the prompt for it; nobody when its name is empty.

    Returns:
        Words that tell the order; None where nobody says it.
    """
    told = beside(clip, SUFFIX, longest=LONGEST)
    if told is None and writer.model:
        told = writer.write(clip.ref, _written)
    if told is None and clip.scene is not None:
        told = staged_narrative(clip.scene)
    return None if told is None else f"{OPENING}\n\n{told}"


def narrator(writer: Writer, flags: Mapping[str, Path], *, model: str) -> Writer:
    """Return the writer of a synopsis the other prompt, and a model or none."""
    return replace(writer, model=model, prompt=load_prompt("narrative", folder=PROMPTS, flags=flags))


def staged_narrative(scene: Scene) -> str:
    """Tell the shots of a scene one by one: what is in the picture, what happens, what is said."""
    events = timeline(scene)
    shots = [event for event in events if event.kind == "shot"]
    return " ".join(
        _told(scene, number, shot, [each for each in events if shot.start_s <= each.start_s < shot.end_s])
        for number, shot in enumerate(shots, 1)
    )


def _told(scene: Scene, number: int, shot: Event, inside: list[Event]) -> str:
    of = f" of the {scene.thing(shot.who[0]).kind}" if shot.who else ""
    steps = [event.text for event in inside if event.kind == "step"]
    acts = steps or list(dict.fromkeys(_act(scene, event) for event in inside if event.kind == "change"))
    lines = [event.text for event in inside if event.kind == "line"]
    # A voice that reads a step aloud says nothing new, also when the film ends before it does.
    said = [line for line in lines if not any(step.startswith(line) for step in steps)]
    happens = f"{number}. {shot.what.capitalize()} shot{of}{': ' if acts else ''}{'; '.join(acts)}."
    return " ".join([happens, *(f'A voice says: "{line}"' for line in said)])


def _act(scene: Scene, event: Event) -> str:
    what = _HAPPENS.get(event.what, f"changes ({event.what})")
    result = f" {event.after}" if event.what in _WITH_RESULT else ""
    return f"the {scene.thing(event.who[0]).kind} {what}{result}"


def _written(reply: JsonValue) -> str:
    return " ".join(_Written.model_validate(reply).narrative.split())
