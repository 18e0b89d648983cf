"""`cutscore fetch`: get the pinned files of a benchmark or of a data pack, check their hashes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from cutscore.cli.command import PATH, subcommand
from cutscore.cli.output import CommandOutput, OutputPrinter, is_terminal
from cutscore.cli.text_tables import align_columns
from cutscore.core.errors import OK, STOPPED, BadInput
from cutscore.registry import benchmark
from cutscore.results.wording import count, size

EXAMPLES = """
  cutscore fetch BENCH
  cutscore fetch BENCH --again            replace files that are wrong
  cutscore fetch pack                     what a data pack lacks, and how to get it
  cutscore fetch pack --from downloads    put it in its place, by its hash
"""


@subcommand("fetch", examples=EXAMPLES)
@click.argument("target", metavar="BENCH|DIR")
@click.option("--again", is_flag=True, help="Replace files whose hash is not the pinned one.")
@click.option("--from", "source", type=PATH, metavar="FOLDER", help="Of a data pack: where its files are now.")
def command(*, target: str, again: bool, source: Path | None) -> CommandOutput:
    """Get the pinned files of a benchmark or a data pack.

    What is there and right stays; what was cut off is resumed. Every file is checked against the card. DIR is a data
    pack whose media may not be passed on: its items say how to get each file, and files are known by their hashes.
    """
    from cutscore.authoring.packs import ARRAY_FILE, ITEMS_FILE

    if source is not None or any((Path(target) / name).is_file() for name in (ITEMS_FILE, ARRAY_FILE)):
        if again:
            raise BadInput("--again", "is for files of a benchmark", f"delete what is wrong in '{target}'")
        return _of_pack(Path(target), source)
    return _of_benchmark(target, again=again)


def _of_pack(folder: Path, source: Path | None) -> CommandOutput:
    """Describe what a pack lacks; with a source, take it from there first."""
    from cutscore.authoring.missing_media import add_media, media_states

    places = add_media(folder, source) if source else media_states(folder)
    files = [
        {"name": each.ref.name, "sha256": each.ref.sha256, "size_bytes": each.ref.size_bytes, "state": each.state}
        | ({"recipe": each.recipe} if each.recipe else {})
        for each in places
    ]
    lines, lacking = [], [each for each in places if each.state in ("absent", "other")]
    for each in lacking:
        said = "has another content" if each.state == "other" else each.recipe or "nobody said how to get it"
        lines.append((each.ref.name, size(each.ref.size_bytes), f"sha256 {each.ref.sha256[:12]}…", said))
    brought = sum(each.state == "brought" for each in places)
    text = [align_columns(lines)] if lines else []
    text += [f"{count(brought, 'file')} put in place"] if brought else []
    text.append(f"{len(places) - len(lacking):,} of {count(len(places), 'file')} of {folder} are here")
    if lacking and not source:
        text.append(f"next: get the others, then 'cutscore fetch {folder} --from FOLDER'")
    return CommandOutput({"folder": str(folder), "files": files}, "\n".join(text), code=STOPPED if lacking else OK)


def _of_benchmark(bench: str, *, again: bool) -> CommandOutput:
    from cutscore.assets import fetch_asset
    from cutscore.settings import load_settings

    found, settings = benchmark(bench), load_settings()
    into = (settings.data_dir or settings.cache_dir / "data") / bench
    made = []
    for asset in found.card.assets:
        path = fetch_asset(asset, into=into, benchmark=bench, again=again, progress=_teller(asset.name))
        made.append((asset.name, size(asset.size_bytes), asset.licence, str(path)))
    files = [dict(zip(("name", "size", "licence", "path"), each, strict=True)) for each in made]
    if not made:
        text = f"{bench} pins no outside files: everything that it needs is in the package"
    else:
        text = align_columns(made) + f"\n{count(len(made), 'file')} of {bench}, all with the pinned hash"
    return CommandOutput({"benchmark": bench, "folder": str(into) if made else None, "files": files}, text)


def _teller(name: str) -> Callable[[int, int], None] | None:
    """Return what says every tenth of a download to a person; None for a program."""
    said, screen = 0, OutputPrinter(command="fetch")

    def tell(have: int, total: int) -> None:
        nonlocal said
        before, said = said, max(said, 10 * have // max(total, 1))
        if said > before:
            screen.tell(f"{name}: {size(have)} of {size(total)}")

    return tell if is_terminal(sys.stderr) else None
