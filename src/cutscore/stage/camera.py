"""Where the camera looks, exactly.

The camera never looks past the edge of the stage: a shot on something near the edge is as far to that side as the
stage goes. A picture that is not 16:9 shows the whole stage in a wide shot, and a bit more of the backdrop.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

from cutscore.core.timeline import Span
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Shot, Size
from cutscore.stage.states import EASES, Animation
from cutscore.stage.things import STAGE_HEIGHT, STAGE_WIDTH

ZOOMS: dict[Size, Fraction] = {"wide": Fraction(1), "medium": Fraction(8, 5), "close": Fraction(5, 2)}


@dataclass(frozen=True)
class CameraView:
    """What is in the picture: its middle on the stage, and pixels a unit."""

    place: str
    x: Fraction
    y: Fraction
    scale: Fraction


@dataclass(frozen=True)
class TimedShot:
    """A shot with its time and number, from 1 on."""

    number: int
    shot: Shot
    span: Span


def timed_shots(scene: Scene) -> list[TimedShot]:
    """Return the shots with their spans."""
    ends = chain((shot.start_s for shot in scene.shots[1:]), [scene.length_s])
    return [
        TimedShot(number, shot, Span(start_s=shot.start_s, end_s=end_s))
        for number, (shot, end_s) in enumerate(zip(scene.shots, ends, strict=True), 1)
    ]


def shot_at(scene: Scene, time_s: Fraction) -> TimedShot:
    """Return the shot that is shown at a time."""
    return [take for take in timed_shots(scene) if take.shot.start_s <= time_s][-1]


def view_at(performance: Animation, time_s: Fraction) -> CameraView:
    """Return what the camera shows at a time."""
    scene = performance.scene
    shot = shot_at(scene, time_s).shot
    x, y = Fraction(STAGE_WIDTH, 2), Fraction(STAGE_HEIGHT, 2)
    if shot.on is not None:
        x, y = performance.place(shot.on, time_s if shot.follow else shot.start_s)
    zoom, move = ZOOMS[shot.size], shot.to
    x, y = x + shot.x, y + shot.y
    if move is not None and time_s > move.at_s:
        u = EASES["gentle"](min(Fraction(1), (time_s - move.at_s) / move.for_s))
        x, y, zoom = x + move.x * u, y + move.y * u, zoom * (1 + (move.zoom - 1) * u)
    scale = zoom * min(Fraction(scene.width, STAGE_WIDTH), Fraction(scene.height, STAGE_HEIGHT))
    x = _within(x, scene.width / scale, STAGE_WIDTH)
    return CameraView(shot.place, x, _within(y, scene.height / scale, STAGE_HEIGHT), scale)


def _within(middle: Fraction, seen: Fraction, whole: int) -> Fraction:
    """Keep what is seen on the stage; where more than the stage is seen, it lies in the middle."""
    if seen >= whole:
        return Fraction(whole, 2)
    return min(max(middle, seen / 2), whole - seen / 2)
