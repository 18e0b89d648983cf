"""How much moves from frame to frame, and how evenly: dense optical flow."""

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from cutscore.media.opencv import opencv
from cutscore.scoring.metrics.metric import FrameSeries, Measurement, MetricFrame, Needs

Field = npt.NDArray[np.float32]
Method = Literal["dis", "farneback"]

LONGEST = 320  # pixels; flow at this size is a tenth of the work and tells the same of a clip
# Pixels a frame at that size: below it lies what noise moves, and a still clip is as smooth as can be.
STILL_PX = 0.1
# Pyramid scale, levels, window, iterations, neighbourhood, sigma: the values of OpenCV's own example.
_FARNEBACK = (0.5, 3, 15, 3, 5, 1.2, 0)


@dataclass(eq=False)
class Flow(FrameSeries):
    """Mean length of the flow into each frame, as a share of the picture's longer side; 0 where nothing moves.

    Flow across a cut is meaningless; read it together with `Shots`.

    Args:
        method: `dis` (dense inverse search, preset fast) or `farneback`, which misses motion beyond a few pixels.
    """

    method: Method = "dis"
    needs: Needs = field(default=Needs(kind="grey", longest=LONGEST), init=False)
    _before: npt.NDArray[Any] | None = field(default=None, init=False)

    def see(self, frame: MetricFrame) -> None:
        """Measure the flow into the frame."""
        if self._before is not None:
            field_ = flow(self._before, frame.pixels, method=self.method)
            self._add(frame.at_s, float(_lengths(field_).mean()) / max(frame.pixels.shape))
        self._before = frame.pixels

    def result(self) -> Measurement:
        """Return the amount of motion."""
        return self._measure_mean("flow", f"flow_{self.method}_{LONGEST}.1", "longer sides a frame")


@dataclass(eq=False)
class Smoothness(FrameSeries):
    """How evenly things move, from 0 to 1: 1 for steady motion and for none, 0 for stop and go.

    With f and g the flow into a frame and into its predecessor, 1 - Σ|f - g| / Σ(|f| + |g| + 2·0.1 px) over pixels. It
    lies in [0, 1] by the triangle inequality. A cut disturbs the two frames after it.
    """

    needs: Needs = field(default=Needs(kind="grey", longest=LONGEST), init=False)
    _before: npt.NDArray[Any] | None = field(default=None, init=False)
    _flow: Field | None = field(default=None, init=False)

    def see(self, frame: MetricFrame) -> None:
        """Measure the flow into the frame."""
        latest = None if self._before is None else flow(self._before, frame.pixels)
        if latest is not None and self._flow is not None:
            self._add(frame.at_s, evenness(self._flow, latest))
        self._before, self._flow = frame.pixels, latest

    def result(self) -> Measurement:
        """Return the smoothness of motion."""
        return self._measure_mean("motion smoothness", f"smoothness_dis_{LONGEST}.1")


def flow(first: npt.NDArray[Any], second: npt.NDArray[Any], *, method: Method = "dis") -> Field:
    """Return for each pixel of the first grey picture how far it went, in pixels (right, down)."""
    cv2 = opencv()
    if method == "farneback":
        found: Field = cv2.calcOpticalFlowFarneback(first, second, None, *_FARNEBACK)
    elif min(first.shape) < 16:  # smaller than the patches and the pyramid of DIS can do with
        found = np.zeros((*first.shape, 2), np.float32)
    else:
        # Made anew for each pair: it would start from its last answer, and a value must not depend on what was before.
        found = cv2.DISOpticalFlow_create(cv2.DISOPTICAL_FLOW_PRESET_FAST).calc(first, second, None)
    return found


def evenness(before: Field, after: Field) -> float:
    """Compare two flow fields: 1 for equal ones, 0 for opposite ones and for all or nothing (but for the floor)."""
    change = _lengths(after - before).sum(dtype=np.float64)
    motion = (_lengths(before) + _lengths(after) + np.float32(2 * STILL_PX)).sum(dtype=np.float64)
    return float(1 - change / motion)


def _lengths(field_: Field) -> Field:
    lengths: Field = np.hypot(field_[..., 0], field_[..., 1])
    return lengths
