"""Which track of one clip is which of another: the assignment with the smallest total distance."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module

import numpy as np
import numpy.typing as npt

from cutscore.scoring.metrics.tracks import Track

# Shares of the picture's longer side: tracks farther apart than this are not the same thing.
GATE = 0.1
# Tracks that share fewer frames say too little about each other.
TOGETHER_FRAMES = 3


@dataclass(frozen=True)
class Match:
    """Two tracks that belong together: their numbers, and their mean distance in shares of the longer side."""

    first: int
    second: int
    distance: float


@dataclass(frozen=True)
class Matching:
    """Matches in order of the first numbers, and what they say together.

    Args:
        distance: Mean over the matches; None without any.
        share: Matches over the larger number of tracks: 1 when everything found its partner, 0 for nothing; None
            when both sides are empty.
    """

    matches: tuple[Match, ...]
    distance: float | None
    share: float | None


def match_trajectories(first: Sequence[Track], second: Sequence[Track], *, gate: float = GATE) -> Matching:
    """Assign tracks one to one so that the sum of distances is smallest (Hungarian), a missing partner costing `gate`.

    The distance of two tracks is the mean distance of their points over the presentation times that both have;
    with fewer than three in common they cannot be matched. Clips must have equal frame times.
    """
    larger = max(len(first), len(second))
    costs = track_distances(first, second)
    capped = np.where(costs <= gate, costs, gate)
    rows, columns = import_module("scipy.optimize").linear_sum_assignment(capped)
    matches = tuple(
        Match(int(row), int(column), float(costs[row, column]))
        for row, column in zip(rows, columns, strict=True)
        if costs[row, column] <= gate
    )
    mean = sum(match.distance for match in matches) / len(matches) if matches else None
    return Matching(matches, mean, len(matches) / larger if larger else None)


def track_distances(first: Sequence[Track], second: Sequence[Track]) -> npt.NDArray[np.float64]:
    """Return the mean distance of each pair of tracks over the times they share; infinite where those are too few."""
    times = sorted({at_s for track in (*first, *second) for at_s in track.at_s})
    place = {at_s: number for number, at_s in enumerate(times)}
    others = np.full((len(second), len(times), 2), np.nan)
    for number, track in enumerate(second):
        others[number, [place[at_s] for at_s in track.at_s]] = track.points
    costs = np.full((len(first), len(second)), np.inf)
    for number, track in enumerate(first):
        apart = np.linalg.norm(others[:, [place[at_s] for at_s in track.at_s]] - track.points, axis=2)
        shared = (~np.isnan(apart)).sum(1)
        enough = shared >= TOGETHER_FRAMES
        costs[number, enough] = np.nansum(apart[enough], axis=1) / shared[enough]
    return costs
