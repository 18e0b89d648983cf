"""The lie of the land, drawn from a seed, in metres east and north of the town's middle: shore, river, woods, streets.

The town is a net of streets with a river through it. A car crosses it on three bridges, a bicycle on a fourth, and who
walks on a fifth, so that ways differ. Villages lie around; roads lead from the town to each and from each to the next.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import cos, hypot, pi, sin
from random import Random

from cutscore.benchmarks.videowebarena.websites.map.words import LAKE, QUARTERS, RIVER, STREETS, TOWN, VILLAGES

XY = tuple[float, float]
Radius = Callable[[float], float]  # of the shore, by the angle

COLUMNS, ROWS, BLOCK_M = 9, 7, 225.0
RIVER_Y = BLOCK_M / 2  # between the third row, which counts from 0, and the fourth
PATH_Y = 75.0  # of the path along its southern bank
SOUTH, NORTH = range(4), range(4, ROWS)  # rows on either side
BRIDGES = {0: "primary", 2: "cycleway", 4: "primary", 7: "footway", 8: "primary"}  # by column
ONEWAY_COLUMNS, ONEWAY_ROWS = {3: 1, 5: -1}, {2: 1, 5: -1}  # 1 is north and east
PARK = (range(6, 9), range(4, 7))  # columns and rows of the large park, in the north-east
SMALL_PARKS = ((1, 1), (4, 5), (2, 4), (6, 1))  # columns and rows of their blocks
VILLAGE_M = 130.0


@dataclass(frozen=True)
class Street:
    """A road of one name and kind.

    Args:
        place: Town or village whose houses stand along it; empty for a country road.
    """

    name: str
    kind: str
    points: tuple[XY, ...]
    max_kmh: int = 30
    oneway: bool = False
    place: str = ""


@dataclass(frozen=True)
class Area:
    """Something with a border: a park, a lake; or a river, which has a course instead."""

    name: str
    key: str
    value: str
    points: tuple[XY, ...]


@dataclass(frozen=True)
class Island:
    """All of it.

    Args:
        shore: A closed line.
        villages: The middle of each.
        landings: Where the lane of each village ends at the shore.
    """

    shore: tuple[XY, ...]
    areas: tuple[Area, ...]
    streets: tuple[Street, ...]
    villages: dict[str, XY]
    landings: dict[str, XY]


@dataclass
class _Names:
    """Street names, each given once."""

    left: list[str]
    given: set[str] = field(default_factory=set)

    def take(self, kind: str) -> str:
        name = next(f"{word} {kind}" for word in self.left if f"{word} {kind}" not in self.given)
        self.left.remove(name.split()[0])
        self.given.add(name)
        return name


def draw_island(draw: Random) -> Island:
    """Return an island; equal draws give equal ones."""
    names = _Names([*draw.sample(STREETS, len(STREETS)), *draw.sample(STREETS, len(STREETS))])
    turns = [draw.uniform(0, 2 * pi) for _ in range(3)]

    def radius(angle: float) -> float:
        waves = zip((2, 3, 7), (800, 450, 200), turns, strict=True)
        return 8000 + sum(high * sin(many * angle + turn) for many, high, turn in waves)

    shore = tuple(_polar(radius(angle), angle) for angle in (2 * pi * n / 144 for n in range(144)))
    angles = [2 * pi * (n + 0.5) / len(VILLAGES) for n in range(len(VILLAGES))]
    villages = {name: _polar(0.68 * radius(angle), angle) for name, angle in zip(VILLAGES, angles, strict=True)}
    net = {
        (column, row): (
            (column - COLUMNS // 2) * BLOCK_M + draw.uniform(-18, 18),
            (row - ROWS // 2) * BLOCK_M + draw.uniform(-12, 12),
        )
        for column in range(COLUMNS)
        for row in range(ROWS)
    }
    town = _town_streets(net, names)
    hamlets = {name: _village_streets(draw, name, at, names) for name, at in villages.items()}
    country = _country_roads(draw, net, hamlets, names)
    landings = {name: _landing(shore, at) for name, at in villages.items()}
    lanes = [_shore_lane(name, hamlets[name], at) for name, at in landings.items()]
    streets = (*town, *(street for each in hamlets.values() for street in each), *country, *lanes)
    return Island(shore, (*_water(shore), *_woods(draw, angles, radius), *_parks(net)), streets, villages, landings)


def quarter_of(at: XY) -> str:
    """Return the quarter of the town that a point lies in."""
    return QUARTERS[at[1] > RIVER_Y, at[0] > 0]


def _town_streets(net: dict[tuple[int, int], XY], names: _Names) -> list[Street]:
    path = {column: (_between(net[column, 3], net[column, 4], PATH_Y)) for column in BRIDGES}
    made = []
    for row in range(ROWS):
        edge = row in (0, ROWS - 1)
        for columns, kind in _row_parts(row):
            points = [net[column, row] for column in columns]
            made.append(
                _town_street(names.take("Street"), "primary" if edge else kind, points, ONEWAY_ROWS.get(row, 0))
            )
    for column in range(COLUMNS):
        edge, oneway = column in (0, 4, COLUMNS - 1), ONEWAY_COLUMNS.get(column, 0)
        kind = "primary" if edge else "residential"
        south, north = ([net[column, row] for row in rows] for rows in (SOUTH, NORTH))
        if edge:
            made.append(_town_street(names.take("Avenue"), kind, [*south, path[column], *north], 0))
            continue
        # No way leads on from where it meets the street for people on foot, so nobody is sent there for good.
        made.append(_town_street(names.take("Avenue"), kind, south, 0))
        if column != 7:  # the park is there
            made.append(_town_street(names.take("Avenue"), kind, north, oneway))
        if column in path:
            over = [south[-1], path[column], north[0]]
            made.append(Street(names.take("Footbridge" if column == 7 else "Bridge"), BRIDGES[column], tuple(over)))
    made.append(Street("Riverside Path", "cycleway", tuple(path[column] for column in BRIDGES)))
    columns, rows = PARK
    for ends in ((columns[0], rows[0], columns[2], rows[2]), (columns[0], rows[2], columns[2], rows[0])):
        across = (net[ends[0], ends[1]], net[columns[1], rows[1]], net[ends[2], ends[3]])
        made.append(Street(names.take("Walk"), "footway", across))
    made.append(Street(names.take("Walk"), "footway", tuple(net[columns[1], row] for row in rows)))
    return made


def _row_parts(row: int) -> list[tuple[range, str]]:
    """Return the streets of a row of the net: one is for people on foot in the middle, one ends at the park."""
    if row == 3:
        return [(range(3), "residential"), (range(2, 7), "pedestrian"), (range(6, COLUMNS), "residential")]
    return [(range(7) if row == 5 else range(COLUMNS), "residential")]


def _town_street(name: str, kind: str, points: list[XY], oneway: int) -> Street:
    way = points[::-1] if oneway < 0 else points
    return Street(name, kind, tuple(way), 50 if kind == "primary" else 30, bool(oneway), TOWN)


def _village_streets(draw: Random, name: str, at: XY, names: _Names) -> list[Street]:
    """Return a small net of streets, turned by chance."""
    angle = draw.uniform(0, pi / 2)

    def corner(column: int, row: int) -> XY:
        x, y = column * VILLAGE_M + draw.uniform(-15, 15), row * VILLAGE_M + draw.uniform(-15, 15)
        return at[0] + x * cos(angle) - y * sin(angle), at[1] + x * sin(angle) + y * cos(angle)

    net = {(column, row): corner(column, row) for column in (-1, 0, 1) for row in (-1, 0, 1)}
    lines = [[net[column, row] for column in (-1, 0, 1)] for row in (-1, 0, 1)]
    lines += [[net[column, row] for row in (-1, 0, 1)] for column in (-1, 0, 1)]
    kinds = ("Lane", "Road", "Close", "Lane", "Row", "Hill")
    return [
        Street(names.take(kind), "residential", tuple(line), 30, place=name)
        for line, kind in zip(lines, kinds, strict=True)
    ]


def _country_roads(
    draw: Random, net: dict[tuple[int, int], XY], hamlets: dict[str, list[Street]], names: _Names
) -> list[Street]:
    edge = [at for (column, row), at in net.items() if column in (0, COLUMNS - 1) or row in (0, ROWS - 1)]
    corners = {name: [at for street in streets for at in street.points] for name, streets in hamlets.items()}
    made = []
    for name, there in corners.items():
        begin = min(edge, key=lambda at: _apart(at, _mean(there)))
        end = min(there, key=lambda at: _apart(at, begin))
        bend = _bend(begin, end, draw.choice((-1, 1)) * draw.uniform(0.06, 0.12))
        made.append(Street(f"{name} Road", "primary", (begin, *bend, end), 70))
    around = list(corners)
    for name, following in zip(around, around[1:] + around[:1], strict=True):
        begin = min(corners[name], key=lambda at: _apart(at, _mean(corners[following])))
        end = min(corners[following], key=lambda at: _apart(at, begin))
        made.append(Street(names.take("Way"), "primary", (begin, *_bend(begin, end, -0.08), end), 70))
    west, east = (choose(corners, key=lambda name: _mean(corners[name])[0]) for choose in (min, max))
    west_gate, east_gate = net[0, 1], net[COLUMNS - 1, 2]
    far = min(corners[west], key=lambda at: at[1])
    made.append(Street("Island Expressway", "motorway", (west_gate, *_bend(west_gate, far, 0.05), far), 110))
    near = min(corners[east], key=lambda at: _apart(at, east_gate))
    made.append(Street("Old Railway Path", "cycleway", (east_gate, near), 30))
    return made


def _landing(shore: Sequence[XY], village: XY) -> XY:
    """Return the point just inside the shore that is nearest to a village."""
    x, y = min(shore, key=lambda at: _apart(at, village))
    return 0.985 * x, 0.985 * y


def _shore_lane(name: str, streets: Sequence[Street], landing: XY) -> Street:
    begin = min((at for street in streets for at in street.points), key=lambda at: _apart(at, landing))
    return Street(f"{name} Shore Lane", "residential", (begin, *_bend(begin, landing, 0.07), landing), 50)


def _water(shore: Sequence[XY]) -> Iterator[Area]:
    lake = (-2700.0, 1500.0)
    yield Area(LAKE, "natural", "water", tuple(_blob(lake, 520, 340)))
    mouth = max(shore, key=lambda at: at[0] - 4 * abs(at[1] - RIVER_Y))
    middle = [(x, RIVER_Y + 9 * sin(x / 170)) for x in range(-1100, 1101, 100)]
    upper = [lake, (-2300.0, 1150.0), (-1900.0, 700.0), (-1450.0, 260.0)]
    lower = [(1600.0, 60.0), (2600.0, 200.0), (3900.0, 40.0), (5200.0, 160.0), (mouth[0] + 300, mouth[1])]
    yield Area(RIVER, "waterway", "river", (*upper, *middle, *lower))


def _woods(draw: Random, angles: Sequence[float], radius: Radius) -> Iterator[Area]:
    gap = pi / len(angles)
    for name, number in zip(("Hollow", "Fox", "Sheep", "Raven"), (0, 2, 4, 5), strict=True):
        angle = angles[number] + gap
        at = _polar(0.47 * radius(angle), angle)
        yield Area(f"{name} Wood", "natural", "wood", tuple(_blob(at, draw.uniform(500, 800), draw.uniform(400, 700))))


def _parks(net: dict[tuple[int, int], XY]) -> Iterator[Area]:
    columns, rows = PARK
    inset = 30.0
    corners = ((columns[0], rows[0]), (columns[2], rows[0]), (columns[2], rows[2]), (columns[0], rows[2]))
    yield Area("Lantern Park", "leisure", "park", _inset([net[each] for each in corners], inset))
    for name, (column, row) in zip(
        ("Weavers' Green", "Bell Gardens", "Otter Park", "Mill Green"), SMALL_PARKS, strict=True
    ):
        block = [net[column + dx, row + dy] for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1))]
        yield Area(name, "leisure", "park", _inset(block, 50.0))


def _inset(corners: Sequence[XY], inset: float) -> tuple[XY, ...]:
    x, y = _mean(corners)
    return tuple((cx - inset * (1 if cx > x else -1), cy - inset * (1 if cy > y else -1)) for cx, cy in corners)


def _bend(begin: XY, end: XY, share: float) -> list[XY]:
    """Return points between two, aside of the straight line by up to a share of its length; to the left if positive."""
    dx, dy = end[0] - begin[0], end[1] - begin[1]
    steps = [n / 6 for n in range(1, 6)]
    return [(begin[0] + t * dx - share * sin(pi * t) * dy, begin[1] + t * dy + share * sin(pi * t) * dx) for t in steps]


def _blob(at: XY, wide: float, high: float) -> Iterator[XY]:
    for number in range(24):
        angle = 2 * pi * number / 24
        swell = 1 + 0.12 * sin(3 * angle) + 0.06 * cos(5 * angle)
        yield at[0] + wide * swell * cos(angle), at[1] + high * swell * sin(angle)


def _between(south: XY, north: XY, y: float) -> XY:
    share = (y - south[1]) / (north[1] - south[1])
    return south[0] + share * (north[0] - south[0]), y


def _polar(radius: float, angle: float) -> XY:
    return radius * cos(angle), radius * sin(angle)


def _apart(one: XY, other: XY) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def _mean(points: Sequence[XY]) -> XY:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
