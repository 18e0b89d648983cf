"""Sound as numbers."""

import wave
from dataclasses import dataclass
from fractions import Fraction
from io import BytesIO
from math import floor

import numpy as np
import numpy.typing as npt

from cutscore.core.errors import BadInput
from cutscore.core.timeline import Span

Samples = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Sound:
    """Samples with their rate: float32 in -1 … 1, of shape (n,) for mono or (n, 2) for stereo."""

    samples: Samples
    rate_hz: int

    def __post_init__(self) -> None:
        shape = self.samples.shape
        if self.samples.dtype != np.float32 or not (len(shape) == 1 or (len(shape) == 2 and shape[1] == 2)):
            raise BadInput("sound", f"is {self.samples.dtype} of shape {shape}", "give float32 of shape (n,) or (n, 2)")
        if not len(self.samples):
            raise BadInput("sound", "has no samples", "give at least one, or no sound")
        if not np.isfinite(self.samples).all():
            raise BadInput("sound", "has samples that are not finite numbers")
        if self.rate_hz < 1:
            raise BadInput("sound", f"has {self.rate_hz} samples a second", "give its rate in Hz")

    @property
    def channels(self) -> int:
        """1 or 2."""
        return 1 if self.samples.ndim == 1 else 2

    @property
    def length_s(self) -> Fraction:
        """Seconds that the samples take."""
        return Fraction(len(self.samples), self.rate_hz)

    def mono(self) -> Samples:
        """Return one channel: the mean of left and right."""
        return self.samples if self.samples.ndim == 1 else self.samples.mean(axis=1, dtype=np.float32)

    def as_wav(self) -> bytes:
        """Return the sound as a WAV file of 16 bits."""
        levels = np.clip(np.rint(self.samples * 32767), -32768, 32767).astype("<i2")
        out = BytesIO()
        with wave.open(out, "wb") as file:
            file.setnchannels(self.channels)
            file.setsampwidth(2)
            file.setframerate(self.rate_hz)
            file.writeframes(levels.tobytes())
        return out.getvalue()

    def part(self, span: Span) -> "Sound":
        """Return the sound of a span, exactly as long as that: silent where there is no sound."""
        first, end = sample_at(span.start_s, self.rate_hz), sample_at(span.end_s, self.rate_hz)
        inside = self.samples[max(0, first) : max(0, end)]
        before = min(end, 0) - min(first, 0)
        sides = [(before, end - first - before - len(inside)), *[(0, 0)] * (self.samples.ndim - 1)]
        return Sound(np.pad(inside, sides), self.rate_hz)

    def fade(self, edge_s: Fraction) -> "Sound":
        """Return the sound rising from nothing over its first seconds and falling to nothing over its last, evenly.

        Sound that is shorter than both together rises to its middle and falls from there.
        """
        count = len(self.samples)
        edge = min(sample_at(edge_s, self.rate_hz), count // 2)
        level = np.ones(count, np.float32)
        level[:edge] = np.linspace(0, 1, edge, endpoint=False)
        level[count - edge :] = level[:edge][::-1]
        return Sound(self.samples * level.reshape(-1, *[1] * (self.samples.ndim - 1)), self.rate_hz)


def sample_at(time_s: Fraction, rate_hz: int) -> int:
    """Return the sample nearest to a time; half-way belongs to the later one.

    Spans cut there tile: where one ends the next begins.

    >>> sample_at(Fraction(1, 16), 24), sample_at(Fraction(1), 48000)
    (2, 48000)
    """
    return floor(time_s * rate_hz + Fraction(1, 2))
