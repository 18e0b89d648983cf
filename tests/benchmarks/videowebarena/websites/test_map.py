"""The map: places are found, routes are the quickest, and released tasks find what they read."""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from random import Random

import httpx
import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra
from web_fixtures import live

pytest.importorskip("uvicorn", reason="the sites need an extra: pip install 'cutscore[web]'")

from cutscore.benchmarks.videowebarena.released import WebTask
from cutscore.benchmarks.videowebarena.websites.map.directions import ENGINES, make_graph
from cutscore.benchmarks.videowebarena.websites.map.projection import View, to_pixels, to_point
from cutscore.benchmarks.videowebarena.websites.map.roads import Arc, Mode, RoadGraph, RoadPoint, find_route, quickest
from cutscore.benchmarks.videowebarena.websites.map.site import SITE
from cutscore.benchmarks.videowebarena.websites.map.tiles import read_ways
from cutscore.benchmarks.videowebarena.websites.serving import ServedSites
from cutscore.benchmarks.videowebarena.websites.state import Templates, connect
from cutscore.environments.browser.guard import AddressGuard
from cutscore.environments.browser.opening import open_session
from cutscore.environments.browser.session import SessionOptions
from cutscore.environments.browser.settle import settle

DEGREES = r"-?[\d.]+"
ENDS = f"{DEGREES}%2C{DEGREES}%3B{DEGREES}%2C{DEGREES}"
ROUTE = rf"/directions\?engine=fossgis_osrm_\w+&route={ENDS}#map=\d+/{DEGREES}/{DEGREES}"
BY_CAR = {"engine": "fossgis_osrm_car", "route_from": "Sandholm University", "route_to": "Harbourside Stadium"}


@pytest.fixture
def visitor(served: ServedSites) -> Iterator[httpx.Client]:
    headers = {"Host": f"map.localhost:{served.port}", "Connection": "close"}
    with httpx.Client(base_url=f"http://127.0.0.1:{served.port}", headers=headers, trust_env=False) as client:
        yield client


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> dict[Mode, RoadGraph]:
    """The roads of the seeded island."""
    db = connect(Templates(tmp_path_factory.mktemp("seeded"), 1).of(SITE.database) / "map.sqlite")
    ways = read_ways(db)
    db.close()
    return {mode: make_graph(ways, mode) for mode, _ in ENGINES.values()}


def results(page: httpx.Response) -> list[str]:
    assert page.status_code == 200
    return [unescape(each) for each in re.findall(r'<a href="/(?:node|way)/\d+">(.*?)</a>', page.text)]


def distances(arcs: dict[int, list[Arc]]) -> tuple[list[int], np.ndarray]:
    """Return the least seconds from every node to every other, as scipy has them."""
    nodes = sorted(arcs)
    index = {node: number for number, node in enumerate(nodes)}
    least = np.zeros((len(nodes), len(nodes)))
    for arc in (arc for leaving in arcs.values() for arc in leaving):
        at = index[arc.start], index[arc.end]
        least[at] = min(least[at] or np.inf, arc.seconds)
    return nodes, dijkstra(csr_matrix(least))


def check_routes(arcs: dict[int, list[Arc]], pairs: list[tuple[int, int]]) -> None:
    nodes, wanted = distances(arcs)
    for a, b in pairs:
        found = quickest(arcs, nodes[a], nodes[b])
        if found is None:
            assert np.isinf(wanted[a, b])
        else:
            assert sum(arc.seconds for arc in found) == pytest.approx(wanted[a, b])
            assert [nodes[a], *(arc.end for arc in found)] == [*(arc.start for arc in found), nodes[b]]


def test_routes_are_the_quickest_on_random_graphs() -> None:
    for seed in range(30):
        draw = Random(seed)
        nodes = range(1, draw.randint(2, 25))
        arcs: dict[int, list[Arc]] = {node: [] for node in nodes}
        for way in range(draw.randint(0, 60)):
            a, b = draw.choice(nodes), draw.choice(nodes)
            if a != b:
                arcs[a].append(Arc(a, b, 1.0, draw.uniform(0.1, 9), way))
        check_routes(arcs, [(a, b) for a in range(len(nodes)) for b in range(len(nodes))])


@pytest.mark.parametrize("mode", ["bicycle", "car", "foot"])
def test_routes_are_the_quickest_on_the_island(graphs: dict[Mode, RoadGraph], mode: Mode) -> None:
    arcs, draw = graphs[mode].arcs, Random(1)
    check_routes(arcs, [(draw.randrange(len(arcs)), draw.randrange(len(arcs))) for _ in range(150)])
    assert np.isfinite(distances(arcs)[1]).all(), "a part of the island cannot be reached"


