"""A ball that is let go or thrown: it flies along parabolas and bounces on the floor, ever lower."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np

from cutscore.benchmarks.clvg.staged.films import begin_with, film_scene, make_scene
from cutscore.benchmarks.clvg.staged.kind import Settings, StagedCase, StagedContext, StagedKind
from cutscore.benchmarks.clvg.staged.looking import (
    ColourTrack,
    Numbers,
    WatchedFilm,
    find_standstill,
    first_run,
    fit_line,
    fit_parabola,
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

LENGTH_S, FLOOR, GRAVITY = Fraction(4), 780, 900
LOSSES = (Fraction(3, 4), Fraction(13, 20))  # of speed in the two right films: how springy the ball is nobody says
NEAR = 60  # units from where the first picture shows the ball
THROUGH = 45  # units that the ball may seem to sink into the floor
OFF_CURVE = 14.0  # units from its parabola, root mean square
FLIGHT = 5  # pictures of a flight whose curve can be told
ALIKE_PULL = 1.6  # ratio up to which two flights have the same acceleration
HIGHER = 25  # units that a bounce may seem to rise above the one before
THROWN = 200  # units that a thrown ball gets to its side
VANISHED = 3  # pictures in a row without the ball


class ThrownBall(FrozenModel):
    """A ball above the floor, and the speed that it is let go with."""

    colour: Colour
    x: int
    y: int
    width: int
    speed_x: int = 0
    speed_y: int = 0
    room: Colour = "grey"


def _scene(ball: ThrownBall, *, bounce: Fraction = LOSSES[0], floor: int = FLOOR) -> Scene:
    body = Body(from_s=Fraction(3, 10), speed_x=ball.speed_x, speed_y=ball.speed_y)
    thing = Thing(id="ball", kind="ball", colour=ball.colour, x=ball.x, y=ball.y, width=ball.width, body=body)
    return make_scene(
        "bounces",
        LENGTH_S,
        places=(Place(backdrop="studio", colour=ball.room),),
        things=(thing,),
        world=World(gravity=GRAVITY, bounce=bounce, floor=floor),
    )


def _context(settings: Settings, store: FileStore) -> StagedContext:
    return begin_with(_scene(ThrownBall.model_validate(settings)), store)


def _film(settings: Settings, variant: int) -> Footage:
    return film_scene(_scene(ThrownBall.model_validate(settings), bounce=LOSSES[variant]))


def _spoil(settings: Settings, code: str) -> Footage:
    ball = ThrownBall.model_validate(settings)
    right = _scene(ball)
    spoilt = {
        "impossible_motion": lambda: _in_straight_lines(right),
        "passed_through": lambda: _scene(ball, floor=3000),
        "lost_matter": lambda: right.model_copy(update={"changes": (Vanish(thing="ball", at_s=Fraction(3, 2)),)}),
    }
    return film_scene(spoilt[code]())


def _in_straight_lines(scene: Scene) -> Scene:
    """Return the same bounces at an even pace from turn to turn, as no weight falls."""
    flight = Animation(scene).motion.flights["ball"]
    turns = [leg.since for leg in flight.legs[1:]]
    apex = [(one + two) // 2 for one, two in pairwise(turns)]
    times = [Fraction(each, 1 << 16) for each in sorted({*turns, *apex})]
    times = [*(each for each in times if each < scene.length_s), scene.length_s]
    moves: list[Change] = []
    for start_s, end_s in pairwise(times):
        x, y = flight.at(end_s)
        moves.append(Move(thing="ball", at_s=start_s, for_s=end_s - start_s, x=x, y=y, ease="steady"))
    (ball,) = scene.things
    return scene.model_copy(update={"things": (ball.model_copy(update={"body": None}),), "changes": tuple(moves)})


def _verify(path: Path, settings: Settings) -> Sequence[Weakness]:
    ball, film = ThrownBall.model_validate(settings), watch(path)
    track = follow_colours(film, [ball.colour])[ball.colour]
    return find_standstill(film) or _find_lost_ball(film, track, ball) or _find_odd_flight(film, track, ball)


def _find_lost_ball(film: WatchedFilm, track: ColourTrack, ball: ThrownBall) -> list[Weakness]:
    """Return that the ball is not where it began, sinks into the floor, or is gone."""
    begun = np.flatnonzero(track.seen)
    first = int(begun[0]) if len(begun) else 0
    if not len(begun) or first > 1 or np.hypot(track.x[first] - ball.x, track.y[first] - ball.y) > NEAR:
        return [film.weakness("goal_missed", f"The {ball.colour} ball is not where the first picture shows it.", first)]
    lowest = track.y + track.height / 2
    sunk = np.flatnonzero(np.nan_to_num(lowest) > FLOOR + THROUGH)
    if len(sunk):
        return [film.weakness("passed_through", "The ball goes through the floor.", int(sunk[0]))]
    absent = first_run(~track.seen, VANISHED)
    if absent is not None:
        return [film.weakness("lost_matter", "The ball is gone.", absent)]
    return []


def _find_odd_flight(film: WatchedFilm, track: ColourTrack, ball: ThrownBall) -> list[Weakness]:
    """Return where the way of the ball is no chain of parabolas with one acceleration, each lower than the last."""
    times, (x, y) = film.times[track.seen], (track.x[track.seen], track.y[track.seen])
    flights = _split_flights(y, ball)
    pulls, peaks = [], []
    for start, end in flights:
        t = times[start:end] - times[start]
        pull, off = fit_parabola(t, y[start:end])
        drift = fit_line(t, x[start:end])[1]
        if pull <= 0 or max(off, drift) > OFF_CURVE:
            text = f"The ball is {max(off, drift):.0f} units off any parabola in this flight."
            return [film.weakness("impossible_motion", text, int(np.flatnonzero(track.seen)[start]))]
        pulls.append(pull)
        peaks.append(float(y[start:end].min()))
    if ball.speed_x and (x[-1] - x[0]) * np.sign(ball.speed_x) < THROWN:
        return [film.weakness("goal_missed", "The ball does not fly the way that it was thrown.")]
    if len(flights) < 2:
        return [film.weakness("goal_missed", f"The ball flies {len(flights)} times and does not bounce.")]
    if max(pulls) > ALIKE_PULL * min(pulls):
        return [film.weakness("impossible_motion", "The ball falls faster in one flight than in another.")]
    if any(two < one - HIGHER for one, two in pairwise(peaks)):
        return [film.weakness("impossible_motion", "The ball bounces higher than before.")]
    return []


def _split_flights(y: Numbers, ball: ThrownBall) -> list[tuple[int, int]]:
    """Return from where to where the ball is in the air, long enough for a curve; at rest it is not."""
    lowest = FLOOR - ball.width / 2
    going = np.diff(y)
    moving = np.abs(going) > 4
    begun = int(np.argmax(moving)) if moving.any() else len(y)
    cuts = [n + 1 for n in range(len(going) - 1) if going[n] > 0 > going[n + 1] and y[n + 1] > lowest - 200]
    edges = [begun, *(cut for cut in cuts if cut > begun), len(y)]
    spans = [(start + (start != begun), end) for start, end in pairwise(edges)]
    return [(start, end) for start, end in spans if end - start >= FLIGHT and np.ptp(y[start:end]) > 40]


KIND = StagedKind(
    cases=(
        StagedCase(
            name="dropped-ball",
            kind="bounces",
            subcategory="mechanics",
            instruction="The red ball is let go. It falls and bounces on the floor several times. The camera stands "
            "still, and nothing else moves.",
            settings={"colour": "red", "x": 800, "y": 200, "width": 150},
        ),
        StagedCase(
            name="thrown-ball",
            kind="bounces",
            subcategory="mechanics",
            instruction="Somebody has just thrown the blue ball up and to the right. Show how it goes on: it flies, "
            "comes down and bounces along the floor. The camera stands still.",
            settings={"colour": "blue", "x": 220, "y": 420, "width": 140, "speed_x": 260, "speed_y": -450},
        ),
    ),
    context=_context,
    film=_film,
    plants=("impossible_motion", "passed_through", "lost_matter"),
    spoil=_spoil,
    verify=_verify,
)
