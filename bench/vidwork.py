"""Statistics of VidWork-Bench at its published size, 10,686 responses and 10,000 resamples, against scipy in one run.

    python bench/vidwork.py [--resamples 10000] [--rounds 5]

Five models answer all 2,092 questions about 171 clips, a sixth answers 226 on one axis. Both sides start from the same
marks and give the 95% percentile interval of each model on each axis. `by clip` is our leaderboard: draws of clips,
shared by all cells, with composites. `by item` is the paper's way, and what `scipy` does with one call for each cell.
Rounds alternate, each side once before for warmth; figures are medians of CPU seconds.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
from scipy.stats import bootstrap

from cutscore.benchmarks.vidwork.dataset import AXES
from cutscore.benchmarks.vidwork.tables import axis_score
from cutscore.results.tables.lines import CellLine, SampleMark
from cutscore.results.tables.means import MeanTable, mean_table

MODELS, CLIPS, WANTED_S = 5, 171, 1.0
ITEMS = dict(zip(AXES, (423, 90, 225, 264, 1090), strict=True))
SIXTH = 226
BATCH = 200


def lines() -> list[CellLine]:
    generator = np.random.default_rng(7)
    ease = generator.normal(0, 0.8, CLIPS)
    made = []
    for model in range(MODELS + 1):
        marks = []
        for axis, count in ITEMS.items():
            for number in range(count if model < MODELS else SIXTH * (axis == AXES[0])):
                clip = number * 31 % CLIPS
                chance = 1 / (1 + np.exp(-ease[clip] - 0.2 * model))
                value = float(generator.random() < chance) if axis in (AXES[1], AXES[4]) else generator.beta(chance, 1)
                item = f"{axis} {number}"
                marks.append(SampleMark(item, 1, f"clip {clip}", {"axis": axis}, {"score": value, axis: value}, {}))
        made.append(CellLine("model", f"{model}", marks))
    return made


def by_clip(measured: list[CellLine], resamples: int) -> MeanTable:
    return mean_table(measured, AXES, axis_score, composite=True, resamples=resamples)


def by_item(measured: list[CellLine], resamples: int) -> MeanTable:
    return mean_table(measured, AXES, axis_score, composite=True, by_item=True, resamples=resamples)


def scipys(measured: list[CellLine], resamples: int) -> dict[tuple[int, str], tuple[float, float]]:
    ends = {}
    for number, line in enumerate(measured):
        for axis in AXES:
            values = np.array([mark.scores[axis] for mark in line.marks if axis in mark.scores])
            if len(values):
                options = {"n_resamples": resamples, "batch": BATCH, "method": "percentile", "vectorized": True}
                found = bootstrap((values,), np.mean, rng=np.random.default_rng(42), **options).confidence_interval
                ends[number, axis] = (float(found.low), float(found.high))
    return ends


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    measured = lines()
    responses = sum(len(line.marks) for line in measured)
    sides: dict[str, Callable[..., object]] = {
        "cutscore by clip": by_clip,
        "cutscore by item": by_item,
        "scipy": scipys,
    }
    taken: dict[str, list[float]] = {name: [] for name in sides}
    found: dict[str, object] = {}
    for side in sides.values():
        side(measured, max(1, given.resamples // 20))
    for number in range(given.rounds):
        for name, side in sides.items():
            began_s = time.process_time()
            found[name] = side(measured, given.resamples)
            taken[name].append(time.process_time() - began_s)
            print(f"round {number + 1} {name:17} {taken[name][-1]:7.3f} CPU s", file=sys.stderr)
    middle = {name: statistics.median(rounds) for name, rounds in taken.items()}
    ours, theirs = found["cutscore by item"], found["scipy"]
    assert isinstance(ours, MeanTable)
    assert isinstance(theirs, dict)
    apart = max(
        abs(mine - its) / (ends[1] - ends[0])
        for cell, ends in theirs.items()
        for mine, its in zip((ours.cells[cell].low, ours.cells[cell].high), ends, strict=True)
        if mine is not None
    )
    for name, cpu_s in middle.items():
        print(f"{name:17}{cpu_s:9.3f} CPU s{cpu_s / middle['scipy']:9.2f} of scipy")
    print(f"{responses:,} responses, {given.resamples:,} resamples, {len(theirs)} cells; wanted below {WANTED_S:g} s")
    print(f"by item, ends are at most {apart:.1%} of an interval away from scipy's: other draws, and ours are expanded")


if __name__ == "__main__":
    main()
