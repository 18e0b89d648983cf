"""Titles as they stand in addresses."""

import re

MOST_CHARS = 60


def make_slug(title: str) -> str:
    """Return a title as it stands in an address.

    >>> make_slug("What's new? A *short* guide")
    'what-s-new-a-short-guide'
    """
    words = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    return words[:MOST_CHARS].strip("-") or "-"
