"""Storyboards: what each shot of a film shows and how it was filmed, by a person, the stage or a model.

Beside `NAME.mp4` may lie `NAME.storyboard.json`:

    {"story": "A child loses a kite.", "slots": [
      {"start_s": 0, "end_s": 2.5, "description": "A child flies a kite.", "shot_size": "medium shot",
       "camera_angle": "eye level", "lens": "normal lens", "camera_movement": "static"}, …]}

A camera field that is left out is open, and footage is then not filmed anew in that dimension; movement is measured.
"""

from collections.abc import Sequence
from typing import Annotated, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field, JsonValue, model_validator

from cutscore.authoring.footage import SourceClip
from cutscore.authoring.model_writer import ModelWriter
from cutscore.authoring.source_facts import film_shots, find_note, note_path
from cutscore.benchmarks.assembly.construction.distractors import LADDERS, LEVEL, NORMAL, STATIC
from cutscore.benchmarks.assembly.dataset import DIMENSIONS, StoryboardEntry
from cutscore.benchmarks.assembly.framing_estimate import estimate_change
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef
from cutscore.core.frozen import FrozenModel
from cutscore.core.strict_json import first_fault, read_json
from cutscore.core.timeline import Seconds, Span
from cutscore.stage.camera import TimedShot, timed_shots
from cutscore.stage.graph import VisibleThing, scene_graph
from cutscore.stage.scene import Scene

SUFFIX = ".storyboard.json"
PERSON, STAGE = "a person", "the stage"
_LONGEST_FILE = 200_000  # bytes
_MOST_THINGS = 4  # that a description of a staged shot names
_LEAST = 0.004  # of the picture that a thing must take up to be named
# From the first picture to the last, in widths and as a logarithm: below these a camera counts as static.
_PANS, _NEARS = 0.04, 0.05


class TimedStoryboardEntry(StoryboardEntry):
    """An entry of a person's storyboard, with the time of its shot."""

    start_s: Annotated[Seconds, Field(ge=0)]
    end_s: Seconds

    @model_validator(mode="after")
    def _lasts(self) -> Self:
        if self.end_s <= self.start_s:
            raise ValueError(f"a shot begins at {float(self.start_s):g} s and ends at {float(self.end_s):g} s")
        return self

    @property
    def span(self) -> Span:
        """When the shot is, in the film."""
        return Span(start_s=self.start_s, end_s=self.end_s)


class StoryboardNote(FrozenModel):
    """A person's storyboard of a film."""

    story: Annotated[str, Field(min_length=1, max_length=600)]
    slots: tuple[TimedStoryboardEntry, ...] = Field(min_length=1, max_length=1000)


def read_storyboard_note(film: SourceClip) -> StoryboardNote | None:
    """Read the storyboard beside a film, if there is one."""
    file = find_note(film, SUFFIX)
    if file is None:
        return None
    try:
        with file.open("rb") as stream:
            return StoryboardNote.model_validate(read_json(stream.read(_LONGEST_FILE).decode("utf-8")))
    except ValueError as fault:
        reason = first_fault(fault)[:200]
        raise BadInput(f"file '{file.name}'", f"is no storyboard: {reason}", "see docs/building.md") from None


def describe_shots(film: SourceClip, writer: ModelWriter) -> tuple[list[tuple[Span, StoryboardEntry | None]], str, str]:
    """Return the shots of a film with an entry for each (None: the model is to write it), the story, the author."""
    if (note := read_storyboard_note(film)) is not None:
        return [(entry.span, entry) for entry in note.slots], note.story, PERSON
    rate, shots = film_shots(film)
    spans = [Span(start_s=first / rate, end_s=end / rate) for first, end in shots]
    if film.scene is not None and not writer.model:
        return [*zip(spans, describe_staged_shots(film.scene), strict=True)], film.scene.title, STAGE
    if writer.model:
        return [(span, None) for span in spans], f"A film in {len(spans)} shots.", writer.model
    hint = f"write {note_path(film, SUFFIX).name} beside it, or add --model"
    raise BadInput(f"film '{film.name}'", "nobody says what its shots show", hint)


