"""How much fine structure a clip shows: sharp pictures have strong edges, blurred ones weak."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.scoring.metrics.kernels import compile_kernel, flat_view, has_compiler
from cutscore.scoring.metrics.metric import FrameSeries, Measurement, MetricFrame, Needs


@dataclass(eq=False)
class EdgeEnergy(FrameSeries):
    """Mean squared Sobel gradient of grey, for each frame; 0 for a flat picture, higher is sharper.

    It depends on what is shown, so compare a frame with itself before and after an edit, at one size.
    """

    needs: Needs = field(default=Needs(kind="grey"), init=False)

    def see(self, frame: MetricFrame) -> None:
        """Measure the edges of the frame."""
        self._add(frame.at_s, edge_energy(frame.pixels))

    def result(self) -> Measurement:
        """Return the energy of edges."""
        return self._measure_mean("edge energy", "edge_energy_sobel3.1", "grey levels² a pixel²")


def edge_energy(grey: npt.NDArray[Any]) -> float:
    """Return the mean of gx² + gy², with 3×3 Sobel gradients over 8 (a ramp of 1 a pixel has 1); borders mirror."""
    height, width = grey.shape
    if not has_compiler():
        return float(_squared_gradients_plainly(grey) / 64 / (height * width))
    line, step = flat_view(grey)
    total = compile_kernel(_squared_gradients)(line, step, height, np.empty((2, width), np.int32))
    return float(total / 64 / (height * width))


def _squared_gradients_plainly(grey: npt.NDArray[Any]) -> int:
    """Add up gx² + gy² over all pixels with numpy."""
    padded = np.pad(grey.astype(np.int64), 1, mode="reflect")
    smooth = padded[:-2] + 2 * padded[1:-1] + padded[2:]
    slope = padded[2:] - padded[:-2]
    across = smooth[:, 2:] - smooth[:, :-2]
    along = slope[:, :-2] + 2 * slope[:, 1:-1] + slope[:, 2:]
    return int((across * across + along * along).sum())


def _squared_gradients(line: npt.NDArray[Any], step: int, height: int, rows: npt.NDArray[np.int32]) -> int:
    """Add up gx² + gy² over all pixels: one row after the other, first down the columns, then along the row."""
    smooth, slope = rows[0], rows[1]
    width = smooth.size
    total = np.int64(0)
    for y in range(height):
        # Mirrored at the border pixel: the row before the first is the second.
        above, below = abs(y - 1), height - 1 - abs(height - 2 - y)
        up = line[min(above, height - 1) * step :][:width]
        middle = line[y * step :][:width]
        down = line[max(below, 0) * step :][:width]
        for x in range(width):
            smooth[x] = np.int32(up[x]) + 2 * np.int32(middle[x]) + np.int32(down[x])
            slope[x] = np.int32(down[x]) - np.int32(up[x])
        for x in range(1, width - 1):
            across = smooth[x + 1] - smooth[x - 1]
            along = slope[x - 1] + 2 * slope[x] + slope[x + 1]
            total += across * across + along * along
        for x, beside in ((0, min(1, width - 1)), (width - 1, max(width - 2, 0))):
            along = 2 * slope[x] + 2 * slope[beside]  # across is 0: the mirror shows the same on both sides
            total += along * along
            if width == 1:
                break
    return int(total)
