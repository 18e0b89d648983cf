"""`cutscore show`: one item as a person wants to see it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from cutscore.api.items import load_items
from cutscore.cells.selection import find_item
from cutscore.cli.command import PATH, subcommand
from cutscore.cli.output import CommandOutput
from cutscore.cli.text_tables import align_columns
from cutscore.registry import benchmark
from cutscore.results.wording import size

if TYPE_CHECKING:
    from cutscore.cells.inputs import ShownAsks
    from cutscore.core.ask import Ask
    from cutscore.core.item import Item
    from cutscore.registry import Benchmark
    from cutscore.store import Store

FIRST = 20

EXAMPLES = """
  cutscore show colorbars                              the ids of its items
  cutscore show colorbars bars-01-a                    what the subject gets
  cutscore show colorbars bars-01-a --truth            … and what the marker knows
  cutscore show sequencing film-1 --input narrative    … of a variant of the item
"""


@subcommand("show", examples=EXAMPLES)
@click.argument("bench")
@click.argument("item", required=False)
@click.option("--truth", is_flag=True, help="Show what only the marker may know.")
@click.option("--input", default="", metavar="NAME", help="As 'run --ablate input=NAME' shows it.")
@click.option("--data", type=PATH, metavar="DIR", help="Items of your own.")
def command(*, bench: str, item: str | None, truth: bool, input: str, data: Path | None) -> CommandOutput:
    """One item as a person wants to see it.

    Without ITEM it lists ids. Clips are put into the cache, and their paths are shown.
    """
    from cutscore.settings import load_settings
    from cutscore.store import Store

    found = benchmark(bench)
    store = Store(load_settings().cache_dir / "items")
    items = load_items(found, store, data)
    if item is None:
        return _list_items(found, items, data)
    wanted = find_item(items, item, bench=bench, data=str(data or ""))
    shown = shown_asks(found, items if input else [wanted], input)  # an arm may show something of another item
    alone = (
        (f"item '{item}' has nothing for input '{input}', so it is shown as it is",) if item in shown.unchanged else ()
    )
    return replace(_show_item(found, wanted, shown.asks[item], store, truth=truth), warnings=alone)


def _list_items(found: Benchmark, items: list[Item], data: Path | None) -> CommandOutput:
    shown = [(item.id, item.cluster, _pairs(item.groups)) for item in items[:FIRST]]
    more = f"… and {len(items) - FIRST:,} more; all of them with --json" if len(items) > FIRST else ""
    head = f"{found.name} v{found.card.version}: {found.card.about}"
    lines = [head, align_columns([("item", "cluster", "groups"), *shown]), more]
    ids = [{"id": item.id, "cluster": item.cluster, "groups": item.groups} for item in items]
    plain = {"benchmark": found.name, "version": found.card.version, "n": len(items), "items": ids}
    then = f"next: cutscore show {found.name} {items[0].id}" + (f" --data {quote(str(data))}" if data else "")
    return CommandOutput(plain, "\n".join([*filter(None, lines), then]))


def shown_asks(found: Benchmark, items: list[Item], input: str) -> ShownAsks:
    """Ask items as a subject is asked, of a variant of the input where one is named."""
    from cutscore.cells.inputs import make_asks
    from cutscore.prompts import load_prompts
    from cutscore.settings import load_settings

    prompts = load_prompts(found.folder / "prompts", benchmark=found.name, config=load_settings().prompts)
    return make_asks(found, items, prompts, frames="", input=input)


def _show_item(found: Benchmark, item: Item, ask: Ask, store: Store, *, truth: bool) -> CommandOutput:
    files = [
        {"name": ref.name, "path": str(store.path(ref)), "sha256": ref.sha256, "size_bytes": ref.size_bytes}
        for ref in ask.files
    ]
    plain: dict[str, Any] = {
        "benchmark": found.name,
        "version": found.card.version,
        "item": item.id,
        "cluster": item.cluster,
        "groups": item.groups,
        "brief": ask.brief,
        "files": files,
        "wanted": [wanted.model_dump(mode="json") for wanted in ask.wanted],
        "choices": list(ask.choices),
    }
    if ask.parts:
        plain["parts"] = [part.model_dump(mode="json", exclude_defaults=True) for part in ask.parts]
    if truth:
        plain["truth"] = item.model_dump(mode="json", include=set(item.truth_fields()))
    return CommandOutput(plain, _text(plain, found))


def _text(plain: dict[str, Any], found: Benchmark) -> str:
    facts = [("cluster", plain["cluster"]), ("groups", _pairs(plain["groups"]) or "–")]
    facts += [("choices", ", ".join(plain["choices"]))] * bool(plain["choices"])
    facts += [("wanted", f"{each['name']}   {each['about']}".rstrip()) for each in plain["wanted"]]
    facts += [("file", f"{each['name']}   {size(each['size_bytes'])}   {each['path']}") for each in plain["files"]]
    facts += [(f"part: {each['role']}", _part_text(each)) for each in plain.get("parts", ())]
    facts += [(f"truth: {name}", str(value)) for name, value in plain.get("truth", {}).items()]
    head = f"{found.name} v{found.card.version}   {plain['item']}"
    return "\n".join([head, "", plain["brief"].rstrip(), "", align_columns(facts)])


def _part_text(part: dict[str, Any]) -> str:
    value = [json.dumps(part["value"], ensure_ascii=False)] if "value" in part else []
    return "   ".join([*(part[name] for name in ("text", "file") if name in part), *value])


def _pairs(groups: dict[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in groups.items())
