"""Mazes, sorting and hidden things: what has to be watched to the end."""

from fractions import Fraction
from itertools import pairwise

from cutscore.stage.library.acts import Act, appears, drops, fills, later, moves, snap, takes, vanishes, walks
from cutscore.stage.library.directing import Director
from cutscore.stage.palette import VIVID
from cutscore.stage.scene import Scene
from cutscore.stage.things import Change, Join, Move

Cell = tuple[int, int]

_COLUMNS, _ROWS, _STEP = 9, 5, 150
_LEFT, _TOP = 200, 150


def _maze(seed: int, length_s: Fraction) -> Scene:
    d = Director("maze", "A way through the maze", tags=("maze", "path"), seed=seed, length_s=length_s)
    walker = d.draw.choice(("cat", "dog", "robot", "bird"))
    colour, walls = d.colours(2)
    way = _build_maze(d, walls)
    path = _path(way, (0, 0), (_COLUMNS - 1, _ROWS - 1))
    d.thing("walker", walker, *_middle(path[0]), colour=colour, height=84, layer=3)
    d.thing("flag", "flag", *_middle(path[-1]), colour="red", height=90, layer=2)
    d.beat(1, say=f"The {walker} looks for the flag.", cues=[("beep", 500)])
    d.beat(8, walks("walker", *map(_middle, path[1:])), cues=["step"] * 6)
    d.beat(1, say="Found it.", cues=[("ding", 880)])
    return d.scene()


def _maze_with_key(seed: int, length_s: Fraction) -> Scene:
    d = Director(
        "maze-with-key", "First the key, then the door", tags=("maze", "path", "order"), seed=seed, length_s=length_s
    )
    colour, walls, lock = d.colours(3)
    way = _build_maze(d, walls)
    cells = [(x, y) for x in range(_COLUMNS) for y in range(_ROWS)]
    key = d.draw.choice([cell for cell in cells if cell not in ((0, 0), (_COLUMNS - 1, _ROWS - 1))])
    there, on = _path(way, (0, 0), key), _path(way, key, (_COLUMNS - 1, _ROWS - 1))
    d.thing("walker", "robot", *_middle((0, 0)), colour=colour, height=90, layer=3)
    d.thing("key", "key", *_middle(key), colour=lock, width=70, layer=2)
    d.thing("door", "door", *_middle((_COLUMNS - 1, _ROWS - 1)), colour=lock, height=96, layer=1)
    d.beat(1, say="The door is locked.", cues=[("buzz", 120)])
    d.beat(len(there), walks("walker", *map(_middle, there[1:])), cues=["step"] * 4)
    d.beat(1, takes("key", "walker"), say="Here is the key.", cues=[("ding", 990)])
    d.beat(len(on), walks("walker", *map(_middle, on[1:])), cues=["step"] * 4)
    d.beat(3, vanishes("key"), fills("door", 1), say="The door opens.", cues=[("ding", 660)])
    return d.scene()


def _build_maze(d: Director, walls: str) -> dict[Cell, set[Cell]]:
    """Draw a maze without loops, by depth first, and put its walls on the stage."""
    d.place("tabletop", colour="grey" if walls != "grey" else "white")
    way: dict[Cell, set[Cell]] = {(x, y): set() for x in range(_COLUMNS) for y in range(_ROWS)}
    trail, seen = [(0, 0)], {(0, 0)}
    while trail:
        x, y = trail[-1]
        around = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        near = [cell for cell in around if cell in way and cell not in seen]
        if not near:
            trail.pop()
            continue
        following = d.draw.choice(near)
        way[trail[-1]].add(following)
        way[following].add(trail[-1])
        seen.add(following)
        trail.append(following)
    count = 0
    for (x, y), doors in way.items():
        for other in ((x + 1, y), (x, y + 1)):
            if other in way and other not in doors:
                (ax, ay), (bx, by) = _middle((x, y)), _middle(other)
                size = (14, _STEP + 14) if other[0] > x else (_STEP + 14, 14)
                count += 1
                d.thing(
                    f"wall-{count}", "wall", (ax + bx) // 2, (ay + by) // 2, width=size[0], height=size[1], colour=walls
                )
    return way


def _middle(cell: Cell) -> tuple[int, int]:
    return _LEFT + _STEP * cell[0], _TOP + _STEP * cell[1]


def _path(way: dict[Cell, set[Cell]], start: Cell, end: Cell) -> list[Cell]:
    """Return the only way from one cell to another."""
    trails = [[start]]
    for trail in trails:  # grows while we walk over it: breadth first
        if trail[-1] == end:
            return trail
        trails += [[*trail, cell] for cell in sorted(way[trail[-1]]) if len(trail) < 2 or cell != trail[-2]]
    raise AssertionError("every cell of the maze can be reached")


