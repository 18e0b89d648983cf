"""Peak signal-to-noise ratio: of luma as FFmpeg's `psnr` filter defines it, or of all three colours."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.scoring.metrics.kernels import compile_kernel, flat_view, has_compiler
from cutscore.scoring.metrics.metric import FrameSeries, Measurement, MetricFrame, Needs, frozen_array


@dataclass(eq=False)
class Psnr(FrameSeries):
    """10·log10(peak² / mean squared difference) in dB, infinite for equal frames; higher is nearer.

    The clip's number is the PSNR of the mean of the frames' mean squared differences, like FFmpeg's `average`: a
    mean of decibels would be infinite as soon as one frame is equal.

    Args:
        needs: What is compared: stored luma, or `rgb`, which also sees a wrong colour of the right brightness, and
            gives all depths and matrices one scale.
    """

    needs: Needs = field(default=Needs(kind="luma"))
    _peak: int = field(default=255, init=False)

    def compare(self, reference: MetricFrame, test: MetricFrame) -> None:
        """Measure the squared difference of the two."""
        self._peak = 2**reference.bits - 1
        first, second = (frame.pixels.reshape(len(frame.pixels), -1) for frame in (reference, test))
        self._add(reference.at_s, mean_squared_difference(first, second))

    def result(self) -> Measurement:
        """Return the ratios, pooled over squared differences."""
        return Measurement(
            name="PSNR",
            definition=f"psnr_{self.needs.kind}.1",
            unit="dB",
            summary=decibels(math.fsum(self._values) / len(self._values), self._peak) if self._values else None,
            pooled="of the mean squared difference over all frames",
            at_s=tuple(self._at_s),
            values=frozen_array(decibels(error, self._peak) for error in self._values),
        )


def decibels(squared_difference: float, peak: int) -> float:
    """Return the PSNR of a mean squared difference.

    >>> round(decibels(1.0, 255), 4), decibels(0.0, 255)
    (48.1308, inf)
    """
    return math.inf if squared_difference == 0 else 10 * math.log10(peak * peak / squared_difference)


def mean_squared_difference(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> float:
    """Return the mean of squared differences of two planes of equal shape; exact, from integers."""
    if not has_compiler():
        differences = first.astype(np.int64) - second
        return float(int((differences * differences).sum()) / differences.size)
    a, step_a = flat_view(first)
    b, step_b = flat_view(second)
    height, width = first.shape
    # 32 bits hold the sum of a row of 8-bit differences up to 33,000 pixels, and twice as many fit in a register.
    lines = np.empty(height, np.int32 if first.dtype == np.uint8 and width <= 33_000 else np.int64)
    compile_kernel(_squared_lines)(a, step_a, b, step_b, width, lines)
    return float(int(lines.sum(dtype=np.int64)) / (height * width))


def _squared_lines(  # noqa: PLR0917  numba compiles positional arguments
    a: npt.NDArray[Any], step_a: int, b: npt.NDArray[Any], step_b: int, width: int, lines: npt.NDArray[Any]
) -> None:
    for y in range(lines.size):
        row_a = a[y * step_a : y * step_a + width]
        row_b = b[y * step_b : y * step_b + width]
        total = np.int64(0)
        for x in range(row_a.size):
            difference = np.int64(row_a[x]) - np.int64(row_b[x])
            total += difference * difference
        lines[y] = total
