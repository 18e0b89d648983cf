"""A ball under one of three cups, which change places: where it is has to be kept in mind to the end."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np

from cutscore.benchmarks.clvg.staged.films import begin_with, film_scene, make_scene
from cutscore.benchmarks.clvg.staged.kind import Settings, StagedCase, StagedContext, StagedKind
from cutscore.benchmarks.clvg.staged.looking import ColourTrack, WatchedFilm, find_standstill, follow_colours, watch
from cutscore.benchmarks.clvg.staged.rows import Order, resting_orders
from cutscore.core.files import FileStore
from cutscore.core.frozen import FrozenModel
from cutscore.core.judgement import Weakness
from cutscore.media.footage import Footage
from cutscore.stage.library.acts import snap
from cutscore.stage.palette import Colour
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Place
from cutscore.stage.things import Change, Join, Move, Release, Thing

LENGTH_S, DOWN_S, LIFT_S = Fraction(4), Fraction(1), Fraction(33, 10)
PLACES, CUP_Y, BALL_Y, LIFTED = (350, 800, 1250), 600, 650, 260
MOVING = (Fraction(3, 4), Fraction(1, 2))  # share of a swap's time in which cups move, in the two right films
NEAR = 90  # units from the middle of a cup

Pair = tuple[Colour, Colour]


class ShuffledCups(FrozenModel):
    """Cups from the left, what is under which of them, and which of them change places one after the other."""

    cups: tuple[Colour, Colour, Colour]
    ball: Colour
    over: Colour
    swaps: tuple[Pair, ...]

    @property
    def orders(self) -> list[Order]:
        """The orders in which they rest, from the first to the last."""
        found: list[Order] = [self.cups]
        for one, other in self.swaps:
            renamed = {one: other, other: one}
            found.append(tuple(renamed.get(cup, cup) for cup in found[-1]))
        return found


def _scene(shuffled: ShuffledCups, *, moving: Fraction = MOVING[0], lift: Colour | None = None) -> Scene:
    """Return the scene; `lift` is which cup is lifted in the end and what was under it goes with it to there."""
    opened = shuffled.over if lift is None else lift
    cups = tuple(
        Thing(
            id=cup,
            kind="bucket",
            colour=cup,
            x=x,
            y=CUP_Y - LIFTED * (cup == shuffled.over),
            width=240,
            turn=180,
            layer=3,
        )
        for cup, x in zip(shuffled.cups, PLACES, strict=True)
    )
    home = PLACES[shuffled.cups.index(shuffled.over)]
    ball = Thing(id="ball", kind="ball", colour=shuffled.ball, x=home, y=BALL_Y, width=100, layer=1)
    changes: list[Change] = [Move(thing=shuffled.over, at_s=Fraction(3, 10), for_s=Fraction(1, 2), x=home, y=CUP_Y)]
    takes_s = (LIFT_S - DOWN_S) / len(shuffled.swaps)
    for number, (one, other) in enumerate(shuffled.swaps):
        at_s, before = snap(DOWN_S + number * takes_s), shuffled.orders[number]
        for cup, to, arc in ((one, other, 150), (other, one, -110)):
            x = PLACES[before.index(to)]
            changes.append(Move(thing=cup, at_s=at_s, for_s=snap(takes_s * moving), x=x, y=CUP_Y, arc=arc))
    last = PLACES[shuffled.orders[-1].index(opened)]
    changes.append(Move(thing=opened, at_s=LIFT_S, for_s=Fraction(1, 2), x=last, y=CUP_Y - LIFTED))
    changes += [
        Join(thing="ball", at_s=DOWN_S, to=shuffled.over, link="inside"),
        Release(thing="ball", at_s=LIFT_S - Fraction(1, 10)),
    ]
    if opened != shuffled.over:
        changes.append(Move(thing="ball", at_s=LIFT_S - Fraction(1, 20), for_s=Fraction(1, 100), x=last, y=BALL_Y))
    return make_scene(
        "cups",
        LENGTH_S,
        places=(Place(backdrop="studio", colour="grey"),),
        things=(*cups, ball),
        changes=tuple(changes),
    )


def _context(settings: Settings, store: FileStore) -> StagedContext:
    return begin_with(_scene(ShuffledCups.model_validate(settings)), store)


def _film(settings: Settings, variant: int) -> Footage:
    return film_scene(_scene(ShuffledCups.model_validate(settings), moving=MOVING[variant]))


def _spoil(settings: Settings, code: str) -> Footage:
    shuffled = ShuffledCups.model_validate(settings)
    if code == "wrong_order":
        return film_scene(_scene(shuffled.model_copy(update={"swaps": shuffled.swaps[::-1]})))
    if code == "lost_matter":  # another cup is lifted, and the ball is there
        return film_scene(_scene(shuffled, lift=next(cup for cup in shuffled.cups if cup != shuffled.over)))
    scene = _scene(shuffled)
    unlifted = tuple(each for each in scene.changes if not (isinstance(each, Move) and each.at_s >= LIFT_S))
    return film_scene(scene.model_copy(update={"changes": unlifted}))


def _verify(path: Path, settings: Settings) -> Sequence[Weakness]:
    shuffled, film = ShuffledCups.model_validate(settings), watch(path)
    tracks = follow_colours(film, [*shuffled.cups, shuffled.ball])
    return find_standstill(film) or _find_weakness(film, shuffled, tracks)


def _find_weakness(film: WatchedFilm, shuffled: ShuffledCups, tracks: Mapping[Colour, ColourTrack]) -> list[Weakness]:
    ball, over = tracks[shuffled.ball], tracks[shuffled.over]
    home = PLACES[shuffled.cups.index(shuffled.over)]
    if not (abs(ball.x[0] - home) <= NEAR and over.y[0] < CUP_Y - LIFTED / 2):
        return [film.weakness("goal_missed", "Ball and cups do not begin as the first picture shows them.", 0)]
    orders = resting_orders(tracks, shuffled.cups, PLACES, CUP_Y)
    if [order for _, order in orders] != shuffled.orders:
        number = orders[-1][0] if orders else 0
        said = " → ".join("-".join(order) for _, order in orders) or "no rest at all"
        return [film.weakness("wrong_order", f"The cups do not change places as they were told to: {said}.", number)]
    last, covered = len(film.pictures) - 1, ball.seen[orders[0][0] : orders[-1][0]]
    if covered.any():
        return [film.weakness("lost_matter", "The ball is seen beside the cup that covers it.", int(orders[0][0]))]
    raised = [cup for cup in shuffled.cups if tracks[cup].y[last] < CUP_Y - LIFTED / 2]
    if not raised:
        return [film.weakness("goal_missed", "No cup is lifted in the end.", last)]
    there = PLACES[shuffled.orders[-1].index(shuffled.over)]
    if not abs(ball.x[last] - there) <= NEAR or raised != [shuffled.over]:
        where = "nowhere" if np.isnan(ball.x[last]) else f"at {ball.x[last]:.0f}"
        text = f"The ball, which is under the {shuffled.over} cup, is {where} in the end."
        return [film.weakness("lost_matter", text, last)]
    return []


KIND = StagedKind(
    cases=(
        StagedCase(
            name="three-cups",
            kind="cups",
            subcategory="long_horizon",
            instruction="The red cup is put down over the yellow ball. Then the red and the blue cup change places, "
            "and after a moment of rest the red and the green one. In the end the cup that has the ball under it is "
            "lifted straight up, and no other. The camera stands still.",
            settings={
                "cups": ["red", "blue", "green"],
                "ball": "yellow",
                "over": "red",
                "swaps": [["red", "blue"], ["red", "green"]],
            },
            subjects=4,
        ),
    ),
    context=_context,
    film=_film,
    plants=("wrong_order", "lost_matter", "goal_missed"),
    spoil=_spoil,
    verify=_verify,
)
