"""`cutscore import-rows`: published rows of tasks as a data pack."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from cutscore.api.items import scratch_store
from cutscore.cli.command import PATH, subcommand
from cutscore.cli.export import refuse_full
from cutscore.cli.output import CommandOutput
from cutscore.core.errors import BadInput, CutscoreError, UnknownName
from cutscore.registry import benchmark
from cutscore.results.wording import count

if TYPE_CHECKING:
    from pydantic import JsonValue

MOST_REFUSALS = 12  # on the screen

EXAMPLES = """
  cutscore import-rows repair rows.jsonl --files downloads -o pack
  cutscore import-rows repair rows.jsonl --files downloads --truth truth.jsonl -o pack
"""


@subcommand("import-rows", examples=EXAMPLES)
@click.argument("bench")
@click.argument("rows", type=PATH)
@click.option("--files", type=PATH, required=True, metavar="FOLDER", help="Where the files of the rows are.")
@click.option("--truth", type=PATH, metavar="FILE", help="JSON lines: id, and the fields that items of BENCH have.")
@click.option("--licence", default="", metavar="TEXT", help="Of rows that do not say theirs.")
@click.option("-o", "--out", type=PATH, required=True, metavar="DIR", help="The pack; a new or an empty folder.")
def command(*, bench: str, rows: Path, files: Path, truth: Path | None, licence: str, out: Path) -> CommandOutput:
    """Published rows of tasks as a data pack.

    ROWS has the columns 'prompt' and 'reference_file_urls', as JSON lines, a JSON array or CSV. Nothing is downloaded:
    each address finds its file in FOLDER by its name, and that of an archive also what was unpacked from it. Tasks
    without their truth can be run, exported and handed out; they are unscored.
    """
    from cutscore.authoring.published_rows import WANTED, PublishedFiles, read_rows, write_published_pack

    found = benchmark(bench)
    if bench not in WANTED:
        raise UnknownName.among("benchmark with published rows", bench, WANTED)
    if not files.is_dir():
        raise BadInput(f"--files '{files}'", "there is no such folder", "name the folder that you got the files into")
    refuse_full(out)
    published = read_rows(rows)
    known = _by_id(read_rows(truth), truth) if truth else {}
    with scratch_store() as store, _whole_or_not(out):
        sources = PublishedFiles(files, store)
        made = write_published_pack(out, published, benchmark=bench, sources=sources, truth=known, licence=licence)
        if not made.told + made.untold:
            raise BadInput(f"rows '{rows}'", made.refused[0], "no row can be used")
        found.part("dataset").items(store, out)  # says which line is not an item of this benchmark
    plain = {"benchmark": bench, "out": str(out), "told": made.told, "untold": made.untold}
    lines = [f"{out}: {count(made.told + made.untold, 'item')} of {bench}, {made.untold:,} without a truth"]
    lines += [f"refused {each}" for each in made.refused[:MOST_REFUSALS]]
    more = len(made.refused) - MOST_REFUSALS
    lines += [f"refused {more:,} more; --json has all of them"] if more > 0 else []
    lines += [f"columns left alone: {', '.join(made.unused)}"] if made.unused else []
    then = f"next: cutscore export harbor {bench} --data {quote(str(out))} -o tasks"
    text = "\n".join([*lines, then])
    return CommandOutput({**plain, "refused": list(made.refused), "unused": list(made.unused)}, text)


@contextmanager
def _whole_or_not(out: Path) -> Iterator[None]:
    """Take away what was written when something is wrong with it; nothing of anybody else's was there before."""
    try:
        yield
    except CutscoreError:
        shutil.rmtree(out, ignore_errors=True)
        raise


def _by_id(rows: list[dict[str, JsonValue]], file: Path) -> dict[str, dict[str, JsonValue]]:
    """Return the truth of each item; an entry without an id would be lost."""
    made: dict[str, dict[str, JsonValue]] = {}
    for number, row in enumerate(rows, start=1):
        id = row.get("id")
        if not isinstance(id, str) or id in made:
            raise BadInput(f"--truth '{file}'", f"entry {number} has no id of its own", "give each the id of its row")
        made[id] = row
    return made
