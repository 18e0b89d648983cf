"""Perception: cut one thing out of a clip, white on black."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from cutscore.benchmarks.clvg.dataset import ContextPart
from cutscore.benchmarks.clvg.staged.comparing import (
    Mask,
    Moment,
    TruePictures,
    difference,
    lacks_length,
    moments_of,
    name_often,
    widen,
)
from cutscore.benchmarks.clvg.staged.films import film_scene, put_film
from cutscore.benchmarks.clvg.staged.kind import Settings, StagedCase, StagedContext, StagedKind
from cutscore.benchmarks.clvg.staged.sets import film_pictures, find_set
from cutscore.core.files import FileStore
from cutscore.core.judgement import Weakness
from cutscore.media.footage import Footage
from cutscore.stage.edits import Paint, apply

MARKED = 128  # grey level from which a pixel is marked
OVERLAP = 0.65  # intersection over union


class TrueMasks:
    """The pixels of a thing that is all of one colour: those that differ between it in black and in white."""

    def __init__(self, settings: Settings, thing: str) -> None:
        scene = find_set(str(settings["set"]))
        self._both = [TruePictures(apply(scene, Paint(thing=thing, colour=each))) for each in ("black", "white")]

    def __getitem__(self, number: int) -> Mask:
        black, white = (pictures[number] for pictures in self._both)
        return difference(black, white) > 90  # half of the way between the two: half-covered pixels count


def context(settings: Settings, store: FileStore) -> StagedContext:
    """Film the scene."""
    file = put_film(store, "source.mp4", film_scene(find_set(str(settings["set"]))))
    return StagedContext(files=(file,), parts=(ContextPart(role="source", file=file.name),))


def film(settings: Settings, variant: int) -> Footage:
    """Return the mask, exact or a pixel wider."""
    return _film_mask(settings, str(settings["thing"]), by=variant)


def _film_mask(settings: Settings, thing: str, *, by: int = 0) -> Footage:
    masks, count = TrueMasks(settings, thing), find_set(str(settings["set"])).frames
    shapes = (widen(masks[number], by) if by else masks[number] for number in range(count))
    return film_pictures([np.repeat(np.where(each, 255, 0).astype(np.uint8)[..., None], 3, axis=2) for each in shapes])


def spoil(settings: Settings, code: str) -> Footage:
    """Return the mask of another thing."""
    return _film_mask(settings, str(settings["other"]))


def verify(path: Path, settings: Settings) -> Sequence[Weakness]:
    """Compare what is marked with where the thing is."""
    masks = TrueMasks(settings, str(settings["thing"]))
    if not (moments := moments_of(path)):
        return lacks_length("wrong_region")

    def is_beside(moment: Moment) -> str:
        marked, true = cv2.cvtColor(moment.pixels, cv2.COLOR_RGB2GRAY) >= MARKED, masks[moment.number]
        overlap = float((marked & true).sum() / max(1, (marked | true).sum()))
        return "" if overlap >= OVERLAP else f"what is marked and the region have {overlap:.0%} in common"

    return name_often("wrong_region", moments, is_beside)


KIND = StagedKind(
    cases=(
        StagedCase(
            name="cut-out-ball",
            kind="segmentation",
            subcategory="element_segmentation",
            instruction="Show where the red disc is: white where it is, black everywhere else, moment by moment.",
            settings={"set": "desk", "thing": "ball", "other": "block"},
            subjects=3,
        ),
    ),
    context=context,
    film=film,
    plants=("wrong_region",),
    spoil=spoil,
    verify=verify,
)
