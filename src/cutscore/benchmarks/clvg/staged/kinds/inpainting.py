"""Perception: a clip with a stain that is to be filled with what belongs there."""

from collections.abc import Sequence
from pathlib import Path
from typing import cast

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
    shows_other,
    widen,
)
from cutscore.benchmarks.clvg.staged.films import HEIGHT, WIDTH, film_scene, put_film
from cutscore.benchmarks.clvg.staged.kind import Settings, StagedCase, StagedContext, StagedKind
from cutscore.benchmarks.clvg.staged.sets import find_set, map_pictures
from cutscore.core.files import FileStore
from cutscore.core.judgement import Weakness
from cutscore.media.footage import Footage
from cutscore.media.orientation import Pixels
from cutscore.stage.edits import Remove, apply

STAIN = (255, 0, 255)
LEFT = 0.3  # of the damage, in levels, that may be left


def stain(settings: Settings) -> Mask:
    """Return where the stain is: a few bars over the picture."""
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    for x, y, wide, high in cast(list[tuple[int, int, int, int]], settings["bars"]):
        mask[y : y + high, x : x + wide] = 1
    return mask > 0


def _stained(settings: Settings) -> Footage:
    mask = stain(settings)
    return map_pictures(film_scene(find_set(str(settings["set"]))), lambda pixels, _: _paint(pixels, mask))


def _paint(pixels: Pixels, mask: Mask) -> Pixels:
    painted = pixels.copy()
    painted[mask] = STAIN
    return painted


def context(settings: Settings, store: FileStore) -> StagedContext:
    """Film the scene with its stain."""
    file = put_film(store, "source.mp4", _stained(settings))
    return StagedContext(files=(file,), parts=(ContextPart(role="source", file=file.name),))


def film(settings: Settings, variant: int) -> Footage:
    """Return the clip without the stain; the other variant is softer where it was."""
    clean, mask = film_scene(find_set(str(settings["set"]))), stain(settings)

    def soften(pixels: Pixels, _: int) -> Pixels:
        return np.where(mask[..., None], cv2.GaussianBlur(pixels, (0, 0), 2), pixels).astype(np.uint8)

    return map_pictures(clean, soften) if variant else clean


def spoil(settings: Settings, code: str) -> Footage:
    """Return the stain in another colour, or the clip without stain and without one of its things."""
    if code == "wrong_content":
        return film_scene(apply(find_set(str(settings["set"])), Remove(thing=str(settings["lost"]))))
    mask = stain(settings)
    clean = film_scene(find_set(str(settings["set"])))
    return map_pictures(clean, lambda pixels, _: np.where(mask[..., None], 20, pixels).astype(np.uint8))


def verify(path: Path, settings: Settings) -> Sequence[Weakness]:
    """Compare the filled region and the rest with the clip before it had a stain."""
    truth, mask = TruePictures(find_set(str(settings["set"]))), stain(settings)
    if not (moments := moments_of(path)):
        return lacks_length("wrong_content")
    rest = ~widen(mask, 3)

    def is_stained(moment: Moment) -> str:
        clean = truth[moment.number]
        left = float(
            difference(moment.pixels, clean)[mask].mean() / difference(_paint(clean, mask), clean)[mask].mean()
        )
        return "" if left <= LEFT else f"the region is {left:.0%} as far from what belongs there as the stain was"

    def shows_else(moment: Moment) -> str:
        return (
            "outside of the region something has changed"
            if shows_other(moment.pixels, truth[moment.number], rest)
            else ""
        )

    return [*name_often("not_restored", moments, is_stained), *name_often("wrong_content", moments, shows_else)]


KIND = StagedKind(
    cases=(
        StagedCase(
            name="stain-road",
            kind="inpainting",
            subcategory="local_inpainting",
            instruction="Magenta bars lie over the clip. Take them away and fill in what belongs there.",
            settings={
                "set": "road",
                "bars": [[60, 8, 5, 120], [150, 20, 5, 60], [10, 60, 120, 4], [180, 120, 130, 4]],
                "lost": "crate",
            },
            subjects=4,
        ),
    ),
    context=context,
    film=film,
    plants=("not_restored", "wrong_content"),
    spoil=spoil,
    verify=verify,
)
