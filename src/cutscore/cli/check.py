"""`cutscore check`: does a benchmark, or a data pack for it, keep its promises and pass its gates?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from cutscore.api.items import scratch_store
from cutscore.cli.command import subcommand
from cutscore.cli.gates import checked_gates, gate_details, gate_summary, gate_verdict
from cutscore.cli.output import CommandOutput
from cutscore.cli.progress import show_waiting
from cutscore.cli.task_stats import write_tables
from cutscore.core.errors import GATE_FAILED, OK, BadInput, BrokenData, CutscoreError
from cutscore.registry import CARD, benchmark, benchmarks, broken_cards
from cutscore.results.wording import count

if TYPE_CHECKING:
    from cutscore.authoring.loaded_benchmark import LoadedBenchmark
    from cutscore.core.gate import GateCard
    from cutscore.core.table import Table
    from cutscore.registry import Benchmark
    from cutscore.store import Store

MOST_ALIKE = 5  # items that are named one by one for the same reason

EXAMPLES = """
  cutscore check colorbars
  cutscore check sequencing                        promises, gates, every hostile submission
  cutscore check my-items --bench sequencing       the same for a pack, which then has gates.json
"""


@subcommand("check", examples=EXAMPLES)
@click.argument("target", metavar="DIR|BENCH")
@click.option("--bench", default="", metavar="BENCH", help="The benchmark that DIR holds items for.")
@click.option("--engine", type=click.Choice(["inline", "processes"]), default="processes", show_default=True)
@click.option("--again", is_flag=True, help="Put items of a pack through their gates that are through already.")
def command(*, target: str, bench: str, engine: str, again: bool) -> CommandOutput:
    """The quality gates of a benchmark or a data pack.

    DIR is a benchmark's own folder, or a data pack (a folder with items.jsonl) together with --bench. Of a pack, every
    bad item is named with its fault; remarks say what a reader of its scores should know, and break nothing. Tasks
    whose deliverables are files also pass four gates: authoring, asset, expert and verifier; the result lies in the
    pack as gates.json, and an item that failed cannot be scored. Each item's result is kept as soon as it is known: the
    same command goes on after a kill, and checks no item again that is unchanged. What the benchmark's own code raises
    is told with its file and line, and breaks a promise. Exit code 1 when a promise is broken or a gate closed.
    """
    found, data = _resolve(target, bench)
    remarks: list[str] = []
    tables: list[Table] = []
    card: GateCard | None = None
    with scratch_store() as store:
        checks = _of_pack(found, store, data) if data else []
        items: int | None = None
        if not any(each["problems"] for each in checks):  # what cannot be read cannot be checked further
            opened, promises = _of_code(found, store, data)
            checks += promises
            if opened is not None:
                items = len(opened.items)
                remarks = _remarks(found, data, opened) if data else []
                tables = _tables(found, opened) if data else []
                card = checked_gates(opened, engine=engine, again=again)
    passed = not any(each["problems"] for each in checks) and not (card and card.failed)
    plain: dict[str, Any] = {
        "benchmark": found.name,
        "version": found.card.version,
        "data": str(data) if data else None,
        "items": items or 0,
        "passed": passed,
        "checks": checks,
        "remarks": remarks,
    }
    plain |= {"gates": card.model_dump(mode="json", by_alias=True)} if card else {}
    lines = [*_summary(found, items, checks, card), *(f"remark: {each}" for each in remarks)]
    plain |= {"tables": [each.model_dump(mode="json") for each in tables]} if tables else {}
    lines += [*_kept(checks), *(gate_details(card) if card else ())]
    lines += [f"\n{each}" for each in write_tables(tables)] + ([""] if tables else [])
    if data and passed and items:
        who = "blind" if "blind" in found.card.subjects else "null"
        lines.append(f"next: cutscore run {found.name} --data {quote(str(data))} --subject {who}")
    return CommandOutput(plain, "\n".join(lines), code=OK if passed else GATE_FAILED)


def _of_code(found: Benchmark, store: Store, data: Path | None) -> tuple[LoadedBenchmark | None, list[dict[str, Any]]]:
    """Check every promise, of a pack those about its items; where no items can be loaded, those about code alone."""
    from cutscore.authoring.contract import ABOUT_CODE, CHECKS, run_check
    from cutscore.authoring.faults import try_author_code
    from cutscore.authoring.loaded_benchmark import LoadedBenchmark, load_benchmark
    from cutscore.authoring.untried import untried_items

    opened, fault = try_author_code(partial(load_benchmark, found, store, data=data), found.folder)
    checks = [{"name": "items can be loaded", "problems": [fault], "untried": []}] if opened is None else []
    names = [name for name in CHECKS if (name in ABOUT_CODE and not data) or (name not in ABOUT_CODE and opened)]
    bench = opened or LoadedBenchmark(found, store, items=(), prompts={})
    untried = untried_items(bench)
    for name in names:
        lacking = untried.get(name, {})
        able = replace(bench, items=[item for item in bench.items if item.id not in lacking])
        with show_waiting(f"promises of {found.name}: {name}"):
            problems = run_check(name, able) if able.items or not lacking else []
        why = [f"item '{item}': {because}" for item, because in lacking.items()]
        checks.append({"name": name, "problems": _titled(problems, bench), "untried": _titled(why, bench)})
    return opened, checks


def _titled(sentences: Sequence[str], bench: LoadedBenchmark) -> list[str]:
    """Name the clip of each item that a sentence is about: the id of an item made of own footage tells nobody which."""
    said = list(sentences)
    for item in bench.items if bench.data else ():
        if named := getattr(item, "source_names", ""):
            said = [each.replace(f"item '{item.id}'", f"item '{item.id}' ({named})") for each in said]
    return said


def _of_pack(found: Benchmark, store: Store, data: Path) -> list[dict[str, Any]]:
    """Check that the items of a pack can be read, and that its files are those that it was made of."""
    from cutscore.authoring.faults import describe_fault
    from cutscore.authoring.pack_record import changed_files, read_record

    read: Sequence[str] = ()
    try:
        found.part("dataset").items(store, data)
    except CutscoreError as error:
        if not (isinstance(error, BrokenData) and error.faults):
            raise
        read = error.faults
    except Exception as error:  # noqa: BLE001  # a bug of the benchmark's author
        read = [describe_fault(error, found.folder)]
    changed = changed_files(data, read_record(data))
    return [
        {"name": "every item can be read", "problems": list(read), "untried": []},
        {"name": "files are as recorded", "problems": changed, "untried": []},
    ]


def _remarks(found: Benchmark, data: Path, opened: LoadedBenchmark) -> list[str]:
    from cutscore.authoring.pack_record import read_record, record_remarks

    own = getattr(found.part("dataset"), "remarks", None)
    published = found.part("release").remarks(opened.items, data) if found.has_part("release") else []
    items, untold = opened.items, count(opened.untold, "item")
    hidden = [f"the truth of {untold} is not known: to be run, and not to be scored"] if opened.untold else []
    return [*record_remarks(data, items, read_record(data)), *(own(items) if own else []), *published, *hidden]


def _tables(found: Benchmark, opened: LoadedBenchmark) -> list[Table]:
    """Return what a benchmark tells of its tasks at every check, where it does."""
    describe = getattr(found.part("release"), "check_tables", None) if found.has_part("release") else None
    return describe(opened.items) if describe else []


def _summary(
    found: Benchmark, items: int | None, checks: Sequence[dict[str, Any]], card: GateCard | None
) -> Iterator[str]:
    """Tell how many promises are kept and how many tasks may be scored, what is broken, and each task's gates."""
    kept = len(_kept(checks))
    tried = kept + sum(bool(each["problems"]) for each in checks)
    told = [f"{kept} of {count(tried, 'promise')} kept"]
    told += [f"{len(checks) - tried} not wholly tried"] if tried < len(checks) else []
    told += [gate_verdict(card)] if card else []
    how_many = "items cannot be used" if items is None else count(items, "item")
    yield f"{found.name} v{found.card.version}, {how_many}: {', '.join(told)}"
    yield from _sentences("BROKEN ", "problems", checks)
    yield from _sentences("untried", "untried", checks)
    yield from gate_summary(card) if card else ()


