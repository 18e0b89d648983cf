"""Directions: from and to are names or coordinates; the address of a route has coordinates alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.responses import RedirectResponse, Response

from cutscore.benchmarks.videowebarena.websites.map.map_view import Marker, show_map
from cutscore.benchmarks.videowebarena.websites.map.pages import TOWN_VIEW
from cutscore.benchmarks.videowebarena.websites.map.projection import View
from cutscore.benchmarks.videowebarena.websites.map.roads import Mode, RoadGraph, find_route
from cutscore.benchmarks.videowebarena.websites.map.search import FoundPlace, geocode, read_coordinates
from cutscore.benchmarks.videowebarena.websites.map.tiles import Way, read_ways
from cutscore.benchmarks.videowebarena.websites.map.turns import describe_route, write_distance, write_time
from cutscore.benchmarks.videowebarena.websites.visit import Visit

# By the names that addresses of the published map have, in the order of its menu.
ENGINES: Mapping[str, tuple[Mode, str]] = {
    "fossgis_osrm_bike": ("bicycle", "Bicycle (OSRM)"),
    "fossgis_osrm_car": ("car", "Car (OSRM)"),
    "fossgis_osrm_foot": ("foot", "Foot (OSRM)"),
}
USUAL_ENGINE = "fossgis_osrm_car"


@dataclass(frozen=True)
class _Asked:
    """What the form has in it."""

    engine: str
    route_from: str = ""
    route_to: str = ""


def show_directions(visit: Visit) -> Response:
    """Show the form, and the route where the address has one."""
    engine = visit.query.get("engine", "")
    engine = engine if engine in ENGINES else USUAL_ENGINE
    first, _, second = visit.query.get("route", "").partition(";")
    if read_coordinates(first) and read_coordinates(second):
        start, end = geocode(visit.db, first), geocode(visit.db, second)
        assert start
        assert end
        return _show_route(visit, engine, start, end)
    asked = _Asked(engine, visit.query.get("route_from", "").strip(), visit.query.get("route_to", "").strip())
    if asked.route_from and asked.route_to:
        return _find_ends(visit, asked)
    return _show_form(visit, _with_names(visit, asked))


def make_graph(ways: list[Way], mode: Mode) -> RoadGraph:
    """Return the roads for one way of travelling."""
    graph = RoadGraph()
    for way in ways:
        if kind := way.tags.get("highway"):
            nodes = [(number, point) for number, point in way.nodes if number is not None]
            oneway = way.tags.get("oneway") == "yes"
            graph.add_road(mode, way.id, kind, nodes, max_kmh=float(way.tags["maxspeed"]), oneway=oneway)
    return graph


def route_address(engine: str, start: FoundPlace, end: FoundPlace) -> str:
    """Return the address of a route, with the view behind it that the published map would have."""
    written = ";".join(f"{each.point.lat:.5f},{each.point.lon:.5f}" for each in (start, end))
    view = View.around([start.point, end.point])
    return f"/directions?{urlencode({'engine': engine, 'route': written})}#map={view}"


def _find_ends(visit: Visit, asked: _Asked) -> Response:
    start, end = geocode(visit.db, asked.route_from), geocode(visit.db, asked.route_to)
    if start and end:
        return RedirectResponse(route_address(asked.engine, start, end), 303)
    unknown = asked.route_to if start else asked.route_from
    return _show_form(visit, asked, problem=f"Nothing is called “{unknown}”. Write it in another way.")


def _with_names(visit: Visit, asked: _Asked) -> _Asked:
    """Return what was asked with names in place of coordinates: links of places have coordinates."""
    names = [
        place.display_name if read_coordinates(text) and (place := geocode(visit.db, text)) else text
        for text in (asked.route_from, asked.route_to)
    ]
    return _Asked(asked.engine, *names)


def _show_route(visit: Visit, engine: str, start: FoundPlace, end: FoundPlace) -> Response:
    asked = _Asked(engine, start.display_name, end.display_name)
    ways = read_ways(visit.db)
    route = find_route(make_graph(ways, ENGINES[engine][0]), start.point, end.point)
    if route is None:
        return _show_form(visit, asked, problem="No way leads there.")
    turns = describe_route(route, {way.id: way.name for way in ways})
    return show_map(
        visit,
        "directions.html",
        View.around([*route.points, start.point, end.point]),
        markers=[Marker("A", start.point), Marker("B", end.point)],
        route=route.points,
        asked=asked,
        engines=ENGINES,
        problem="",
        distance=write_distance(route.metres),
        time=write_time(route.seconds),
        turns=[(turn.words, write_distance(turn.metres) if turn.metres else "") for turn in turns],
        back=route_address(engine, end, start),
    )


def _show_form(visit: Visit, asked: _Asked, *, problem: str = "") -> Response:
    return show_map(visit, "directions.html", TOWN_VIEW, asked=asked, engines=ENGINES, problem=problem, turns=())
