"""Titles and numbers as they stand in addresses."""

import re

from cutscore.benchmarks.videowebarena.websites.visit import Visit

MOST_CHARS = 60
MOST_NUMBER = 2**63 - 1  # that a table can have


def make_slug(title: str) -> str:
    """Return a title as it stands in an address.

    >>> make_slug("What's new? A *short* guide")
    'what-s-new-a-short-guide'
    """
    words = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    return words[:MOST_CHARS].strip("-") or "-"


def read_number(visit: Visit, name: str) -> int:
    """Return a number of the address, cut to what a table can have."""
    return min(int(visit.path[name]), MOST_NUMBER)
