"""Perceptual hashes: 64 bits of a frame that survive scaling and compression, and the search for near duplicates."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.media.opencv import opencv
from cutscore.scoring.metrics.metric import Measurement, MetricFrame, Needs, frozen_array, mean_or_none

Hashes = npt.NDArray[np.uint64]

# 32×32 grey, its 8×8 lowest frequencies: the usual pHash.
_SIDE, _KEPT = 32, 8
# Of 64 bits; copies that were scaled or compressed differ by a few, unrelated pictures by 32 ± 4.
NEAR_BITS = 8


@dataclass(eq=False)
class PerceptualHash:
    """pHash of each frame; the values are the bits that change from one frame to the next.

    The hashes themselves are `hashes` when the pass is over.
    """

    needs: Needs = field(default=Needs(kind="grey", size=(_SIDE, _SIDE)), init=False)
    _at_s: list[Fraction] = field(default_factory=list, init=False)
    _hashes: list[int] = field(default_factory=list, init=False)

    @property
    def hashes(self) -> Hashes:
        """One hash of 64 bits for each frame seen so far."""
        return np.array(self._hashes, np.uint64)

    def see(self, frame: MetricFrame) -> None:
        """Hash the frame."""
        self._at_s.append(frame.at_s)
        self._hashes.append(phash(frame.pixels))

    def result(self) -> Measurement:
        """Return the change from frame to frame."""
        changed = [(one ^ other).bit_count() for one, other in zip(self._hashes, self._hashes[1:], strict=False)]
        return Measurement(
            name="perceptual hash",
            definition="phash64_dct.1",
            unit="bits",
            summary=mean_or_none(changed),
            pooled="mean change from frame to frame",
            at_s=tuple(self._at_s[1:]),
            values=frozen_array(changed),
        )


def phash(grey: npt.NDArray[Any]) -> int:
    """Return 64 bits of a 32×32 grey picture: which of its 8×8 lowest cosine frequencies lie above their median.

    The constant term takes part in neither the bits' order nor the median: light alone does not change a hash. Its
    bit, the highest, is always 0. A flat picture has the hash 0.
    """
    if grey.shape != (_SIDE, _SIDE):
        raise ValueError(f"pHash is of {_SIDE}×{_SIDE} pixels, not {grey.shape[1]}×{grey.shape[0]}")
    low = opencv().dct(grey.astype(np.float32))[:_KEPT, :_KEPT].ravel()
    # What floats leave of a flat picture is not structure.
    low[np.abs(low) < 1e-2] = 0
    bits = low > np.median(low[1:])
    bits[0] = False
    return int.from_bytes(np.packbits(bits).tobytes(), "big")


def distances(first: Hashes, second: Hashes) -> npt.NDArray[np.uint8]:
    """Return the number of differing bits between each of the first and each of the second hashes."""
    bits: npt.NDArray[np.uint8] = np.bitwise_count(np.asarray(first)[:, None] ^ np.asarray(second)[None, :])
    return bits


def near_duplicates(hashes: Sequence[int] | Hashes, *, within: int = NEAR_BITS) -> Iterator[tuple[int, int, int]]:
    """Return the pairs of numbers (first < second) whose hashes differ by few bits, and by how many.

    All pairs are compared, a row at a time, so memory grows with the number of hashes and not with its square:
    10,000 hashes take about half a second.
    """
    known = np.asarray(hashes, np.uint64)
    for number in range(len(known) - 1):
        apart = np.bitwise_count(known[number + 1 :] ^ known[number])
        for other in np.flatnonzero(apart <= within).tolist():
            yield number, number + 1 + other, int(apart[other])
