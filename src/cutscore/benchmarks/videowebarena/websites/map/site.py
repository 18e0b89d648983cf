"""The map of an island."""

from pathlib import Path

from cutscore.benchmarks.videowebarena.websites.map.directions import show_directions
from cutscore.benchmarks.videowebarena.websites.map.pages import show_feature, show_search, show_start, show_tile
from cutscore.benchmarks.videowebarena.websites.map.seeding import fill
from cutscore.benchmarks.videowebarena.websites.website import Database, Website, page

HERE = Path(__file__).parent

SITE = Website(
    name="map",
    title="Sandholm Map",
    host="map.localhost",
    folder=HERE,
    database=Database("map", HERE / "schema.sql", fill),
    addresses=(
        page("/", show_start),
        page("/search", show_search),
        page("/directions", show_directions),
        page("/node/{id:int}", show_feature),
        page("/way/{id:int}", show_feature),
        page("/tile/{zoom:int}/{column:int}/{row:int}.svg", show_tile),
    ),
)
