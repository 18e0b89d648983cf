"""The truth about a frame: which things are seen where, what they are like, and how they stand to each other.

It is read from the layout that the pixels are painted from, by the same sprites, so boxes fit to the pixel. A thing is
where at least a sixth of a pixel is its own (glass is thin); it hides what is behind it where it covers half of one.
Arms belong to no box: they only hide things.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from cutscore.core.frozen import Finite, FrozenModel
from cutscore.core.timeline import Seconds
from cutscore.stage.blend import as_bytes, as_corners, outline
from cutscore.stage.camera import shot_at
from cutscore.stage.captions import caption_panel
from cutscore.stage.layout import ArmPart, Figure, Layout, layout
from cutscore.stage.paint import sprite
from cutscore.stage.palette import Colour, Rgb
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Place
from cutscore.stage.states import Animation
from cutscore.stage.style import apply_tone
from cutscore.stage.things import Exact, Material, Mood
from cutscore.stage.weather import apply_light

_OWN, _HIDING = 43, 128  # of 255
_NEAR = 2  # pixels between two things that touch

RelationKind = Literal["left-of", "above", "holds", "inside", "on", "touches"]
Box = tuple[int, int, int, int]
Shape = npt.NDArray[np.bool_]


class VisibleThing(FrozenModel):
    """A thing in a frame.

    Args:
        rgb: The body's colour as the light and the filters show it.
        box: Left, top, right, bottom in pixels, the last two just outside; hidden parts count, those off the picture
            do not.
        x, y: Its middle in pixels; may lie outside of the picture.
        visible: Share of the thing that is in the picture and not hidden, 0 to 1.
        framed: Share of it that is in the picture, hidden or not.
        hidden_by: What hides some of it; `caption` and an actor's arm (by the actor's name) count.
        presence: Below 1 while it fades in or out.
    """

    id: str
    kind: str
    colour: Colour
    rgb: Rgb
    material: Material
    box: Box
    x: Finite
    y: Finite
    visible: Finite
    framed: Finite
    hidden_by: tuple[str, ...] = ()
    presence: Finite
    fill: Exact
    filling: Colour
    count: int
    mood: Mood
    text: str
    turn: Exact


class Relation(FrozenModel):
    """`one` stands to `other` like this: left of it (no overlap from left to right), above it, holds it, and so on."""

    one: str
    what: RelationKind
    other: str


class SceneGraph(FrozenModel):
    """What a frame shows: things that are at least partly visible, from the back to the front."""

    frame: int
    at_s: Seconds
    shot: int
    place: Place
    things: tuple[VisibleThing, ...]
    relations: tuple[Relation, ...]

    def thing(self, name: str) -> VisibleThing | None:
        """Return a thing by its id, or None when it is not seen."""
        return next((thing for thing in self.things if thing.id == name), None)


class SceneGraphBuilder:
    """Builds the graphs of one scene's frames."""

    def __init__(self, scene: Scene) -> None:
        self._scene, self._performance = scene, Animation(scene)

    def graph(self, number: int) -> SceneGraph:
        """Return what frame `number` shows."""
        scene = self._scene
        picture = layout(self._performance, number)
        traces = _traces(picture, scene)
        things = tuple(_visible_thing(trace, picture, scene) for trace in traces if trace.visible)
        kept = {thing.id for thing in things}
        relations = (
            _join_relations(picture, kept)
            + _side_relations(things)
            + _touch_relations([t for t in traces if t.name in kept])
        )
        return SceneGraph(
            frame=number,
            at_s=picture.at_s,
            shot=shot_at(scene, picture.at_s).number,
            place=picture.place,
            things=things,
            relations=tuple(relations),
        )


def scene_graph(scene: Scene, number: int) -> SceneGraph:
    """Return what one frame of a scene shows."""
    return SceneGraphBuilder(scene).graph(number)


@dataclass(frozen=True, eq=False)
class _Trace:
    """The pixels of a thing in a frame: all of it in the picture, and how many are visible and were painted in all."""

    figure: Figure
    box: Box
    shape: Shape
    visible: int
    whole: int
    hidden_by: tuple[str, ...]

    @property
    def name(self) -> str:
        """Return the id of the thing."""
        return self.figure.state.thing.id


def _traces(picture: Layout, scene: Scene) -> list[_Trace]:
    """Go from the front to the back and note what is hidden already."""
    names = ["", "caption"]
    hiding = np.zeros((scene.height, scene.width), np.int16)
    for words in picture.captions:
        place = caption_panel(words, scene.width, scene.height)
        hiding[max(0, place.top) : place.bottom, max(0, place.left) : place.right] = 1
    found: list[_Trace] = []
    for each in reversed(picture.drawn):
        if isinstance(each, Figure):
            names.append(each.state.thing.id)
            trace = _trace(each, hiding, names)
            found += [trace] if trace is not None else []
        elif isinstance(each, ArmPart) and each.alpha >= _HIDING:
            names.append(each.owner)
            arm = outline(as_corners(each.points), scene.width, scene.height) >= _HIDING
            hiding[arm & (hiding == 0)] = len(names) - 1
    return found[::-1]


