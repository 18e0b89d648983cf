"""A delivered film beside the true one, at even moments: how verifiers of pixels look.

Films of other sizes and rates are welcome; one that is far shorter or longer than asked for is not compared at all.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.clvg.staged.films import HEIGHT, RATE, WIDTH
from cutscore.benchmarks.clvg.staged.looking import watch
from cutscore.benchmarks.clvg.staged.sets import LENGTH_S
from cutscore.core.judgement import Weakness
from cutscore.core.timeline import Span
from cutscore.media.orientation import Pixels
from cutscore.stage.render import FrameRenderer
from cutscore.stage.scene import Scene

Mask = npt.NDArray[np.bool_]
Levels = npt.NDArray[np.float32]

EVERY = 3  # pictures from one moment to the next
LENGTHS = (0.8, 1.25)  # of the length that was asked for
OFTEN = 0.25  # share of the moments at which something has to be wrong to be a weakness
BLOCK = 8  # pixels of the side of a block whose mean colour is compared
OTHER = 26.0  # levels by which the mean colour of a block differs that shows something else
FEW = 0.006  # share of blocks that may do so: encoders and antialiasing

Test = Callable[["Moment"], str]


@dataclass(frozen=True, eq=False)
class Moment:
    """One picture of a film in our size; `number` is that of the true picture at its time."""

    at_s: Fraction
    number: int
    pixels: Pixels


def moments_of(path: Path) -> list[Moment]:
    """Return moments of a film; none where it lasts far shorter or longer than our films do."""
    seen = watch(path)
    last = round(LENGTH_S * RATE) - 1
    if not LENGTHS[0] <= len(seen.pictures) / (last + 1) <= LENGTHS[1]:
        return []
    pairs = list(zip(seen.at_s, seen.pictures, strict=True))[EVERY // 2 :: EVERY]
    return [Moment(at_s, min(round(at_s * RATE), last), pixels) for at_s, pixels in pairs]


class TruePictures:
    """The pictures of a scene by number, drawn when they are asked for."""

    def __init__(self, scene: Scene) -> None:
        self._renderer, self._drawn = FrameRenderer(scene), dict[int, Pixels]()

    def __getitem__(self, number: int) -> Pixels:
        if number not in self._drawn:
            self._drawn[number] = self._renderer.frame(number)
        return self._drawn[number]


def name_often(code: str, moments: Sequence[Moment], test: Test) -> list[Weakness]:
    """Return a weakness where a test finds fault with a good part of the moments; its words are those of the first."""
    found = [(moment, text) for moment in moments if (text := test(moment))]
    if len(found) <= OFTEN * len(moments):
        return []
    at_s = found[0][0].at_s
    return [Weakness(code=code, text=found[0][1], at=Span(start_s=at_s, end_s=at_s))]


def lacks_length(code: str) -> list[Weakness]:
    """Return the weakness of a film that is not as long as was asked for."""
    return [Weakness(code=code, text=f"it does not last about {float(LENGTH_S):g} s")]


def difference(one: Pixels, other: Pixels) -> Levels:
    """Return by how many levels each pixel differs, the mean of its three colours."""
    far: Levels = cv2.absdiff(one, other).mean(axis=2, dtype=np.float32)
    return far


def other_blocks(one: Pixels, other: Pixels, where: Mask | None = None) -> float:
    """Return the share of blocks, of those that lie wholly in a mask, whose mean colours differ clearly."""
    size = WIDTH // BLOCK, HEIGHT // BLOCK
    means: list[Any] = [
        cv2.resize(each, size, interpolation=cv2.INTER_AREA).astype(np.float32) for each in (one, other)
    ]
    far = np.abs(means[0] - means[1]).mean(axis=2) > OTHER
    if where is not None:
        inside = cv2.resize(where.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0.999
        far = far[inside]
    return float(far.mean()) if far.size else 0.0


def shows_other(one: Pixels, other: Pixels, where: Mask | None = None) -> bool:
    """Return whether two pictures show different things."""
    return other_blocks(one, other, where) > FEW


def widen(mask: Mask, by: int) -> Mask:
    """Return a mask that reaches some pixels farther."""
    return cv2.dilate(mask.astype(np.uint8), np.ones((2 * by + 1, 2 * by + 1))) > 0