@pytest.mark.parametrize("mode", ["bicycle", "car", "foot"])
def test_a_route_begins_and_ends_anywhere_on_a_road(graphs: dict[Mode, RoadGraph], mode: Mode) -> None:
    graph, draw = graphs[mode], Random(2)
    nodes, least = distances(graph.arcs)
    index = {node: number for number, node in enumerate(nodes)}
    arcs = [arc for leaving in graph.arcs.values() for arc in leaving]
    for _ in range(60):
        (first, share), (last, other) = ((draw.choice(arcs), draw.choice((0.0, 0.3, 0.8, 1.0))) for _ in range(2))
        route = find_route(graph, *(inside(graph, arc, at) for arc, at in ((first, share), (last, other))))
        assert route
        wanted = min(
            begun + least[index[a], index[b]] + ended
            for a, begun in leaving(graph, first, share)
            for b, ended in leaving(graph, last, other, back=True)
        )
        if {first.start, first.end} == {last.start, last.end}:  # it may stay on its road
            assert route.seconds <= wanted + 1e-6
        else:
            assert route.seconds == pytest.approx(wanted, rel=1e-6)


def inside(graph: RoadGraph, arc: Arc, share: float) -> RoadPoint:
    a, b = graph.points[arc.start], graph.points[arc.end]
    return RoadPoint(a.lat + share * (b.lat - a.lat), a.lon + share * (b.lon - a.lon))


def leaving(graph: RoadGraph, arc: Arc, share: float, *, back: bool = False) -> list[tuple[int, float]]:
    """Return the ends of a road that can be reached from a point on it (or from which it can be), with the seconds."""
    both_ways = any(other.end == arc.start for other in graph.arcs[arc.end])
    to_start, to_end = (arc.start, share * arc.seconds), (arc.end, (1 - share) * arc.seconds)
    if share in (0, 1):
        return [to_end if share else to_start]
    return [to_start, to_end] if both_ways else [to_start if back else to_end]


def test_roads_are_for_those_who_may_use_them(graphs: dict[Mode, RoadGraph]) -> None:
    ways = {mode: {arc.way for arcs in graph.arcs.values() for arc in arcs} for mode, graph in graphs.items()}
    assert ways["bicycle"] - ways["car"], "there are cycle paths"
    assert ways["foot"] - ways["bicycle"], "there are footpaths"
    assert ways["car"] - ways["foot"], "there is a motorway"
    both = {(arc.start, arc.end) for arcs in graphs["car"].arcs.values() for arc in arcs}
    assert any((b, a) not in both for a, b in both), "there are one-way streets"
    on_foot = {(arc.start, arc.end) for arcs in graphs["foot"].arcs.values() for arc in arcs}
    assert all((b, a) in on_foot for a, b in on_foot)


def test_the_island_is_large_and_the_same_for_a_seed(tmp_path: Path) -> None:
    def rows(name: str, seed: int) -> list[tuple[object, ...]]:
        db = connect(Templates(tmp_path / name, seed).of(SITE.database) / "map.sqlite")
        found = [tuple(row) for row in db.execute("SELECT * FROM feature")]
        db.close()
        return found

    one = rows("one", 1)
    assert one == rows("again", 1)
    assert one != rows("other", 2)
    named = [row[2] for row in one if row[0] == "node" and row[2]]
    assert len(named) == len(set(named)) >= 200


def test_a_point_and_its_pixel_are_one() -> None:
    view = View(14, RoadPoint(55.01234, 3.04321))
    assert View.parse(str(view)) == view
    back = to_point(*to_pixels(view.middle, 14), 14)
    assert (back.lat, back.lon) == (pytest.approx(55.01234), pytest.approx(3.04321))
    assert View.parse("14/99/3") is View.parse("20/55/3") is View.parse("14/55") is None


def test_search_finds_by_name_kind_address_and_nearness(visitor: httpx.Client) -> None:
    def found(question: str) -> list[str]:
        return results(visitor.get("/search", params={"query": question}))

    assert found("sandholm university")[0].startswith("Sandholm University, ")
    museums = found("museums")
    assert len(museums) == 8
    assert all("Museum, " in each for each in museums)
    address = museums[0].split(", ", 1)[1]
    assert address in found(address)[0]
    page = visitor.get("/search", params={"query": "cafés near Lantern Park"})
    away = [float(each) * (1000 if unit else 1) for each, unit in re.findall(r", ([\d.]+)(k?)m away", page.text)]
    assert len(away) == 10
    assert away == sorted(away)
    assert "Nothing is called “Atlantis”" in visitor.get("/search?query=cafes near Atlantis").text
    assert "Nothing was found for “zzz”" in visitor.get("/search?query=zzz").text


def test_results_come_in_pages_and_all_of_them_once(visitor: httpx.Client) -> None:
    pages = [results(visitor.get("/search", params={"query": "cafe", "page": number})) for number in (1, 2)]
    assert [len(page) for page in pages] == [10, 10]
    assert len({each for page in pages for each in page}) == 20
    assert "Page 2 of 2" in visitor.get("/search?query=cafe&page=99").text


