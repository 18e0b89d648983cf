"""The home page: where each of the sites is."""

from pathlib import Path

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.visit import Visit
from cutscore.benchmarks.videowebarena.websites.website import Database, Website, page

HERE = Path(__file__).parent


def show(visit: Visit) -> Response:
    """List the sites, each at its host and the port of this one."""
    from cutscore.benchmarks.videowebarena.websites.catalogue import websites

    port = f":{visit.request.url.port}" if visit.request.url.port else ""
    sites = [
        {"title": site.title, "address": f"http://{site.host}{port}{site.base_path}"}
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
