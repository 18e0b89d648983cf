"""A lamp, a ball on a thread and its shadow on the floor: light goes straight, so the shadow is where it must be."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np

from cutscore.benchmarks.clvg.staged.films import begin_with, film_scene, make_scene
from cutscore.benchmarks.clvg.staged.kind import Settings, StagedCase, StagedContext, StagedKind
from cutscore.benchmarks.clvg.staged.looking import (
    ColourTrack,
    WatchedFilm,
    find_standstill,
    follow_colours,
    watch,
)
from cutscore.core.files import FileStore
from cutscore.core.frozen import FrozenModel
from cutscore.core.judgement import Weakness
from cutscore.media.footage import Footage
from cutscore.stage.palette import Colour
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Place
from cutscore.stage.things import Change, Ease, Join, Move, Thing

LENGTH_S, GOES_S = Fraction(3), (Fraction(3, 10), Fraction(27, 10))
LAMP_Y, BALL_Y, FLOOR_Y = 120, 420, 780
GROWS = Fraction(FLOOR_Y - LAMP_Y, BALL_Y - LAMP_Y)  # how much wider than the ball its shadow is
LAMP: Colour = "yellow"
SHADOW: Colour = "black"
EASES: tuple[Ease, Ease] = ("gentle", "steady")  # of the two right films
NEAR = 50  # units from where the first picture shows things, and from where they should end
BESIDE = 70.0  # units that a shadow may lie beside its place


class HungBall(FrozenModel):
    """Where lamp and ball are at first and in the end; one of them stays."""

    ball: Colour
    ball_x: tuple[int, int]
    lamp_x: tuple[int, int]
    width: int = 130

    def shadow_x(self, number: int) -> Fraction:
        """Return where the shadow is at first (0) and in the end (1), by the straight line from lamp over ball."""
        lamp, ball = self.lamp_x[number], self.ball_x[number]
        return lamp + (ball - lamp) * GROWS


def _scene(hung: HungBall, *, ease: Ease = EASES[0], shadow_to: Fraction | None = None) -> Scene:
    """Return the scene; `shadow_to` is where the shadow goes, where that is not what is right."""
    (_, lamp_x), (_, ball_x) = hung.lamp_x, hung.ball_x
    shadow_x = hung.shadow_x(1) if shadow_to is None else shadow_to
    ends: dict[str, Fraction | int] = {"lamp": lamp_x, "ball": ball_x, "thread": ball_x, "shadow": shadow_x}
    things = (
        Thing(
            id="shadow", kind="wall", colour=SHADOW, x=hung.shadow_x(0), y=FLOOR_Y, width=hung.width * GROWS, height=44
        ),
        Thing(id="ceiling", kind="wall", colour="white", x=800, y=-10, width=1600, height=40),
        Thing(id="thread", kind="wall", colour="grey", x=hung.ball_x[0], y=BALL_Y / 2, width=8, height=BALL_Y),
        Thing(id="ball", kind="circle", colour=hung.ball, x=hung.ball_x[0], y=BALL_Y, width=hung.width, layer=1),
        Thing(id="lamp", kind="sun", colour=LAMP, x=hung.lamp_x[0], y=LAMP_Y, width=150, layer=2),
    )
    changes: list[Change] = [
        # What hangs throws no soft shadow of the stage's own.
        Join(thing=name, at_s=0, to="ceiling", link="on")
        for name in ("ball", "lamp")
    ]
    start_s, end_s = GOES_S
    changes += [
        Move(thing=thing.id, at_s=start_s, for_s=end_s - start_s, x=ends[thing.id], y=thing.y, ease=ease)
        for thing in things
        if thing.id in ends and thing.x != ends[thing.id]
    ]
    room = Place(backdrop="studio", colour="grey")
    return make_scene("shadows", LENGTH_S, places=(room,), things=things, changes=tuple(changes))


def _context(settings: Settings, store: FileStore) -> StagedContext:
    return begin_with(_scene(HungBall.model_validate(settings)), store)


def _film(settings: Settings, variant: int) -> Footage:
    return film_scene(_scene(HungBall.model_validate(settings), ease=EASES[variant]))


def _spoil(settings: Settings, code: str) -> Footage:
    hung = HungBall.model_validate(settings)
    if code == "goal_missed":  # all is right half of the way, and stops there
        halves = {name: (one, (one + two) // 2) for name in ("ball_x", "lamp_x") for one, two in [getattr(hung, name)]}
        return film_scene(_scene(hung.model_copy(update=halves)))
    # The shadow goes to the wrong side by as much as it should go to the right one.
    return film_scene(_scene(hung, shadow_to=2 * hung.shadow_x(0) - hung.shadow_x(1)))


def _verify(path: Path, settings: Settings) -> Sequence[Weakness]:
    hung, film = HungBall.model_validate(settings), watch(path)
    tracks = follow_colours(film, [hung.ball, LAMP, SHADOW])
    return find_standstill(film) or _find_weakness(film, hung, tracks)


def _find_weakness(film: WatchedFilm, hung: HungBall, tracks: Mapping[Colour, ColourTrack]) -> list[Weakness]:
    ball, lamp, shadow = (tracks[each] for each in (hung.ball, LAMP, SHADOW))
    places = ((ball, hung.ball_x, hung.ball), (lamp, hung.lamp_x, LAMP))
    for track, (first, _), colour in places:
        if not (abs(track.x[0] - first) <= NEAR and track.seen.all()):
            text = f"What is {colour} is not seen all the time, or does not begin where the first picture shows it."
            return [film.weakness("goal_missed", text, int(np.argmin(track.seen)))]
    expected = lamp.x + (ball.x - lamp.x) * float(GROWS)
    beside = ~(np.abs(shadow.x - expected) <= BESIDE)  # a shadow that is not seen is wrong, too
    if beside.any():
        number = int(np.argmax(beside))
        text = f"The shadow is not at {expected[number]:.0f}, where the straight line from the lamp meets the floor."
        return [film.weakness("wrong_shadow", text, number)]
    for track, (_, last), colour in places:
        if abs(track.x[-1] - last) > NEAR:
            text = f"What is {colour} ends at {track.x[-1]:.0f}, not at {last}."
            return [film.weakness("goal_missed", text, len(track.x) - 1)]
    return []


KIND = StagedKind(
    cases=(
        StagedCase(
            name="lamp-moves",
            kind="shadows",
            subcategory="optics",
            instruction="The lamp slides along the ceiling until it is as far to the right of the ball as it is to the "
            "left of it now. The ball stays where it is. Show what its shadow does. The camera stands still.",
            settings={"ball": "red", "ball_x": [800, 800], "lamp_x": [560, 1040]},
        ),
        StagedCase(
            name="ball-moves",
            kind="shadows",
            subcategory="optics",
            instruction="The blue ball on its thread is slid to the left until it hangs right below the lamp, which "
            "stays where it is. Show what its shadow does. The camera stands still.",
            settings={"ball": "blue", "ball_x": [960, 700], "lamp_x": [700, 700]},
        ),
    ),
    context=_context,
    film=_film,
    plants=("wrong_shadow", "goal_missed"),
    spoil=_spoil,
    verify=_verify,
)
