"""What a viewer of a scene sees without being told: colours, contents, numbers, writing, sides.

Only what is plainly there is asked about: a thing that is in the picture, uncovered and large enough, for at least an
eighth of the clip without a break, or a sixteenth at its beginning or end, so that whoever gets the middles of eight
equal parts has seen it in one of them.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import groupby, pairwise

import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.vidwork.procedures.procedure import Sight
from cutscore.benchmarks.vidwork.words import word_set
from cutscore.media.orientation import Pixels
from cutscore.stage.graph import SceneGraph, SceneGraphBuilder, VisibleThing
from cutscore.stage.palette import COLOURS, RGB, Colour
from cutscore.stage.render import FrameRenderer
from cutscore.stage.scene import Scene
from cutscore.stage.things import Thing

PARTS = 8  # of the clip
LOOKS = 2 * PARTS  # at even times: each frame of those eight lies between two looks
VISIBLE, FRAMED = 0.7, 0.95
SMALLEST = 0.0012  # of the picture: a square of 11 pixels in 426 × 240
LEGIBLE = 0.2  # of the picture's height that a thing with writing on it has
# Shares of a thing's box that have its colour, to one who calls each pixel by the nearest colour of the palette.
ALL_OVER, DRESSED, CONTAINED = 0.33, 0.2, 0.06
# People disagree about what to call these two, or how to write it.
DISPUTED: frozenset[Colour] = frozenset({"cyan", "grey"})

VESSELS = frozenset({"bottle", "bowl", "bucket", "cup", "glass", "jug", "pan", "pot"})
# Whoever hears of a tomato says red.
NATURAL = word_set("apples bread carrot cheese eggs flames foam lemon ring slices steam stream toast tomato wound")
STAYING = frozenset({"counter", "person", "robot"})  # no neighbours: one is everywhere, the others walk about
PLURAL = frozenset({"apples", "eggs", "slices"})
COUNTED = {
    "apples": "apples are to be seen",
    "arm": "plasters are on the arm",
    "cake": "candles are on the cake",
    "eggs": "eggs are to be seen",
}
_COARSE = 3  # bits of a pixel that do not matter
STARTS, ENDS = "at the beginning", "at the end"


def find_sights(scene: Scene) -> tuple[Sight, ...]:
    """Return all that may be asked about what is seen in a scene, in order of kind and then of the scene's things."""
    view = _SceneViewer(scene)
    return (*_colours(view), *_contents(view), *_numbers(view), *_writing(view), *_sides(view))


@dataclass(frozen=True, eq=False)
class _SceneLook:
    """One frame, and what is in it."""

    at_s: Fraction
    graph: SceneGraph
    pixels: Pixels

    def share(self, seen: VisibleThing, colour: Colour) -> float:
        """Return the share of a thing's box whose pixels are nearer to a colour than to any other of the palette."""
        left, top, right, bottom = seen.box
        red, green, blue = np.moveaxis(self.pixels[top:bottom, left:right] >> _COARSE, 2, 0)
        return float((_nearest_colours()[red, green, blue] == COLOURS.index(colour)).mean())


@cache
def _nearest_colours() -> npt.NDArray[np.intp]:
    """Return the nearest colour of the palette, by number, for coarse red, green and blue."""
    steps = np.arange(0, 256, 1 << _COARSE) + (1 << _COARSE >> 1)
    every = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1)
    away = np.stack([((every - RGB[name]) ** 2).sum(axis=-1) for name in COLOURS])
    nearest: npt.NDArray[np.intp] = np.argmin(away, axis=0)
    return nearest


