"""Pictures of a film, small and grey, and how much detail they had before: what is kept of it in one pass."""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from cutscore.media.plan import FramePlan
from cutscore.scoring.metrics.metric import Measurement, MetricFrame, Needs, frozen_array


@dataclass(eq=False)
class SmallPictures:
    """Keeps every picture, small and grey: 1,296 bytes each, so a hundred megabytes for an hour at 25 a second.

    `at_s` and `pictures` are known when the pass is over; it measures nothing by itself.
    """

    needs: Needs = field(default=Needs(kind="grey", size=(48, 27)), init=False)
    at_s: list[Fraction] = field(default_factory=list, init=False)
    _pictures: list[npt.NDArray[np.uint8]] = field(default_factory=list, init=False)

    @property
    def pictures(self) -> npt.NDArray[np.uint8]:
        """All of them, of shape (number, height, width)."""
        return np.stack(self._pictures)

    @property
    def length_s(self) -> Fraction:
        """Until when they are shown: the last one as long as the one before it."""
        return self.at_s[-1] + (self.at_s[-1] - self.at_s[-2] if len(self.at_s) > 1 else 0)

    def see(self, frame: MetricFrame) -> None:
        """Keep a picture."""
        self.at_s.append(frame.at_s)
        self._pictures.append(frame.pixels)

    def result(self) -> Measurement:
        """Return an empty measurement: the pictures are the result."""
        return Measurement("small pictures", "grey_48x27.1", "", None, "", (), frozen_array(()))


@dataclass(eq=False)
class PictureDetail:
    """Looks at how much of the contrast of two pictures a second lies between neighbouring pixels."""

    needs: Needs = field(default=Needs(kind="grey", longest=640, plan=FramePlan.parse("fps=2,max=200")), init=False)
    values: list[float] = field(default_factory=list, init=False)

    def see(self, frame: MetricFrame) -> None:
        """Look at a picture."""
        grey = frame.pixels.astype(np.float32)
        self.values.append(float(np.abs(np.diff(grey, axis=1)).mean()) / max(1.0, float(grey.std())))

    def result(self) -> Measurement:
        """Return an empty measurement: the values are the result."""
        return Measurement("detail", "detail_grey.1", "", None, "", (), frozen_array(()))
