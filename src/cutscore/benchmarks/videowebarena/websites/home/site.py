"""The home page: where each of the sites is."""

from pathlib import Path

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.visit import Visit
from cutscore.benchmarks.videowebarena.websites.website import Database, Website, page

HERE = Path(__file__).parent
# What there is to do on each site, by its name.
ABOUT = {
    "reddit": "Forums about all sorts of things: read, post, comment and vote.",
    "classifieds": "Things that people near you want to sell, with photos and prices.",
    "shopping": "A shop: choose, fill the cart, order, and say how you liked it.",
    "shopping_admin": "The office behind the shop: orders, stock, customers and reports.",
    "gitlab": "Repositories with their issues, merge requests and members.",
    "map": "Places, and the way from one to another by car, by bicycle or on foot.",
}


def show(visit: Visit) -> Response:
    """List the sites, each at its host and the port of this one."""
    from cutscore.benchmarks.videowebarena.websites.catalogue import websites

    port = f":{visit.request.url.port}" if visit.request.url.port else ""
    sites = [
        {"title": site.title, "address": f"http://{site.host}{port}{site.base_path}", "about": ABOUT.get(site.name, "")}
        for site in websites().values()
        if site is not SITE
    ]
    return visit.page("home.html", sites=sites)


SITE = Website(
    name="homepage",
    title="Home",
    host="home.localhost",
    folder=HERE,
    database=Database("home", HERE / "schema.sql", lambda seeding: None),
    addresses=(page("/", show),),
)
