"""Fills the map from a seed: streets, houses along them, and places in some of the houses."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import cos, hypot, radians
from random import Random

from cutscore.benchmarks.videowebarena.websites.map.categories import (
    CATEGORIES,
    LABELS,
    LANDMARKS,
    SHORE,
    PlaceCategory,
)
from cutscore.benchmarks.videowebarena.websites.map.island import XY, Area, Island, Street, draw_island, quarter_of
from cutscore.benchmarks.videowebarena.websites.map.roads import METRES_A_DEGREE, RoadPoint
from cutscore.benchmarks.videowebarena.websites.map.search import fold, split_words
from cutscore.benchmarks.videowebarena.websites.map.words import ISLAND, LOOKS, SURNAMES, THINGS, TOPICS, TOWN, VILLAGES
from cutscore.benchmarks.videowebarena.websites.website import SeedContext

MIDDLE = RoadPoint(55.0, 3.0)  # of the town; in the North Sea, where nobody lives
HOUSE_M, ASIDE_M, CORNER_M = 32.0, 17.0, 28.0  # between houses, from the street, from a crossing
TOWN_SHARE = 0.72  # of the places
POSTCODES = {"Old Town": "4101", "Millfield": "4102", "Northgate": "4103", "Parkside": "4104"}
PHONE = "+44 1632 96{:04}"  # numbers that are given to nobody, for use in stories

Tags = dict[str, str]


@dataclass(frozen=True)
class House:
    """A door in a street."""

    number: int
    street: str
    place: str
    at: XY


@dataclass
class _Seeding:
    """What is drawn so far: names are given once, houses taken once."""

    db: sqlite3.Connection
    draw: Random
    streets: Sequence[Street]
    free: Mapping[str, list[House]]
    names: set[str] = field(default_factory=set)
    phones: int = 0


def fill(context: SeedContext) -> None:
    """Fill the tables."""
    draw = context.draw
    island = draw_island(draw)
    houses = [house for street in island.streets if street.place for house in _houses_along(street)]
    free = {place: [house for house in houses if house.place == place] for place in (TOWN, *VILLAGES)}
    for each in free.values():
        draw.shuffle(each)
    seeding = _Seeding(context.db, draw, island.streets, free)
    _fill_ways(seeding, island)
    _add(seeding, TOWN, {"place": "town", "population": "18400"}, (0, 0), ISLAND)
    for village, at in island.villages.items():
        _add(seeding, village, {"place": "village", "population": str(draw.randrange(180, 900, 10))}, at, ISLAND)
    for name, key, value, _, hours in LANDMARKS:
        _add_in_house(seeding, name, {key: value, "opening_hours": hours}, free[TOWN].pop())
    for category in CATEGORIES:
        for _ in range(category.count):
            _add_place(seeding, category)
    _fill_shore(seeding, island)
    for house in houses:
        if house in free[house.place]:
            _add_in_house(seeding, "", {"building": "house"}, house)


def to_point(at: XY) -> RoadPoint:
    """Return where a point of the island is on the globe, to about a metre."""
    east = METRES_A_DEGREE * cos(radians(MIDDLE.lat))
    return RoadPoint(round(MIDDLE.lat + at[1] / METRES_A_DEGREE, 5), round(MIDDLE.lon + at[0] / east, 5))


def _houses_along(street: Street) -> Iterator[House]:
    """Number the houses of a street, odd on its left and even on its right."""
    if street.kind not in ("residential", "pedestrian", "primary"):
        return
    number = 1
    for (ax, ay), (bx, by) in pairwise(street.points):
        long = hypot(bx - ax, by - ay)
        dx, dy = (bx - ax) / long, (by - ay) / long
        for step in range(max(0, int((long - 2 * CORNER_M) // HOUSE_M) + 1)):
            along = CORNER_M + step * HOUSE_M
            for side, each in ((1, number), (-1, number + 1)):
                at = ax + along * dx - side * ASIDE_M * dy, ay + along * dy + side * ASIDE_M * dx
                yield House(each, street.name, street.place, at)
            number += 2


def _fill_ways(seeding: _Seeding, island: Island) -> None:
    crossings: dict[XY, int] = {}
    for street in island.streets:
        tags = {"highway": street.kind, "name": street.name, "maxspeed": str(street.max_kmh)}
        tags |= {"oneway": "yes"} if street.oneway else {}
        points = [(crossings.setdefault(at, len(crossings) + 1), at) for at in street.points]
        place = street.place or (TOWN if street.kind in ("cycleway", "footway") else "")
        _add_way(seeding, street.name, tags, points, place, middle=street.points[len(street.points) // 2])
    for area in island.areas:
        tags = {area.key: area.value, "name": area.name}
        _add_way(seeding, area.name, tags, [(None, at) for at in area.points], _place_of(area), middle=_middle(area))
    for number, at in enumerate(map(to_point, island.shore)):
        seeding.db.execute("INSERT INTO shore VALUES (?, ?, ?)", (number, at.lat, at.lon))


def _add_way(
    seeding: _Seeding, name: str, tags: Tags, points: Sequence[tuple[int | None, XY]], place: str, *, middle: XY
) -> None:
    on_globe = [(number, to_point(at)) for number, at in points]
    written = json.dumps([[number, point.lat, point.lon] for number, point in on_globe])
    at, label, address = to_point(middle), _label(tags), ", ".join(each for each in (place, ISLAND) if each)
    values = (name, label, address, at.lat, at.lon, json.dumps(tags), fold(f"{name} {label} {address}"), written)
    seeding.db.execute("INSERT INTO way VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)", values)


def _place_of(area: Area) -> str:
    return TOWN if area.value == "park" else ""


def _middle(area: Area) -> XY:
    if area.key == "waterway":
        return area.points[len(area.points) // 2]
    return tuple(sum(at[axis] for at in area.points) / len(area.points) for axis in (0, 1))  # type: ignore[return-value]


def _add_place(seeding: _Seeding, category: PlaceCategory) -> None:
    draw = seeding.draw
    place = TOWN if draw.random() < TOWN_SHARE else draw.choice(VILLAGES)
    house, name = _draw_house_and_name(seeding, category, seeding.free[place])
    tags = {category.key: category.value} | {key: draw.choice(values) for key, values in category.more.items()}
    if category.hours:
        seeding.phones += 1
        slug = "-".join(split_words(name))
        tags |= {"opening_hours": draw.choice(category.hours), "phone": PHONE.format(seeding.phones)}
        tags["website"] = f"https://example.org/{slug}"
    _add_in_house(seeding, name, tags, house)


def _draw_house_and_name(seeding: _Seeding, category: PlaceCategory, free: list[House]) -> tuple[House, str]:
    """Return a free house and a name that no place has; a stop is called after its street, which may have one."""
    while True:
        house = free.pop()
        thing, other = seeding.draw.sample(THINGS, 2)
        drawn = {"look": LOOKS, "surname": SURNAMES, "topic": TOPICS}
        words = {blank: seeding.draw.choice(pool) for blank, pool in drawn.items()}
        name = category.name.format(thing=thing, other=other, street=house.street, **words)
        if name not in seeding.names:
            seeding.names.add(name)
            return house, name
        free.insert(0, house)


def _fill_shore(seeding: _Seeding, island: Island) -> None:
    """Put lighthouses, beaches and viewpoints on the shore, each at the end of a village's lane."""
    villages = seeding.draw.sample(VILLAGES, 6)
    for number, village in enumerate(villages):
        name, key, value, _ = SHORE[number % len(SHORE)]
        _add(seeding, name.format(village=village), {key: value}, island.landings[village], f"{village}, {ISLAND}")


def _add_in_house(seeding: _Seeding, name: str, tags: Tags, house: House) -> None:
    quarter = quarter_of(house.at) if house.place == TOWN else ""
    postcode = POSTCODES[quarter] if quarter else str(4110 + VILLAGES.index(house.place))
    parts = (str(house.number), house.street, quarter, house.place, postcode, ISLAND)
    where = {
        "addr:housenumber": str(house.number),
        "addr:street": house.street,
        "addr:city": house.place,
        "addr:postcode": postcode,
    }
    _add(seeding, name, where | tags, house.at, ", ".join(part for part in parts if part))


def _add(seeding: _Seeding, name: str, tags: Tags, at: XY, address: str) -> None:
    point, label = to_point(at), _label(tags)
    named = dict(sorted((tags | {"name": name} if name else tags).items()))
    words = fold(f"{name} {label} {address}" if name else f"{address} {label}")
    values = (name, label, address, point.lat, point.lon, json.dumps(named), words)
    seeding.db.execute("INSERT INTO node VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", values)


def _label(tags: Tags) -> str:
    return next((LABELS[pair] for pair in tags.items() if pair in LABELS), "House")
