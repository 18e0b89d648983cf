"""How much of a defect is gone from an output, in proportion to its strength: half of a blur mixed away is a half.

PSNR, SSIM and the measures of sound are similarities. They rise steeply while the first part of a defect goes and
hardly for the last one, so half of a light blur lies at 0.7 to 0.8 between broken and golden. But where the defect lies
is known:

    mended = 1 − ⟨output − golden, broken − golden⟩ / |broken − golden|²        0 at broken, 1 at golden

It is linear, and noise of encoders hardly lies in that direction, but for one thing: encoders take fine detail away, as
a blur does. Golden at CRF 28 keeps 0.79 to 0.95 of the way for blurs of 1.8 pixels and pictures three times smaller
(two real films, three staged ones), and 0.98 and more for colour. So from `ENOUGH` on all is mended; from `LINEAR` to
there what is left is counted less and less.

Coders of sound put other noise in the place of noise, which lies in no direction. So of sound all counts that is not
golden at its best gain, a sixteenth of the window at a time, but for noise 25 dB below golden, as coders add it:

    mended = 1 − r / (1 + r · (1 − k))        r = |output − golden| / |defect|, both beside a golden of 1

where k is how much of golden the broken sound has, beside its defect: of a mix of both it is golden's share.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cutscore.core.timeline import Span
from cutscore.media import deliverable
from cutscore.media.orientation import Pixels
from cutscore.media.plan import Times
from cutscore.media.sound import Samples
from cutscore.scoring.metrics.metric import Measurement, MetricFrame, Needs, frozen_array

Wave = npt.NDArray[np.float64]

LINEAR, ENOUGH = 0.55, 0.78
_BLOCKS = 16  # of sound
_LET_PASS = 0.003  # of golden's power: 25 dB below it
_PRESENT = 0.02  # of the mean energy of the defect: less is noise of encoders
# Pictures that are compared, and pixels of the broken clip that are held for it: 24 up to 640×360, 4 from 1280×1080 on.
_MOST_MOMENTS, _LEAST_MOMENTS, _MOST_PIXELS = 24, 4, 6_000_000


def count_mended(share: float) -> float:
    """Return what a share of the way to golden counts, with what a good encode takes away let pass.

    >>> count_mended(-0.1), count_mended(0.5), round(count_mended(0.7), 3), count_mended(0.8)
    (0.0, 0.5, 0.843, 1.0)
    """
    if share <= LINEAR:
        return max(0.0, share)
    return min(1.0, LINEAR + (share - LINEAR) * (1 - LINEAR) / (ENOUGH - LINEAR))


def sample_moments(path: Path, window: Span) -> tuple[Fraction, ...]:
    """Return times that are evenly spread over the window, fewer for large pictures, which are held all at once."""
    facts = deliverable.probe(path)
    count = min(_MOST_MOMENTS, max(_LEAST_MOMENTS, _MOST_PIXELS // (facts.width * facts.height)))
    return tuple(window.start_s + window.length_s * (2 * part + 1) / (2 * count) for part in range(count))


@dataclass(eq=False)
class PictureResidual:
    """Compares some pictures of golden with the output's; `broken` has those of the broken clip by their times.

    A picture that the output lacks counts as broken.
    """

    broken: Mapping[Fraction, Pixels]
    needs: Needs = field(default=Needs(kind="rgb"), init=False)  # every picture, as PSNR has it: each form is made once
    _left: dict[Fraction, float] = field(default_factory=dict, init=False)
    _energy: dict[Fraction, float] = field(default_factory=dict, init=False)

    @property
    def share(self) -> float | None:
        """How much is mended, 0 … 1; None where no picture shows the defect."""
        lost = len(self.broken) - len(self._energy)
        mended = _mean_share(list(self._energy.values()), list(self._left.values()))
        if mended is None:
            return 0.0 if lost else None
        return mended * (1 - lost / len(self.broken))

    def compare(self, reference: MetricFrame, test: MetricFrame) -> None:
        """Compare a picture of golden with what the output shows at that moment."""
        before = self.broken.get(reference.at_s)
        if before is None:
            return
        golden = reference.pixels.astype(np.float32)
        way = (before - golden).ravel()
        self._energy[reference.at_s] = float(way @ way)
        self._left[reference.at_s] = float((test.pixels - golden).ravel() @ way)

    def result(self) -> Measurement:
        """Return an empty measurement: the share is the result."""
        return Measurement("residual", "residual_rgb.1", "", None, "", (), frozen_array(()))


def picture_residual(broken: Path, window: Span) -> PictureResidual:
    """Return the comparison with a broken clip whose defect lies in a window."""
    return PictureResidual(_pictures_at(broken, sample_moments(broken, window)))


@lru_cache(maxsize=2)
def _pictures_at(path: Path, at_s: tuple[Fraction, ...]) -> Mapping[Fraction, Pixels]:
    return {frame.at_s: frame.pixels for frame in deliverable.read_frames(path, Times(at_s))}


def sound_mended(golden: Samples, broken: Samples, output: Samples) -> float | None:
    """Return how much of a defect is gone from a sound, all three of one stretch; None where none of it is heard."""
    count = min(len(golden), len(broken), len(output))
    x, b, y = (each[:count].reshape(-1).astype(np.float64) for each in (golden, broken, output))
    energies, left = [], []
    for clean, before, after in zip(*(np.array_split(each, _BLOCKS) for each in (x, b, y)), strict=True):
        power = float(clean @ clean)
        if not power:
            continue
        kept, there = float(before @ clean) / power, float(after @ clean) / power
        energies.append(max(0.0, float(np.sum((before - kept * clean) ** 2)) - _LET_PASS * power))
        left.append(energies[-1] * _left_share(clean, after, energies[-1], kept, there) if energies[-1] else 0.0)
    return _mean_share(energies, left)


def _left_share(clean: Wave, after: Wave, energy: float, kept: float, there: float) -> float:
    """Return the share of the broken sound in a mix with golden that has as much of the defect beside golden."""
    if there <= 0:
        return 1.0
    rest = float(np.sum((after / there - clean) ** 2)) - _LET_PASS * float(clean @ clean)
    ratio = math.sqrt(max(0.0, rest) / energy)
    whole = 1 + ratio * (1 - max(0.0, kept))
    return ratio / whole if whole > 0 else 1.0


def _mean_share(energies: Sequence[float], left: Sequence[float]) -> float | None:
    """Return the mean share that is mended over the parts of a window in which there is a defect, each of them 0 … 1.

    They count alike, so that half of the time is a half, and none for more than mended; None without a defect.
    """
    least = _PRESENT * sum(energies) / max(1, len(energies))
    shares = [
        min(1.0, max(0.0, 1 - rest / energy))
        for energy, rest in zip(energies, left, strict=True)
        if energy > 0 and energy >= least
    ]
    return math.fsum(shares) / len(shares) if shares else None
