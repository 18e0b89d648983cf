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
_HEX = {
    "black": "000000 1e1e22",
    "grey": "808080 55555a 696969 aaaaac c8c8c8 6e7882",
    "white": "ffffff f2f2f0",
    "red": "ff0000 c81e1e 960f14 e64641 d23246",
    "orange": "ff8000 ffa500 e67e22 f09646 eb6914",
    "yellow": "ffff00 f0dc28 fff078 dcc31e",
    "green": "00ff00 008000 3cb44b 78c850 195a2d 96e678 96cd3c 6e965a 28a06e",
    "cyan": "00ffff 009696 40c8c8 96e6e6 006e73",
    "blue": "0000ff 1e3cb4 3c78dc 000080 0514b4 64aaf0 0080ff 0040ff 466496 a0c8f0",
    "purple": "800080 8000ff 6e3caa 50146e a06ed2 9650be 6900af 550c91",
    "magenta": "ff00ff dc28c8 c80096",
    "pink": "ff69b4 ffc0cb f096b4 ff1493",
    "brown": "8b4513 6e4628 96643c 55321e",
    "beige": "f5ebcd e1cdaa d2b48c",
}
EXAMPLES: dict[str, tuple[Rgb, ...]] = {
    name: tuple((code >> 16, code >> 8 & 255, code & 255) for code in (int(digits, 16) for digits in colours.split()))
    for name, colours in _HEX.items()
}
NAMES = tuple(EXAMPLES)

# Light and shade change lightness most, and seldom the name.
_LIGHTNESS = 0.6
# Distance to the nearest name over distance to the next one: above this one could not tell.
_BETWEEN = 0.85


@dataclass(frozen=True)
class NamedColour:
    """A colour that was seen.

    Its name is one of `NAMES`, or None when it lies between two; the confidence of the name is 1 for an example of the
    table, 0 where one could not tell.
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
    counted = np.bincount(nearest_names(picture).ravel(), minlength=len(NAMES))
    shares: npt.NDArray[np.float64] = counted / max(1, counted.sum())
    return shares


def nearest_names(picture: Lab) -> npt.NDArray[np.intp]:
    """Return for each pixel of a picture the number of its nearest name among `NAMES`, as (height, width)."""
    names, examples = _table()
    pixels = picture.reshape(-1, 1, 3)
    nearest = np.linalg.norm((examples[None] - pixels) * (_LIGHTNESS, 1, 1), axis=2).argmin(axis=1)
    numbers = np.array([NAMES.index(str(name)) for name in names])
    found: npt.NDArray[np.intp] = numbers[nearest].reshape(picture.shape[:-1])
    return found


def name_pixels(rgb: npt.NDArray[np.uint8]) -> npt.NDArray[np.intp]:
    """Return the same for pixels of 8-bit sRGB, whatever their shape; each colour that occurs is looked up once.

    >>> [NAMES[number] for number in name_pixels(np.array([[250, 10, 5], [250, 10, 5], [2, 0, 1]], np.uint8))]
    ['red', 'red', 'black']
    """
    codes = rgb.astype(np.int32) @ np.array([1 << 16, 1 << 8, 1], np.int32)
    known, places = np.unique(codes, return_inverse=True)
    colours = np.stack([known >> 16, known >> 8 & 255, known & 255], axis=-1).astype(np.uint8)
    found: npt.NDArray[np.intp] = nearest_names(rgb_to_lab(colours[None]))[0][places].reshape(rgb.shape[:-1])
    return found


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
