"""Finding places: by name, by kind, by address, by coordinates, and near another place."""

import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from cutscore.benchmarks.videowebarena.websites.map.roads import METRES_A_DEGREE, RoadPoint, distance_m
from cutscore.benchmarks.videowebarena.websites.map.turns import write_distance

MOST_WORDS = 12  # of a question that are looked at
NEARBY_M = 300.0
_COORDINATES = re.compile(r"\s*(-?\d{1,2}(?:\.\d{1,12})?)\s*[,\s]\s*(-?\d{1,3}(?:\.\d{1,12})?)\s*")
_SELECT = "SELECT kind, id, name, label, address, lat, lon FROM feature WHERE "


@dataclass(frozen=True)
class FoundPlace:
    """A node or way, as lists show it; `away_m` from what it was to be near to."""

    kind: str
    id: int
    name: str
    label: str
    address: str
    point: RoadPoint
    away_m: float | None = None

    @property
    def display_name(self) -> str:
        """Name and address in one line, as fields of the directions have it."""
        return f"{self.name}, {self.address}" if self.name else self.address

    @property
    def away(self) -> str:
        """How far it is, in words; empty where nobody asked."""
        return "" if self.away_m is None else write_distance(self.away_m)

    @property
    def path(self) -> str:
        return f"/{self.kind}/{self.id}"


@dataclass(frozen=True)
class Found:
    """What a question found, best first; `unknown` is the place that others were to be near to and nobody knows."""

    places: Sequence[FoundPlace]
    unknown: str = ""


def split_words(text: str) -> list[str]:
    """Return the words of a text, in small letters without accents.

    >>> split_words("Weavers' Café, 12")
    ['weavers', 'cafe', '12']
    """
    plain = unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()
    return re.findall(r"[a-z0-9]+", plain)


def fold(text: str) -> str:
    """Return words as search compares them: in the singular, each with a space before and behind it.

    >>> fold("Libraries, Churches, Cafés"), fold("Blue bus 12")
    (' library church cafe ', ' blue bus 12 ')
    """
    return f" {' '.join(map(_singular, split_words(text)))} "


def read_coordinates(text: str) -> RoadPoint | None:
    """Return the point that somebody wrote as latitude and longitude.

    >>> read_coordinates("55.0, 3.1"), read_coordinates("12 Mill Street")
    (RoadPoint(lat=55.0, lon=3.1), None)
    """
    found = _COORDINATES.fullmatch(text)
    point = RoadPoint(float(found[1]), float(found[2])) if found else None
    return point if point and abs(point.lat) <= 85 and abs(point.lon) <= 180 else None


def search(db: sqlite3.Connection, question: str) -> Found:
    """Return what a question finds: `Blue Kettle`, `cafes near Mill Green`, `12 Mill Street`, `55.0, 3.0`."""
    if point := read_coordinates(question):
        return Found(look_up(db, point))
    what, near, where = question.partition(" near ")
    if not near:
        return Found(_by_words(db, question))
    middle = geocode(db, where)
    if middle is None:
        return Found((), unknown=where.strip())
    others = (place for place in _by_words(db, what) if (place.kind, place.id) != (middle.kind, middle.id))
    return Found(_by_distance(others, middle.point))


def geocode(db: sqlite3.Connection, text: str) -> FoundPlace | None:
    """Return the one place that a text means, None where nothing is called so; coordinates mean themselves."""
    point = read_coordinates(text)
    if point is None:
        return next(iter(_by_words(db, text)), None)
    exact = db.execute(_SELECT + "lat = ? AND lon = ?", (point.lat, point.lon)).fetchone()
    return _place(exact) if exact else FoundPlace("", 0, "", "", f"{point.lat:.5f}, {point.lon:.5f}", point)


def look_up(db: sqlite3.Connection, point: RoadPoint) -> Sequence[FoundPlace]:
    """Return what is near a point, the nearest first: reverse lookup."""
    across = NEARBY_M / METRES_A_DEGREE
    box = (point.lat - across, point.lat + across, point.lon - 2 * across, point.lon + 2 * across)
    rows = db.execute(_SELECT + "lat BETWEEN ? AND ? AND lon BETWEEN ? AND ?", box)
    return [place for place in _by_distance(map(_place, rows), point) if (place.away_m or 0) <= NEARBY_M]


def _by_words(db: sqlite3.Connection, text: str) -> list[FoundPlace]:
    """Return what has all words of a text. Names go before kinds, and kinds before addresses."""
    words = fold(text).split()[:MOST_WORDS]
    if not words:
        return []
    asked = f" {' '.join(words)} "
    has_all = " AND ".join(["instr(words, ?)"] * len(words))
    rows = db.execute(_SELECT + has_all, [f" {word} " for word in words])

    def rank(row: sqlite3.Row) -> tuple[int, bool, str, str, int]:
        name = fold(row["name"])
        order = (name == asked, fold(row["label"]) == asked, name.startswith(asked), asked in name, True).index(True)
        return order, not row["name"], name or fold(row["address"]), row["kind"], row["id"]

    return [_place(row) for row in sorted(rows.fetchall(), key=rank)]


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and len(word) > 3 else word


def _by_distance(places: Iterable[FoundPlace], middle: RoadPoint) -> list[FoundPlace]:
    away = [replace(place, away_m=distance_m(place.point, middle)) for place in places]
    return sorted(away, key=lambda place: (place.away_m, place.kind, place.id))


def _place(row: sqlite3.Row) -> FoundPlace:
    return FoundPlace(
        row["kind"], row["id"], row["name"], row["label"], row["address"], RoadPoint(row["lat"], row["lon"])
    )
