"""Perception: a clip that is noisy, dark or blurred, and is to be as good as it was before.

The truth is the clip before it was spoiled. How bright a night becomes is left open, so there light and contrast are
matched first. What came out has to be nearer to the truth than what went in, by a number of decibels that plain filters
reach; and it has to show the same things.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.clvg.dataset import ContextPart
from cutscore.benchmarks.clvg.staged.comparing import (
    Moment,
    TruePictures,
    lacks_length,
    moments_of,
    name_often,
    shows_other,
)
from cutscore.benchmarks.clvg.staged.films import film_scene, put_film
from cutscore.benchmarks.clvg.staged.kind import Settings, StagedCase, StagedContext, StagedKind
from cutscore.benchmarks.clvg.staged.sets import find_set, map_pictures, soften
from cutscore.core.files import FileStore
from cutscore.core.judgement import Weakness
from cutscore.media.footage import Footage
from cutscore.media.orientation import Pixels
from cutscore.scoring.metrics.psnr import decibels, mean_squared_difference
from cutscore.stage.blend import as_bytes
from cutscore.stage.edits import Remove, apply

NOISE, DARK, DARK_NOISE, BLUR = 30.0, 0.16, 1.2, 2.4
GAINS_DB: Mapping[str, float] = {"noise": 7.0, "dark": 4.0, "blur": 1.0}
LIT = 0.6  # share of the true brightness from which a night counts as made lighter


def _add_noise(pixels: Pixels, number: int) -> Pixels:
    height, width = pixels.shape[:2]
    coarse = np.random.default_rng(number).normal(0, NOISE, (height // 2, width // 2, 3))  # encoders keep such grain
    return _to_levels(pixels + cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR))


def _darken(pixels: Pixels, number: int) -> Pixels:
    return _to_levels(DARK * pixels + np.random.default_rng(number).normal(0, DARK_NOISE, pixels.shape))


def _blur(pixels: Pixels, number: int) -> Pixels:
    return as_bytes(cv2.GaussianBlur(pixels, (0, 0), BLUR))


SPOILERS: Mapping[str, Callable[[Pixels, int], Pixels]] = {"noise": _add_noise, "dark": _darken, "blur": _blur}


def _to_levels(levels: npt.NDArray[Any]) -> Pixels:
    return as_bytes(np.clip(np.rint(levels), 0, 255))


def _spoiled(settings: Settings, *, without: str = "") -> Footage:
    scene = find_set(str(settings["set"]))
    if without:
        scene = apply(scene, Remove(thing=without))
    return map_pictures(film_scene(scene), SPOILERS[str(settings["spoiled_by"])])


def context(settings: Settings, store: FileStore) -> StagedContext:
    """Draw the spoiled clip."""
    file = put_film(store, "source.mp4", _spoiled(settings))
    return StagedContext(files=(file,), parts=(ContextPart(role="source", file=file.name),))


def film(settings: Settings, variant: int) -> Footage:
    """Return the clip as it was; the other variant a bit brighter for a night, else a bit softer."""
    clean = film_scene(find_set(str(settings["set"])))
    if not variant:
        return clean
    if settings["spoiled_by"] == "dark":
        return map_pictures(clean, lambda pixels, _: _to_levels(pixels * 0.9))
    return map_pictures(clean, lambda pixels, _: soften(pixels))


def spoil(settings: Settings, code: str) -> Footage:
    """Return the clip hardly better than before, or a good one in which something is missing."""
    if code == "wrong_content":
        return film_scene(apply(find_set(str(settings["set"])), Remove(thing=str(settings["lost"]))))
    clean = TruePictures(find_set(str(settings["set"])))
    return map_pictures(
        _spoiled(settings), lambda pixels, number: as_bytes(cv2.addWeighted(pixels, 0.94, clean[number], 0.06, 0))
    )


def verify(path: Path, settings: Settings) -> Sequence[Weakness]:
    """Measure the gain over what was given, and compare what is shown."""
    truth, by = TruePictures(find_set(str(settings["set"]))), str(settings["spoiled_by"])
    if not (moments := moments_of(path)):
        return lacks_length("wrong_content")

    def gains_little(moment: Moment) -> str:
        clean = truth[moment.number]
        given = psnr(match_light(SPOILERS[by](clean, moment.number), clean, by), clean)
        made = psnr(match_light(moment.pixels, clean, by), clean)
        told = f"it is {made:.1f} dB from the clean picture, the given one {given:.1f}"
        return "" if made >= given + GAINS_DB[by] else told

    def shows_else(moment: Moment) -> str:
        clean = truth[moment.number]
        if by == "dark" and is_dark(moment.pixels, clean):
            return ""
        other = shows_other(match_light(moment.pixels, clean, by), clean)
        return "something else is there than in the given clip" if other else ""

    # What shows other things is far from the truth for that reason, and not for want of enhancement.
    return name_often("wrong_content", moments, shows_else) or name_often("not_enhanced", moments, gains_little)


def psnr(one: Pixels, other: Pixels) -> float:
    """Return the ratio of two pictures in decibels, over all three colours."""
    return decibels(mean_squared_difference(one.reshape(len(one), -1), other.reshape(len(other), -1)), 255)


def is_dark(pixels: Pixels, clean: Pixels) -> bool:
    """Return whether a picture is still far darker than the clean one."""
    return float(pixels.mean()) < LIT * float(clean.mean())


def match_light(pixels: Pixels, clean: Pixels, spoiled_by: str) -> Pixels:
    """Return a picture with the light and contrast of the clean one, where it was dark and somebody made it lighter."""
    if spoiled_by != "dark" or is_dark(pixels, clean):
        return pixels
    spread = max(1.0, float(pixels.std()))
    return _to_levels((pixels - pixels.mean()) * (clean.std() / spread) + clean.mean())


KIND = StagedKind(
    cases=(
        StagedCase(
            name="denoise-road",
            kind="enhancement",
            subcategory="denoising",
            instruction="Take the noise out of the clip. Everything in it stays where and as it is.",
            settings={"set": "road", "spoiled_by": "noise", "lost": "crate"},
            subjects=4,
        ),
        StagedCase(
            name="night-den",
            kind="enhancement",
            subcategory="low_light",
            instruction="The clip is far too dark. Brighten it so that everything is seen as by day.",
            settings={"set": "den", "spoiled_by": "dark", "lost": "table"},
            subjects=4,
        ),
        StagedCase(
            name="sharpen-garden",
            kind="enhancement",
            subcategory="deblurring",
            instruction="The clip is out of focus. Make it sharp, and change nothing else.",
            settings={"set": "garden", "spoiled_by": "blur", "lost": "heart"},
            subjects=4,
        ),
    ),
    context=context,
    film=film,
    plants=("not_enhanced", "wrong_content"),
    spoil=spoil,
    verify=verify,
)
