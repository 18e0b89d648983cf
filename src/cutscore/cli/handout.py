"""`cutscore handout`: tasks for people, as pages to print and folders to work in."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import click

from cutscore.api.items import load_items, scratch_store
from cutscore.cli.command import PATH, item_selection, subcommand
from cutscore.cli.export import asked, carry, chosen, new_folder, refuse_full
from cutscore.cli.output import CommandOutput
from cutscore.registry import benchmark
from cutscore.results.wording import count

EXAMPLES = """
  cutscore handout sequencing -o study                       three editors, all tasks
  cutscore handout repair --data pack --tasks 12 -o study    a subset that is made like the whole
"""


@subcommand("handout", examples=EXAMPLES)
@click.argument("bench")
@click.option("-o", "--out", type=PATH, required=True, metavar="DIR", help="Where to; a new or an empty folder.")
@click.option("--data", type=PATH, metavar="DIR", help="Items of your own.")
@click.option("--item", "names", multiple=True, metavar="ITEM", help="Only this one; may come often.")
@click.option(
    "--tasks", type=click.IntRange(min=1), metavar="N", help="So many, drawn by difficulty, footage, modality."
)
@click.option(
    "--editors", type=click.IntRange(min=1), default=3, show_default=True, metavar="K", help="People per task."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="N", help="Of what is drawn.")
def command(
    *, bench: str, out: Path, data: Path | None, names: tuple[str, ...], tasks: int | None, editors: int, seed: int
) -> CommandOutput:
    """Tasks for people: pages to print, folders to work in.

    Every editor gets a folder with the briefs, the materials and a place to hand in, and nothing of the answers.
    README.md in DIR says how to mark what comes back.
    """
    from cutscore.authoring.handout import draw_items, write_handout

    found = benchmark(bench)
    refuse_full(out)
    with scratch_store() as store:
        items = load_items(found, store, data)
        gates = chosen(found, items, item_selection(names, (), None), data)
        wanted = draw_items(gates.items, tasks, seed=seed) if tasks else gates.items
        asks = asked(found, items)
        with new_folder(out) as draft:
            write_handout(draft, found, wanted, asks, store, editors=editors, seed=seed)
            carry(data, draft / "pack")
    plain = {"benchmark": bench, "out": str(out), "items": [item.id for item in wanted], "editors": editors}
    text = f"{out}: {count(len(wanted), 'task')} of {bench} for {count(editors, 'editor')}, each in a folder"
    then = f"next: {quote(str(out / 'README.md'))} says how to mark what they hand in"
    return CommandOutput(plain, f"{text}\n{then}", gates.remarks)
