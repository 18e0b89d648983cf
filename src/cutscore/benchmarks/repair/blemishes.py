"""Stretches of a clip that differ from their surroundings as faults do: in colour, detail, noise, clipping, repeats.

They are found by measurement alone. At the edge of a fault the picture changes, and what it shows does not: that tells
a fault from a cut. Order and meaning are not understood, so shots in the wrong place, words that nobody wanted and
echoes are not found.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from cutscore.core.timeline import Span
from cutscore.media.levels import find_runs
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.media.sound import Sound

Fault = Literal["colour", "detail", "noise", "clipping", "repeat"]
Floats = npt.NDArray[np.float64]

_THUMB = (48, 27)
# Correlation of two neighbouring pictures from which they show the same thing.
_SAME = 0.9
# Logarithms of a change from one picture to the next: of one colour against another, and of all detail.
_TINT, _DETAIL = 0.12, 0.2
# How much of a change the way back may leave over.
_BACK = 0.4
# Levels of 255: pictures that differ less are the same after an encode, and a stretch with less movement is still.
_EQUAL, _MOVES = 2.5, 1.5
_FEWEST = 3
_BLOCK_S = Fraction(1, 50)
_LEAST_S, _GAP_S = Fraction(1, 2), Fraction(1, 4)
# Noise is steady: nearby, a pitch is never quieter than so many dB above what it is elsewhere, for such a share of all.
_ABOVE_DB, _SHARE = 15.0, 0.08
# Of the samples of a block so many lie near its peak when its waves are cut off; of a pure tone it is 0.29.
_NEAR, _FLAT, _LOUD = 0.9, 0.5, 0.25


@dataclass(frozen=True, eq=False)
class Blemish:
    """A stretch that differs in something, and how clearly, in thresholds: from 1 on.

    Gains are what red, green and blue were multiplied by, of a colour fault.
    """

    fault: Fault
    span: Span
    strength: float
    gains: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(eq=False)
class PictureWatcher:
    """Watches pictures one after the other; of each it keeps a thumbnail and how much detail it has."""

    rate: Fraction
    _thumbs: list[Floats] = field(default_factory=list)
    _details: list[float] = field(default_factory=list)

    def see(self, pixels: Pixels) -> None:
        """Take the next picture."""
        cv2 = opencv()
        self._thumbs.append(cv2.resize(pixels, _THUMB, interpolation=cv2.INTER_AREA).astype(np.float64))
        grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
        self._details.append(float(np.abs(cv2.Laplacian(grey, cv2.CV_32F)).mean()) + 0.1)

    def blemishes(self) -> list[Blemish]:
        """Return what was found, the clearest first."""
        found = [*self._colour_faults(), *self._detail_faults(), *self._repeats()]
        return sorted(found, key=lambda each: -each.strength)

    def _same(self, number: int) -> bool:
        """Return whether a picture shows what the one before it shows."""
        one, other = (thumb.mean(axis=2).ravel() for thumb in self._thumbs[number - 1 : number + 1])
        if not one.std() or not other.std():
            return False
        return float(np.corrcoef(one, other)[0, 1]) > _SAME

    def _colour_faults(self) -> Iterator[Blemish]:
        edges = []
        for number in range(1, len(self._thumbs)):
            before, after = self._thumbs[number - 1], self._thumbs[number]
            gains = np.log((after * before).sum(axis=(0, 1)) + 1) - np.log((before * before).sum(axis=(0, 1)) + 1)
            if float(np.ptp(gains)) > _TINT and self._same(number):
                edges.append((number, gains))
        for (first, there), (end, back) in pairwise(edges):
            if np.ptp(there + back) < _BACK * np.ptp(there):
                red, green, blue = np.exp((there - back) / 2)
                strength = float(np.ptp(there)) / _TINT
                yield Blemish("colour", self._span(first, end), strength, (float(red), float(green), float(blue)))

    def _detail_faults(self) -> Iterator[Blemish]:
        edges = []
        for number in range(1, len(self._details)):
            change = float(np.log(self._details[number] / self._details[number - 1]))
            if abs(change) > _DETAIL and self._same(number):
                edges.append((number, change))
        for (first, there), (end, back) in pairwise(edges):
            if there < 0 < back and abs(there + back) < max(_DETAIL, _BACK * -there):
                yield Blemish("detail", self._span(first, end), -there / _DETAIL)

    def _repeats(self) -> Iterator[Blemish]:
        thumbs = np.array([thumb.mean(axis=2) for thumb in self._thumbs])
        count = len(thumbs)
        moves = np.abs(np.diff(thumbs, axis=0)).mean(axis=(1, 2)) if count > 1 else np.zeros(0)
        for length in range(_FEWEST, count // 2 + 1):
            apart = np.abs(thumbs[length:] - thumbs[:-length]).mean(axis=(1, 2))
            for first, end in find_runs(apart < _EQUAL, length):
                if moves[first : first + length - 1].mean() > _MOVES:
                    yield Blemish("repeat", self._span(first + length, first + 2 * length), float(end - first))

    def _span(self, first: int, end: int) -> Span:
        return Span(start_s=first / self.rate, end_s=end / self.rate)


def sound_blemishes(sound: Sound) -> list[Blemish]:
    """Return faults of a sound, the clearest first; clipping sounds noisy, too, and counts once."""
    clipped = list(_find_clipping(sound))
    noisy = [each for each in _find_noise(sound) if not any(each.span.overlap(other.span) for other in clipped)]
    return sorted([*clipped, *noisy], key=lambda each: -each.strength)


def _find_clipping(sound: Sound) -> Iterator[Blemish]:
    """Find where waves are flat, and not too quiet to tell."""
    blocks = np.abs(_blocks(sound))
    peaks = blocks.max(axis=1, initial=0.0)
    if not peaks.any():
        return
    flat = (blocks >= _NEAR * peaks[:, None]).mean(axis=1)
    for first, end in _long_runs((flat > _FLAT) & (peaks > _LOUD * peaks.max()), _LEAST_S / 2):
        yield Blemish("clipping", _block_span(first, end), float(np.median(flat[first:end])) / _FLAT)


def _find_noise(sound: Sound) -> Iterator[Blemish]:
    """Find where many pitches never fall silent, as they do elsewhere."""
    blocks = _blocks(sound)
    if not len(blocks):
        return
    size = blocks.shape[1]
    level = 20 * np.log10(np.abs(np.fft.rfft(blocks * np.hanning(size), axis=1)) + 1e-4 * size)
    around = int(_GAP_S / _BLOCK_S)
    floor = np.array([level[max(0, n - around) : n + around + 1].min(axis=0) for n in range(len(level))])
    share = (floor > np.percentile(floor, 10, axis=0) + _ABOVE_DB).mean(axis=1)
    for first, end in _long_runs(share > _SHARE, _LEAST_S / 2):
        # A minimum over what is near comes late and ends early.
        span = _block_span(max(0, first - around), min(len(blocks), end + around))
        if _LEAST_S <= span.length_s < Fraction(4, 5) * sound.length_s:
            yield Blemish("noise", span, float(share[first:end].max()) / _SHARE)


def _blocks(sound: Sound) -> Floats:
    size = int(sound.rate_hz * _BLOCK_S)
    mono = sound.mono().astype(np.float64)
    return mono[: len(mono) // size * size].reshape(-1, size)


def _long_runs(mask: npt.NDArray[np.bool_], least_s: Fraction) -> Iterator[tuple[int, int]]:
    """Return runs that are long enough, after those that lie near each other have become one."""
    run: tuple[int, int] | None = None
    for first, end in [*find_runs(mask), (len(mask) + 10**6, 0)]:
        if run is not None and first - run[1] <= _GAP_S / _BLOCK_S:
            run = run[0], end
            continue
        if run is not None and (run[1] - run[0]) * _BLOCK_S >= least_s:
            yield run
        run = first, end


def _block_span(first: int, end: int) -> Span:
    return Span(start_s=first * _BLOCK_S, end_s=end * _BLOCK_S)
