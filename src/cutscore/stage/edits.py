"""Edits of scenes as data: what an editor of video may be asked to do, with the exact answer.

`apply` gives the scene after the edit, `inverse` the edit that takes it back; `differences.py` says what
changed and what did not.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue, StringConstraints

from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.frozen import FrozenModel
from cutscore.stage.palette import Colour
from cutscore.stage.retiming import retime
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Backdrop, Filter, Light, Shot, Weather
from cutscore.stage.things import Change, Exact, Id, Material, Move, Recolour, Text, Thing, track_of


class Add(FrozenModel):
    """Put a thing on the stage, and what happens to it."""

    edit: Literal["add"] = "add"
    thing: Thing
    changes: tuple[Change, ...] = ()


class Remove(FrozenModel):
    """Take a thing away with everything that happens to it; steps and shots that name it forget it."""

    edit: Literal["remove"] = "remove"
    thing: Id


class Replace(FrozenModel):
    """Put another kind of thing in its place: same name, place and moves, natural size unless given."""

    edit: Literal["replace"] = "replace"
    thing: Id
    kind: Id
    material: Material | None = None
    width: Annotated[Exact, Field(ge=0)] = Fraction(0)


class Paint(FrozenModel):
    """Give a thing, or what is in it, another colour from the beginning on; later recolouring of that part goes."""

    edit: Literal["paint"] = "paint"
    thing: Id
    colour: Colour
    part: Literal["body", "filling"] = "body"


class Shift(FrozenModel):
    """Move a thing, and everywhere it goes, by some units."""

    edit: Literal["shift"] = "shift"
    thing: Id
    x: Exact = Fraction(0)
    y: Exact = Fraction(0)


class Direct(FrozenModel):
    """Give a thing another motion: its moves and turns go, and these changes come."""

    edit: Literal["direct"] = "direct"
    thing: Id
    changes: tuple[Change, ...] = ()


class Restyle(FrozenModel):
    """Show everything through other filters."""

    edit: Literal["restyle"] = "restyle"
    style: tuple[Filter, ...]


class Dress(FrozenModel):
    """Change what a place looks like; what is left out stays."""

    edit: Literal["dress"] = "dress"
    place: Id = "stage"
    backdrop: Backdrop | None = None
    colour: Colour | None = None
    light: Light | None = None
    weather: Weather | None = None


class Refilm(FrozenModel):
    """Film it otherwise."""

    edit: Literal["film"] = "film"
    shots: tuple[Shot, ...]


class Rewrite(FrozenModel):
    """Change a written text, wherever it stands: captions and writing on things."""

    edit: Literal["rewrite"] = "rewrite"
    old: Annotated[str, StringConstraints(min_length=1)]
    new: Text


class Speed(FrozenModel):
    """Let everything happen `factor` times as fast."""

    edit: Literal["speed"] = "speed"
    factor: Annotated[Exact, Field(gt=0, le=100)]


class Put(FrozenModel):
    """Set fields of the scene to values; what `inverse` gives."""

    edit: Literal["put"] = "put"
    fields: dict[str, JsonValue]


Edit = Annotated[
    Add | Remove | Replace | Paint | Shift | Direct | Restyle | Dress | Refilm | Rewrite | Speed | Put,
    Field(discriminator="edit"),
]


def apply(scene: Scene, edit: Edit) -> Scene:
    """Return the scene after an edit.

    Raises:
        UnknownName: It names a thing or a place that is not in the scene.
        BadInput: It cannot be done, with the reason.
    """
    fields = _EDITORS[edit.edit](scene, edit)
    try:
        return Scene.model_validate({**scene.model_dump(), **fields})
    except ValueError as error:  # pydantic's own are ValueErrors too
        raise BadInput(f"scene '{scene.name}'", f"cannot be edited so: {_first_line(error)}") from None


def inverse(scene: Scene, edit: Edit) -> Put:
    """Return the edit that takes the edited scene back to this one."""
    before, after = scene.model_dump(mode="json"), apply(scene, edit).model_dump(mode="json")
    return Put(fields={name: value for name, value in before.items() if after[name] != value})


def _first_line(error: ValueError) -> str:
    errors = getattr(error, "errors", None)
    return str(errors(include_url=False)[0]["msg"]).removeprefix("Value error, ") if errors else str(error)


def _alter(scene: Scene, edit: Replace | Paint | Shift | Direct) -> dict[str, Any]:
    """Change one thing and what happens to it."""
    thing = scene.thing(edit.thing)
    update: dict[str, Any] = {}
    extra: tuple[Change, ...] = ()
    if isinstance(edit, Replace):
        update = {"kind": edit.kind, "width": edit.width, "height": Fraction(0)}
        update |= {} if edit.material is None else {"material": edit.material}
    elif isinstance(edit, Paint):
        update = {"colour" if edit.part == "body" else "filling": edit.colour}
    elif isinstance(edit, Shift):
        update = {"x": thing.x + edit.x, "y": thing.y + edit.y}
    else:
        extra = edit.changes

    def kept(change: Change) -> Change | None:
        if change.thing != edit.thing:
            return change
        if isinstance(edit, Direct) and track_of(change) in ("move", "turn"):
            return None
        if isinstance(edit, Paint) and isinstance(change, Recolour) and change.part == edit.part:
            return None
        if isinstance(edit, Shift) and isinstance(change, Move):
            return change.model_copy(update={"x": change.x + edit.x, "y": change.y + edit.y})
        return change

    things = tuple(thing.model_copy(update=update) if each is thing else each for each in scene.things)
    fields = _map_changes(scene, kept)
    return {"things": things, **fields, "changes": (*fields["changes"], *extra)}


def _map_changes(scene: Scene, kept: Callable[[Change], Change | None]) -> dict[str, Any]:
    """Return changes and steps with every change replaced by what is kept of it."""

    def keep_all(changes: tuple[Change, ...]) -> tuple[Change, ...]:
        return tuple(new for new in map(kept, changes) if new is not None)

    steps = tuple(step.model_copy(update={"changes": keep_all(step.changes)}) for step in scene.steps)
    return {"changes": keep_all(scene.changes), "steps": steps}


def _remove(scene: Scene, edit: Remove) -> dict[str, Any]:
    name = scene.thing(edit.thing).id

    def kept(change: Change) -> Change | None:
        return None if name in (change.thing, getattr(change, "to", None)) else change

    fields = _map_changes(scene, kept)
    fields["steps"] = tuple(
        step.model_copy(
            update={
                "actor": None if step.actor == name else step.actor,
                "tool": None if step.tool == name else step.tool,
                "objects": tuple(each for each in step.objects if each != name),
            }
        )
        for step in fields["steps"]
    )
    fields["shots"] = tuple(
        shot.model_copy(update={"on": None, "follow": False}) if shot.on == name else shot for shot in scene.shots
    )
    fields["lines"] = tuple(
        line.model_copy(update={"speaker": None}) if line.speaker == name else line for line in scene.lines
    )
    return {"things": tuple(thing for thing in scene.things if thing.id != name), **fields}


def _dress(scene: Scene, edit: Dress) -> dict[str, Any]:
    if edit.place not in {place.id for place in scene.places}:
        raise UnknownName.among("place", edit.place, (place.id for place in scene.places))
    update = edit.model_dump(exclude={"edit", "place"}, exclude_none=True)
    return {
        "places": tuple({**place.model_dump(), **update} if place.id == edit.place else place for place in scene.places)
    }


def _rewrite(scene: Scene, edit: Rewrite) -> dict[str, Any]:
    captions = tuple(
        caption.model_copy(update={"text": edit.new}) if caption.text == edit.old else caption
        for caption in scene.captions
    )
    things = tuple(
        thing.model_copy(update={"text": edit.new}) if thing.text == edit.old else thing for thing in scene.things
    )

    def kept(change: Change) -> Change | None:
        rewritten = change.what == "write" and change.to == edit.old
        return change.model_copy(update={"to": edit.new}) if rewritten else change

    fields = {"captions": captions, "things": things, **_map_changes(scene, kept)}
    if all(getattr(scene, name) == value for name, value in fields.items()):
        raise BadInput(f"scene '{scene.name}'", f"has no text '{edit.old[:40]}'")
    return fields


_EDITORS: dict[str, Callable[[Scene, Any], dict[str, Any]]] = {
    "add": lambda scene, edit: {
        "things": (*scene.things, edit.thing),
        "changes": (*scene.changes, *edit.changes),
    },
    "remove": _remove,
    "replace": _alter,
    "paint": _alter,
    "shift": _alter,
    "direct": _alter,
    "restyle": lambda scene, edit: {"style": edit.style},
    "dress": _dress,
    "film": lambda scene, edit: {"shots": edit.shots},
    "rewrite": _rewrite,
    "speed": lambda scene, edit: retime(scene, 1 / edit.factor).model_dump(),
    "put": lambda scene, edit: edit.fields,
}
