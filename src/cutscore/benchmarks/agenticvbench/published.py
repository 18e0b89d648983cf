"""The paper's numbers beside ours, and where the paper disagrees with itself."""

import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from pydantic import JsonValue

from cutscore.core.estimate import Estimate
from cutscore.core.frozen import FrozenModel
from cutscore.core.table import Table, TableCell
from cutscore.results.tables.lines import plain_columns

Ours = dict[str, TableCell]  # by the id that published.toml has
# Reasons of failures as published.toml names them, in their order.
PAPER_REASONS = {
    "long_context_loss": "long-context loss",
    "temporal_reasoning": "temporal reasoning",
    "modality_misalignment": "modality misalignment",
    "hallucinated_grounding": "hallucinated grounding",
}


class PublishedNumber(FrozenModel):
    """A number that the paper prints."""

    paper: int | float
    where: str


# Of a number by the first word of its id; a score where it is none of these.
UNITS = {
    **dict.fromkeys(("gap", "spread", "lift"), "points"),
    **dict.fromkeys(("failures", "missing", "repetitions", "rows", "stacks"), "count"),
    "cost": "USD",
    "reasons": "%",
}


class PublishedConflict(FrozenModel):
    """Two places of the paper that disagree, and what we did."""

    between: str
    fact: str
    ours: str


class Published(FrozenModel):
    """What published.toml holds."""

    tasks: dict[str, int]
    versions: dict[str, str]
    settings: dict[str, JsonValue]
    numbers: dict[str, PublishedNumber]
    conflicts: tuple[PublishedConflict, ...]


@cache
def published() -> Published:
    """Read published.toml."""
    file = Path(__file__).with_name("published.toml")
    return Published.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))


def published_table(tables: Iterable[Table]) -> Table:
    """Return every number of the paper with ours, where these tables have it; blank where they do not."""
    found = collect_numbers({table.id: table for table in tables})
    body = tuple(
        (name, UNITS.get(name.partition(" ")[0], "score"), each.paper, found.get(name), each.where)
        for name, each in published().numbers.items()
    )
    there = sum(row[3] is not None for row in body)
    return Table(
        id="published",
        title=f"{there} of {len(body)} numbers of the paper have one of ours beside them",
        columns=plain_columns("number", "unit", "paper", "ours", "where"),
        rows=body,
        note="ours are of the tasks that were run here, which are not the paper's unless they were imported; a scripted"
        " model goes by the name of its file; blank: no run here tells it",
    )


def conflicts_table() -> Table:
    """Return where the paper disagrees with itself."""
    body = tuple((each.between, each.fact, each.ours) for each in published().conflicts)
    return Table(
        id="conflicts",
        title=f"{len(body)} places where the paper disagrees with itself",
        columns=plain_columns("between", "fact", "ours"),
        rows=body,
    )


def collect_numbers(tables: dict[str, Table]) -> Ours:
    """Return our numbers by the ids of the paper's, from the tables that have them."""
    return {
        **_scores(tables["overall"]),
        **_spreads(tables["harness-spread"]),
        **{f"lift {row[0]} {str(row[1]).replace(' ', '_')}": _value(row[3]) for row in tables["top-lift"].rows},
        **_reasons(tables["failure-reasons"]),
        **_spending(tables["audit"], tables["family-costs"]),
        "stacks": max((row[1] for row in tables["replication"].rows if isinstance(row[1], int)), default=None),
        "repetitions": max((row[3] for row in tables["replication"].rows if isinstance(row[3], int)), default=None),
    }


def _scores(table: Table) -> Ours:
    families = [column.name for column in table.columns[2:-3]]
    stacks = [row for row in table.rows if row[0] != "human"]
    human = next((row for row in table.rows if row[0] == "human"), None)
    found: Ours = {"best overall": _most([row[-2] for row in stacks])}
    for place, family in enumerate(families, start=2):
        best, people = _most([row[place] for row in stacks]), None if human is None else _value(human[place])
        found[f"best {family}"] = best
        if people is not None and best is not None:
            found |= {f"human {family}": people, f"gap {family}": 100 * (best - people)}
        found |= {f"{family} {row[0]} {_model(row[1])}": _value(row[place]) for row in stacks}
    return found


def _spreads(table: Table) -> Ours:
    return {f"spread {_model(row[0])} {row[1]}": _value(row[-1]) for row in table.rows}


def _reasons(table: Table) -> Ours:
    """Return shares by the paper's ids; the lines of the table are in the order of `PAPER_REASONS`."""
    found: Ours = {}
    for place, column in enumerate(table.columns):
        shares = [row[place] for row in table.rows]
        found |= {
            f"reasons {column.name} {id}": share for id, share in zip(PAPER_REASONS.values(), shares, strict=False)
        }
        found[f"failures {column.name}"] = shares[-1]
    return found


def _spending(audit: Table, by_family: Table) -> Ours:
    found: Ours = {}
    for row in audit.rows:
        found |= {f"rows {row[0]}": row[1], f"missing {row[0]}": row[3], f"cost {row[0]}": row[-2]}
    return found | {f"cost {row[0]} {row[1]}": row[5] for row in by_family.rows}


def _model(cell: TableCell) -> str:
    """Return a model's name without its providers, as the paper has it; a script stands for the model of its name."""
    return str(cell).rpartition("/")[2].removesuffix(".json")


def _value(cell: TableCell) -> float | None:
    return cell.value if isinstance(cell, Estimate) else None


def _most(cells: Sequence[TableCell]) -> float | None:
    return max((value for cell in cells if (value := _value(cell)) is not None), default=None)
