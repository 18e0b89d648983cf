"""Stretches of a film that stand still where the source goes on.

The cheapest account takes a held picture for one that goes on where the source moves too little to change a hash. So
the film's small pictures are asked by themselves: where they stay the same for `HELD_S` while those of the source, at
the places that the account names, change, a picture was held. Where the source stands still, too, it is only shown.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.repurpose.source_map.runs import Reel, SourceRun, best_crop

# Shorter holds are a repeated picture and belong to what is around them.
HELD_S = Fraction(1, 2)
# Mean difference of two small pictures in levels of 255. Of a held picture encoders leave up to 0.03 at a CRF of 18 to
# 28; half a second of a slow shot of Big Buck Bunny has 2.
STILL, MOVED = 0.5, 1.5


def split_holds(runs: Sequence[SourceRun], film: Reel) -> list[SourceRun]:
    """Return the runs with what is held cut out of them as runs of speed 0."""
    held = [
        each for each in _still_stretches(film) if any(_source_moves(run, film) for run in _clip(runs, film, *each))
    ]
    parts: list[SourceRun] = []
    start = 0
    for first, end in held:
        within = list(_clip(runs, film, first, end))
        shown = next(run for run in within if run.reel is not None)
        parts += [*_clip(runs, film, start, first), replace(shown, first=first, end=end, speed=Fraction(0))]
        start = end
    return [*parts, *_clip(runs, film, start, len(film.at_s))]


def _still_stretches(film: Reel) -> Iterator[tuple[int, int]]:
    """Return the first picture of each stretch that stays the same for long enough, and the first after it."""
    pictures = film.levels[:, 0].astype(np.int16)
    first = 0
    for number in range(1, len(pictures) + 1):
        if number == len(pictures) or _difference(pictures[number], pictures[first]) > STILL:
            end_s = film.views.at_s[number] if number < len(pictures) else film.views.length_s
            if end_s - film.views.at_s[first] >= HELD_S and not film.views.blank[first]:
                yield first, number
            first = number


def _source_moves(run: SourceRun, film: Reel) -> bool:
    """Return whether the source changes in what a run says that the film shows of it."""
    if run.reel is None or run.speed == 0:
        return False
    numbers = np.arange(run.first, run.end)
    crop = best_crop(run, film, numbers)
    shown = run.reel.levels[np.unique(run.reel.pictures_at(run.source_s(film, numbers))), crop].astype(np.int16)
    return max(_difference(each, shown[0]) for each in shown) >= MOVED


def _difference(one: npt.NDArray[np.int16], other: npt.NDArray[np.int16]) -> float:
    return float(np.abs(one - other).mean())


def _clip(runs: Sequence[SourceRun], film: Reel, first: int, end: int) -> Iterator[SourceRun]:
    """Return what of the runs lies between two pictures."""
    for run in runs:
        start, stop = max(run.first, first), min(run.end, end)
        if start < stop:
            start_s = float(run.source_s(film, np.array([start]))[0])
            yield replace(run, first=start, end=stop, start_s=start_s)
