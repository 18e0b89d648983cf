"""What is drawn in a frame, and where, to the sixteenth of a pixel.

Pixels, truth and the comparison of two scenes all read this one list: two frames with equal layouts have equal pixels.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import floor

from cutscore.core.errors import BadInput
from cutscore.stage.blend import FINE
from cutscore.stage.camera import CameraView, view_at
from cutscore.stage.figures import FIGURES
from cutscore.stage.figures.kind import Appearance, bar, oval
from cutscore.stage.figures.people import SHOULDERS
from cutscore.stage.paint import Pose
from cutscore.stage.palette import SKINS, STEEL, Rgb, lighten
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Caption, Place
from cutscore.stage.states import Animation, State

# Positions are rounded to quarters of a pixel, so that a sprite that moves has sixteen versions and not 256.
_COARSE = FINE // 4
_ARM = 25  # units
_DARK = 24  # how dark a shadow is
_LARGEST = 1 << 26  # pixels of a figure, seen or not


@dataclass(frozen=True)
class Figure:
    """A thing in the picture: its pose, and the pixel of its middle."""

    state: State
    pose: Pose
    x: int
    y: int

    @property
    def key(self) -> tuple[object, ...]:
        """Return what its pixels depend on."""
        return self.pose, self.x, self.y, self.state.presence


@dataclass(frozen=True)
class Shadow:
    """A soft shadow: its size in sixteenths of a pixel, and where its middle is."""

    owner: str
    width: int
    height: int
    strength: int
    phase: tuple[int, int]
    x: int
    y: int

    @property
    def key(self) -> tuple[object, ...]:
        """Return what its pixels depend on."""
        return self.width, self.height, self.strength, self.phase, self.x, self.y


@dataclass(frozen=True)
class ArmPart:
    """A polygon in the picture that belongs to a thing but is not it: a part of an arm."""

    owner: str
    points: tuple[tuple[int, int], ...]
    rgb: Rgb
    alpha: int

    @property
    def key(self) -> tuple[object, ...]:
        """Return what its pixels depend on."""
        return self.points, self.rgb, self.alpha


@dataclass(frozen=True)
class Layout:
    """Everything that is drawn in a frame, from the back to the front."""

    number: int
    at_s: Fraction
    view: CameraView
    place: Place
    drawn: tuple[Figure | Shadow | ArmPart, ...]
    captions: tuple[Caption, ...]

    @property
    def figures(self) -> list[Figure]:
        """Return the things among what is drawn."""
        return [each for each in self.drawn if isinstance(each, Figure)]

    def key(self, scene: Scene) -> tuple[object, ...]:
        """Return what the pixels depend on: equal keys are equal pixels."""
        moving = self.place.weather != "clear" or "grain" in scene.style
        when = (self.number, scene.seed) if moving else ()
        words = tuple((caption.text, caption.at) for caption in self.captions)
        size = (scene.width, scene.height, scene.style)
        return self.view, self.place, tuple(each.key for each in self.drawn), words, when, size


def layout(performance: Animation, number: int) -> Layout:
    """Lay out frame `number`, which shows the scene at number ÷ rate seconds."""
    scene = performance.scene
    at_s = number / scene.rate
    view = view_at(performance, at_s)
    place = next(place for place in scene.places if place.id == view.place)
    states = performance.states(at_s, place.id)
    camera = _Camera(scene, view)
    drawn: list[Figure | Shadow | ArmPart] = []
    for state in states:
        drawn += camera.shadow(state, place)
        held = [other for other in states if other.joined == (state.thing.id, "held")]
        drawn.append(camera.figure(state, held))
    for state in states:  # arms reach over everything
        if state.joined is not None and state.joined[1] == "held":
            holder = next((other for other in states if other.thing.id == state.joined[0]), None)
            drawn += camera.arm(holder, state) if holder is not None else []
    captions = tuple(caption for caption in scene.captions if caption.start_s <= at_s < caption.end_s)
    return Layout(number, at_s, view, place, tuple(drawn), captions)


class _Camera:
    """Takes stage units to sixteenths of a pixel."""

    def __init__(self, scene: Scene, view: CameraView) -> None:
        self._view, self._scene = view, scene
        self._fine = view.scale * FINE

    def point(self, x: Fraction, y: Fraction) -> tuple[int, int]:
        """Return where a point of the stage is in the picture."""
        across = (x - self._view.x) * self._fine + self._scene.width * FINE // 2
        down = (y - self._view.y) * self._fine + self._scene.height * FINE // 2
        return floor(across + Fraction(1, 2)), floor(down + Fraction(1, 2))

    def length(self, units: Fraction) -> int:
        """Return a length of the stage as it is in the picture, at least 1."""
        return max(1, floor(units * self._fine + Fraction(1, 2)))

    def figure(self, state: State, held: list[State]) -> Figure:
        """Pose a thing; arms that hold something are drawn apart (`arm`)."""
        x, y = (value // _COARSE * _COARSE for value in self.point(state.x, state.y))
        busy = tuple(sorted({-1 if other.x < state.x else 1 for other in held})) if state.kind in SHOULDERS else ()
        look = Appearance(float(state.fill), state.count, state.mood, state.thing.look, busy)
        width, height = self.length(state.width), self.length(state.height)
        if width * height > _LARGEST * FINE * FINE:
            size = f"{width // FINE}×{height // FINE} pixels"
            raise BadInput(f"thing '{state.thing.id}'", f"is {size} in the picture", "make it smaller or zoom out")
        pose = Pose(
            kind=state.kind,
            look=look,
            rgb=state.rgb,
            filling_rgb=state.filling_rgb,
            material=state.thing.material,
            text=state.text,
            width=width,
            height=height,
            turn=floor(state.turn * 64 + Fraction(1, 2)),
            phase=(x % FINE, y % FINE),
        )
        return Figure(state, pose, x // FINE, y // FINE)

    def shadow(self, state: State, place: Place) -> list[Shadow]:
        """Lay a soft oval on what a thing stands on, or on the floor below what flies."""
        flies = state.thing.body is not None and bool(self._scene.world.gravity)
        above = place.backdrop == "tabletop"
        hovers = state.joined is not None or (state.lifted and not flies and not above)
        if hovers or not FIGURES[state.kind].shadow:
            return []
        y = state.y + state.height * (Fraction(1, 12) if above else Fraction(1, 2))
        tall = state.height if above else min(state.width / 6, Fraction(32))
        lift = Fraction(0)
        if flies:
            lift = max(Fraction(0), self._scene.world.floor - y)
            y = self._scene.world.floor
        strength = _DARK * 600 // (600 + floor(lift)) * state.presence // 256
        left, top = (value // _COARSE * _COARSE for value in self.point(state.x, y))
        phase = (left % FINE, top % FINE)
        size = (self.length(state.width), self.length(tall))
        return [Shadow(state.thing.id, *size, strength, phase, left // FINE, top // FINE)]

    def arm(self, holder: State, held: State) -> list[ArmPart]:
        """Draw an arm with an elbow from the shoulder to what it holds, and a hand."""
        if holder.kind not in SHOULDERS:
            return []
        kind = FIGURES[holder.kind]
        sx, sy = SHOULDERS[holder.kind][0 if held.x < holder.x else 1]
        x = holder.x + (Fraction(sx) / kind.width - Fraction(1, 2)) * holder.width
        y = holder.y + (Fraction(sy) / kind.height - Fraction(1, 2)) * holder.height
        thick = float(_ARM * holder.width / kind.width)
        dx, dy = float(held.x - x), float(held.y - y)
        bend = 0.18 * abs(dx)
        elbow, end = (dx * 0.5, dy * 0.5 + bend), (dx, dy)
        robot = holder.kind == "robot"
        sleeve = STEEL if robot else lighten(holder.rgb, -26)
        hand = STEEL if robot else SKINS[holder.thing.look % len(SKINS)]
        shapes = [
            (bar(0, 0, *elbow, thick), sleeve),
            (bar(*elbow, *end, thick * 0.9), sleeve),
            (oval(*end, thick * 0.56), hand),
        ]
        name, presence = holder.thing.id, min(holder.presence, held.presence)
        (left, top), fine = self.point(x, y), float(self._fine)
        placed = [tuple((left + round(px * fine), top + round(py * fine)) for px, py in points) for points, _ in shapes]
        return [ArmPart(name, points, rgb, presence) for points, (_, rgb) in zip(placed, shapes, strict=True)]
