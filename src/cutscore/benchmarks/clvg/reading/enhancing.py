"""Making a clip better: noise averaged away along time, light spread over the levels, blur undone, stains filled."""

import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.clvg.reading.given import GivenContext, change_each, film
from cutscore.media.footage import Footage
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.perception.colours import EXAMPLES, NAMES

Levels = npt.NDArray[np.float32]

ALIKE = 9.0  # levels by which blurred pictures may differ where nothing moved
COARSE, REACH = 4, 9  # pixels of a block that is compared, and pictures to either side
BRIGHT = 232.0  # level that the brightest pixels get
SPREAD_PX, ROUNDS = 2.2, 10  # of the blur that is taken to be there, and rounds of taking it back
STAIN = 90.0  # levels within which a pixel has the pure colour of a stain
WIDER = 3  # pixels around a stain that encoders have touched


def denoise(given: GivenContext) -> Footage | None:
    """Average every pixel over the moments at which its surroundings look the same, then smooth between edges."""
    clip = given.clip()
    made = [smooth_picture(each) for each in average_moments(list(clip.pictures()))]
    return film(made, clip.rate, clip.sound)


def average_moments(pictures: list[Pixels]) -> Iterator[Pixels]:
    """Return each picture as the mean of its neighbours in time, where they show the same around a pixel."""
    cv2 = opencv()
    height, width = pictures[0].shape[:2]
    levels: list[Levels] = [each.astype(np.float32) for each in pictures]
    soft = [cv2.resize(each, (width // COARSE, height // COARSE), interpolation=cv2.INTER_AREA) for each in levels]
    soft = [cv2.GaussianBlur(each, (0, 0), 1.0) for each in soft]
    for number, here in enumerate(soft):
        near = range(max(0, number - REACH), min(len(levels), number + REACH + 1))
        total, weights = np.zeros_like(levels[0]), np.zeros((height, width, 1), np.float32)
        for other in near:
            alike = np.exp(-((np.abs(here - soft[other]).max(axis=2) / ALIKE) ** 2))
            weight = cv2.resize(alike, (width, height), interpolation=cv2.INTER_LINEAR)[..., None]
            total += weight * levels[other]
            weights += weight
        yield np.clip(np.rint(total / weights), 0, 255).astype(np.uint8)


def smooth_picture(pixels: Pixels) -> Pixels:
    """Return a picture with the grain gone that is left, and its edges kept."""
    smooth: Pixels = opencv().bilateralFilter(pixels, 7, 28, 3)
    return smooth


def brighten(given: GivenContext) -> Footage | None:
    """Spread the levels of the whole clip, by one factor for all pictures, so that nothing flickers."""
    clip = given.clip()
    pictures = list(average_moments(list(clip.pictures())))
    top = float(np.percentile(np.stack(pictures[::4]), 99.5))
    factor = np.float32(BRIGHT / max(1.0, top))
    made = [np.clip(each.astype(np.float32) * factor, 0, 255).astype(np.uint8) for each in pictures]
    return film([smooth_picture(each) for each in made], clip.rate, clip.sound)


def sharpen(given: GivenContext) -> Footage | None:
    """Take a blur back, round by round (Richardson and Lucy, with a bell curve as the blur)."""
    return change_each(given.clip(), lambda pixels, _: unblur(pixels))


def unblur(pixels: Pixels) -> Pixels:
    """Return the picture that, blurred, gives this one."""
    cv2 = opencv()
    given = pixels.astype(np.float32) + 1
    guess: Levels = given.copy()
    for _ in range(ROUNDS):
        guess *= cv2.GaussianBlur(given / cv2.GaussianBlur(guess, (0, 0), SPREAD_PX), (0, 0), SPREAD_PX)
    return np.clip(guess - 1, 0, 255).astype(np.uint8)


def fill_stains(given: GivenContext) -> Footage | None:
    """Fill what has the pure colour of the stain that the words name, at all moments, from what is around it."""
    found = re.search(rf"\b({'|'.join(NAMES)})\b", given.words, re.I)
    clip = given.clip()
    if found is None:
        return None
    cv2, pure = opencv(), np.array(EXAMPLES[found[1].lower()][0], np.float32)
    pictures = list(clip.pictures())
    usual = np.median(np.stack([np.abs(each - pure).max(axis=2) for each in pictures]), axis=0)
    stained = cv2.dilate((usual < STAIN).astype(np.uint8), np.ones((WIDER, WIDER)))
    if not stained.any():
        return None
    return change_each(clip, lambda pixels, _: cv2.inpaint(pixels, stained, 4, cv2.INPAINT_TELEA))
