"""The whole list of a benchmark's items as data: what `static/list.js` filters and sorts, however long it is.

It is a script and not JSON, because a page that was opened from disk may load its own scripts and nothing else. Columns
instead of objects keep 20,000 items at a few megabytes. Every text is inert here already; the page writes it as text.
"""

import json
from collections.abc import Sequence
from typing import Any

from cutscore.core.inert_text import Clean, inert
from cutscore.report.gather import Bench
from cutscore.report.listing import ListLine

FILE = "items.js"
TONES = ("q0", "q1", "q2", "q3", "q4", "unscored", "stopped")
_LOAD = "globalThis.cutscoreItems = JSON.parse({});\n"


def catalogue(bench: Bench, lines: Sequence[ListLine], clean: Clean) -> str:
    """Write the script: items by name, stem, groups and picture, and each subject's marks in that order."""
    pictures = sorted({line.picture for line in lines} - {""})
    numbered = {picture: number for number, picture in enumerate(pictures)}
    groups = sorted({name for entry in bench.entries for name in entry.rows[0].groups})
    plain: dict[str, Any] = {
        "items": [inert(line.entry.item, clean) for line in lines],
        "stems": [line.entry.stem for line in lines],
        "pictures": pictures,
        "picture": [numbered.get(line.picture, -1) for line in lines],
        "groups": {
            inert(name, clean): [inert(line.entry.rows[0].groups.get(name, ""), clean) for line in lines]
            for name in groups
        },
        "subjects": [
            {"name": inert(who.label, clean), **_column([line.marks[place] for line in lines])}
            for place, who in enumerate(bench.whos)
        ],
    }
    written = json.dumps(plain, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return _LOAD.format(json.dumps(written))


def _column(marks: list[Any]) -> dict[str, list[Any]]:
    """Return text, tone, value and place on the item's page of each mark; nothing where somebody was not asked."""
    return {
        "text": [mark.text if mark else "" for mark in marks],
        "tone": [TONES.index(mark.tone) if mark else -1 for mark in marks],
        "value": [mark.value if mark else None for mark in marks],
        "at": [mark.href.partition("#")[2] if mark else "" for mark in marks],
    }
