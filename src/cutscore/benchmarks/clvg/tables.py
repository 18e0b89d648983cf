"""Rows → the paper's tables, ours and the published ones: Table 2 in its groups, Table 4, breakdowns, causes."""

import math
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from cutscore.benchmarks.clvg.analysis.failure_table import failure_table
from cutscore.benchmarks.clvg.analysis.judge_table import judge_table
from cutscore.benchmarks.clvg.analysis.main_table import OF_VIDEOS, PASSED, difference_table, pass_table
from cutscore.benchmarks.clvg.analysis.script_table import script_table
from cutscore.benchmarks.clvg.analysis.sources import by_source
from cutscore.benchmarks.clvg.taxonomy import read_taxonomy
from cutscore.core.card import Card
from cutscore.core.row import Row
from cutscore.core.table import Column, Table
from cutscore.results.tables.lines import CellLine, cell_lines
from cutscore.results.tables.score_tables import group_table

STRATA = {
    "modalities": "By what the context holds",
    "references": "By number of references",
    "shots": "By shots",
    "subjects": "By subjects",
}


def tables(rows: Sequence[Row], card: Card) -> list[Table]:
    """Return the tables of every source of verdicts by itself, then what the paper prints."""
    return [
        *(table for source, mine in by_source(rows).items() for table in _of_source(source, mine)),
        *published_tables(),
    ]


def _of_source(source: str, rows: Sequence[Row]) -> list[Table]:
    lines, tail = cell_lines(rows), source.replace(":", "-").replace("/", "-")
    made = [
        pass_table("passed", "Pass rates", lines, source),
        pass_table("passed-of-videos", "Pass rates where there is a video", lines, source, score=OF_VIDEOS),
        difference_table(lines, source),
        script_table(lines, source),
        _subcategories(lines, source),
        *(
            group_table(group, f"{title}, by the {source}", lines, group, (), score=PASSED, note="pass rates")
            for group, title in STRATA.items()
        ),
        failure_table(lines, source),
        *(each for each in (judge_table(lines, source),) if each.rows),
    ]
    return [table.model_copy(update={"id": f"{table.id}-{tail}"}) for table in made]


def _subcategories(lines: Sequence[CellLine], source: str) -> Table:
    _, known = read_taxonomy()
    title = f"By subcategory, by the {source}"
    return group_table("subcategory", title, lines, "subcategory", tuple(known), score=PASSED, note="pass rates")


@cache
def published() -> dict[str, Any]:
    """Return the figures that the paper prints."""
    with (Path(__file__).parent / "published.toml").open("rb") as stream:
        return tomllib.load(stream)


def published_tables() -> list[Table]:
    """Return Tables 2 and 4 as they are printed, with the slips of the text; nothing in them was measured here."""
    note = f"published, by people; nothing here was measured; {'; '.join(published()['slips'])}"
    return [_published("published-passed", "2", note), _published("published-scripts", "4", note)]


def _published(id: str, number: str, note: str) -> Table:
    body = tuple(
        (who, *(None if math.isnan(each) else each for each in values))
        for who, values in published()[f"table_{number}"].items()
    )
    columns = (Column(name="model"), *(Column(name=name, digits=2) for name in published()[f"columns_{number}"]))
    paper = f"Table {number}"
    return Table(id=id, title=f"{paper}, as printed", columns=columns, rows=body, note=note, paper=paper)
