"""Drawing what is seen: edges as lines, a thing as a region, its middle as a dot. Things are told by their colour."""

import re

import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.clvg.reading.given import GivenContext, change_each
from cutscore.media.footage import Footage
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.perception.colours import EXAMPLES, NAMES, rgb_to_lab
from cutscore.subjects.picture_edits import largest_patch

Mask = npt.NDArray[np.bool_]

COLOUR = "|".join(NAMES)
THING = re.compile(rf"\bwhere the (?P<colour>{COLOUR}) [a-z]+ (?:is|are)\b", re.I)
DOT = re.compile(rf"\b(?P<dot>{COLOUR}) dot where the middle of the (?P<colour>{COLOUR}) [a-z]+ is\b", re.I)
STEP = 12.0  # ΔE within three pixels that is drawn as a line
DOT_PX = 5


def draw_edges(given: GivenContext) -> Footage | None:
    """Draw white lines on black where colour changes."""
    return change_each(given.clip(), lambda pixels, _: _as_white(find_edges(pixels)))


def find_edges(pixels: Pixels) -> Mask:
    """Return where colour changes clearly within three pixels."""
    cv2 = opencv()
    lab = rgb_to_lab(cv2.bilateralFilter(pixels, 5, 20, 2))
    box = np.ones((3, 3))
    steps = np.sqrt(sum((cv2.dilate(plane, box) - cv2.erode(plane, box)) ** 2 for plane in cv2.split(lab)))
    found: Mask = steps >= STEP
    return found


def cut_thing_out(given: GivenContext) -> Footage | None:
    """Show the largest patch of the named colour in white on black."""
    found = THING.search(given.words)
    if found is None:
        return None
    colour = found["colour"].lower()
    return change_each(given.clip(), lambda pixels, _: _as_white(_patch(pixels, colour)))


def draw_dots(given: GivenContext) -> Footage | None:
    """Draw a dot for each thing that the words name, where the middle of its colour's largest patch is."""
    pairs = [(found["dot"].lower(), found["colour"].lower()) for found in DOT.finditer(given.words)]
    if not pairs:
        return None

    def dots(pixels: Pixels, _at: float) -> Pixels:
        canvas = np.zeros_like(pixels)
        for dot, colour in pairs:
            rows, columns = np.nonzero(_patch(pixels, colour))
            if len(rows):
                place = round(float(columns.mean())), round(float(rows.mean()))
                opencv().circle(canvas, place, DOT_PX, EXAMPLES[dot][0], -1)
        return canvas

    return change_each(given.clip(), dots)


def _patch(pixels: Pixels, colour: str) -> Mask:
    patch = largest_patch(pixels, colour)
    return np.zeros(pixels.shape[:2], bool) if patch is None else patch


def _as_white(mask: Mask) -> Pixels:
    return np.repeat(np.where(mask, 255, 0).astype(np.uint8)[..., None], 3, axis=2)
