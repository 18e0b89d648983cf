"""`cutscore check`: does a benchmark, or a data pack for it, keep the promises that all benchmarks keep?"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cutscore.cli.command import subcommand
from cutscore.cli.output import Answer
from cutscore.core.errors import GATE_FAILED, OK, BadInput
from cutscore.registry import CARD, benchmark, benchmarks, broken_cards
from cutscore.report.wording import count

if TYPE_CHECKING:
    from cutscore.registry import Found

LATER = "gates against hostile deliverables, leaks and lucky guesses on own footage come with 'cutscore build'"


@subcommand("check", examples="  cutscore check colorbars\n  cutscore check my-items --bench colorbars")
@click.argument("target", metavar="DIR|BENCH")
@click.option("--bench", default="", metavar="BENCH", help="The benchmark that DIR holds items for.")
def command(*, target: str, bench: str) -> Answer:
    """The quality gates of a benchmark or a data pack.

    DIR is a benchmark's own folder, or a data pack (a folder with items.jsonl) together with --bench. Exit code 1 when
    a promise is broken.
    """
    from cutscore.benchmarks._contract import CHECKS, open_bench
    from cutscore.store import Store

    found, data = _resolve(target, bench)
    checks = []
    with tempfile.TemporaryDirectory(prefix="cutscore-") as scratch:
        opened = open_bench(found, Store(Path(scratch) / "store"), data=data)
        for promise, check in CHECKS.items():
            checks.append({"name": promise, "problems": check(opened)})
    passed = not any(each["problems"] for each in checks)
    plain = {
        "benchmark": found.name,
        "version": found.card.version,
        "data": str(data) if data else None,
        "items": len(opened.items),
        "passed": passed,
        "checks": checks,
    }
    lines = [f"{found.name} v{found.card.version}, {count(len(opened.items), 'item')}"]
    for each in checks:
        lines.append(f"{'ok     ' if not each['problems'] else 'BROKEN '} {each['name']}")
        lines += [f"          {problem}" for problem in each["problems"]]
    kept = sum(not each["problems"] for each in checks)
    lines.append(f"{kept} of {count(len(checks), 'promise')} kept; {LATER}")
    return Answer(plain, "\n".join(lines), code=OK if passed else GATE_FAILED)


def _resolve(target: str, bench: str) -> tuple[Found, Path | None]:
    """Give the benchmark, and the data pack when one is meant."""
    folder = Path(target)
    if not folder.is_dir() or (target in benchmarks() and not bench):
        return benchmark(target), None
    if (folder / CARD).is_file():
        return _installed(folder), None
    if not bench:
        raise BadInput(f"'{target}'", "is a folder of items, but for which benchmark?", "add --bench BENCH")
    return benchmark(bench), folder


def _installed(folder: Path) -> Found:
    """Give the benchmark that lives in a folder; a broken card says what is wrong with it."""
    for found in benchmarks().values():
        if found.folder.resolve() == folder.resolve():
            return found
    for card in broken_cards():
        if Path(card.what).resolve() == (folder / CARD).resolve():
            raise card
    fact = "is a benchmark's folder, but not of an installed package"
    raise BadInput(f"'{folder}'", fact, "install it with pip install -e, then check it by its name")
