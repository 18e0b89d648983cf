"""One glass is poured into another: amounts add up, and two colours make a third."""

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from pathlib import Path

import numpy as np

from cutscore.benchmarks.clvg.staged.films import HEIGHT, RATE, WIDTH, begin_with, film_scene
from cutscore.benchmarks.clvg.staged.kind import Settings, StagedCase, StagedContext, StagedKind
from cutscore.benchmarks.clvg.staged.looking import (
    FEWEST,
    Numbers,
    WatchedFilm,
    colour_masks,
    find_standstill,
    share_changed,
    watch,
)
from cutscore.core.files import FileStore
from cutscore.core.frozen import FrozenModel
from cutscore.core.judgement import Weakness
from cutscore.media.footage import Footage
from cutscore.media.orientation import Pixels
from cutscore.perception.colours import rgb_to_lab
from cutscore.stage.library.acts import fills, moves, recolours, turns
from cutscore.stage.library.directing import TIPPED, Director
from cutscore.stage.palette import Colour
from cutscore.stage.render import frame
from cutscore.stage.scene import Scene
from cutscore.stage.things import Appear, Vanish

LENGTH_S = Fraction(4)
TARGET_X, SOURCE_X, BOARD_Y, TALL = 420, 1180, 800, 400
PACES = (1, 2)  # how long it pours, compared with how long the glass is carried
# A glass is 58 wide at the bottom of what it holds, and 80 at the top.
NARROW, WIDENS = 58, 11
OFF_AMOUNT = 0.15  # share of all liquid by which amounts may seem to be off
OTHER_START = 0.03  # share of the pixels that may differ from the picture that was given
OFF_ON_THE_WAY = 0.4  # the same while it flows: a stream is seen twice, or not at all


