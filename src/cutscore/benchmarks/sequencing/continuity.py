"""What goes on from one clip into another: the picture, where a shot was cut in two, and the sound under a cut.

Two clips that were neighbours need not look alike: most films cut there. But a picture that hardly changes is the same
shot, and a voice, a tone or music that sounds at the end of one clip sounds on at the beginning of the next. So breaks
are bounded: what is clearly another picture or another sound says no more than that, however far off it is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt

from cutscore.media.sound import Samples, Sound
from cutscore.perception.colours import Lab
from cutscore.perception.shots import CUT, delta_e

# A shot goes on where its picture changes by less than half of what makes a cut.
_OTHER_SHOT = CUT / 2
# Seconds from the very end, where clips are often faded, and of the sound that is compared.
_EDGE_S, _LISTENED_S = 0.01, 0.04
# Half the amplitude of a tone that counts for nothing, -54 dBFS: coding noise must not tell one silence from another.
_SILENCE = 1e-3


@dataclass(frozen=True, eq=False)
class ClipEnds:
    """What a clip shares with its neighbours: its first and last picture, and spectra of its first and last sound."""

    first: Lab
    last: Lab
    begins: Samples
    stops: Samples


def sound_ends(sound: Sound) -> tuple[Samples, Samples]:
    """Return spectra of the first and of the last moment of a sound; of a very short one both are the same."""
    samples = sound.mono()
    edge, count = round(_EDGE_S * sound.rate_hz), round(_LISTENED_S * sound.rate_hz)
    inner = samples[edge : len(samples) - edge]
    inner = np.pad(inner, (0, max(0, count - len(inner))))
    shape = np.hanning(count)
    begins, stops = (np.abs(np.fft.rfft(part * shape)).astype(np.float32) for part in (inner[:count], inner[-count:]))
    return begins, stops


def discontinuity(before: ClipEnds, after: ClipEnds) -> float:
    """Return how much breaks off where one clip follows another: 0 where all goes on, 2 where nothing does."""
    seen = min(1.0, float(delta_e(before.last, after.first).mean()) / _OTHER_SHOT)
    heard = np.abs(before.stops - after.begins).sum() / (
        before.stops.sum() + after.begins.sum() + _SILENCE * 2 * len(before.stops)
    )
    return seen + float(heard)


def shortest_chain(apart: npt.NDArray[np.float64]) -> list[int]:
    """Return an order in which neighbours are near: join the nearest first, then move stretches as long as that helps.

    Distances are from row to column; the diagonal does not count. Of equals the lower numbers go first.
    """
    way = _join_nearest(apart)
    while True:
        nearer = _chain_length(way, apart) - 1e-9
        moved = next((each for each in _moved_stretches(way) if _chain_length(each, apart) < nearer), None)
        if moved is None:
            return way
        way = moved


def _join_nearest(apart: npt.NDArray[np.float64]) -> list[int]:
    count = len(apart)
    pairs = sorted((apart[one, other], one, other) for one in range(count) for other in range(count) if one != other)
    chains = {number: [number] for number in range(count)}  # by each of their members
    for _, one, other in pairs:
        before, after = chains[one], chains[other]
        if before is not after and before[-1] == one and after[0] == other:
            before += after
            chains.update(dict.fromkeys(after, before))
    return chains[0]


def _moved_stretches(way: Sequence[int]) -> Iterator[list[int]]:
    """Return all orders in which one stretch has changed places with the one beside it."""
    for first, middle, end in combinations(range(len(way) + 1), 3):
        yield [*way[:first], *way[middle:end], *way[first:middle], *way[end:]]


def _chain_length(way: Sequence[int], apart: npt.NDArray[np.float64]) -> float:
    return sum(float(apart[one, other]) for one, other in pairwise(way))
