"""The database that the shop and its back office share, and who is known to it."""

from pathlib import Path

from cutscore.benchmarks.videowebarena.websites.shop.seeding import fill
from cutscore.benchmarks.videowebarena.websites.website import Database

DATABASE = Database("shop", Path(__file__).parent / "schema.sql", fill)
