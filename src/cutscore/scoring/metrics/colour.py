"""How far the colours of two clips lie apart, as people see it: CIEDE2000."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.scoring.metrics.metric import FrameSeries, Measurement, MetricFrame, Needs

Lab = npt.NDArray[np.floating[Any]]

# Colour is seen at low resolution, and noise of single pixels is not a shift of colour.
_LONGEST = 160
_FAR = 25.0**7  # from the chroma correction of the standard
# Linear sRGB to X, Y, Z (IEC 61966-2-1), each as a share of white's.
_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]], np.float32)
_TO_XYZ = _XYZ / _XYZ.sum(1, keepdims=True)
_DARK = (6 / 29) ** 3  # below it the cube root of the CIE is a line


@dataclass(eq=False)
class ColourDistance(FrameSeries):
    """Mean CIEDE2000 between the frames of a pair, scaled to 160 pixels; 0 is equal, 1 just visible side by side."""

    needs: Needs = field(default=Needs(kind="rgb", longest=_LONGEST), init=False)

    def compare(self, reference: MetricFrame, test: MetricFrame) -> None:
        """Measure the distance of colours between the two."""
        distance = ciede2000(lab(reference.pixels), lab(test.pixels))
        self._add(reference.at_s, float(distance.mean()))

    def result(self) -> Measurement:
        """Return the distances."""
        return self._measure_mean("colour distance", "ciede2000_160.1", "ΔE00")


def lab(rgb: npt.NDArray[np.uint8]) -> Lab:
    """Turn sRGB pixels into CIE L*a*b* under D65, as float32; greys have a* = b* = 0."""
    levels = np.arange(256) / 255
    linear = np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4).astype(np.float32)
    xyz = linear[rgb] @ _TO_XYZ.T
    root = np.where(xyz > _DARK, np.cbrt(xyz), xyz * (841 / 108) + 4 / 29)
    x, y, z = np.moveaxis(root, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], -1)


def ciede2000(first: Lab, second: Lab) -> npt.NDArray[np.floating[Any]]:
    """Return CIEDE2000 (Sharma, Wu and Dalal 2005; k_L = k_C = k_H = 1) between colours in the last axis."""
    light_1, a_1, b_1 = np.moveaxis(first, -1, 0)
    light_2, a_2, b_2 = np.moveaxis(second, -1, 0)
    plain = (np.hypot(a_1, b_1) + np.hypot(a_2, b_2)) / 2
    stretch = 1 + 0.5 * (1 - np.sqrt(plain**7 / (plain**7 + _FAR)))
    chroma_1, chroma_2 = np.hypot(stretch * a_1, b_1), np.hypot(stretch * a_2, b_2)
    hue_1 = np.degrees(np.arctan2(b_1, stretch * a_1)) % 360
    hue_2 = np.degrees(np.arctan2(b_2, stretch * a_2)) % 360
    grey = chroma_1 * chroma_2 == 0  # a grey has no hue
    turn = hue_2 - hue_1
    turn = np.where(turn > 180, turn - 360, np.where(turn < -180, turn + 360, turn))
    turn = np.where(grey, 0, turn)
    d_light, d_chroma = light_2 - light_1, chroma_2 - chroma_1
    d_hue = 2 * np.sqrt(chroma_1 * chroma_2) * np.sin(np.radians(turn) / 2)
    light, chroma = (light_1 + light_2) / 2, (chroma_1 + chroma_2) / 2
    hue = _mean_hue(hue_1, hue_2, grey)
    weight = (
        1
        - 0.17 * np.cos(np.radians(hue - 30))
        + 0.24 * np.cos(np.radians(2 * hue))
        + 0.32 * np.cos(np.radians(3 * hue + 6))
        - 0.20 * np.cos(np.radians(4 * hue - 63))
    )
    s_light = 1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2)
    s_chroma, s_hue = 1 + 0.045 * chroma, 1 + 0.015 * chroma * weight
    rotation = (
        -2 * np.sqrt(chroma**7 / (chroma**7 + _FAR)) * np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2))))
    )
    l_term, c_term, h_term = d_light / s_light, d_chroma / s_chroma, d_hue / s_hue
    distance: npt.NDArray[np.floating[Any]] = np.sqrt(
        np.maximum(0, l_term**2 + c_term**2 + h_term**2 + rotation * c_term * h_term)
    )
    return distance


def _mean_hue(hue_1: Lab, hue_2: Lab, grey: npt.NDArray[np.bool_]) -> Lab:
    total = hue_1 + hue_2
    around = np.where(total < 360, total + 360, total - 360)
    halves: Lab = np.where(grey, total, np.where(np.abs(hue_1 - hue_2) <= 180, total, around) / 2)
    return halves