def _trace(figure: Figure, hiding: npt.NDArray[np.int16], names: list[str]) -> _Trace | None:
    painted = sprite(figure.pose)
    height, width = painted.cover.shape
    left, top = figure.x - painted.middle[0], figure.y - painted.middle[1]
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(hiding.shape[1], left + width), min(hiding.shape[0], top + height)
    if x0 >= x1 or y0 >= y1:
        return None
    cover = painted.cover[y0 - top : y1 - top, x0 - left : x1 - left]
    own, before = cover >= _OWN, hiding[y0:y1, x0:x1]
    rows, columns = np.flatnonzero(own.any(axis=1)), np.flatnonzero(own.any(axis=0))
    if not len(rows):
        return None
    hidden = own & (before > 0)
    who = tuple(sorted({names[n] for n in np.unique(before[hidden])} - {figure.state.thing.id}))
    visible, whole = int((own & ~hidden).sum()), int((painted.cover >= _OWN).sum())
    if figure.state.presence >= _HIDING:
        before[(cover >= _HIDING) & (before == 0)] = len(names) - 1
    box = (x0 + int(columns[0]), y0 + int(rows[0]), x0 + int(columns[-1]) + 1, y0 + int(rows[-1]) + 1)
    shape = own[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return _Trace(figure, box, shape, visible, whole, who)


def _visible_thing(trace: _Trace, picture: Layout, scene: Scene) -> VisibleThing:
    state, pose = trace.figure.state, trace.figure.pose
    red, green, blue = apply_light(np.array([[state.rgb]], np.uint8), picture.place)[0, 0].tolist()
    return VisibleThing(
        id=trace.name,
        kind=state.kind,
        colour=state.colour,
        rgb=apply_tone((red, green, blue), scene.style),
        material=state.thing.material,
        box=trace.box,
        x=trace.figure.x + pose.phase[0] / 16,
        y=trace.figure.y + pose.phase[1] / 16,
        visible=round(trace.visible / trace.whole, 4),
        framed=round(int(trace.shape.sum()) / trace.whole, 4),
        hidden_by=trace.hidden_by,
        presence=state.presence / 256,
        fill=Fraction(round(state.fill * 10_000), 10_000),
        filling=state.filling,
        count=state.count,
        mood=state.mood,
        text=state.text,
        turn=Fraction(pose.turn, 64),
    )


def _join_relations(picture: Layout, kept: set[str]) -> list[Relation]:
    found = []
    for figure in picture.figures:
        name, joined = figure.state.thing.id, figure.state.joined
        if joined is not None and {name, joined[0]} <= kept:
            other, link = joined
            if link == "held":
                found.append(Relation(one=other, what="holds", other=name))
            else:
                found.append(Relation(one=name, what=link, other=other))
    return found


def _side_relations(things: tuple[VisibleThing, ...]) -> list[Relation]:
    found = []
    for one in things:
        for other in things:
            if one.box[2] <= other.box[0]:
                found.append(Relation(one=one.id, what="left-of", other=other.id))
            if one.box[3] <= other.box[1]:
                found.append(Relation(one=one.id, what="above", other=other.id))
    return found


def _touch_relations(traces: list[_Trace]) -> list[Relation]:
    return [
        Relation(one=one.name, what="touches", other=other.name)
        for n, one in enumerate(traces)
        for other in traces[n + 1 :]
        if _touch(one, other)
    ]


def _touch(one: _Trace, other: _Trace) -> bool:
    """Return whether two things come as near as `_NEAR` pixels anywhere, hidden or not."""
    left, top = max(one.box[0], other.box[0]) - _NEAR, max(one.box[1], other.box[1]) - _NEAR
    right, bottom = min(one.box[2], other.box[2]) + _NEAR, min(one.box[3], other.box[3]) + _NEAR
    if left >= right or top >= bottom:
        return False
    window = (left - _NEAR, top - _NEAR, right + _NEAR, bottom + _NEAR)
    wide = as_bytes(cv2.dilate(_cut(one, window), np.ones((2 * _NEAR + 1, 2 * _NEAR + 1), np.uint8)))
    return bool((wide & _cut(other, window)).any())


def _cut(trace: _Trace, window: Box) -> npt.NDArray[np.uint8]:
    """Return a thing's pixels within a window, which may reach beyond it."""
    left, top, right, bottom = window
    out = np.zeros((bottom - top, right - left), np.uint8)
    x0, y0, x1, y1 = trace.box
    a, b, c, d = max(x0, left), max(y0, top), min(x1, right), min(y1, bottom)
    if a < c and b < d:
        out[b - top : d - top, a - left : c - left] = trace.shape[b - y0 : d - y0, a - x0 : c - x0]
    return out
