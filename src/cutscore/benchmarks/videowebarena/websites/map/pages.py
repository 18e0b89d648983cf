"""The first page, search, and the pages of places and tiles."""

import json

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.map.categories import CATEGORIES
from cutscore.benchmarks.videowebarena.websites.map.map_view import Marker, show_map
from cutscore.benchmarks.videowebarena.websites.map.projection import ZOOMS, View
from cutscore.benchmarks.videowebarena.websites.map.roads import RoadPoint
from cutscore.benchmarks.videowebarena.websites.map.search import search
from cutscore.benchmarks.videowebarena.websites.map.seeding import MIDDLE
from cutscore.benchmarks.videowebarena.websites.map.tiles import draw_tile
from cutscore.benchmarks.videowebarena.websites.visit import Visit

TOWN_VIEW = View(14, MIDDLE)
PAGE = 10  # results


def show_start(visit: Visit) -> Response:
    """Show the town, and what can be searched for."""
    return show_map(visit, "start.html", TOWN_VIEW, categories=[category.label for category in CATEGORIES])


def show_search(visit: Visit) -> Response:
    """Show what a question finds, ten at a time."""
    question = visit.query.get("query", "").strip()
    found = search(visit.db, question)
    last = max(1, -(-len(found.places) // PAGE))
    now = min(max(visit.number("page"), 1), last)
    shown = found.places[(now - 1) * PAGE : now * PAGE]
    numbered = list(enumerate(shown, (now - 1) * PAGE + 1))
    view = View.around([place.point for place in shown]) if shown else TOWN_VIEW
    markers = [Marker(str(number), place.point) for number, place in numbered]
    return show_map(
        visit,
        "search.html",
        view,
        markers=markers,
        question=question,
        found=found,
        results=numbered,
        now=now,
        last=last,
    )


def show_feature(visit: Visit) -> Response:
    """Show a node or a way with all that is known of it."""
    kind = visit.request.url.path.split("/")[1]
    row = visit.row("SELECT * FROM feature WHERE kind = ? AND id = ?", kind, visit.path["id"]) or visit.missing("place")
    point = RoadPoint(row["lat"], row["lon"])
    tags = json.loads(row["tags"])
    return show_map(
        visit, "feature.html", View(16, point), markers=[Marker("", point)], feature=row, point=point, tags=tags
    )


def show_tile(visit: Visit) -> Response:
    """Show a piece of the land."""
    zoom, column, row = (visit.path[name] for name in ("zoom", "column", "row"))
    if zoom not in ZOOMS or column >= 2**zoom or row >= 2**zoom:
        visit.missing("tile")
    return Response(draw_tile(visit.db, zoom, column, row), media_type="image/svg+xml")