class _SceneViewer:
    """A scene as it is looked at, again and again."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        kinds = Counter(thing.kind for thing in scene.things)
        self.named = {thing.id: name for thing in scene.things if (name := noun(thing)) and kinds[thing.kind] == 1}

    @cached_property
    def looks(self) -> Sequence[_SceneLook]:
        scene, witness, studio = self.scene, SceneGraphBuilder(self.scene), FrameRenderer(self.scene)
        numbers = sorted({(2 * n + 1) * scene.frames // (2 * LOOKS) for n in range(LOOKS)})
        return [_SceneLook(number / scene.rate, witness.graph(number), studio.frame(number)) for number in numbers]

    def sights(
        self, holds: Callable[[_SceneLook], bool], question: str, answer: str, key_term: str, when: str = ""
    ) -> Iterator[Sight]:
        """Ask about the longest stretch in which something holds, or that at the beginning or end, unless too short."""
        runs = [list(run) for is_so, run in groupby(self.looks, key=holds) if is_so]
        if when:
            edge = self.looks[0 if when == STARTS else -1]
            runs = [run for run in runs if edge in (run[0], run[-1])]
        best = max(runs, key=len, default=[])
        if len(best) > LOOKS // (2 * PARTS if when else PARTS):
            # From look to look: what lies before the first and after the last one is not known.
            start_s, end_s = best[0].at_s, best[-1].at_s
            yield Sight(start_s=start_s, end_s=end_s, question=question, answer=answer, key_terms=(key_term,))

    def clear(self, look: _SceneLook, name: str) -> VisibleThing | None:
        """Return a thing if it is plainly seen."""
        seen = look.graph.thing(name)
        if seen is None or seen.presence < 1 or seen.visible < VISIBLE or seen.framed < FRAMED:
            return None
        left, top, right, bottom = seen.box
        area = self.scene.width * self.scene.height
        return seen if (right - left) * (bottom - top) >= SMALLEST * area else None


def noun(thing: Thing) -> str:
    """Name a thing as a viewer would; empty where scene and figure call it by different names.

    A vessel is called by its figure, whatever is in it.
    """
    figure, name = thing.kind.replace("-", " "), thing.id.replace("-", " ")
    if thing.kind in VESSELS or figure == name or figure.endswith(name):
        return figure
    return {"person": "person", "robot": "robot"}.get(thing.kind, "")


def _colours(view: _SceneViewer) -> Iterator[Sight]:
    """Ask for colours that their names do not give away."""
    for name, called in view.named.items():
        thing = view.scene.thing(name)
        if thing.kind in NATURAL or thing.material == "wood":
            continue
        owner = {"person": "shirt of the person", "robot": "body of the robot"}.get(called, called)
        share = DRESSED if owner != called else ALL_OVER
        changes = [change for change in view.scene.all_changes() if change.thing == name and change.what == "recolour"]
        colours = [thing.colour, *(change.to for change in changes if change.part == "body")]
        asked = {"": colours[0]} if len(colours) == 1 else {STARTS: colours[0], ENDS: colours[-1]}
        for when, colour in asked.items():
            yield from _colour_sights(view, name, f"the {owner}", colour, when, share=share)


def _contents(view: _SceneViewer) -> Iterator[Sight]:
    for name, called in view.named.items():
        thing = view.scene.thing(name)
        changes = [change for change in view.scene.all_changes() if change.thing == name]
        if thing.kind not in VESSELS or (not thing.fill and not any(change.what == "fill" for change in changes)):
            continue
        colours = [thing.filling, *(each.to for each in changes if each.what == "recolour" and each.part == "filling")]
        asked = {"": colours[0]} if len(colours) == 1 else {ENDS: colours[-1]}
        for when, colour in asked.items():
            if colour != thing.colour:
                yield from _colour_sights(
                    view, name, f"the contents of the {called}", colour, when, share=CONTAINED, inside=True
                )


def _colour_sights(
    view: _SceneViewer, name: str, what: str, colour: Colour, when: str, *, share: float, inside: bool = False
) -> Iterator[Sight]:
    """Ask for the colour of a thing, or of what is inside it, while so large a share of its box has that colour."""
    if colour in DISPUTED:
        return

    def shown(look: _SceneLook) -> bool:
        seen = view.clear(look, name)
        if seen is None or (inside and not seen.fill) or (seen.filling if inside else seen.colour) != colour:
            return False
        return look.share(seen, colour) >= share

    verb, then = "are" if inside else "is", f" {when}" if when else ""
    answer = f"T{what[1:]} {verb} {colour}{then}."
    yield from view.sights(shown, f"What colour {verb} {what}{then}?", answer, colour, when)


def _numbers(view: _SceneViewer) -> Iterator[Sight]:
    kinds = Counter(thing.kind for thing in view.scene.things)
    for thing in view.scene.things:
        if thing.kind not in COUNTED or kinds[thing.kind] > 1:
            continue
        for when in (STARTS, ENDS):
            seen = view.clear(view.looks[0 if when == STARTS else -1], thing.id)
            if seen is None or not seen.count:
                continue

            def shown(look: _SceneLook, name: str = thing.id, number: int = seen.count) -> bool:
                each = view.clear(look, name)
                return each is not None and each.count == number

            what, number = COUNTED[thing.kind], str(seen.count)
            yield from view.sights(shown, f"How many {what} {when}?", f"{number} {what.split()[0]}.", number, when)


def _writing(view: _SceneViewer) -> Iterator[Sight]:
    for name, called in view.named.items():
        thing = view.scene.thing(name)
        if not thing.text or any(c.thing == name and c.what == "write" for c in view.scene.all_changes()):
            continue

        def shown(look: _SceneLook, name: str = name) -> bool:
            seen = view.clear(look, name)
            return seen is not None and seen.box[3] - seen.box[1] >= LEGIBLE * view.scene.height

        yield from view.sights(shown, f"What is written on the {called}?", thing.text, thing.text)


def _sides(view: _SceneViewer) -> Iterator[Sight]:
    """Ask on which side of its neighbour a thing stands before anybody moves it."""
    first = view.looks[0]
    apart = STAYING | PLURAL
    standing = [name for name in view.named if view.clear(first, name) and view.scene.thing(name).kind not in apart]
    standing.sort(key=lambda name: seen.x if (seen := first.graph.thing(name)) else 0.0)
    for n, (left, right) in enumerate(pairwise(standing)):

        def shown(look: _SceneLook, left: str = left, right: str = right) -> bool:
            one, other = view.clear(look, left), view.clear(look, right)
            return one is not None and other is not None and one.box[2] <= other.box[0]

        # Every other question is turned, so that no side is the better guess.
        (one, other), side = ((left, right), "left") if n % 2 == 0 else ((right, left), "right")
        question = f"On which side of the {view.named[other]} is the {view.named[one]} {STARTS}, as you see it?"
        yield from view.sights(shown, question, f"On the {side}.", side, STARTS)
