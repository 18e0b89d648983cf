"""A disc that has to find its way through a maze: from cell to cell, through no wall, to the star."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np

from cutscore.benchmarks.clvg.staged.films import begin_with, film_scene, make_scene
from cutscore.benchmarks.clvg.staged.kind import Settings, StagedCase, StagedContext, StagedKind
from cutscore.benchmarks.clvg.staged.looking import ColourTrack, WatchedFilm, find_standstill, follow_colours, watch
from cutscore.core.files import FileStore
from cutscore.core.frozen import FrozenModel
from cutscore.core.judgement import Weakness
from cutscore.media.footage import Footage
from cutscore.stage.library.acts import snap
from cutscore.stage.palette import Colour
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Place
from cutscore.stage.things import Change, Move, Thing

Cell = tuple[int, int]
Wall = tuple[Cell, Cell]  # the cells that it stands between

LENGTH_S, START_S = Fraction(4), Fraction(3, 10)
ARRIVES_S = (Fraction(37, 10), Fraction(3))  # in the two right films
COLUMNS, ROWS, STEP, LEFT, TOP, THICK = 7, 4, 200, 200, 150, 16
WALLS: Colour = "black"
NEAR = 70  # units from the middle of a cell
LEAP = 1.4 * STEP  # units from one picture to the next that are a leap


class MazeWalk(FrozenModel):
    """A maze by its seed, and who walks from its upper left cell to where the goal is."""

    seed: int
    walker: Colour
    goal_colour: Colour
    goal: Cell


def build_maze(seed: int) -> dict[Cell, set[Cell]]:
    """Return which cells are open to each other, in a maze without loops."""
    draw = Random(f"clvg maze {seed}")
    open_to: dict[Cell, set[Cell]] = {(x, y): set() for x in range(COLUMNS) for y in range(ROWS)}
    trail = [(0, 0)]
    seen = {(0, 0)}
    while trail:
        x, y = trail[-1]
        near = [
            cell for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if cell in open_to and cell not in seen
        ]
        if not near:
            trail.pop()
            continue
        following = draw.choice(near)
        open_to[trail[-1]].add(following)
        open_to[following].add(trail[-1])
        seen.add(following)
        trail.append(following)
    return open_to


def find_path(open_to: dict[Cell, set[Cell]], start: Cell, end: Cell) -> list[Cell]:
    """Return the only way from one cell to another."""
    trails = [[start]]
    for trail in trails:  # grows while we walk over it: breadth first
        if trail[-1] == end:
            return trail
        trails += [[*trail, cell] for cell in sorted(open_to[trail[-1]]) if cell not in trail]
    return []


def list_walls(open_to: dict[Cell, set[Cell]]) -> list[Wall]:
    """Return every wall between two cells, and those around the maze."""
    walls = []
    for x in range(-1, COLUMNS):
        for y in range(-1, ROWS):
            for other in ((x + 1, y), (x, y + 1)):
                inside = [cell for cell in ((x, y), other) if cell in open_to]
                if inside and (len(inside) == 1 or other not in open_to[x, y]):
                    walls.append(((x, y), other))
    return walls


def _middle(cell: Cell) -> tuple[int, int]:
    return LEFT + STEP * cell[0], TOP + STEP * cell[1]


def _ends(wall: Wall) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the two ends of a wall."""
    (ax, ay), (bx, by) = _middle(wall[0]), _middle(wall[1])
    x, y, half = (ax + bx) // 2, (ay + by) // 2, STEP // 2
    return ((x, y - half), (x, y + half)) if ay == by else ((x - half, y), (x + half, y))


