"""Where a sound is silent and where it is clipped: spans, exact to the sample."""

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from cutscore.core.errors import BadInput
from cutscore.core.timeline import Span
from cutscore.media.sound import Sound

SILENT_DBFS = -60.0  # the noise floor that FFmpeg's silencedetect takes
FULL_SCALE = 0.999  # 16-bit sound ends at 0.99997, and a lossy codec moves it a little


def find_silences(
    sound: Sound, *, below_dbfs: float = SILENT_DBFS, at_least_s: Fraction = Fraction(1, 2)
) -> list[Span]:
    """Return the spans in which no sample of any channel is above a level.

    A level of `below_dbfs`, in dB to full scale, is still silent. Stretches shorter than `at_least_s` do not count:
    between two words it is not silent.
    """
    if at_least_s < 0:
        raise BadInput("silence", f"cannot last {at_least_s} s", "give a length of 0 or more")
    peaks = np.abs(sound.samples.reshape(len(sound.samples), -1)).max(axis=1)
    return _runs(peaks <= 10 ** (below_dbfs / 20), sound.rate_hz, at_least_s * sound.rate_hz)


def find_clippings(sound: Sound, *, level: float = FULL_SCALE, at_least_samples: int = 3) -> list[Span]:
    """Return the spans in which a channel stays at full scale.

    A loud sound touches full scale with single samples; a wave whose top is cut off stays there. So fewer
    samples in a row than `at_least_samples` do not count. A sound that was clipped and then turned down is found
    only with the level to which it was turned down.

    `level` is what counts as full scale, from 0 to 1, either sign.
    """
    if not 0 < level <= 1:
        raise BadInput("clipping", f"cannot begin at level {level}", "give one above 0 and up to 1")
    table = sound.samples.reshape(len(sound.samples), -1)
    hit = np.zeros(len(table), bool)
    for channel in table.T:
        for side in (channel >= level, channel <= -level):
            for start, end in find_runs(side, at_least_samples):
                hit[start:end] = True
    return _runs(hit, sound.rate_hz, 1)


def _runs(mask: npt.NDArray[np.bool_], rate_hz: int, at_least: Fraction | int) -> list[Span]:
    return [
        Span(start_s=Fraction(start, rate_hz), end_s=Fraction(end, rate_hz)) for start, end in find_runs(mask, at_least)
    ]


def find_runs(mask: npt.NDArray[np.bool_], at_least: Fraction | int = 1) -> list[tuple[int, int]]:
    """Return start and end of each run of true values that is long enough; the end is the first number after it.

    >>> find_runs(np.array([True, True, False, True]))
    [(0, 2), (3, 4)]
    """
    change = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(start, end) for start, end in change.reshape(-1, 2).tolist() if end - start >= at_least]
