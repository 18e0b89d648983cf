"""How it was measured: tasks, harnesses, settings and repetitions, as the rows tell them (Tables 2 to 5)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median

from pydantic import JsonValue

from cutscore.benchmarks.agenticvbench.families import FAMILY, Family
from cutscore.core.row import Row
from cutscore.core.table import Table, TableCell
from cutscore.results.tables.lines import plain_columns
from cutscore.results.wording import count

# Facts of a row that every sample should share, in the order of Table 4.
CONSTANT = ("turn_limit", "time_limit_s", "network", "model_path", "isolation", "processors", "memory_gb")


def tasks_table(families: Sequence[Family], published: Mapping[str, int]) -> Table:
    """Return the tasks of each family, from how many sources, and what is to be handed over."""
    body: list[tuple[TableCell, ...]] = []
    for family in families:
        rows = [row for cell in family.cells for row in cell.rows]
        wanted = sorted({file.name.rpartition("/")[2] for row in rows if row.ask for file in row.ask.wanted})
        tasks, sources = {row.item for row in rows}, {row.cluster for row in rows}
        body.append((family.name, len(tasks), len(sources), ", ".join(wanted), published.get(family.name)))
    whole = sum(row[1] for row in body if isinstance(row[1], int))
    return Table(
        id="tasks",
        title=f"{count(whole, 'task')} of {len(body)} families" if whole else "No tasks: no model was asked",
        columns=plain_columns(FAMILY, "tasks", "sources", "deliverables", "paper"),
        rows=tuple(body) if whole else (),
        note="tasks that a model was asked; paper: how many it has",
        paper="Table 2",
    )


def harnesses_table(families: Sequence[Family], published: Mapping[str, str]) -> Table:
    """Return the harnesses with the versions that ran, the paper's, and their models."""
    rows = _rows(families)
    body: list[tuple[TableCell, ...]] = []
    for subject in sorted({row.subject for row in rows}):
        own = [row for row in rows if row.subject == subject]
        name = str(next((row.environment["agent"] for row in own if "agent" in row.environment), subject))
        versions = ", ".join(sorted({str(row.environment.get("agent_version", "")) for row in own} - {""}))
        models = ", ".join(sorted({row.model for row in own}))
        body.append((subject, versions, published.get(name, ""), models, len({row.model for row in own})))
    off = sum(bool(row[2]) and row[1] != row[2] for row in body)
    stacks = sum(row[4] for row in body if isinstance(row[4], int))
    return Table(
        id="harnesses",
        title=f"{count(stacks, 'stack')}; {off} of {len(body)} subjects not in the paper's version",
        columns=plain_columns("subject", "version", "paper's version", "models", "stacks"),
        rows=tuple(body),
        note="versions as the installed packages tell them",
        paper="Table 3",
    )


def settings_table(families: Sequence[Family], published: Mapping[str, JsonValue]) -> Table:
    """Return what is held constant: every value that the rows have, with how many samples had it."""
    rows = [row for row in _rows(families) if row.environment.get("agent")]
    body: list[tuple[TableCell, ...]] = []
    for name in CONSTANT:
        values = Counter(_told(row, name) for row in rows)
        said = ", ".join(f"{value} ({times:,})" for value, times in sorted(values.items()))
        body += [(name, said, len(values), str(published.get(name, "")))] if rows else []
    body += [("tools", *_told_tools(rows), "native"), ("steal", *_told_steal(rows), "")] if rows else []
    varied = [str(row[0]) for row in body if row[0] in CONSTANT and row[2] != 1]
    return Table(
        id="settings",
        title=f"Not the same in all samples: {', '.join(varied)}" if varied else "The same in all samples",
        columns=plain_columns("setting", "seen (samples)", "values", "paper"),
        rows=tuple(body),
        note="as each sample recorded it; '2 of 4' processors: this machine has fewer than were asked for; tools: each"
        " agent's own, and how many it offers its model; steal: share of the processors' time that the host took away",
        paper="Table 4",
    )


def _told_tools(rows: Sequence[Row]) -> tuple[str, int]:
    """Return how many tools each agent offered, and how many sets of tools there were."""
    offered = {
        (row.subject, tuple(map(str, told)))
        for row in rows
        if isinstance(told := row.environment.get("offered_tools"), list)
    }
    return ", ".join(f"{subject} {len(tools)}" for subject, tools in sorted(offered)), len(offered)


def _told_steal(rows: Sequence[Row]) -> tuple[str, None]:
    """Return median and maximum of what the host took away from samples; empty where no sample tells."""
    shares = [float(told) for row in rows if isinstance(told := row.environment.get("steal"), int | float)]
    if not shares:
        return "", None
    return f"median {median(shares):.1%}, at most {max(shares):.1%} ({len(shares):,})", None


def _told(row: Row, name: str) -> str:
    """Return a setting of a sample: what its conditions say, else its world, else that it is the agent's default."""
    told = row.conditions.get(name) or row.environment.get(name)
    return "default" if told is None else f"{told:g}" if isinstance(told, float) else str(told)


def replication_table(families: Sequence[Family]) -> Table:
    """Return stacks, tasks and repetitions of each family: planned = done + unscored + missing.

    Planned is every task of the family for every stack, as often as the one that was asked most.
    """
    body: list[tuple[TableCell, ...]] = []
    sums = [0] * 5
    for family in families:
        rows = [row for cell in family.cells for row in cell.rows]
        tasks, repeats = {row.item for row in rows}, max((row.epoch for row in rows), default=0)
        planned, done = len(family.cells) * len(tasks) * repeats, sum(row.ending.status == "marked" for row in rows)
        counts = [planned, done, len(rows) - done, planned - len(rows), len(family.cells) * repeats]
        body.append((family.name, len(family.cells), len(tasks), repeats, *counts))
        sums = [before + more for before, more in zip(sums, counts, strict=True)]
    body.append(("all", None, None, None, *sums))
    return Table(
        id="replication",
        title=f"{sums[0]:,} planned = {sums[1]:,} done + {sums[2]:,} unscored + {sums[3]:,} missing"
        if sums[0]
        else "No repetitions: no model was asked",
        columns=plain_columns(
            FAMILY, "stacks", "tasks", "K", "planned", "done", "unscored", "missing", "rollout evals"
        ),
        rows=tuple(body) if sums[0] else (),
        note="planned: stacks × tasks × K; rollout evals: stacks × K, as the paper counts them",
        paper="Table 5",
    )


def _rows(families: Sequence[Family]) -> list[Row]:
    return [row for family in families for cell in family.cells for row in cell.rows]
