"""Colours by number and by name.

A name comes from a small table of examples: the name of the nearest one in CIELAB. Between two names the honest answer
is that one could not tell, so a colour that lies about as near to an example of another name has no name.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.core.errors import UnknownName
from cutscore.media.opencv import opencv

Lab = npt.NDArray[np.float32]
Rgb = tuple[int, int, int]

# Examples in 8-bit sRGB: the pure colour, then darker, lighter and paler ones that people still call so.
EXAMPLES: dict[str, tuple[Rgb, ...]] = {
    "black": ((0, 0, 0), (30, 30, 34)),
    "grey": ((128, 128, 128), (85, 85, 90), (105, 105, 105), (170, 170, 172), (200, 200, 200), (110, 120, 130)),
    "white": ((255, 255, 255), (242, 242, 240)),
    "red": ((255, 0, 0), (200, 30, 30), (150, 15, 20), (230, 70, 65), (210, 50, 70)),
    "orange": ((255, 128, 0), (255, 165, 0), (230, 126, 34), (240, 150, 70), (235, 105, 20)),
    "yellow": ((255, 255, 0), (240, 220, 40), (255, 240, 120), (220, 195, 30)),
    "green": (
        (0, 255, 0),
        (0, 128, 0),
        (60, 180, 75),
        (120, 200, 80),
        (25, 90, 45),
        (150, 230, 120),
        (150, 205, 60),
        (110, 150, 90),
        (40, 160, 110),
    ),
    "cyan": ((0, 255, 255), (0, 150, 150), (64, 200, 200), (150, 230, 230), (0, 110, 115)),
    "blue": (
        (0, 0, 255),
        (30, 60, 180),
        (60, 120, 220),
        (0, 0, 128),
        (5, 20, 180),
        (100, 170, 240),
        (0, 128, 255),
        (0, 64, 255),
        (70, 100, 150),
        (160, 200, 240),
    ),
    "purple": (
        (128, 0, 128),
        (128, 0, 255),
        (110, 60, 170),
        (80, 20, 110),
        (160, 110, 210),
        (150, 80, 190),
        (105, 0, 175),
        (85, 12, 145),
    ),
    "magenta": ((255, 0, 255), (220, 40, 200), (200, 0, 150)),
    "pink": ((255, 105, 180), (255, 192, 203), (240, 150, 180), (255, 20, 147)),
    "brown": ((139, 69, 19), (110, 70, 40), (150, 100, 60), (85, 50, 30)),
    "beige": ((245, 235, 205), (225, 205, 170), (210, 180, 140)),
}
NAMES = tuple(EXAMPLES)

# Light and shade change lightness most, and seldom the name.
_LIGHTNESS = 0.6
# Distance to the nearest name over distance to the next one: above this one could not tell.
_BETWEEN = 0.85


@dataclass(frozen=True)
class NamedColour:
    """A colour that was seen.

    Args:
        rgb: 8-bit sRGB.
        name: One of `NAMES`, or None when it lies between two names.
        confidence: Of the name, 0 to 1: 1 for an example of the table, 0 where one could not tell.
    """

    rgb: Rgb
    name: str | None
    confidence: float

    def __str__(self) -> str:
        return self.name or "of a colour between two names"


def name_colour(lab: npt.ArrayLike) -> NamedColour:
    """Name a colour given as L*, a*, b*.

    >>> name_colour(lab_of((250, 10, 5))).name, name_colour(lab_of((255, 80, 0))).name
    ('red', None)
    """
    values = np.asarray(lab, np.float32).reshape(3)
    names, examples = _table()
    gaps = np.linalg.norm((examples - values) * (_LIGHTNESS, 1, 1), axis=1)
    nearest = int(gaps.argmin())
    other = float(gaps[names != names[nearest]].min())
    ratio = float(gaps[nearest]) / other
    sure = ratio <= _BETWEEN
    return NamedColour(rgb_of(values), str(names[nearest]) if sure else None, round(1 - ratio, 3) if sure else 0.0)


def colour_shares(picture: Lab) -> npt.NDArray[np.float64]:
    """Return the share of a picture's pixels that is nearest to each of `NAMES`, in their order; together they are 1.

    >>> picture = rgb_to_lab(np.full((2, 2, 3), (250, 10, 5), np.uint8))
    >>> float(colour_shares(picture)[NAMES.index("red")])
    1.0
    """
    names, examples = _table()
    pixels = picture.reshape(-1, 1, 3)
    nearest = np.linalg.norm((examples[None] - pixels) * (_LIGHTNESS, 1, 1), axis=2).argmin(axis=1)
    return np.array([float((names[nearest] == name).mean()) for name in NAMES])


def check_colour_name(name: str) -> str:
    """Return a name of the table back, or refuse it."""
    if name not in EXAMPLES:
        raise UnknownName.among("colour", name, NAMES)
    return name


def rgb_to_lab(rgb: npt.NDArray[np.uint8]) -> Lab:
    """Turn sRGB pixels into L*, a*, b* (D65) as float32 of the same shape."""
    cv2 = opencv()
    found: Lab = cv2.cvtColor(rgb.astype(np.float32) / np.float32(255), cv2.COLOR_RGB2Lab)
    return found


def lab_of(rgb: Rgb) -> Lab:
    """Turn one colour into L*, a*, b*."""
    found: Lab = rgb_to_lab(np.array([[rgb]], np.uint8))[0, 0]
    return found


def rgb_of(lab: Lab) -> Rgb:
    """Turn L*, a*, b* into the nearest 8-bit sRGB colour."""
    cv2 = opencv()
    back: npt.NDArray[Any] = cv2.cvtColor(lab.reshape(1, 1, 3), cv2.COLOR_Lab2RGB)[0, 0]
    red, green, blue = np.clip(np.rint(back * 255), 0, 255).astype(int).tolist()
    return red, green, blue


@cache
def _table() -> tuple[npt.NDArray[np.str_], Lab]:
    pairs = [(name, rgb) for name, examples in EXAMPLES.items() for rgb in examples]
    names = np.array([name for name, _ in pairs])
    return names, np.stack([lab_of(rgb) for _, rgb in pairs])
