"""Perception: the edges of a clip as white lines on black.

What counts as an edge is open between faint and strong ones. So every strong edge wants a line near it, and every line
wants some edge near it, be it faint.
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from cutscore.benchmarks.clvg.dataset import ContextPart
from cutscore.benchmarks.clvg.staged.comparing import (
    Mask,
    Moment,
    TruePictures,
    lacks_length,
    moments_of,
    name_often,
    widen,
)
from cutscore.benchmarks.clvg.staged.films import film_scene, put_film
from cutscore.benchmarks.clvg.staged.kind import Settings, StagedCase, StagedContext, StagedKind
from cutscore.benchmarks.clvg.staged.sets import find_set, map_pictures
from cutscore.core.files import FileStore
from cutscore.core.judgement import Weakness
from cutscore.media.footage import Footage
from cutscore.media.orientation import Pixels
from cutscore.perception.colours import rgb_to_lab

STRONG, FAINT = 22.0, 5.0  # ΔE within three pixels
NEAR = 3  # pixels
DRAWN = 96  # grey level from which a pixel is part of a line
RECALL, PRECISION = 0.75, 0.8


def edges_of(pixels: Pixels, least: float) -> Mask:
    """Return where colour changes by at least so much within three pixels."""
    lab = rgb_to_lab(pixels)
    steps = [cv2.dilate(plane, np.ones((3, 3))) - cv2.erode(plane, np.ones((3, 3))) for plane in cv2.split(lab)]
    return np.sqrt(sum(step**2 for step in steps)) >= least


def context(settings: Settings, store: FileStore) -> StagedContext:
    """Film the scene."""
    file = put_film(store, "source.mp4", film_scene(find_set(str(settings["set"]))))
    return StagedContext(files=(file,), parts=(ContextPart(role="source", file=file.name),))


def film(settings: Settings, variant: int) -> Footage:
    """Return the edges, in thin lines or in bolder ones."""
    return map_pictures(film_scene(find_set(str(settings["set"]))), lambda pixels, _: _draw(pixels, bold=bool(variant)))


def _draw(pixels: Pixels, *, bold: bool = False) -> Pixels:
    lines = edges_of(pixels, (STRONG + FAINT) / 2)
    return np.repeat(np.where(widen(lines, 1) if bold else lines, 255, 0).astype(np.uint8)[..., None], 3, axis=2)


def spoil(settings: Settings, code: str) -> Footage:
    """Return lines of the right form that stand well beside the edges."""
    return map_pictures(film(settings, 0), lambda pixels, _: np.roll(pixels, (11, 17), axis=(0, 1)))


def verify(path: Path, settings: Settings) -> Sequence[Weakness]:
    """Compare lines and edges both ways."""
    truth = TruePictures(find_set(str(settings["set"])))
    if not (moments := moments_of(path)):
        return lacks_length("wrong_edges")

    def misses(moment: Moment) -> str:
        lines = cv2.cvtColor(moment.pixels, cv2.COLOR_RGB2GRAY) >= DRAWN
        strong, faint = (edges_of(truth[moment.number], least) for least in (STRONG, FAINT))
        recall = float(widen(lines, NEAR)[strong].mean())
        precision = float(widen(faint, NEAR)[lines].mean()) if lines.any() else 0.0
        told = f"{recall:.0%} of the clear edges have a line, {precision:.0%} of the lines have an edge"
        return "" if recall >= RECALL and precision >= PRECISION else told

    return name_often("wrong_edges", moments, misses)


KIND = StagedKind(
    cases=(
        StagedCase(
            name="edges-desk",
            kind="edge_drawing",
            subcategory="edge_detection",
            instruction="Draw the edges of everything in the clip as white lines on black, moment by moment.",
            settings={"set": "desk"},
            subjects=3,
        ),
    ),
    context=context,
    film=film,
    plants=("wrong_edges",),
    spoil=spoil,
    verify=verify,
)
