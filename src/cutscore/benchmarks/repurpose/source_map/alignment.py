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
    """States that follow each other.

    Args:
        hashes: Of shape (state, crop); the nearest crop counts.
        held: Whether the film stays at a state instead of going on to the next.
        extra_bits: What each picture on this track costs besides.
    """

    hashes: Hashes
    held: bool = False
    extra_bits: int = 0


@dataclass(frozen=True)
class TrackStay:
    """Neighbouring pictures on one track without a jump; track None for pictures of no track.

    Args:
        track: Number of the track.
        first, end: Pictures of the film, the last one not included.
        state: That of the first picture.
    """

    track: int | None
    first: int
    end: int
    state: int


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

    Memory is one bit for each picture and state.

    Args:
        film: Hashes of its pictures, of shape (picture, view); the nearest view counts.
        steps: How many states a track goes on from the picture before; the first does not matter.
        blank: Pictures that are of no track, whatever they look like.
        tracks: At least one, with at least one state each.
        jump_bits: See above.
        foreign_bits: See above.
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
    return _Backtrack(jumped, origins, steps, tracks, starts).stays(int(cost.argmin()))


def _bits(views: npt.NDArray[np.uint64], blank: bool, tracks: Sequence[StateTrack], foreign_bits: int) -> Costs:
    known: dict[int, Costs] = {}
    rows = []
    for track in tracks:
        if id(track.hashes) not in known:
            apart = [np.bitwise_count(track.hashes ^ view).min(axis=1) for view in set(views.tolist())]
            known[id(track.hashes)] = np.min(apart, axis=0).astype(np.int32)
        rows.append(np.full(len(track.hashes), foreign_bits) if blank else known[id(track.hashes)] + track.extra_bits)
    return np.concatenate([*rows, [0 if blank else foreign_bits]]).astype(np.int32)


@dataclass(frozen=True, eq=False)
class _Backtrack:
    """The way back through the account."""

    jumped: Sequence[npt.NDArray[np.uint8]]
    origins: Sequence[int]
    steps: Sequence[int]
    tracks: Sequence[StateTrack]
    starts: npt.NDArray[np.intp]

    def stays(self, state: int) -> list[TrackStay]:
        """Go back from the state of the last picture."""
        found: list[TrackStay] = []
        end = len(self.jumped)
        for number in range(end - 1, -1, -1):
            place = int(np.searchsorted(self.starts, state, side="right")) - 1
            track = place if place < len(self.tracks) else None
            jump = bool(self.jumped[number][state // 8] >> (7 - state % 8) & 1)
            if jump or number == 0:
                found.append(TrackStay(track, number, end, 0 if track is None else state - int(self.starts[place])))
                end, state = number, self.origins[number]
            elif track is not None and not self.tracks[track].held:
                state -= self.steps[number]
        return found[::-1]