def _sort_scene(d: Director, objects: list[tuple[str, str, int]], bins: list[str], labels: dict[str, str]) -> Scene:
    """Let things go, one after the other, from a belt into the bin of their sort: kind or colour."""
    d.stand("belt", "belt", 800, 330, colour="grey", width=1300)
    places = {name: 800 + round((n - (len(bins) - 1) / 2) * 420) for n, name in enumerate(bins)}
    for name in bins:
        colour = name if name in VIVID else "brown"
        d.stand(f"bin-{name}", "bin", places[name], 800, colour=colour, layer=5, width=230, text=labels[name])
    d.beat(1, say="Everything goes into its own bin.", cues=[("beep", 500)])
    for n, (kind, sort, size) in enumerate(objects):
        name = f"piece-{n + 1}"
        colour = sort if sort in VIVID else d.colour()
        d.stand(name, kind, 300 + 1000 * n // max(1, len(objects) - 1), 272, colour=colour, width=size, layer=3)
        d.beat(1, _into(name, f"bin-{sort}", places[sort]), cues=["step"])
    d.beat(1, say="Done.", cues=[("ding", 880)])
    return d.scene()


def _into(name: str, into: str, x: int) -> Act:
    def act(a: Fraction, b: Fraction) -> list[Change]:
        middle = snap((a + b) / 2)
        return [
            Move(thing=name, at_s=a, for_s=middle - a, x=x, y=480, arc=60),
            Move(thing=name, at_s=middle, for_s=b - middle, x=x, y=720, ease="speeding"),
            Join(thing=name, at_s=b, to=into, link="inside"),
        ]

    return act


def _sort_colours(seed: int, length_s: Fraction) -> Scene:
    d = Director("sort-colours", "Sorting by colour", tags=("sorting", "count"), seed=seed, length_s=length_s)
    d.place("studio", colour="grey")
    bins: list[str] = [*d.colours(3)]
    objects = [
        (d.draw.choice(("ball", "square", "star")), d.draw.choice(bins), 100) for _ in range(d.draw.randint(5, 8))
    ]
    return _sort_scene(d, objects, [*bins], dict.fromkeys(bins, ""))


def _sort_shapes(seed: int, length_s: Fraction) -> Scene:
    d = Director("sort-shapes", "Sorting by shape", tags=("sorting", "count"), seed=seed, length_s=length_s)
    d.place("studio", colour="cyan")
    bins = d.draw.sample(["circle", "square", "triangle", "star", "hexagon"], 3)
    kinds = [d.draw.choice(bins) for _ in range(d.draw.randint(5, 8))]
    return _sort_scene(d, [(kind, kind, 100) for kind in kinds], bins, {name: name for name in bins})


def _sort_sizes(seed: int, length_s: Fraction) -> Scene:
    d = Director("sort-sizes", "Sorting by size", tags=("sorting", "count"), seed=seed, length_s=length_s)
    d.place("studio", colour="pink")
    sizes = {"small": 60, "large": 130}
    kind = d.draw.choice(("ball", "star", "square", "heart"))
    objects = [(kind, size, sizes[size]) for size in d.draw.choices(sorted(sizes), k=d.draw.randint(5, 8))]
    return _sort_scene(d, objects, ["small", "large"], {"small": "small", "large": "large"})


def _cups(seed: int, length_s: Fraction) -> Scene:
    """A ball under one of three cups, which are swapped: where it is cannot be seen in any one frame."""
    d = Director("cups", "Which cup hides the ball?", tags=("hidden", "track"), seed=seed, length_s=length_s)
    d.place("studio")
    cup, ball = d.colours(2)
    places = [420, 800, 1180]
    order = ["cup-1", "cup-2", "cup-3"]
    hidden = d.draw.choice(order)
    for name, left in zip(order, places, strict=True):
        d.stand(name, "bucket", left, 690, colour=cup, width=220, layer=3, turn=180)
    d.stand("ball", "ball", places[order.index(hidden)], 670, colour=ball, width=90, layer=1, seen=False)
    x, y = d.where(hidden)
    d.beat(
        1,
        moves(hidden, int(x), int(y) - 220),
        lambda a, b: appears("ball")(a, a + Fraction(1, 10)),
        say="Watch the ball.",
        cues=[("ding", 700)],
    )
    d.beat(1, moves(hidden, int(x), int(y)), later(takes("ball", hidden, "inside"), Fraction(99, 100)))
    for _ in range(d.draw.randint(4, 7)):
        i, j = sorted(d.draw.sample(range(3), 2))
        one, other = order[i], order[j]
        d.beat(1, moves(one, places[j], int(y), arc=90), moves(other, places[i], int(y), arc=-60), cues=["whoosh"])
        order[i], order[j] = other, one
    end = places[order.index(hidden)]
    d.beat(Fraction(3, 2), say="Where is it now?")
    d.beat(1, drops("ball"), moves(hidden, end, int(y) - 220), say="Here it is.", cues=[("ding", 990)])
    return d.scene()


def _order_cards(seed: int, length_s: Fraction) -> Scene:
    """Cards with numbers are put in order by neighbouring swaps."""
    d = Director(
        "order-cards", "Putting cards in order", tags=("sorting", "order", "text"), seed=seed, length_s=length_s
    )
    d.place("tabletop")
    numbers = d.draw.sample(range(1, 10), 5)
    places = [300 + 250 * n for n in range(5)]
    cards = []
    for n, number in enumerate(numbers):
        d.thing(f"card-{number}", "card", places[n], 450, colour=d.colour(), text=str(number), width=170)
        cards.append(number)
    d.beat(1, say="The smallest goes first.", cues=[("beep", 600)])
    while cards != sorted(cards):
        n = next(n for n, (one, other) in enumerate(pairwise(cards)) if one > other)
        one, other = cards[n], cards[n + 1]
        d.beat(
            1,
            moves(f"card-{one}", places[n + 1], 450, arc=90),
            moves(f"card-{other}", places[n], 450, arc=-90),
            cues=["whoosh"],
        )
        cards[n], cards[n + 1] = other, one
    d.beat(1, say="Now they are in order.", cues=[("ding", 880)])
    return d.scene()


SCENES = {
    "maze": (_maze, 16),
    "maze-with-key": (_maze_with_key, 18),
    "sort-colours": (_sort_colours, 14),
    "sort-shapes": (_sort_shapes, 14),
    "sort-sizes": (_sort_sizes, 14),
    "cups": (_cups, 14),
    "order-cards": (_order_cards, 16),
}
