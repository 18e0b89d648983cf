"""The cheapest account of a film: which state of which track each of its pictures shows.

A track is what a source would show, step by step at the film's pace, if it were shown at a certain speed; a held one
stays where it is. A picture costs the bits by which its hash differs from the state's, and what the track asks besides.
Staying on a track costs nothing, a jump to any state of any track `jump_bits`, a picture of no track `foreign_bits`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cutscore.scoring.metrics.phash import Hashes

_NEVER = 1 << 28

Costs = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class StateTrack:
    """States that follow each other."""

    hashes: Hashes  # of shape (state, crop); the nearest crop counts
    held: bool = False  # whether the film stays at a state instead of going on to the next
    extra_bits: int = 0  # what each picture on this track costs besides


@dataclass(frozen=True)
class TrackStay:
    """Neighbouring pictures on one track without a jump; track None for pictures of no track."""

    track: int | None
    first: int
    end: int  # not included
    state: int  # of the first picture


def cheapest_path(
    film: Hashes,
    steps: Sequence[int],
    blank: Sequence[bool],
    tracks: Sequence[StateTrack],
    *,
    jump_bits: int,
    foreign_bits: int,
) -> list[TrackStay]:
    """Return the account that costs least, in order; of accounts that cost the same, always the same one.

    Memory is one bit for each picture and state. Hashes of the film are of shape (picture, view); the nearest view
    counts. Steps are how many states a track goes on from the picture before; the first does not matter. Blank pictures
    are of no track, whatever they look like. There is at least one track, with at least one state each.
    """
    starts = np.cumsum([0, *(len(track.hashes) for track in tracks)])
    nowhere = int(starts[-1])
    cost = np.zeros(nowhere + 1, np.int32)
    jumped: list[npt.NDArray[np.uint8]] = []
    origins: list[int] = []
    for number, views in enumerate(film):
        moved = cost.copy()
        for track, start, end in zip(tracks, starts, starts[1:], strict=False):
            if number and not track.held:
                by = min(steps[number], end - start)
                moved[start + by : end] = cost[start : end - by]
                moved[start : start + by] = _NEVER
        origin = int(cost.argmin())
        jumps = moved > cost[origin] + jump_bits
        origins.append(origin)
        jumped.append(np.packbits(jumps))
        cost = np.where(jumps, cost[origin] + jump_bits, moved) if number else moved
        cost += _bits(views, blank[number], tracks, foreign_bits)
        cost -= cost.min()  # so that it stays small however long the film is
    return _trace_back(int(cost.argmin()), jumped, origins, starts, steps=steps, tracks=tracks)


def _bits(views: npt.NDArray[np.uint64], blank: bool, tracks: Sequence[StateTrack], foreign_bits: int) -> Costs:
    known: dict[int, Costs] = {}
    rows = []
    for track in tracks:
        if id(track.hashes) not in known:
            apart = [np.bitwise_count(track.hashes ^ view).min(axis=1) for view in set(views.tolist())]
            known[id(track.hashes)] = np.min(apart, axis=0).astype(np.int32)
        rows.append(np.full(len(track.hashes), foreign_bits) if blank else known[id(track.hashes)] + track.extra_bits)
    return np.concatenate([*rows, [0 if blank else foreign_bits]]).astype(np.int32)


def _trace_back(
    state: int,
    jumped: Sequence[npt.NDArray[np.uint8]],
    origins: Sequence[int],
    starts: npt.NDArray[np.intp],
    *,
    steps: Sequence[int],
    tracks: Sequence[StateTrack],
) -> list[TrackStay]:
    """Go back through the account from the state of the last picture."""
    found: list[TrackStay] = []
    end = len(jumped)
    for number in range(end - 1, -1, -1):
        place = int(np.searchsorted(starts, state, side="right")) - 1
        track = place if place < len(tracks) else None
        jump = bool(jumped[number][state // 8] >> (7 - state % 8) & 1)
        if jump or number == 0:
            found.append(TrackStay(track, number, end, 0 if track is None else state - int(starts[place])))
            end, state = number, origins[number]
        elif track is not None and not tracks[track].held:
            state -= steps[number]
    return found[::-1]
