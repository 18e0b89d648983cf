"""`cutscore fetch`: get the pinned files of a benchmark, check their hashes."""

from __future__ import annotations

import sys

import click

from cutscore.cli.columns import columns
from cutscore.cli.command import subcommand
from cutscore.cli.output import Answer, Screen, is_terminal
from cutscore.registry import benchmark
from cutscore.report.wording import count, size


@subcommand("fetch", examples="  cutscore fetch BENCH\n  cutscore fetch BENCH --again    replace files that are wrong")
@click.argument("bench")
@click.option("--again", is_flag=True, help="Replace files whose hash is not the pinned one.")
def command(*, bench: str, again: bool) -> Answer:
    """Get the pinned files of a benchmark.

    What is there and right stays; what was cut off is resumed. Every file is checked against the card.
    """
    from cutscore.assets import fetch
    from cutscore.settings import load_settings

    found, settings = benchmark(bench), load_settings()
    into = (settings.data_dir or settings.cache_dir / "data") / bench
    made = []
    for asset in found.card.assets:
        path = fetch(asset, into=into, benchmark=bench, again=again, progress=_teller(asset.name))
        made.append((asset.name, size(asset.size_bytes), asset.licence, str(path)))
    files = [dict(zip(("name", "size", "licence", "path"), each, strict=True)) for each in made]
    if not made:
        text = f"{bench} pins no outside files: everything that it needs is in the package"
    else:
        text = columns(made) + f"\n{count(len(made), 'file')} of {bench}, all with the pinned hash"
    return Answer({"benchmark": bench, "folder": str(into) if made else None, "files": files}, text)


class _Teller:
    """Says every tenth of a download."""

    def __init__(self, name: str) -> None:
        self._name, self._tenths, self._screen = name, 0, Screen(command="fetch")

    def __call__(self, have: int, total: int) -> None:
        tenths = 10 * have // max(total, 1)
        if tenths > self._tenths:
            self._tenths = tenths
            self._screen.tell(f"{self._name}: {size(have)} of {size(total)}")


def _teller(name: str) -> _Teller | None:
    return _Teller(name) if is_terminal(sys.stderr) else None
