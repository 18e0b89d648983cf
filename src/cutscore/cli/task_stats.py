"""`cutscore build BENCH DIR --stats`: what a set of tasks is made of, as tables."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from cutscore.api.items import load_items, scratch_store
from cutscore.cli.output import CommandOutput
from cutscore.cli.progress import show_waiting
from cutscore.core.errors import BadInput
from cutscore.core.table import Table
from cutscore.registry import benchmark
from cutscore.results.wording import count

WIDTH = 120  # of a line that no terminal limits


def describe_folder(bench: str, folders: tuple[str, ...]) -> CommandOutput:
    """Return the statistics of the tasks in a folder: a data pack, or what the benchmark was published as."""
    found = benchmark(bench)
    describe = getattr(found.part("release"), "task_tables", None) if found.has_part("release") else None
    if describe is None:
        raise BadInput("--stats", f"benchmark '{bench}' tells nothing of its tasks", "leave it out")
    if len(folders) != 1 or not (data := Path(folders[0])).is_dir():
        raise BadInput("--stats", "is about one folder of tasks", f"write 'cutscore build {bench} DIR --stats'")
    with scratch_store() as store, show_waiting(f"statistics of {data}"):
        items = load_items(found, store, data)
        tables = describe(items, store, data)
    plain = {"benchmark": bench, "data": str(data), "items": len(items)}
    text = "\n\n".join([f"{data}: {count(len(items), 'task')} of {bench}", *write_tables(tables)])
    return CommandOutput({**plain, "tables": [each.model_dump(mode="json") for each in tables]}, text)


def write_tables(tables: Sequence[Table]) -> list[str]:
    """Return tables as text for the terminal at hand."""
    from cutscore.cli.text_tables import write_table
    from cutscore.redaction import redactor
    from cutscore.settings import load_settings

    clean = redactor(names=load_settings().secret_env)
    width = shutil.get_terminal_size((WIDTH, 0)).columns
    return [write_table(table, width=width, clean=clean.text).rstrip("\n") for table in tables]