def _scene(walk: MazeWalk, changes: Sequence[Change] = ()) -> Scene:
    things = []
    for number, wall in enumerate(list_walls(build_maze(walk.seed)), 1):
        (ax, ay), (bx, by) = _ends(wall)
        size = {"width": bx - ax + THICK, "height": by - ay + THICK}
        things.append(Thing(id=f"wall-{number}", kind="wall", colour=WALLS, x=(ax + bx) // 2, y=(ay + by) // 2, **size))
    x, y = _middle(walk.goal)
    things.append(Thing(id="goal", kind="star", colour=walk.goal_colour, x=x, y=y, width=100, layer=1))
    x, y = _middle((0, 0))
    things.append(Thing(id="walker", kind="circle", colour=walk.walker, x=x, y=y, width=90, layer=2))
    table = Place(backdrop="tabletop", colour="white")
    return make_scene("maze", LENGTH_S, places=(table,), things=tuple(things), changes=tuple(changes))


def _way(cells: Sequence[Cell], arrives_s: Fraction) -> list[Change]:
    """Return the moves from cell to cell, at an even pace."""
    times = [snap(START_S + (arrives_s - START_S) * n / (len(cells) - 1)) for n in range(len(cells))]
    moves: list[Change] = []
    for n, cell in enumerate(cells[1:]):
        x, y = _middle(cell)
        moves.append(Move(thing="walker", at_s=times[n], for_s=times[n + 1] - times[n], x=x, y=y, ease="steady"))
    return moves


def _path(walk: MazeWalk) -> list[Cell]:
    return find_path(build_maze(walk.seed), (0, 0), walk.goal)


def _context(settings: Settings, store: FileStore) -> StagedContext:
    return begin_with(_scene(MazeWalk.model_validate(settings)), store)


def _film(settings: Settings, variant: int) -> Footage:
    walk = MazeWalk.model_validate(settings)
    return film_scene(_scene(walk, _way(_path(walk), ARRIVES_S[variant])))


def _spoil(settings: Settings, code: str) -> Footage:
    walk = MazeWalk.model_validate(settings)
    path = _path(walk)
    half = len(path) // 2
    if code == "goal_missed":
        return film_scene(_scene(walk, _way(path[: half + 1], ARRIVES_S[0])))
    if code == "passed_through":
        return film_scene(_scene(walk, _way([path[0], path[-1]], ARRIVES_S[0])))
    # Half of the way, and from there to the goal at once.
    x, y = _middle(path[-1])
    leap = Move(thing="walker", at_s=ARRIVES_S[1], for_s=Fraction(1, 100), x=x, y=y)
    return film_scene(_scene(walk, [*_way(path[: half + 1], ARRIVES_S[1]), leap]))


def _verify(path: Path, settings: Settings) -> Sequence[Weakness]:
    walk, film = MazeWalk.model_validate(settings), watch(path)
    tracks = follow_colours(film, [walk.walker, walk.goal_colour, WALLS])
    return find_standstill(film) or _find_weakness(film, walk, tracks[walk.walker], tracks[walk.goal_colour])


def _find_weakness(film: WatchedFilm, walk: MazeWalk, walker: ColourTrack, star: ColourTrack) -> list[Weakness]:
    start, goal = _middle((0, 0)), _middle(walk.goal)
    begun = np.hypot(walker.x[0] - start[0], walker.y[0] - start[1]) <= NEAR
    if not (begun and np.hypot(star.x[0] - goal[0], star.y[0] - goal[1]) <= NEAR):
        return [film.weakness("goal_missed", "Disc and star do not begin where the first picture shows them.", 0)]
    seen = np.flatnonzero(walker.seen)
    if len(seen) < 0.8 * len(walker.x):
        return [film.weakness("lost_matter", f"The {walk.walker} disc is not seen all the time.")]
    walls = [_ends(wall) for wall in list_walls(build_maze(walk.seed))]
    points = [(float(walker.x[n]), float(walker.y[n])) for n in seen]
    for n, (one, two) in enumerate(pairwise(points)):
        if np.hypot(two[0] - one[0], two[1] - one[1]) > LEAP:
            return [film.weakness("illegal_step", "The disc leaps over cells.", int(seen[n]))]
        if any(_cross(one, two, *wall) for wall in walls):
            return [film.weakness("passed_through", "The disc goes through a wall.", int(seen[n]))]
    if np.hypot(points[-1][0] - goal[0], points[-1][1] - goal[1]) > NEAR:
        return [film.weakness("goal_missed", "The disc does not get to the star.", int(seen[-1]))]
    return []


def _cross(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], d: tuple[float, float]) -> bool:
    """Return whether the straight lines from a to b and from c to d cross."""

    def side(p: tuple[float, float], q: tuple[float, float], r: tuple[float, float]) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


KIND = StagedKind(
    cases=(
        StagedCase(
            name="maze-across",
            kind="maze",
            subcategory="space_pathfinding",
            instruction="The red disc rolls through the maze to the green star, without touching or crossing a wall. "
            "Seen from above; the camera stands still.",
            settings={"seed": 1, "walker": "red", "goal_colour": "green", "goal": [6, 3]},
        ),
        StagedCase(
            name="maze-up",
            kind="maze",
            subcategory="space_pathfinding",
            instruction="The blue disc rolls through the maze to the orange star, without touching or crossing a wall. "
            "Seen from above; the camera stands still.",
            settings={"seed": 5, "walker": "blue", "goal_colour": "orange", "goal": [6, 0]},
        ),
    ),
    context=_context,
    film=_film,
    plants=("passed_through", "illegal_step", "goal_missed"),
    spoil=_spoil,
    verify=_verify,
)
