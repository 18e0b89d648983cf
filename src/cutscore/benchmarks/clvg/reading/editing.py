"""Changing a clip: another colour for a thing, a thing gone, another camera, another look."""

import re
from functools import partial

import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.clvg.reading.given import GivenContext, change_each
from cutscore.media.footage import Footage
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.perception.analysis import analyze_clip
from cutscore.perception.colours import NAMES, rgb_to_lab
from cutscore.subjects.picture_edits import largest_patch, recolour, reframe

COLOUR = "|".join(NAMES)
RECOLOUR = re.compile(rf"\b(?:make|paint|turn) the (?P<old>{COLOUR}) [\w ]+? (?P<new>{COLOUR})\b", re.I)
REMOVE = re.compile(rf"\b(?:take|remove) the (?P<colour>{COLOUR}) [\w ]+?(?: away)?\b", re.I)
MOVE = re.compile(r"\b(?P<what>pan|tilt|zoom)\w*\b[\w ]*?\b(?P<way>left|right|up|down|in|out)\b", re.I)
NEAR = 0.625  # share of the picture that a camera shows which has room to move
PAN_SHARE = 0.16  # of the width to either side of the middle
AROUND = 7  # pixels around a thing that go with it: its outline and what encoders made of it


def paint_thing(given: GivenContext) -> Footage | None:
    """Return a picture whose largest patch of a colour has another one."""
    found = RECOLOUR.search(given.words)
    if found is None:
        return None
    old, new = found["old"].lower(), found["new"].lower()
    return change_each(given.clip(), lambda pixels, _: recolour(pixels, old, new))


def remove_thing(given: GivenContext) -> Footage | None:
    """Fill the largest patch of a colour with what is around it."""
    found = REMOVE.search(given.words)
    return None if found is None else change_each(given.clip(), partial(_fill_patch, found["colour"].lower()))


def _fill_patch(colour: str, pixels: Pixels, _at: float) -> Pixels:
    cv2 = opencv()
    if (patch := largest_patch(pixels, colour)) is None:
        return pixels
    wide = cv2.dilate(patch.astype(np.uint8), np.ones((AROUND, AROUND)))
    filled: Pixels = cv2.inpaint(pixels, wide, 5, cv2.INPAINT_TELEA)
    return filled


def move_camera(given: GivenContext) -> Footage | None:
    """Move a part of the picture over the clip, as the words or the clip with the role `camera` say."""
    if given.has(camera="video"):
        moves = analyze_clip(given.paths["camera"], frames_per_s=given.clip("camera").rate).camera
        way = max(moves, key=lambda move: move.span.length_s).direction if moves else None
    else:
        found = MOVE.search(given.words)
        way = found["way"].lower() if found else None  # type: ignore[assignment]
    if way not in ("left", "right", "in", "out"):
        return None
    return change_each(given.clip(), partial(_frame, str(way)))


def _frame(way: str, pixels: Pixels, at: float) -> Pixels:
    if way in ("in", "out"):
        gone = at if way == "in" else 1 - at
        return reframe(pixels, 1 + (NEAR - 1) * gone, 0.0)
    side = 1 if way == "right" else -1
    return reframe(pixels, NEAR, side * PAN_SHARE * (2 * at - 1))


def take_style(given: GivenContext) -> Footage | None:
    """Return a picture in which each lightness has the colour that it has in the reference: grey, sepia, their like."""
    table = tint_by_lightness(given.picture("style"))
    return None if table is None else change_each(given.clip(), lambda pixels, _: _tint(pixels, table))


def tint_by_lightness(picture: Pixels) -> npt.NDArray[np.float32] | None:
    """Return mean a* and b* for each of 101 lightnesses; None where one lightness has many colours."""
    lab = rgb_to_lab(picture).reshape(-1, 3)
    level = np.clip(np.rint(lab[:, 0]), 0, 100).astype(int)
    there = np.bincount(level, minlength=101)
    means = [np.bincount(level, weights=lab[:, axis], minlength=101) / np.maximum(1, there) for axis in (1, 2)]
    spread = np.mean([np.abs(lab[:, axis] - means[axis - 1][level]).mean() for axis in (1, 2)])
    if spread > 3.0:  # ΔE: compression alone stays below it
        return None
    known = np.flatnonzero(there)
    return np.stack([np.interp(range(101), known, mean[known]) for mean in means], axis=1).astype(np.float32)


def _tint(pixels: Pixels, table: npt.NDArray[np.float32]) -> Pixels:
    lab = rgb_to_lab(pixels)
    lab[..., 1:] = table[np.clip(np.rint(lab[..., 0]), 0, 100).astype(int)]
    rgb = opencv().cvtColor(lab, opencv().COLOR_Lab2RGB)
    made: Pixels = np.clip(np.rint(rgb * 255), 0, 255).astype(np.uint8)
    return made
