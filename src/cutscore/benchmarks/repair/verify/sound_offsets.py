"""By how much a sound lies later than golden's: where the two correlate best, in one pass over blocks of both."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy import signal

from cutscore.core.timeline import Span
from cutscore.media import deliverable
from cutscore.media.sound import Samples, sample_at

# Sound is looked for this far off, so that a skew can be named that no offset may mend.
LISTENED_S = Fraction(1, 2)
SOUND_HZ = 48_000

_AS_HIGH = 0.98
_BLOCK = 1 << 17  # samples
_HEARD = 1e-4  # root mean square, -80 dB of full scale: below is silence


@dataclass(frozen=True)
class SoundOffset:
    """How the sound of one stretch lies against golden: where it fits best, and the correlation there, from -1 to 1."""

    late_s: Fraction | None = None  # within half a second; None where one of the two is silent
    alike: float | None = None


def sound_offsets(output: Path, golden: Path, spans: Sequence[Span]) -> list[SoundOffset]:
    """Find the offset of each stretch, in golden's seconds."""
    if not deliverable.has_sound(golden) or not deliverable.has_sound(output):
        return [SoundOffset()] * len(spans)
    ears = [_CrossCorrelation(span) for span in spans]
    most = sample_at(LISTENED_S, SOUND_HZ)
    start, end = min(ear.start for ear in ears), max(ear.end for ear in ears)
    known, other = _SampleStream(golden, start, end), _SampleStream(output, start - most, end + most)
    for first in range(start, end, _BLOCK):
        last = min(end, first + _BLOCK)
        reference, test = known.part(first, last), other.part(first - most, last + most)
        for ear in ears:
            ear.hear(first, reference, test)
    return [ear.found() for ear in ears]


class _SampleStream:
    """Samples of a file by their numbers, asked for in order up to the end; silent where there are none."""

    def __init__(self, path: Path, start: int, end: int) -> None:
        span = Span(start_s=Fraction(start, SOUND_HZ), end_s=Fraction(end, SOUND_HZ))
        self._blocks = deliverable.iter_sound(path, rate_hz=SOUND_HZ, channels="mono", span=span)
        self._held, self._start, self._end = np.zeros(0, np.float32), start, end

    def part(self, start: int, end: int) -> Samples:
        """Return the samples of a part that begins no earlier than the last one."""
        self._held, self._start = self._held[start - self._start :], start
        blocks, length = [self._held], len(self._held)
        # At the end to the last message, so that the child that sends them is free for the next order.
        while (length < end - start or end == self._end) and (block := next(self._blocks, None)) is not None:
            blocks.append(block)
            length += len(block)
        self._held = np.concatenate(blocks)
        return self._held[: end - start]


class _CrossCorrelation:
    """Adds up the products of two sounds at all shifts, over one span."""

    def __init__(self, span: Span) -> None:
        self.start, self.end = sample_at(span.start_s, SOUND_HZ), sample_at(span.end_s, SOUND_HZ)
        self._most = sample_at(LISTENED_S, SOUND_HZ)
        self._products = np.zeros(2 * self._most + 1)
        self._powers = np.zeros(2)

    def hear(self, start: int, reference: Samples, test: Samples) -> None:
        """Take a block of the reference, and the other sound from `most` before it to `most` behind it."""
        first, end = max(self.start, start) - start, min(self.end, start + len(reference)) - start
        if first >= end:
            return
        own = reference[first:end].astype(np.float64)
        own -= own.mean()
        around = test[first : end + 2 * self._most].astype(np.float64)
        beside = around[self._most : self._most + len(own)]
        self._powers += float(own @ own), float(beside @ beside)
        self._products += signal.correlate(around, own, mode="valid", method="fft")

    def found(self) -> SoundOffset:
        """Return the shift where the sounds fit, and how well."""
        silent = (self.end - self.start) * _HEARD**2
        if self._powers.min() <= silent or self._products.max() <= 0:
            return SoundOffset()
        best = nearest_peak(self._products)
        alike = float(self._products[best] / np.sqrt(self._powers.prod()))
        return SoundOffset(Fraction(best - self._most, SOUND_HZ), min(1.0, alike))


def nearest_peak(products: npt.NDArray[np.float64]) -> int:
    """Number the highest peak; of those that are as high within 2%, the one nearest to the middle."""
    peaks = np.flatnonzero(products >= _AS_HIGH * products.max())
    padded = np.pad(products, 1, constant_values=-np.inf)
    peaks = peaks[(padded[peaks] <= padded[peaks + 1]) & (padded[peaks + 2] <= padded[peaks + 1])]
    return int(peaks[np.argmin(np.abs(peaks - len(products) // 2))])
