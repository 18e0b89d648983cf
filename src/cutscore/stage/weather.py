"""Rain, snow and fog, and the light of the day, over a painted picture.

Drops and flakes fall at speeds drawn from the scene's seed; where they are depends on the time alone, so any frame can
be painted without those before it.
"""

from fractions import Fraction
from functools import lru_cache
from math import floor
from random import Random

import cv2
import numpy as np

from cutscore.media.orientation import Pixels
from cutscore.stage.blend import as_bytes
from cutscore.stage.palette import Rgb
from cutscore.stage.setting import Light, Place

_FOG: Rgb = (208, 214, 222)
_FOG_SHARE = 104  # of 256
# Each channel is multiplied by so many 256ths: red, green, blue.
_TINTS: dict[Light, Rgb] = {"day": (256, 256, 256), "dusk": (256, 226, 206), "night": (136, 150, 202)}
_DROPS, _FLAKES = 130, 110
_RAIN: Rgb = (206, 220, 236)


@lru_cache(maxsize=16)
def light_table(place: Place) -> Pixels:
    """Return what light and fog make of each level of red, green and blue; shape (256, 1, 3)."""
    levels = np.arange(256)[:, None]
    lit = levels * np.array(_TINTS[place.light])[None] >> 8
    if place.weather == "fog":
        lit = lit + ((np.array(_FOG)[None] - lit) * _FOG_SHARE >> 8)
    return as_bytes(lit).reshape(256, 1, 3)


def apply_light(pixels: Pixels, place: Place) -> Pixels:
    """Show a picture, or a single colour, in the light of its place."""
    if place.light == "day" and place.weather != "fog":
        return pixels
    return as_bytes(cv2.LUT(pixels, light_table(place)))


def draw_precipitation(canvas: Pixels, place: Place, time_s: Fraction, seed: int) -> None:
    """Let it rain or snow on a picture."""
    height, width = canvas.shape[:2]
    if place.weather == "rain":
        length = height // 14
        for x, y, speed in _particles(seed, _DROPS):
            down = (y + floor(time_s * (900 + speed))) % 1200 - 100
            left, top = x * width // 1000, down * height // 1000
            cv2.line(canvas, (left, top), (left - length // 5, top + length), _RAIN, 1, cv2.LINE_AA)
    if place.weather == "snow":
        for x, y, speed in _particles(seed, _FLAKES):
            down = (y + floor(time_s * (70 + speed // 4))) % 1060 - 30
            sway = floor(abs((time_s * 40 + y) % 60 - 30))
            centre = ((x + sway) * width * 16 // 1000, down * height * 16 // 1000)
            radius = (3 + speed % 3) * height * 16 // 900
            cv2.circle(canvas, centre, radius, (252, 253, 255), -1, cv2.LINE_AA, 4)


@lru_cache(maxsize=8)
def _particles(seed: int, count: int) -> tuple[tuple[int, int, int], ...]:
    draw = Random(f"weather {seed}")
    return tuple((draw.randrange(1060), draw.randrange(1200), draw.randrange(400)) for _ in range(count))