def test_a_place_has_its_tags_and_is_found_again_by_its_coordinates(visitor: httpx.Client) -> None:
    (path,) = re.findall(r'<a href="(/node/\d+)">Clock Museum', visitor.get("/search?query=Clock+Museum").text)
    page = visitor.get(path)
    tags = dict(re.findall(r'<th scope="row">(.*?)</th><td>(.*?)</td>', page.text))
    assert tags["name"] == "Clock Museum"
    assert tags["tourism"] == "museum"
    assert tags["website"] == "https://example.org/clock-museum"
    assert {"addr:street", "addr:housenumber", "addr:postcode", "opening_hours", "phone"} <= set(tags)
    ((where, shown),) = re.findall(r'<a href="(/search\?query=[^"]+)">([\d., -]+)</a>', page.text)
    assert re.fullmatch(r"\d+\.\d{5}, \d+\.\d{5}", shown)
    assert results(visitor.get(where))[0].startswith("Clock Museum, ")
    for missing in ("/node/99999", f"/way/{'9' * 40}", "/tile/3/1/1.svg"):
        assert visitor.get(missing).status_code == 404


def test_directions_are_an_address_with_a_view_and_name_their_ends(visitor: httpx.Client) -> None:
    moved = visitor.get("/directions", params=BY_CAR)
    assert moved.status_code == 303
    assert re.fullmatch(ROUTE, moved.headers["location"])
    page = visitor.get(moved.headers["location"])
    shown = unescape(page.text)
    assert 'id="route_from" value="Sandholm University, ' in shown
    assert 'id="route_to" value="Harbourside Stadium, ' in shown
    assert re.search(r'id="routing_summary">Distance: [\d.]+k?m\. Time: \d+:\d\d\.<', shown)
    assert re.findall(r'<option value="(\w+)"', shown) == list(ENGINES)
    assert '<option value="fossgis_osrm_car" selected>' in shown
    turns = re.findall(r"<li>(\w+)", shown.partition('<ol class="turn-by-turn">')[2])
    assert turns[0] == "Start"
    assert turns[-1] == "You"
    assert set(turns[1:-1]) <= {"Turn", "Continue"}


def test_an_end_that_nobody_knows_is_told_and_the_form_kept(visitor: httpx.Client) -> None:
    page = visitor.get("/directions", params=BY_CAR | {"route_to": "<b>Atlantis</b>"})
    assert page.status_code == 200
    assert "Nothing is called “&lt;b&gt;Atlantis&lt;/b&gt;”" in page.text
    assert 'value="Sandholm University"' in page.text


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", "' OR 1=1 --", "%00", "a" * 60_000, "9" * 400])
def test_hostile_words_stay_words(visitor: httpx.Client, hostile: str) -> None:
    for path, name in (("/search", "query"), ("/directions", "route_from"), ("/directions", "route"), ("/", "map")):
        page = visitor.get(path, params={name: hostile})
        assert page.status_code == 200
        assert "<script>alert" not in page.text


def read_tasks(released: Path) -> list[WebTask]:
    """Return the released tasks that are done on the map."""
    files = (released / "videowa/test_map.raw.json", released / "wa/test_webarena.raw.json")
    tasks = [WebTask.model_validate(each) for file in files for each in json.loads(file.read_text())]
    return [task for task in tasks if "map" in task.sites]


def test_released_routes_have_addresses_of_this_form(released: Path) -> None:
    wanted = [task.eval.reference_url for task in read_tasks(released) if task.eval and "url_match" in task.eval.uses]
    assert len(wanted) == 5
    assert all(url and re.fullmatch(ROUTE, url.removeprefix("__MAP__")) for url in wanted)


@pytest.mark.real
def test_released_locators_read_the_directions(
    released: Path, chromium: str, served: ServedSites, tmp_path: Path
) -> None:
    looks = {target.locator for task in read_tasks(released) if task.eval for target in task.eval.program_html}
    address = served.addresses.sites["map"].address
    session = live(open_session(SessionOptions(guard=AddressGuard.of([address]), folder=tmp_path)))
    try:
        live(session.open(f"{address}/directions?{httpx.QueryParams(BY_CAR)}"))
        live(settle(session))
        seen = {look: live(session.evaluate(look)) for look in looks}
        url = session.url
    finally:
        live(session.close())
    assert re.fullmatch(ROUTE, url.removeprefix(address)), "the browser keeps the view of the address"
    assert {value for look, value in seen.items() if "selectedIndex" in look} == {1}
    assert {str(value).split(", ")[0] for look, value in seen.items() if "route_from" in look} == {BY_CAR["route_from"]}
    assert {str(value).split(", ")[0] for look, value in seen.items() if "route_to" in look} == {BY_CAR["route_to"]}
    assert len(looks) == 3