def _sentences(verdict: str, kind: str, checks: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Tell what is wrong with promises, or why they were not tried; one reason for many is told once."""
    said: set[str] = set()
    for each in filter(lambda each: each[kind], checks):
        yield f"{verdict} {each['name']}"
        new = [sentence for sentence in each[kind] if sentence not in said]
        yield from (f"          {sentence}" for sentence in _shorten(new) or ["for a reason that stands above"])
        said.update(new)


def _shorten(sentences: Sequence[str]) -> list[str]:
    """Tell a reason that many items share by the first of them, and how many more there are."""
    by_reason: dict[str, list[str]] = {}
    for sentence in sentences:
        by_reason.setdefault(sentence.partition(": ")[2] or sentence, []).append(sentence)
    told = []
    for same in by_reason.values():
        told += same[:MOST_ALIKE]
        told += [f"and {len(same) - MOST_ALIKE:,} more for the same reason"] if len(same) > MOST_ALIKE else []
    return told


def _kept(checks: Sequence[dict[str, Any]]) -> list[str]:
    return [f"ok      {each['name']}" for each in checks if not each["problems"] and not each["untried"]]


def _resolve(target: str, bench: str) -> tuple[Benchmark, Path | None]:
    """Return the benchmark, and the data pack when one is meant."""
    folder = benchmark(bench).data_folder(Path(target)) if bench else Path(target)
    if not folder.is_dir() or (target in benchmarks() and not bench):
        return benchmark(target), None
    if (folder / CARD).is_file():
        return _installed(folder), None
    if not bench:
        raise BadInput(f"'{target}'", "is a folder of items, but for which benchmark?", "add --bench BENCH")
    return benchmark(bench), folder


def _installed(folder: Path) -> Benchmark:
    """Return the benchmark that lives in a folder; a broken card says what is wrong with it."""
    for found in benchmarks().values():
        if found.folder.resolve() == folder.resolve():
            return found
    for card in broken_cards():
        if Path(card.what).resolve() == (folder / CARD).resolve():
            raise card
    fact = "is a benchmark's folder, but not of an installed package"
    raise BadInput(f"'{folder}'", fact, "install it with pip install -e, then check it by its name")
