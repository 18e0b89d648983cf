"""Discs of equal weight on a table seen from above: one is pushed, and what it hits takes its motion over."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np

from cutscore.benchmarks.clvg.staged.films import begin_with, film_scene, make_scene
from cutscore.benchmarks.clvg.staged.kind import Settings, StagedCase, StagedContext, StagedKind
from cutscore.benchmarks.clvg.staged.looking import (
    ColourTrack,
    WatchedFilm,
    find_standstill,
    fit_line,
    follow_colours,
    watch,
)
from cutscore.core.files import FileStore
from cutscore.core.frozen import FrozenModel
from cutscore.core.judgement import Weakness
from cutscore.media.footage import Footage
from cutscore.stage.palette import Colour
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Place, World
from cutscore.stage.states import Animation
from cutscore.stage.things import Body, Change, Move, Thing, Vanish

LENGTH_S, START_S = Fraction(3), Fraction(3, 10)
TABLE = World(gravity=0, bounce=1, left=40, right=1560, top=40, floor=860)
PACES = (Fraction(1), Fraction(9, 10))  # of the two right films
NEAR = 40  # units from where the first picture shows a disc
PUSHED = 40  # units from which on a disc has moved
INSIDE = 0.8  # of both radii: nearer than that, discs lie in each other
WALL = 15  # units from a wall at which a disc is taken to touch it
UNEVEN = 20.0  # units by which the middle of all discs may stray from an even motion, root mean square


class DiscPlace(FrozenModel):
    """A disc by its colour, and where its middle is."""

    colour: Colour
    x: int
    y: int


class PushedDiscs(FrozenModel):
    """Discs at rest, of which the first is pushed."""

    discs: tuple[DiscPlace, ...]
    width: int = 140
    speed_x: int
    speed_y: int = 0


def _scene(row: PushedDiscs, *, pace: Fraction = Fraction(1)) -> Scene:
    push = Body(from_s=START_S, speed_x=row.speed_x * pace, speed_y=row.speed_y * pace)
    bodies = [push, *(Body(from_s=LENGTH_S) for _ in row.discs[1:])]
    things = tuple(
        Thing(id=disc.colour, kind="circle", colour=disc.colour, x=disc.x, y=disc.y, width=row.width, body=body)
        for disc, body in zip(row.discs, bodies, strict=True)
    )
    table = Place(backdrop="tabletop", colour="white")
    return make_scene("collisions", LENGTH_S, places=(table,), things=things, world=TABLE)


def _context(settings: Settings, store: FileStore) -> StagedContext:
    return begin_with(_scene(PushedDiscs.model_validate(settings)), store)


def _film(settings: Settings, variant: int) -> Footage:
    return film_scene(_scene(PushedDiscs.model_validate(settings), pace=PACES[variant]))


def _spoil(settings: Settings, code: str) -> Footage:
    row = PushedDiscs.model_validate(settings)
    right = _scene(row)
    if code == "lost_matter":
        gone = Vanish(thing=row.discs[1].colour, at_s=_first_hit_s(right) + Fraction(1, 5))
        return film_scene(right.model_copy(update={"changes": (gone,)}))
    return film_scene(_without_forces(right, row, through=code == "passed_through"))


def _first_hit_s(scene: Scene) -> Fraction:
    return Animation(scene).motion.hits[0].at_s


def _without_forces(scene: Scene, row: PushedDiscs, *, through: bool) -> Scene:
    """Return the scene as no forces make it: the first disc goes on through the others, or halts and moves nothing."""
    hit_s = _first_hit_s(scene)
    last_s = scene.length_s if through else hit_s
    going = last_s - START_S
    first = scene.things[0]
    way: Change = Move(
        thing=first.id,
        at_s=START_S,
        for_s=going,
        x=first.x + row.speed_x * going,
        y=first.y + row.speed_y * going,
        ease="steady",
    )
    things = tuple(thing.model_copy(update={"body": None}) for thing in scene.things)
    return scene.model_copy(update={"things": things, "changes": (way,)})


def _verify(path: Path, settings: Settings) -> Sequence[Weakness]:
    row, film = PushedDiscs.model_validate(settings), watch(path)
    tracks = follow_colours(film, [disc.colour for disc in row.discs])
    return (
        find_standstill(film)
        or _find_wrong_start(film, tracks, row)
        or _find_overlap(film, tracks, row)
        or _find_lost_disc(film, tracks, row)
        or _find_uneven_middle(film, tracks, row)
    )


def _find_wrong_start(film: WatchedFilm, tracks: Mapping[Colour, ColourTrack], row: PushedDiscs) -> list[Weakness]:
    for disc in row.discs:
        track = tracks[disc.colour]
        if not np.hypot(track.x[0] - disc.x, track.y[0] - disc.y) <= NEAR + abs(row.speed_x) * 0.1:
            text = f"The {disc.colour} disc does not begin where the first picture shows it."
            return [film.weakness("goal_missed", text, 0)]
    return []


def _find_overlap(film: WatchedFilm, tracks: Mapping[Colour, ColourTrack], row: PushedDiscs) -> list[Weakness]:
    for one, other in combinations(row.discs, 2):
        a, b = tracks[one.colour], tracks[other.colour]
        near = np.hypot(a.x - b.x, a.y - b.y) < INSIDE * row.width
        # What is covered is seen in part or not at all, and the middle of what is left lies aside.
        if near.any():
            text = f"The {one.colour} disc goes through the {other.colour} one."
            return [film.weakness("passed_through", text, int(np.argmax(near)))]
    return []


def _find_lost_disc(film: WatchedFilm, tracks: Mapping[Colour, ColourTrack], row: PushedDiscs) -> list[Weakness]:
    for disc in row.discs:
        seen = tracks[disc.colour].seen
        if not seen.all():
            return [film.weakness("lost_matter", f"The {disc.colour} disc is gone.", int(np.argmin(seen)))]
    return []


def _find_uneven_middle(film: WatchedFilm, tracks: Mapping[Colour, ColourTrack], row: PushedDiscs) -> list[Weakness]:
    """Return that motion was lost or won: whatever equal discs do to each other, their middle moves on evenly."""
    x = np.mean([tracks[disc.colour].x for disc in row.discs], axis=0)
    y = np.mean([tracks[disc.colour].y for disc in row.discs], axis=0)
    pushed = np.hypot(tracks[row.discs[0].colour].x - row.discs[0].x, tracks[row.discs[0].colour].y - row.discs[0].y)
    begun = int(np.argmax(pushed > PUSHED))
    last = tracks[row.discs[-1].colour]
    reached = np.hypot(last.x - last.x[0], last.y - last.y[0]) > PUSHED
    free = slice(begun, begun + _count_free(tracks, row, begun))
    times = film.times[free]
    if len(times) < 4:
        return [film.weakness("goal_missed", f"The {row.discs[0].colour} disc is not pushed.")]
    slope, off = fit_line(times, x[free])
    slope_y, off_y = fit_line(times, y[free])
    if max(off, off_y) > UNEVEN / len(row.discs):
        text = f"The middle of all discs strays {max(off, off_y):.0f} units from an even motion."
        return [film.weakness("lost_momentum", text, begun)]
    if slope * row.speed_x + slope_y * row.speed_y <= 0 or not reached.any():
        text = f"The push never reaches the {row.discs[-1].colour} disc."
        return [film.weakness("goal_missed", text)]
    return []


def _count_free(tracks: Mapping[Colour, ColourTrack], row: PushedDiscs, begun: int) -> int:
    """Return for how many pictures no disc is near a wall, which may take motion away."""
    room = row.width / 2 + WALL
    x, y = (np.array([getattr(tracks[disc.colour], axis)[begun:] for disc in row.discs]) for axis in "xy")
    near = (x < TABLE.left + room) | (x > TABLE.right - room) | (y < TABLE.top + room) | (y > TABLE.floor - room)
    touched = np.flatnonzero(near.any(axis=0))
    return int(touched[0]) if len(touched) else near.shape[1]


KIND = StagedKind(
    cases=(
        StagedCase(
            name="disc-chain",
            kind="collisions",
            subcategory="complex_interaction",
            instruction="Four discs of the same weight lie on a smooth table. The red one is pushed to the right. Show "
            "the chain of collisions until the last disc has moved on. Seen from above; the camera stands still.",
            settings={
                "discs": [
                    {"colour": "red", "x": 160, "y": 450},
                    {"colour": "blue", "x": 470, "y": 450},
                    {"colour": "green", "x": 720, "y": 450},
                    {"colour": "orange", "x": 970, "y": 450},
                ],
                "speed_x": 400,
            },
            subjects=4,
        ),
        StagedCase(
            name="disc-glance",
            kind="collisions",
            subcategory="mechanics",
            instruction="Two discs of the same weight lie on a smooth table. The purple one is pushed to the right and "
            "strikes the yellow one off its middle. Show how both go on. Seen from above; the camera stands still.",
            settings={
                "discs": [{"colour": "purple", "x": 260, "y": 400}, {"colour": "yellow", "x": 760, "y": 490}],
                "speed_x": 420,
                "width": 180,
            },
            subjects=2,
        ),
    ),
    context=_context,
    film=_film,
    plants=("lost_momentum", "passed_through", "lost_matter"),
    spoil=_spoil,
    verify=_verify,
)
