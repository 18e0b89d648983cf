"""Which stretch of which source each stretch of a film shows, to the frame.

Each picture of the film and of its sources has a perceptual hash (`views`), a source in several crops, so that
a vertical cut of a wide film and a film between bars are found again. The account of the whole film that costs least
is the answer (`alignment`, Viterbi). A picture costs the bits by which it differs from the one that the account says is
shown. While the source goes on at the film's pace, that is all. A jump to another place costs `JUMP_BITS`; to hold a
picture, `OFF_BITS` more for each one; to go at another of `SPEEDS`, the same; to show what is of no source,
`FOREIGN_BITS`. So runs along the diagonal are found, and a picture that looks like another place by chance is none.

Places and joins are then refined with small pictures, to the frame. Places that look the same cannot be told apart: a
jump within a shot in which next to nothing moves may be taken for none, and a picture held there for one that goes on.

Cost: each film is decoded once. The account takes pictures × seconds of source × rate steps; above 300 million of them
(two minutes at 25 a second from an hour) pictures of the film are thinned for it, and joins refined at the full rate.
A minute from an hour takes 7 s and 90 MB, besides decoding.
Other speeds are looked for up to 20 million. Memory is a bit for each step, and 0.5 kB for each picture and crop.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from math import ceil
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.repurpose.source_map.alignment import StateTrack, cheapest_path
from cutscore.benchmarks.repurpose.source_map.sharpness import EdgeViews, Size
from cutscore.benchmarks.repurpose.source_map.views import Views, crops_for
from cutscore.scoring.metrics.one_pass import SLACK_S, one_pass

JUMP_BITS = 16
FOREIGN_BITS = 12
OFF_BITS = 1
SPEEDS = tuple(map(Fraction, ("1", "1/2", "2/3", "3/4", "4/5", "5/4", "4/3", "3/2", "2")))
# A stretch whose small pictures correlate less with the source's is no copy of it, whatever its hashes say.
LEAST_ALIKE = 0.8

_MOST_STEPS, _MOST_WITH_SPEEDS = 300_000_000, 20_000_000
_NEAR = 3  # frames by which the account may be off, besides what was thinned
_LOOKED_AT = 100  # pictures of a run, evenly spread, tell where it lies
_CLEARLY = 1e-4  # of a correlation: less is noise, and the smaller change is preferred


@dataclass(frozen=True, eq=False)
class Reel:
    """A film or a source as it is compared."""

    name: str
    views: Views
    levels: npt.NDArray[np.uint8]  # small pictures, of shape (picture, crop, 256)
    small: npt.NDArray[np.float32]  # the same without mean, of length 1
    at_s: npt.NDArray[np.float64]
    edges: EdgeViews | None = None

    @property
    def frame_s(self) -> float:
        """Seconds from picture to picture, on average."""
        return float(self.views.length_s) / len(self.at_s)

    @property
    def step_s(self) -> float:
        """Seconds from most pictures to the next; where many were left out the average is longer."""
        usual_s = float(np.median(np.diff(self.at_s))) if len(self.at_s) > 1 else 0.0
        return min(self.frame_s, usual_s) or self.frame_s

    def pictures_at(self, at_s: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
        """Number the pictures that are on screen at some times; the first before the start, the last after the end."""
        found = np.searchsorted(self.at_s, at_s + float(SLACK_S), side="right") - 1
        return np.clip(found, 0, len(self.at_s) - 1)


@dataclass(frozen=True)
class SourceRun:
    """A stretch of the film, from one of its pictures to before another; reel None where it is of no source.

    The source is at `start_s` when the first picture is shown, and goes on at `speed`; 0 holds it.
    """

    first: int
    end: int
    reel: Reel | None = None
    start_s: float = 0.0
    speed: Fraction = Fraction(1)

    def source_s(self, film: Reel, numbers: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
        """Return the seconds of the source that some pictures of the film show."""
        since: npt.NDArray[np.float64] = film.at_s[numbers] - film.at_s[self.first]
        return self.start_s + float(self.speed) * since


def view_source(name: str, path: Path, film: Reel, *, aspect: float, edges: Size) -> Reel:
    """Look at a source of an aspect, in those crops that may be in the film, and at its `edges` in a size."""
    wanted = film.views.aspects | {round(film.views.aspect, 2)}
    boxes = crops_for(aspect, wanted)
    return view_film(path, name, Views(boxes), EdgeViews(edges, boxes))


def find_runs(film: Reel, reels: Sequence[Reel]) -> list[SourceRun]:
    """Return what each stretch of the film shows, to the frame."""
    found, thin = _coarse_runs(film, reels)
    runs = _merge_runs([_place_run(run, film, thin + _NEAR) for run in found], film)
    for number in range(len(runs) - 1):
        runs[number], runs[number + 1] = _move_join(runs[number], runs[number + 1], film, thin + _NEAR)
    return [part for run in runs for part in _split_blanks(run, film)]


def view_film(path: Path, name: str, views: Views, edges: EdgeViews) -> Reel:
    """Look at a film, or at a source in several crops."""
    one_pass(path, [views, edges])
    levels = views.small.reshape(len(views.at_s), -1, 256)
    small = levels.astype(np.float32)
    small -= small.mean(axis=2, keepdims=True)
    small /= np.maximum(np.linalg.norm(small, axis=2, keepdims=True), 1e-3)
    return Reel(name, views, levels, small, np.array(views.at_s, np.float64), edges)


def _coarse_runs(film: Reel, reels: Sequence[Reel]) -> tuple[list[SourceRun], int]:
    """Return the runs of the cheapest account, and of how many pictures it looked at one."""
    lengths_s = [float(reel.views.length_s) for reel in reels]
    step_s = film.step_s
    steps = len(film.at_s) * sum(lengths_s) / step_s
    # Of the film alone: states of the source stay as near as its pictures are.
    thin = max(1, ceil(steps / _MOST_STEPS))
    speeds = SPEEDS if steps <= _MOST_WITH_SPEEDS else SPEEDS[:1]
    tracks, meant = list[StateTrack](), list[tuple[Reel, Fraction]]()
    for reel, length_s in zip(reels, lengths_s, strict=True):
        hashes = reel.views.hashes
        for speed in speeds:
            pace_s = step_s * float(speed)
            at_s = np.arange(max(1, round(length_s / pace_s)), dtype=np.float64) * pace_s
            tracks.append(StateTrack(hashes[reel.pictures_at(at_s)], extra_bits=OFF_BITS if speed != 1 else 0))
            meant.append((reel, speed))
        # Held pictures are those of the pace 1, so that their distances need not be found twice.
        tracks.append(StateTrack(tracks[-len(speeds)].hashes, held=True, extra_bits=OFF_BITS))
        meant.append((reel, Fraction(0)))
    rows = film.at_s[::thin]
    # Steps since the start, so that gaps of a film whose rate varies do not add up to another pace.
    gaps = np.diff(np.rint((rows - rows[0]) / step_s), prepend=0).astype(int).tolist()
    stays = cheapest_path(
        film.views.hashes[::thin],
        gaps,
        film.views.blank[::thin],
        tracks,
        jump_bits=JUMP_BITS,
        foreign_bits=FOREIGN_BITS,
    )
    runs = []
    for stay in stays:
        first, end = stay.first * thin, min(stay.end * thin, len(film.at_s))
        if stay.track is None:
            runs.append(SourceRun(first, end))
        else:
            reel, speed = meant[stay.track]
            start_s = stay.state * step_s * float(speed or 1)
            runs.append(SourceRun(first, end, reel, start_s, speed))
    return runs, thin


def _place_run(run: SourceRun, film: Reel, reach: int) -> SourceRun:
    """Move a run to where its small pictures fit best, some frames around; of no source where they do not fit."""
    if run.reel is None:
        return run
    numbers = np.unique(np.linspace(run.first, run.end - 1, _LOOKED_AT).astype(int))
    places = [run.start_s + step * film.frame_s for step in sorted(range(-reach, reach + 1), key=abs)]
    best, found = -1.0, run
    for start_s in places:
        moved = replace(run, start_s=start_s)
        alike = float(np.median(_correlate(moved, film, numbers)))  # its ends may still be of another run
        if alike > best + _CLEARLY:
            best, found = alike, moved
    return found if best >= LEAST_ALIKE else SourceRun(run.first, run.end)


def _correlate(run: SourceRun, film: Reel, numbers: npt.NDArray[np.intp]) -> npt.NDArray[np.float32]:
    """Return how well pictures of the film fit what a run says that they show, in the crop that fits them best."""
    if run.reel is None:
        return np.full(len(numbers), LEAST_ALIKE, np.float32)
    fits = _fit_crops(run, run.reel, film, numbers).reshape(len(numbers), -1)
    chosen: npt.NDArray[np.float32] = fits[:, fits.mean(axis=0).argmax()]
    return chosen


def best_crop(run: SourceRun, film: Reel, numbers: npt.NDArray[np.intp]) -> int:
    """Return the crop of the source that fits these pictures of the film best."""
    return int(_fit_crops(run, run.reel, film, numbers).max(axis=1).mean(axis=0).argmax()) if run.reel else 0


def _fit_crops(run: SourceRun, reel: Reel, film: Reel, numbers: npt.NDArray[np.intp]) -> npt.NDArray[np.float32]:
    """Return the correlation of each picture, of shape (picture, view, crop)."""
    seen, known = film.small[numbers], reel.small[reel.pictures_at(run.source_s(film, numbers))]
    fits: npt.NDArray[np.float32] = np.einsum("nvk,nck->nvc", seen, known)
    return fits


def _merge_runs(runs: Sequence[SourceRun], film: Reel) -> list[SourceRun]:
    """Put neighbours together that go on from each other; of a single picture nobody can say how fast it goes."""
    made: list[SourceRun] = []
    for run in runs:
        last = made[-1] if made else None
        alone = run.end - run.first == 1
        if last is not None and last.reel is run.reel and (last.speed == run.speed or (alone and last.speed)):
            goes_on_s = float(last.source_s(film, np.array([run.first]))[0])
            if run.reel is None or abs(goes_on_s - run.start_s) <= 1.5 * max(film.frame_s, run.reel.frame_s):
                made[-1] = replace(last, end=run.end)
                continue
        made.append(run)
    return made


def _move_join(before: SourceRun, after: SourceRun, film: Reel, reach: int) -> tuple[SourceRun, SourceRun]:
    """Move the join of two runs to where their small pictures fit best."""
    low, high = max(before.first + 1, after.first - reach), min(after.end - 1, after.first + reach)
    numbers = np.arange(low, high)
    if not len(numbers):
        return before, after
    blank = np.array(film.views.blank)[numbers]
    one, other = (
        np.where(blank & (run.reel is not None), -1, _correlate(run, film, numbers)) for run in (before, after)
    )
    # Of each possible join: how well the pictures before it fit the first run, and those from it on the second.
    fits = np.concatenate([[0], np.cumsum(one)]) + np.concatenate([np.cumsum(other[::-1])[::-1], [0]])
    joins = np.arange(low, high + 1)
    best = joins[fits >= fits.max() - _CLEARLY]
    join = int(best[np.argmin(np.abs(best - after.first))])
    moved = after.source_s(film, np.array([join]))[0]
    return replace(before, end=join), replace(after, first=join, start_s=float(moved))


def _split_blanks(run: SourceRun, film: Reel) -> Iterator[SourceRun]:
    """Part what is of no source where it begins and ends to be blank."""
    if run.reel is not None:
        yield run
        return
    flags = film.views.blank[run.first : run.end]
    for _, group in groupby(range(run.first, run.end), key=lambda number: flags[number - run.first]):
        numbers = list(group)
        yield SourceRun(numbers[0], numbers[-1] + 1)