COLOURFUL = 12.0  # distance from grey in Lab: glass and board stay below it
LEFT, RIGHT = slice(0, WIDTH // 2), slice(WIDTH // 2, WIDTH)


class TwoGlasses(FrozenModel):
    """What is in two glasses, and how much of the right one stays in it."""

    source: Colour
    target: Colour
    mixed: Colour
    source_fill: Fraction
    target_fill: Fraction = Fraction(0)
    stays: Fraction = Fraction(0)

    @property
    def amounts(self) -> tuple[float, float]:
        """What the right and the left glass hold at first."""
        return amount_of(float(self.source_fill)), amount_of(float(self.target_fill))

    @property
    def share_poured(self) -> float:
        """The share of all liquid that is in the left glass in the end."""
        source, target = self.amounts
        return (target + source * (1 - float(self.stays))) / (source + target)


def amount_of(fill: float) -> float:
    """Return how much is in a glass that widens upwards, as the area that is seen.

    >>> round(fill_of(amount_of(0.6)), 6)
    0.6
    """
    return fill * (NARROW + WIDENS * fill)


def fill_of(amount: float) -> float:
    """Return how high that much stands."""
    return (sqrt(NARROW**2 + 4 * WIDENS * amount) - NARROW) / (2 * WIDENS)


def _scene(glasses: TwoGlasses, *, pour: int = PACES[0], source_left: float | None = None) -> Scene:
    """Return the scene; `source_left` is how high the right glass is in the end, where that is not what is right."""
    source, target = glasses.amounts
    kept = source * float(glasses.stays)
    left = fill_of(kept) if source_left is None else source_left
    d = Director("pouring", "Pouring", tags=(), seed=0, length_s=LENGTH_S)
    d.place("studio", colour="grey")
    d.stand("board", "wall", 800, BOARD_Y + 40, colour="grey", width=1500, height=40)
    d.stand(
        "target", "glass", TARGET_X, BOARD_Y, fill=glasses.target_fill, filling=glasses.target, height=TALL, layer=2
    )
    d.stand(
        "source", "glass", SOURCE_X, BOARD_Y, fill=glasses.source_fill, filling=glasses.source, height=TALL, layer=3
    )
    way = d.plan_pour("source", "target", glasses.source)
    x, y = (int(each) for each in d.where("source"))
    d.beat(Fraction(1, 2))
    d.beat(1, moves("source", way.x, way.y, arc=40))
    d.beat(Fraction(1, 3), turns("source", TIPPED))
    d.beat(
        pour,
        fills("target", Fraction(round(1000 * fill_of(target + source - kept)), 1000)),
        fills("source", Fraction(round(1000 * left), 1000)),
        lambda a, b: [Appear(thing=way.stream, at_s=a), Vanish(thing=way.stream, at_s=b)],
        *((recolours("target", glasses.mixed, "filling"),) if glasses.mixed != glasses.target else ()),
    )
    d.beat(Fraction(1, 3), turns("source", 0))
    d.beat(1, moves("source", x, y, arc=40))
    d.beat(Fraction(1, 2))
    return d.scene(width=WIDTH, height=HEIGHT, rate=RATE)


def _context(settings: Settings, store: FileStore) -> StagedContext:
    return begin_with(_scene(TwoGlasses.model_validate(settings)), store)


def _film(settings: Settings, variant: int) -> Footage:
    return film_scene(_scene(TwoGlasses.model_validate(settings), pour=PACES[variant]))


def _spoil(settings: Settings, code: str) -> Footage:
    glasses = TwoGlasses.model_validate(settings)
    if code == "lost_matter":  # the glass that is poured from stays as full as it was
        return film_scene(_scene(glasses, source_left=float(glasses.source_fill)))
    if glasses.mixed != glasses.target:
        return film_scene(_scene(glasses.model_copy(update={"mixed": glasses.target})))
    return film_scene(_scene(glasses.model_copy(update={"stays": (glasses.stays + 1) / 2})))


def _verify(path: Path, settings: Settings) -> Sequence[Weakness]:
    glasses, film = TwoGlasses.model_validate(settings), watch(path)
    return find_standstill(film) or _find_wrong_amount(film, glasses) or _find_wrong_colour(film, glasses)


def _find_wrong_amount(film: WatchedFilm, glasses: TwoGlasses) -> list[Weakness]:
    left, right = _measure(film)
    whole, start = left + right, left[0] + right[0]
    source, target = glasses.amounts
    begun = abs(right[0] / max(1, start) - source / (source + target)) <= OFF_AMOUNT
    if not begun or share_changed(film.pictures[0], frame(_scene(glasses), 0)) > OTHER_START:
        return [film.weakness("goal_missed", "The glasses do not begin as the first picture shows them.", 0)]
    off = np.abs(whole / start - 1) > OFF_ON_THE_WAY
    if abs(whole[-1] / start - 1) > OFF_AMOUNT or off.any():
        number = int(np.argmax(off)) if off.any() else len(whole) - 1
        text = f"There is {whole[number] / start:.0%} of the liquid that there was."
        return [film.weakness("lost_matter", text, number)]
    if right.min() > right[0] / 2:
        return [film.weakness("goal_missed", "The right glass is not taken to the left one.")]
    poured = left[-1] / whole[-1]
    if abs(poured - glasses.share_poured) > OFF_AMOUNT * 2 / 3:
        text = f"In the end {poured:.0%} of the liquid is in the left glass, not {glasses.share_poured:.0%}."
        return [film.weakness("goal_missed", text, len(whole) - 1)]
    return []


def _find_wrong_colour(film: WatchedFilm, glasses: TwoGlasses) -> list[Weakness]:
    shown = _show(film.pictures[-1], glasses)
    if shown == glasses.mixed:
        return []
    text = f"What is in the left glass is {shown or 'of another colour'} in the end, not {glasses.mixed}."
    return [film.weakness("goal_missed", text, len(film.pictures) - 1)]


def _measure(film: WatchedFilm) -> tuple[Numbers, Numbers]:
    """Return how many pixels of liquid there are in either half of each picture: all else there is grey."""
    colourful = [np.linalg.norm(rgb_to_lab(each)[..., 1:], axis=2) > COLOURFUL for each in film.pictures]
    left, right = ([float(each[:, half].sum()) for each in colourful] for half in (LEFT, RIGHT))
    return np.array(left), np.array(right)


def _show(pixels: Pixels, glasses: TwoGlasses) -> Colour | None:
    """Return which of the colours that may be there most of the left half shows; None where hardly any is seen."""
    masks = colour_masks(pixels, list(dict.fromkeys((glasses.source, glasses.target, glasses.mixed))))
    counts = {colour: int(mask[:, LEFT].sum()) for colour, mask in masks.items()}
    best = max(counts, key=lambda colour: counts[colour])
    return best if counts[best] >= FEWEST else None


KIND = StagedKind(
    cases=(
        StagedCase(
            name="pour-half",
            kind="pouring",
            subcategory="fluid_dynamics",
            instruction="The right glass is lifted and poured into the left one until both hold the same amount; then "
            "it is put back. Nothing is spilt. The camera stands still.",
            settings={"source": "blue", "target": "blue", "mixed": "blue", "source_fill": "9/10", "stays": "1/2"},
            subjects=2,
        ),
        StagedCase(
            name="pour-all",
            kind="pouring",
            subcategory="fluid_dynamics",
            instruction="Everything that is in the right glass is poured into the left one, and the empty glass is put "
            "back. Nothing is spilt. The camera stands still.",
            settings={
                "source": "purple",
                "target": "purple",
                "mixed": "purple",
                "source_fill": "1/2",
                "target_fill": "3/10",
            },
            subjects=2,
        ),
        StagedCase(
            name="mix-paints",
            kind="pouring",
            subcategory="cooking_chemistry",
            instruction="All of the yellow paint in the right glass is poured to the blue paint in the left one. They "
            "mix, and the empty glass is put back. The camera stands still.",
            settings={
                "source": "yellow",
                "target": "blue",
                "mixed": "green",
                "source_fill": "2/5",
                "target_fill": "2/5",
            },
            subjects=2,
        ),
    ),
    context=_context,
    film=_film,
    plants=("lost_matter", "goal_missed"),
    spoil=_spoil,
    verify=_verify,
)
