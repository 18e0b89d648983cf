"""Little scenes: shapes of known colour and place before known backgrounds, as pictures."""

from collections.abc import Callable, Iterable
from fractions import Fraction

import cv2
import numpy as np
import numpy.typing as npt

from cutscore.media.frames import Frame

Pixels = npt.NDArray[np.uint8]
WIDTH, HEIGHT, RATE = 160, 90, 25
GREYISH = (150, 160, 170)
RGB = {
    "red": (220, 30, 30),
    "green": (40, 170, 60),
    "blue": (40, 70, 220),
    "yellow": (245, 225, 40),
    "magenta": (235, 30, 220),
    "black": (10, 10, 12),
    "white": (250, 250, 250),
}


def plain(colour: tuple[int, int, int] = GREYISH, *, width: int = WIDTH, height: int = HEIGHT) -> Pixels:
    return np.full((height, width, 3), colour, np.uint8)


def graded(*, width: int = WIDTH, height: int = HEIGHT) -> Pixels:
    """From dark blue at the upper left to light grey at the lower right."""
    y, x = np.mgrid[0:height, 0:width]
    share = ((x / width + y / height) / 2)[..., None]
    return ((1 - share) * (70, 90, 140) + share * (210, 205, 200)).astype(np.uint8)


def textured(seed: int, *, width: int = WIDTH, height: int = HEIGHT, strength: float = 10) -> Pixels:
    """Soft spots of light and dark all over; every place looks different."""
    coarse = np.random.default_rng(seed).normal(0, strength, (height // 6 + 1, width // 6 + 1)).astype(np.float32)
    spots = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    return (np.array([140, 150, 145]) + spots[..., None]).clip(0, 255).astype(np.uint8)


def corners(shape: str, radius: float, *, turn: float = 0.0) -> npt.NDArray[np.float64]:
    """The outline of a shape around (0, 0)."""
    if shape == "star":
        step = np.arange(10)
        radii, angles = np.where(step % 2, 0.42 * radius, radius), step * np.pi / 5 - np.pi / 2
        points = np.stack([radii * np.cos(angles), radii * np.sin(angles)], 1)
    else:
        sides = {"triangle": 3, "circle": 60, "ellipse": 60}.get(shape, 4)
        angles = np.arange(sides) * 2 * np.pi / sides + {3: -np.pi / 2, 4: np.pi / 4}.get(sides, 0)
        points = radius * np.stack([np.cos(angles), np.sin(angles)], 1)
        points *= {"ellipse": (1.3, 0.7), "rectangle": (1.3, 0.7), "bar": (1.6, 0.35)}.get(shape, (1, 1))
    return points @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])


def put(
    picture: Pixels,
    shape: str,
    colour: str | tuple[int, int, int],
    place: tuple[float, float],
    radius: float = 9,
    *,
    turn: float = 0.0,
) -> Pixels:
    """Draw a shape over a picture, antialiased; places are those of pixel centres, to a sixteenth of a pixel."""
    picture = np.ascontiguousarray(picture)
    points = np.rint((corners(shape, radius, turn=turn) + place) * 16).astype(np.int32)
    rgb = RGB[colour] if isinstance(colour, str) else colour
    cv2.fillPoly(picture, [points], rgb, cv2.LINE_AA, 4)
    return picture


def film(draw: Callable[[int], Pixels], count: int, *, rate: int = RATE) -> Iterable[Frame]:
    """Frames of what is drawn for each number."""
    return [Frame(Fraction(number, rate), draw(number)) for number in range(count)]
