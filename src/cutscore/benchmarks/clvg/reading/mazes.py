"""A maze solved from its picture: the way that keeps clear of dark walls, from one coloured thing to another."""

import re
from heapq import heappop, heappush

import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.clvg.reading.given import GivenContext, film
from cutscore.benchmarks.clvg.reading.moving import paste
from cutscore.media.footage import Footage
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.perception.colours import NAMES
from cutscore.perception.subject_match import CutOut
from cutscore.subjects.picture_edits import largest_patch

Cell = tuple[int, int]
Mask = npt.NDArray[np.bool_]

COLOUR = "|".join(NAMES)
WALK = re.compile(rf"\bthe (?P<walker>{COLOUR}) [a-z]+ [\w ]*?\bmaze\b[\w ]*? to the (?P<goal>{COLOUR})\b", re.I)
COARSE = 2  # pixels of a step
DARK = 90  # grey level below which a pixel is a wall
LEAVES, ARRIVES = 0.08, 0.9  # share of the film at which the walker leaves, and at which it is there


def solve_maze(given: GivenContext) -> Footage | None:
    """Let the walker go to the goal on the way that keeps farthest from the walls."""
    found = WALK.search(given.words)
    picture = given.picture("first_frame")
    walker, goal = (largest_patch(picture, found[name].lower()) if found else None for name in ("walker", "goal"))
    if walker is None or goal is None:
        return None
    way = find_way(clearance(picture, walker | goal), _middle(walker), _middle(goal))
    if not way:
        return None
    thing, empty = _take_out(picture, walker)
    at = np.clip((np.linspace(0, 1, given.count) - LEAVES) / (ARRIVES - LEAVES), 0, 1) * (len(way) - 1)
    places = [[np.interp(at, range(len(way)), [cell[axis] for cell in way])] for axis in (0, 1)]
    return film([paste(empty, thing, x, y) for x, y in zip(places[0][0], places[1][0], strict=True)])


def clearance(picture: Pixels, things: Mask) -> npt.NDArray[np.float32]:
    """Return how many pixels each place is from the nearest wall; dark pixels that are no thing are walls."""
    cv2 = opencv()
    near_things = cv2.dilate(things.astype(np.uint8), np.ones((5, 5))) > 0
    free = (cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY) >= DARK) | near_things
    far: npt.NDArray[np.float32] = cv2.distanceTransform(free.astype(np.uint8), cv2.DIST_L2, 5)
    return far


def find_way(free: npt.NDArray[np.float32], start: Cell, end: Cell) -> list[Cell]:
    """Return the cheapest way in pixels, empty where there is none; a step costs the more the nearer a wall is."""
    height, width = free.shape
    queue: list[tuple[float, Cell]] = [(0.0, start)]
    costs, before = {start: 0.0}, dict[Cell, Cell]()
    while queue:
        cost, (x, y) = heappop(queue)
        if abs(x - end[0]) <= COARSE and abs(y - end[1]) <= COARSE:
            return _trace(before, (x, y))
        if cost > costs[x, y]:
            continue
        for there in ((x + COARSE, y), (x - COARSE, y), (x, y + COARSE), (x, y - COARSE)):
            if not (0 <= there[0] < width and 0 <= there[1] < height) or free[there[1], there[0]] < COARSE:
                continue
            total = cost + 1 + (16 / float(free[there[1], there[0]])) ** 2
            if total < costs.get(there, np.inf):
                costs[there], before[there] = total, (x, y)
                heappush(queue, (total, there))
    return []


def _trace(before: dict[Cell, Cell], last: Cell) -> list[Cell]:
    way = [last]
    while way[-1] in before:
        way.append(before[way[-1]])
    return way[::-1]


def _middle(mask: Mask) -> Cell:
    rows, columns = np.nonzero(mask)
    return round(float(columns.mean())), round(float(rows.mean()))


def _take_out(picture: Pixels, mask: Mask) -> tuple[CutOut, Pixels]:
    """Return a thing by itself, and the picture without it."""
    cv2 = opencv()
    rows, columns = np.nonzero(mask)
    box = np.s_[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    wide = cv2.dilate(mask.astype(np.uint8), np.ones((9, 9)))
    return CutOut(np.ascontiguousarray(picture[box]), mask[box]), cv2.inpaint(picture, wide, 5, cv2.INPAINT_TELEA)
