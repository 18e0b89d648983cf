"""`cutscore export`: the tasks of a benchmark in a form that other hands take."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cutscore.cli.command import PATH, subcommand
from cutscore.cli.items import find_item, load_items
from cutscore.cli.output import Answer
from cutscore.cli.summary import quoted
from cutscore.core.errors import BadInput
from cutscore.registry import benchmark
from cutscore.report.wording import count

if TYPE_CHECKING:
    from cutscore.core.item import Item
    from cutscore.registry import Found
    from cutscore.store import Store

EXAMPLES = """
  cutscore export pack sequencing -o mine                   the starter tasks as a data pack, to be changed
  cutscore export pack repair --data mine -o bare --without-media --recipe "film.mp4 from ADDRESS, then the build"
"""


@subcommand("export", examples=EXAMPLES)
@click.argument("form", metavar="pack", type=click.Choice(["pack"]))
@click.argument("bench")
@click.option("-o", "--out", type=PATH, required=True, metavar="DIR", help="Where to; a new or an empty folder.")
@click.option("--data", type=PATH, metavar="DIR", help="Items of your own.")
@click.option("--item", "names", multiple=True, metavar="ITEM", help="Only this one; may come often.")
@click.option("--without-media", is_flag=True, help="Of a pack: hashes and recipes instead of the files.")
@click.option("--recipe", default="", metavar="TEXT", help="How to get files that have no recipe of their own.")
def command(
    *,
    form: str,
    bench: str,
    out: Path,
    data: Path | None,
    names: tuple[str, ...],
    without_media: bool,
    recipe: str,
) -> Answer:
    """Tasks for other hands: a data pack.

    A data pack is a folder with items.jsonl and the files that its lines name; --data takes it. Where media may not be
    passed on, --without-media writes their hashes and how to get them, and 'cutscore fetch DIR' puts them in place.
    """
    from cutscore.store import Store

    found = benchmark(bench)
    refuse_full(out)
    with tempfile.TemporaryDirectory(prefix="cutscore-") as scratch:
        store = Store(Path(scratch) / "store")
        items = chosen(load_items(found, store, data), names, bench=bench)
        return _pack(found, items, store, out, without_media=without_media, recipe=recipe)


def chosen(items: Sequence[Item], names: Sequence[str], *, bench: str) -> list[Item]:
    """Give the items of these names, all when there are none."""
    return [find_item(items, name, bench=bench) for name in dict.fromkeys(names)] or list(items)


def refuse_full(out: Path) -> None:
    """Raise where something is in the way."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BadInput(f"-o '{out}'", "there is something already", "name a new folder")


def _pack(found: Found, items: Sequence[Item], store: Store, out: Path, *, without_media: bool, recipe: str) -> Answer:
    from cutscore.benchmarks.packs import write_pack
    from cutscore.benchmarks.retrieval import unaccompanied
    from cutscore.core.bundle import Bundle

    if not without_media:
        files = write_pack(out, items, store)
    else:
        bundles = [item for item in items if isinstance(item, Bundle)]
        if len(bundles) < len(items):
            fact = f"items of '{found.name}' do not say where their files come from"
            raise BadInput("--without-media", fact, "pass the files on")
        left_out = {ref.name for item in bundles for ref in (*item.materials, *item.hidden)}
        files = write_pack(out, unaccompanied(bundles, recipe=recipe), store, without=left_out)
    plain = {"form": "pack", "benchmark": found.name, "out": str(out), "items": len(items), "files": len(files)}
    missing = f", not in it: {count(len(files), 'file')}" if without_media else f", {count(len(files), 'file')}"
    then = f"cutscore fetch {quoted(out)}" if without_media else f"cutscore check {quoted(out)} --bench {found.name}"
    text = f"{out}: {count(len(items), 'item')} of {found.name}{missing}\nnext: {then}"
    return Answer({**plain, "without_media": without_media}, text)