def write_entry(shot: FileRef, writer: ModelWriter) -> StoryboardEntry:
    """Let a model write what a shot shows and how it was filmed."""
    terms: dict[str, dict[str, None]] = {name: {} for name in DIMENSIONS}
    for ladder in LADDERS:
        terms[ladder.dimension] |= dict.fromkeys(ladder.terms)

    def read(reply: JsonValue) -> StoryboardEntry:
        entry = StoryboardEntry.model_validate(reply)
        for name, term in entry.camera.items():
            if term and term not in terms[name]:
                raise ValueError(f"{name} is '{term}', and not one of the terms that were listed")
        return entry

    listed = {name: ", ".join(f'"{term}"' for term in known) for name, known in terms.items()}
    return writer.write(shot, read, **listed)


def camera_movement(pictures: Sequence[npt.NDArray[np.uint8]]) -> str:
    """Return what the camera does from the first RGB picture of a shot to the last; empty when one cannot tell."""
    found = estimate_change(pictures[0], pictures[-1])
    if found.match < 0.5:
        return ""
    if max(abs(found.right), abs(found.down)) < _PANS and abs(found.closer) < _NEARS:
        return STATIC
    return _movement_term(found.closer if abs(found.closer) >= _NEARS else 0, found.right, found.down)


def _movement_term(closer: float, right: float, down: float) -> str:
    """Name the movement of a camera that moves; where it comes closer or goes back, that is it."""
    if closer:
        return "dolly in" if closer > 0 else "dolly out"
    if abs(right) >= abs(down):
        return "pan right" if right > 0 else "pan left"
    return "tilt down" if down > 0 else "tilt up"


_SIZES = {"wide": "wide shot", "medium": "medium shot", "close": "close-up"}
_PLACES = {
    "studio": "A studio",
    "kitchen": "A kitchen",
    "workshop": "A workshop",
    "laboratory": "A laboratory",
    "room": "A room",
    "park": "A park",
    "street": "A street",
    "sea": "The sea",
    "forest": "A forest",
    "tabletop": "A table, seen from above",
}
_LIGHTS = {"day": "", "dusk": " at dusk", "night": " at night"}
_WEATHERS = {"clear": "", "rain": ", in the rain", "snow": ", in the snow", "fog": ", in the fog"}


def describe_staged_shots(scene: Scene) -> list[StoryboardEntry]:
    """Return an entry for each shot of a scene, from its script."""
    return [_staged_entry(scene, take) for take in timed_shots(scene)]


def _staged_entry(scene: Scene, take: TimedShot) -> StoryboardEntry:
    middle_s = (take.span.start_s + take.span.end_s) / 2
    seen = scene_graph(scene, int(middle_s * scene.rate))
    lines = " ".join(line.text for line in scene.lines if take.span.start_s <= line.start_s < take.span.end_s)
    things, place = _things(seen.things, scene.width * scene.height), seen.place
    where = f"{_PLACES[place.backdrop]}{_LIGHTS[place.light]}{_WEATHERS[place.weather]}"
    words = f"{where}{': ' if things else ''}{things}."
    return StoryboardEntry(
        description=f"{words} {lines}".strip(),
        shot_size=_SIZES[take.shot.size],
        camera_angle=LEVEL,
        lens=NORMAL,
        camera_movement=_movement(take),
    )


def _things(seen: Sequence[VisibleThing], whole: int) -> str:
    """Return the names of the largest things of a picture, from the left to the right."""

    def area(thing: VisibleThing) -> float:
        left, top, right, bottom = thing.box
        return (right - left) * (bottom - top) * thing.visible / whole

    largest = sorted((thing for thing in seen if area(thing) >= _LEAST), key=area)[-_MOST_THINGS:]
    names = [_with_article(thing) for thing in sorted(largest, key=lambda thing: thing.x)]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _with_article(thing: VisibleThing) -> str:
    name = f"{thing.colour} {thing.kind.replace('-', ' ')}"
    return name if thing.kind.endswith("s") else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _movement(take: TimedShot) -> str:
    shot = take.shot
    if shot.follow:
        return "tracking shot"
    if shot.to is None:
        return STATIC
    return _movement_term(float(shot.to.zoom - 1), float(shot.to.x), float(shot.to.y))
