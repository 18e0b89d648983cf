"""What a film tells: its synopsis, in a sentence or two, and its narrative, shot by shot.

A person writes either beside the film (`NAME.synopsis.md`, `NAME.narrative.md`). Where nobody did, a model writes it
after watching the film, or a scene of the stage tells it itself.
"""

from dataclasses import dataclass
from functools import partial

from pydantic import Field, JsonValue

from cutscore.authoring.footage import SourceClip
from cutscore.authoring.model_writer import ModelWriter
from cutscore.authoring.source_facts import note_path, read_note
from cutscore.core.errors import BadInput
from cutscore.core.frozen import FrozenModel
from cutscore.stage.scene import Scene
from cutscore.stage.timeline import Event, timeline

SYNOPSIS, NARRATIVE = ".synopsis.md", ".narrative.md"
LONGEST_SYNOPSIS = 600  # characters: two long sentences
LONGEST_NARRATIVE = 4000  # characters: two sentences for each of twenty shots
PERSON, STAGE = "a person", "the stage"
OPENING = "What happens in the film, shot by shot:"

# What becomes of a thing, by the kind of change; any other kind is told by its own name.
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


@dataclass(frozen=True)
class Synopsis:
    """The words, and who wrote them."""

    text: str
    author: str


class _SynopsisReply(FrozenModel):
    text: str = Field(alias="synopsis", min_length=20, max_length=LONGEST_SYNOPSIS)


class _NarrativeReply(FrozenModel):
    text: str = Field(alias="narrative", min_length=20, max_length=LONGEST_NARRATIVE)


def synopsis(clip: SourceClip, writer: ModelWriter) -> Synopsis:
    """Return the note beside a film, else what the model writes, else the title of a scene of the stage.

    Raises:
        BadInput: None of the three exists, or the note is empty or too long.
    """
    if (note := read_note(clip, SYNOPSIS, longest=LONGEST_SYNOPSIS)) is not None:
        return Synopsis(note, PERSON)
    if writer.model:
        return Synopsis(writer.write(clip.ref, partial(_read_reply, _SynopsisReply)), writer.model)
    if clip.scene is not None:
        return Synopsis(clip.scene.title, STAGE)
    missing = f"write {note_path(clip, SYNOPSIS).name} beside it, or add --model"
    raise BadInput(f"film '{clip.name}'", "nobody says what it tells", missing)


def narrative(clip: SourceClip, writer: ModelWriter) -> str | None:
    """Return the note beside a film, else what the model writes, else the acts of a scene of the stage; else None."""
    text = read_note(clip, NARRATIVE, longest=LONGEST_NARRATIVE)
    if text is None and writer.model:
        text = writer.write(clip.ref, partial(_read_reply, _NarrativeReply))
    if text is None and clip.scene is not None:
        text = staged_narrative(clip.scene)
    return None if text is None else f"{OPENING}\n\n{text}"


def staged_narrative(scene: Scene) -> str:
    """Tell the shots of a scene one by one: what is in the picture, what happens, what is said."""
    events = timeline(scene)
    shots = [event for event in events if event.kind == "shot"]
    return " ".join(
        _shot_text(scene, number, shot, [each for each in events if shot.start_s <= each.start_s < shot.end_s])
        for number, shot in enumerate(shots, 1)
    )


def _shot_text(scene: Scene, number: int, shot: Event, inside: list[Event]) -> str:
    of = f" of the {scene.thing(shot.who[0]).kind}" if shot.who else ""
    steps = [event.text for event in inside if event.kind == "step"]
    acts = steps or list(dict.fromkeys(_act_text(scene, event) for event in inside if event.kind == "change"))
    lines = [event.text for event in inside if event.kind == "line"]
    # A voice that reads a step aloud says nothing new, also when the film ends before it does.
    new_lines = [line for line in lines if not any(step.startswith(line) for step in steps)]
    happens = f"{number}. {shot.what.capitalize()} shot{of}{': ' if acts else ''}{'; '.join(acts)}."
    return " ".join([happens, *(f'A voice says: "{line}"' for line in new_lines)])


def _act_text(scene: Scene, event: Event) -> str:
    what = _HAPPENS.get(event.what, f"changes ({event.what})")
    result = f" {event.after}" if event.what == "feel" else ""
    return f"the {scene.thing(event.who[0]).kind} {what}{result}"


def _read_reply(kind: type[_SynopsisReply] | type[_NarrativeReply], reply: JsonValue) -> str:
    return " ".join(kind.model_validate(reply).text.split())
