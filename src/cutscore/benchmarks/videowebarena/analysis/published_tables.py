"""What the paper prints of its agents and of people, as tables: nothing in them was measured here."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from cutscore.core.table import Column, Table, TableCell

NOTE = "published figures of other agents, on the published sites; nothing here was measured"
AGENTS = ("GPT-4o summary", "GPT-4o 30 frames", "GPT-4o 60 frames", "GPT-4o 100 frames", "Gemini 1.5 Pro", "Phi-3.5V")


@cache
def published() -> Mapping[str, Any]:
    """Return the figures that the paper prints."""
    with (Path(__file__).parents[1] / "published.toml").open("rb") as stream:
        return tomllib.load(stream)


def published_tables() -> list[Table]:
    """Return Tables 6, 7, 8 and 10 as they are printed, and where the paper disagrees with itself."""
    found = published()
    by_site: list[tuple[TableCell, ...]] = [
        (agent, site, *figures) for agent, sites in found["table_6"].items() for site, figures in sites.items()
    ]
    skill: list[tuple[TableCell, ...]] = [
        (agent, *(each or None for each in figures)) for agent, figures in found["table_7"].items()
    ]
    slips = tuple((each,) for each in found["slips"])
    return [
        _table("6", ("agent", "site", "final %", "intermediate %", "steps"), by_site),
        _table("7", ("agent", "WebArena %", "WebArena steps", "VisualWebArena %", "VisualWebArena steps"), skill),
        _table("8", ("tasks", *AGENTS), [(name, *each) for name, each in found["table_8"].items()]),
        _table("10", ("tasks", *AGENTS[:-1]), [(name, *each) for name, each in found["table_10"].items()]),
        Table(
            id="slips",
            title=f"{len(slips)} places where the paper disagrees with itself or with its files",
            columns=(Column(name="slip"),),
            rows=slips,
        ),
    ]


def _table(number: str, columns: tuple[str, ...], body: list[tuple[TableCell, ...]]) -> Table:
    paper = f"Table {number}"
    return Table(
        id=f"published-{number}",
        title=f"{paper}, as printed",
        columns=tuple(Column(name=name, digits=1) for name in columns),
        rows=tuple(body),
        note=NOTE,
        paper=paper,
    )
