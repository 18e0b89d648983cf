"""A table of 6 models × 5 axes over 171 clips, all pairwise intervals: ours against scipy.stats.bootstrap, in one run.

    python bench/bootstrap.py [--resamples 10000] [--rounds 5]

All sides draw clips, not questions, and give 95% percentile intervals of 30 means and of the 75 differences of two
models on one axis, from the same sums and counts by clip. Ours is the whole way, from sums to ends. `scipy at once` is
the fastest that we could make of scipy: one statistic on indices of clips gives all 105 numbers, in batches. `scipy
each` is how it is mostly called: once for each number, on paired samples. Rounds alternate, each side once before for
warmth; figures are medians of CPU seconds. Ends are compared too: draws differ, and so they do, by the noise of that.
"""

import argparse
import resource
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
from scipy.stats import bootstrap

from cutscore.stats.tables import all_pairs, resample_table, table_differences, table_intervals

MODELS, AXES, CLIPS = 6, 5, 171
PAIRS = all_pairs(MODELS, AXES)
WANTED_S = 0.1
BATCH = 200


def scores() -> tuple[np.ndarray, np.ndarray]:
    """Give sums and counts by clip and column: 1 to 4 questions on each axis, clips that are easy or hard for all."""
    generator = np.random.default_rng(7)
    counts = np.tile(generator.integers(1, 5, (CLIPS, AXES)), (1, MODELS)).astype(float)
    ease = generator.normal(0, 0.8, (CLIPS, 1)) + generator.normal(0, 0.4, MODELS * AXES)
    return generator.binomial(counts.astype(int), 1 / (1 + np.exp(-ease))).astype(float), counts


def ours(sums: np.ndarray, counts: np.ndarray, resamples: int) -> np.ndarray:
    table = resample_table(sums, counts, resamples=resamples)
    means, gaps = table_intervals(table), table_differences(table, PAIRS)
    return np.array([np.concatenate([means.low, gaps.low]), np.concatenate([means.high, gaps.high])])


def scipys(sums: np.ndarray, counts: np.ndarray, resamples: int) -> np.ndarray:
    first, second = np.array(PAIRS).T

    def statistic(clips: np.ndarray, axis: int = -1) -> np.ndarray:
        clips = np.moveaxis(clips, axis, -1).astype(np.intp)
        means = sums[clips].sum(axis=-2) / counts[clips].sum(axis=-2)
        return np.moveaxis(np.concatenate([means, means[..., first] - means[..., second]], axis=-1), -1, 0)

    found = bootstrap(
        (np.arange(CLIPS),),
        statistic,
        n_resamples=resamples,
        batch=BATCH,
        vectorized=True,
        method="percentile",
        rng=np.random.default_rng(42),
    ).confidence_interval
    return np.array([found.low, found.high])


def scipys_each(sums: np.ndarray, counts: np.ndarray, resamples: int) -> np.ndarray:
    def mean(part: np.ndarray, whole: np.ndarray, axis: int = -1) -> np.ndarray:
        return part.sum(axis=axis) / whole.sum(axis=axis)

    def gap(*four: np.ndarray, axis: int = -1) -> np.ndarray:
        return mean(four[0], four[1], axis=axis) - mean(four[2], four[3], axis=axis)

    asked: list[tuple[tuple[int, ...], Callable[..., np.ndarray]]] = [((each,), mean) for each in range(MODELS * AXES)]
    ends = []
    for columns, statistic in [*asked, *((pair, gap) for pair in PAIRS)]:
        data = [side[:, column] for column in columns for side in (sums, counts)]
        options = {"n_resamples": resamples, "batch": BATCH, "vectorized": True, "method": "percentile"}
        found = bootstrap(data, statistic, paired=True, rng=np.random.default_rng(42), **options)
        ends.append(found.confidence_interval)
    return np.array(ends).T


def timed(side: Callable[..., np.ndarray], *given: object) -> tuple[float, np.ndarray]:
    began_s = time.process_time()
    ends = side(*given)
    return time.process_time() - began_s, ends


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    sums, counts = scores()
    sides = {"cutscore": ours, "scipy at once": scipys, "scipy each": scipys_each}
    taken: dict[str, list[float]] = {name: [] for name in sides}
    ends: dict[str, np.ndarray] = {}
    for side in sides.values():
        side(sums, counts, max(1, given.resamples // 20))
    for number in range(given.rounds):
        for name, side in sides.items():
            cpu_s, ends[name] = timed(side, sums, counts, given.resamples)
            taken[name].append(cpu_s)
            print(f"round {number + 1} {name:14} {cpu_s:7.3f} CPU s", file=sys.stderr)
    middle = {name: statistics.median(rounds) for name, rounds in taken.items()}
    widths = ends["scipy at once"][1] - ends["scipy at once"][0]
    print(f"{'':15}{'CPU s':>9}{'of ours':>9}{'ends apart':>12}")
    for name, cpu_s in middle.items():
        apart = float((np.abs(ends[name] - ends["cutscore"]) / widths).max())
        print(f"{name:15}{cpu_s:9.3f}{cpu_s / middle['cutscore']:9.1f}{apart:12.1%}")
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{len(widths)} intervals, {given.resamples} resamples; ours wanted below {WANTED_S} s; peak {peak_mb:.0f} MB"
    )


if __name__ == "__main__":
    main()
