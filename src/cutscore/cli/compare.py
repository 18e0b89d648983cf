"""`cutscore compare`: paired differences of two runs, and which settings differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cutscore.cli.columns import columns
from cutscore.cli.command import PATH, subcommand
from cutscore.cli.output import Answer
from cutscore.cli.results import CellResult, Section
from cutscore.cli.runs import read_run
from cutscore.cli.table import figures, verdict
from cutscore.core.errors import BadInput

if TYPE_CHECKING:
    from cutscore.core.estimate import Difference

# A setting that moves what a number means, and what to do about it.
CAUTIONS = {
    "data": "their items differ: only those that both have are compared",
    "scoring": "they were marked by different code: 'cutscore rescore' marks the older one again",
    "mode": "they were marked in different modes: both are compared in the mode of the first",
}


@dataclass(frozen=True)
class Pair:
    """Two cells of one benchmark."""

    first: CellResult
    second: CellResult
    difference: Difference
    differs: Mapping[str, tuple[Any, Any]]

    def as_json(self) -> dict[str, Any]:
        return {
            **self.difference.as_json(),
            "benchmark": self.first.record.cell.benchmark,
            "version": self.first.record.cell.version,
            "cells": [self.first.record.cell.id, self.second.record.cell.id],
            "differs": {name: list(values) for name, values in self.differs.items()},
        }


@subcommand(
    "compare", examples="  cutscore compare logs/colorbars/blind-… logs/colorbars/oracle-…\n  cutscore compare old new"
)
@click.argument("first", type=PATH, metavar="RUN")
@click.argument("second", type=PATH, metavar="RUN")
def command(*, first: Path, second: Path) -> Answer:
    """Paired differences of two runs, and which settings differ.

    Every cell of the first RUN is compared with every cell of the second one that has the same benchmark, on the
    items that both have.
    """
    pairs = _pairs(read_run(first), read_run(second), first, second)
    lines = [columns([_line(pair) for pair in pairs], right=(1,))]
    for pair in pairs:
        lines += _settings(pair)
    cautions = (f"{_title(pair)}: {CAUTIONS[name]}" for pair in pairs for name in CAUTIONS if name in pair.differs)
    return Answer({"pairs": [pair.as_json() for pair in pairs]}, "\n".join(lines), tuple(dict.fromkeys(cautions)))


def _pairs(mine: list[CellResult], theirs: list[CellResult], first: Path, second: Path) -> list[Pair]:
    both = [
        (one, two)
        for one in mine
        for two in theirs
        if one.record.cell.benchmark == two.record.cell.benchmark
        and one.record.folder.resolve() != two.record.folder.resolve()
    ]
    if not both:
        raise _nothing(mine, theirs, first, second)
    for one, two in both:
        _refuse_versions(one, two)
    return [_pair(one, two, str(first), str(second)) for one, two in both]


def _nothing(mine: list[CellResult], theirs: list[CellResult], first: Path, second: Path) -> BadInput:
    names = [sorted({each.record.cell.benchmark for each in cells}) for cells in (mine, theirs)]
    what = f"runs '{first}' and '{second}'"
    if names[0] == names[1]:
        return BadInput(what, "are one and the same cell", "name two cells, or two run folders")
    fact = f"have no benchmark in common ({', '.join(names[0])} and {', '.join(names[1])})"
    return BadInput(what, fact, "compare runs of the same benchmark")


def _refuse_versions(one: CellResult, two: CellResult) -> None:
    mine, theirs = one.record.cell, two.record.cell
    if mine.version != theirs.version:
        fact = f"'{mine.id}' is of version {mine.version}, '{theirs.id}' of version {theirs.version}"
        raise BadInput(
            f"benchmark '{mine.benchmark}'", f"{fact}; scores may have moved between them", "run the older one again"
        )


def _pair(one: CellResult, two: CellResult, first: str, second: str) -> Pair:
    from cutscore.bridge.summary import difference
    from cutscore.registry import benchmark

    part = Section(benchmark(one.record.cell.benchmark).card, (one, two))
    if not one.rows or not two.rows:
        empty = one if not one.rows else two
        raise BadInput(f"cell '{empty.record.cell.id}'", "has no rows yet", "finish its run first")
    made = difference(part.named(one), part.named(two), part.card, part.mode)
    if made.first == made.second:  # one cell, run twice: only the folders tell which is which
        made = made.model_copy(update={"first": f"{made.first} in {first}", "second": f"{made.second} in {second}"})
    return Pair(one, two, made, one.record.cell.differs(two.record.cell))


def _title(pair: Pair) -> str:
    return f"{pair.difference.first} − {pair.difference.second}"


def _line(pair: Pair) -> tuple[str, ...]:
    cell, made = pair.first.record.cell, pair.difference
    left_out = [
        f"{n:,} only in {name}" for n, name in ((made.only_first, made.first), (made.only_second, made.second)) if n
    ]
    head = f"{cell.benchmark} v{cell.version}   {_title(pair)}, paired"
    return (head, *figures(made.estimate), verdict(made), "; ".join(left_out))


def _settings(pair: Pair) -> list[str]:
    if not pair.differs:
        return [f"{_title(pair)}: every setting is equal"]
    shown = ", ".join(f"{name} {_short(one)} / {_short(two)}" for name, (one, two) in pair.differs.items())
    return [f"{_title(pair)} differ in {shown}"]


def _short(value: Any) -> str:
    """Write a setting's value for a line: digests by their start, subjects as the user writes them."""
    if isinstance(value, dict) and "kind" in value:
        value = value["label"]
    text = str(value) if value not in ("", {}, None) else "–"
    return f"{text[:12]}…" if len(text) == 64 and text.isalnum() else text
