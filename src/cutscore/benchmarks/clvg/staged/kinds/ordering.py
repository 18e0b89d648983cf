"""Cards with numbers, or discs of several sizes, that are put in order by swaps of neighbours."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from cutscore.benchmarks.clvg.staged.films import begin_with, film_scene, make_scene
from cutscore.benchmarks.clvg.staged.kind import Settings, StagedCase, StagedContext, StagedKind
from cutscore.benchmarks.clvg.staged.looking import (
    ColourTrack,
    WatchedFilm,
    find_standstill,
    first_run,
    follow_colours,
    watch,
)
from cutscore.benchmarks.clvg.staged.rows import find_leap, resting_orders
from cutscore.core.files import FileStore
from cutscore.core.frozen import FrozenModel
from cutscore.core.judgement import Weakness
from cutscore.media.footage import Footage
from cutscore.stage.library.acts import snap
from cutscore.stage.palette import Colour
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Place
from cutscore.stage.things import Change, Move, Thing, Vanish

Swap = tuple[int, int]

LENGTH_S, START_S, END_S = Fraction(4), Fraction(3, 10), Fraction(37, 10)
MOVING = Fraction(3, 4)  # share of a swap's time in which something moves; then it rests
ROW_Y, ARC = 450, 150
VANISHED = 3  # pictures in a row without one of them


class RankedThing(FrozenModel):
    """A thing of the row by its colour; its rank is written on it, or is its size."""

    colour: Colour
    rank: int


class UnsortedRow(FrozenModel):
    """Things as they lie at first, from the left."""

    kind: str
    things: tuple[RankedThing, ...]

    @property
    def colours(self) -> tuple[Colour, ...]:
        """Their colours as they lie at first."""
        return tuple(thing.colour for thing in self.things)

    @property
    def ordered(self) -> tuple[Colour, ...]:
        """Their colours by rank, the smallest first."""
        return tuple(thing.colour for thing in sorted(self.things, key=lambda thing: thing.rank))

    @property
    def places(self) -> list[int]:
        """Where they lie."""
        return [250 + 1100 * n // (len(self.things) - 1) for n in range(len(self.things))]


def swaps_from_left(ranks: Sequence[int]) -> Iterator[Swap]:
    """Return swaps of neighbours that sort, always the first pair that is wrong.

    >>> list(swaps_from_left([3, 1, 2]))
    [(0, 1), (1, 2)]
    """
    yield from _swap_neighbours(ranks, lambda wrong: wrong[0])


def swaps_from_right(ranks: Sequence[int]) -> Iterator[Swap]:
    """Return swaps of neighbours that sort, always the last pair that is wrong."""
    yield from _swap_neighbours(ranks, lambda wrong: wrong[-1])


def _swap_neighbours(ranks: Sequence[int], choose: Callable[[list[int]], int]) -> Iterator[Swap]:
    row = list(ranks)
    while wrong := [n for n, (one, two) in enumerate(pairwise(row)) if one > two]:
        n = choose(wrong)
        row[n], row[n + 1] = row[n + 1], row[n]
        yield n, n + 1


def swaps_at_any_distance(ranks: Sequence[int]) -> Iterator[Swap]:
    """Return swaps that sort and bring each to its place at once, over others."""
    row = list(ranks)
    for n in range(len(row)):
        smallest = min(range(n, len(row)), key=lambda other: row[other])
        if smallest != n:
            row[n], row[smallest] = row[smallest], row[n]
            yield n, smallest


def _scene(row: UnsortedRow, swaps: Sequence[Swap] = (), *, more: tuple[Change, ...] = ()) -> Scene:
    things = tuple(
        Thing(id=each.colour, kind=row.kind, colour=each.colour, x=x, y=ROW_Y, **_size(row.kind, each.rank))
        for each, x in zip(row.things, row.places, strict=True)
    )
    changes: list[Change] = list(more)
    order, takes_s = list(row.colours), (END_S - START_S) / max(1, len(swaps))
    for number, (i, j) in enumerate(swaps):
        at_s, for_s = snap(START_S + number * takes_s), snap(takes_s * MOVING)
        for name, to, arc in ((order[i], j, ARC), (order[j], i, -ARC)):
            changes.append(Move(thing=name, at_s=at_s, for_s=for_s, x=row.places[to], y=ROW_Y, arc=arc))
        order[i], order[j] = order[j], order[i]
    table = Place(backdrop="tabletop", colour="white")
    return make_scene("ordering", LENGTH_S, places=(table,), things=things, changes=tuple(changes))


def _size(kind: str, rank: int) -> dict[str, int | str]:
    return {"text": str(rank), "width": 150} if kind == "card" else {"width": 50 + 40 * rank}


def _ranks(row: UnsortedRow) -> list[int]:
    return [each.rank for each in row.things]


def _context(settings: Settings, store: FileStore) -> StagedContext:
    return begin_with(_scene(UnsortedRow.model_validate(settings)), store)


def _film(settings: Settings, variant: int) -> Footage:
    row = UnsortedRow.model_validate(settings)
    swaps = (swaps_from_left, swaps_from_right)[variant](_ranks(row))
    return film_scene(_scene(row, list(swaps)))


def _spoil(settings: Settings, code: str) -> Footage:
    row = UnsortedRow.model_validate(settings)
    right = list(swaps_from_left(_ranks(row)))
    if code == "wrong_order":
        return film_scene(_scene(row, right[:-1]))
    if code == "illegal_step":
        return film_scene(_scene(row, list(swaps_at_any_distance(_ranks(row)))))
    gone = Vanish(thing=row.colours[1], at_s=LENGTH_S / 2)
    return film_scene(_scene(row, right, more=(gone,)))


def _verify(path: Path, settings: Settings) -> Sequence[Weakness]:
    row, film = UnsortedRow.model_validate(settings), watch(path)
    return find_standstill(film) or _find_weakness(film, row, follow_colours(film, row.colours))


def _find_weakness(film: WatchedFilm, row: UnsortedRow, tracks: Mapping[Colour, ColourTrack]) -> list[Weakness]:
    orders = resting_orders(tracks, row.colours, row.places, ROW_Y)
    if not orders or orders[0][0] > 1 or orders[0][1] != row.colours:
        return [film.weakness("goal_missed", "The row does not begin as the first picture shows it.", 0)]
    for colour in row.colours:
        if (gone := first_run(~tracks[colour].seen, VANISHED)) is not None:
            return [film.weakness("lost_matter", f"What is {colour} is gone.", gone)]
    if (leap := find_leap(orders)) is not None:
        return [film.weakness("illegal_step", "Others than two neighbours change places.", leap)]
    if orders[-1][1] != row.ordered:
        text = f"In the end they lie as {', '.join(orders[-1][1])}, not as {', '.join(row.ordered)}."
        return [film.weakness("wrong_order", text, len(film.pictures) - 1)]
    return []


KIND = StagedKind(
    cases=(
        StagedCase(
            name="order-cards",
            kind="ordering",
            subcategory="sorting_maths",
            instruction="The cards are put in order, the smallest number on the left. In each step only two neighbours "
            "change places, and all cards rest for a moment before the next step. Seen from above; the camera stands "
            "still.",
            settings={
                "kind": "card",
                "things": [
                    {"colour": "orange", "rank": 6},
                    {"colour": "cyan", "rank": 4},
                    {"colour": "pink", "rank": 9},
                    {"colour": "green", "rank": 2},
                ],
            },
            subjects=4,
        ),
        StagedCase(
            name="order-discs",
            kind="ordering",
            subcategory="sorting_maths",
            instruction="The discs are put in order, the smallest on the left. In each step only two neighbours change "
            "places, and all discs rest for a moment before the next step. Seen from above; the camera stands still.",
            settings={
                "kind": "circle",
                "things": [
                    {"colour": "purple", "rank": 4},
                    {"colour": "red", "rank": 1},
                    {"colour": "yellow", "rank": 3},
                    {"colour": "blue", "rank": 2},
                ],
            },
            subjects=4,
        ),
    ),
    context=_context,
    film=_film,
    plants=("wrong_order", "illegal_step", "lost_matter"),
    spoil=_spoil,
    verify=_verify,
)
