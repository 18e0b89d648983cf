"""The map of a page: tiles, names, markers and a route, and the links that move it."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.map.labels import MapLabel, place_labels
from cutscore.benchmarks.videowebarena.websites.map.projection import HEIGHT_PX, WIDTH_PX, View
from cutscore.benchmarks.videowebarena.websites.map.roads import RoadPoint
from cutscore.benchmarks.videowebarena.websites.map.tiles import read_ways
from cutscore.benchmarks.videowebarena.websites.visit import Visit

STEP_X, STEP_Y = WIDTH_PX / 3, HEIGHT_PX / 3  # how far a link moves the map


@dataclass(frozen=True)
class Marker:
    """A pin on the map, with a number or letter."""

    text: str
    point: RoadPoint


@dataclass(frozen=True)
class MapView:
    """What the template draws; pixels are counted from the map's middle."""

    view: View
    tiles: Sequence[tuple[int, int, float, float]]
    labels: Sequence[MapLabel]
    markers: Sequence[tuple[str, float, float]]
    route: str
    links: Sequence[tuple[str, str, str, str]]


def show_map(
    visit: Visit,
    template: str,
    usual: View,
    *,
    markers: Sequence[Marker] = (),
    route: Sequence[RoadPoint] = (),
    status: int = 200,
    **values: object,
) -> Response:
    """Return a page with a map: what the address asks for (`?map=14/55.0/3.0`), else the usual view."""
    view = View.parse(visit.query.get("map", "")) or usual
    drawn = MapView(
        view,
        view.tiles(),
        place_labels(visit.db, view, read_ways(visit.db)),
        [(marker.text, *view.pixel(marker.point)) for marker in markers],
        "M" + "L".join("{:.1f} {:.1f}".format(*view.pixel(point)) for point in route) if route else "",
        _links(visit, view),
    )
    return visit.page(template, status=status, map=drawn, **values)


def _links(visit: Visit, view: View) -> list[tuple[str, str, str, str]]:
    """Return where the map can be moved: class, sign, words and address of each link."""
    moved = (
        ("in", "+", "Zoom in", view.at_zoom(view.zoom + 1)),
        ("out", "−", "Zoom out", view.at_zoom(view.zoom - 1)),
        ("north", "↑", "Move north", view.move(0, -STEP_Y)),
        ("south", "↓", "Move south", view.move(0, STEP_Y)),
        ("west", "←", "Move west", view.move(-STEP_X, 0)),
        ("east", "→", "Move east", view.move(STEP_X, 0)),
    )
    kept = [(name, value) for name, value in visit.query.multi_items() if name != "map"]

    def address(moved: View) -> str:
        return f"{quote(visit.request.url.path)}?{urlencode([*kept, ('map', str(moved))])}"

    return [(kind, sign, words, address(each)) for kind, sign, words, each in moved if each]
