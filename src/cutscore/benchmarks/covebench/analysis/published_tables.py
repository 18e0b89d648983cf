"""What the paper prints, as tables: nothing in them was measured here."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from cutscore.core.table import Column, Table

FIGURES = "published figures of other judges and data"
NOTE = f"{FIGURES}; nothing here was measured"
PAIRS = "G.2 speaks of 60 pairs, and 85.7 and 91.4 are shares of 35, of no number of 60"
SLIP = "the paper speaks of about 3 edits a task in its introduction and of about 4 in I.1"


@cache
def published() -> Mapping[str, Any]:
    """Return the figures that the paper prints."""
    with (Path(__file__).parents[1] / "published.toml").open("rb") as stream:
        return tomllib.load(stream)


def published_tables(clip: Mapping[str, float]) -> list[Table]:
    """Return the figures of the paper's tables as they are printed; beside Table 6 what was measured here, by subject.

    Others of our scores have tables of their own.
    """
    ours = {f"{label} (measured here)": value for label, value in clip.items()}
    both = {"columns_6": ["clip"], "table_6": {who: [each] for who, each in (published()["table_6"] | ours).items()}}
    types = "/".join(str(each) for each in published()["entries_8"])
    rank = f"{FIGURES if ours else NOTE}; text-video CLIP, which ranks editors otherwise than people do"
    return [
        _table("published-scores", "3", published(), f"{NOTE}; {SLIP}"),
        _table("published-agreement", "4", published(), f"{NOTE}; {PAIRS}"),
        _table("published-efficiency", "5", published(), f"{NOTE}; 41 frames at 480 × 480 on one H200"),
        _table("published-clip", "6", both, rank),
        _table("published-types", "8", published(), f"{NOTE}; over {types} edits, which its percentages allow alone"),
    ]


def _table(id: str, number: str, printed: Mapping[str, Any], note: str) -> Table:
    body = [(model, *values) for model, values in printed[f"table_{number}"].items()]
    columns = [
        Column(name=name, digits=_decimals([row[at] for row in body]))
        for at, name in enumerate(printed[f"columns_{number}"], start=1)
    ]
    paper = f"Table {number}"
    return Table(
        id=id,
        title=f"{paper}, as printed",
        columns=(Column(name="model"), *columns),
        rows=tuple(body),
        note=note,
        paper=paper,
    )


def _decimals(values: Sequence[float]) -> int:
    """Return how many decimals were printed: as many as the figure with most of them has."""
    return max(len(repr(value).partition(".")[2]) for value in values)
