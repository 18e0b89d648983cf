"""Hostile films: every submission that the benchmarks' own `hostile.py` knows, and the honest encodes beside them.

They are taken in and marked as `cutscore check` does it. One process marks all submissions of an item and writes a line
for each; where it hangs or dies, the submission in hand is to blame, and the next process goes on behind it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from attacks.arena import Arena, HowItEnded, Outcome, take_part
from cutscore import registry
from cutscore.authoring.gates.verifier import try_honest, try_hostile
from cutscore.authoring.hostile import HonestSubmission, HostileSubmission
from cutscore.authoring.loaded_benchmark import LoadedBenchmark, load_benchmark
from cutscore.cells.known_work import KnownWork
from cutscore.core.bundle import Bundle
from cutscore.core.ending import Ending
from cutscore.core.gate import Trial
from cutscore.core.item import Item
from cutscore.store import Store

FAMILIES = ("repair", "sequencing", "assembly", "repurpose")
KIND, HONEST = "films", "honest encodes"
ITEM_LIMIT_S = 900.0


def try_films(arena: Arena, *, small: bool) -> Iterator[Outcome]:
    """Try all items of each family; of a small run a part of the first one."""
    for family in FAMILIES:
        number, most = 0, 1
        while number < most:
            ended, most = _try_item(arena, family, number, small=small)
            yield from ended
            number, most = number + 1, 1 if small else most


def _try_item(arena: Arena, family: str, number: int, *, small: bool) -> tuple[list[Outcome], int]:
    """Return what became of all submissions of one item, and how many items the family has."""
    folder, ended, skip, items = arena.new_folder(), list[Outcome](), 0, 1
    while True:
        ran = arena.call(mark_item, folder, family, number, skip, small, limit_s=ITEM_LIMIT_S)
        lines = [json.loads(line) for line in (folder / "lines").read_text().splitlines()]
        items, names = lines[0]["items"], lines[0]["names"]
        ended += [Outcome(line["kind"], line["name"], line["ending"], line["because"]) for line in lines[1:]]
        if len(ended) == len(names):
            break
        how: HowItEnded = "hung" if ran.code is None else "crashed"
        ended.append(Outcome(KIND, names[len(ended)], how, ran.said[-200:]))
        skip = len(ended)
    if touched := arena.touched(folder):
        ended.append(Outcome(KIND, f"{family}, item {number}", "outside", touched))
    return ended, items


@dataclass(frozen=True)
class Watched(LoadedBenchmark):
    """A benchmark that remembers how its markings ended."""

    ended: list[Ending] = field(default_factory=list)

    def mark(self, known: KnownWork, item: Item, mode: str = "") -> Ending:
        """Mark as ever."""
        self.ended.append(super().mark(known, item, mode))
        return self.ended[-1]


def mark_item(family: str, number: int, skip: int, small: bool) -> None:
    """Mark all submissions of one item, behind those that are skipped."""
    bench = load_benchmark(registry.benchmark(family), Store(Path("../store")))
    bench = Watched(bench.found, bench.store, bench.items, bench.prompts, judge=bench.judge, roles=bench.roles)
    item, part = bench.items[number], bench.found.part("hostile")
    assert isinstance(item, Bundle)
    known: Sequence[HostileSubmission | HonestSubmission]
    known = take_part([*part.hostile(item, bench.store), *part.honest(item, bench.store)], small=small)
    floor = bench.found.card.scores[bench.headline].floor
    names = [f"{family}/{item.id}: {each.name}" for each in known]
    with Path("lines").open("w", buffering=1) as out:
        out.write(json.dumps({"items": len(bench.items), "names": names}) + "\n")
        for name, each in list(zip(names, known, strict=True))[skip:]:
            if isinstance(each, HostileSubmission):
                kind, trial = KIND, try_hostile(bench, item, each)
                ending = judge_hostile(trial, floor, refused=bench.ended[-1].failure_class is not None)
            else:
                kind, trial = HONEST, try_honest(bench, item, each)
                ending = "above" if trial.fault else "allowed" if trial.limit else "refused"
            line = {"kind": kind, "name": name, "ending": ending, "because": trial.fault or trial.because}
            out.write(json.dumps(line) + "\n")


def judge_hostile(trial: Trial, floor: float, *, refused: bool) -> HowItEnded:
    """Return how a hostile submission ended: what earns more than it may is above the limit."""
    if "breaks the verifier" in trial.fault:
        return "crashed"
    if not trial.scores:
        return "unscored"
    if trial.fault:
        return "above"
    if any(value > floor for value in trial.scores.values()):
        return "allowed"
    return "refused" if refused else "zero"
