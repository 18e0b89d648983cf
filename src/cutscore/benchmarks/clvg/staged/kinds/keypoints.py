"""Perception: dots where the middles of named things are, on black."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from cutscore.benchmarks.clvg.dataset import ContextPart
from cutscore.benchmarks.clvg.staged.comparing import Moment, lacks_length, moments_of, name_often
from cutscore.benchmarks.clvg.staged.films import HEIGHT, WIDTH, film_scene, put_film
from cutscore.benchmarks.clvg.staged.kind import Settings, StagedCase, StagedContext, StagedKind
from cutscore.benchmarks.clvg.staged.sets import film_pictures, find_set
from cutscore.core.files import FileStore
from cutscore.core.judgement import Weakness
from cutscore.media.footage import Footage
from cutscore.media.orientation import Pixels
from cutscore.stage.graph import SceneGraphBuilder
from cutscore.stage.palette import RGB, Colour

NEAR = 0.03  # of the width
SEEN = 40  # levels by which a channel stands out in a dot
LARGEST = 0.01  # of the picture; what covers more is no dot
CHANNELS: Mapping[Colour, int] = {"red": 0, "green": 1, "blue": 2}

Points = Mapping[Colour, tuple[float, float]]


def true_points(settings: Settings, number: int) -> Points:
    """Return where the middle of each thing is, by the colour of its dot."""
    graph = SceneGraphBuilder(find_set(str(settings["set"]))).graph(number)
    found = {thing.colour: thing for thing in graph.things}
    return {colour: (found[colour].x, found[colour].y) for colour in CHANNELS if colour in found}


def context(settings: Settings, store: FileStore) -> StagedContext:
    """Film the scene."""
    file = put_film(store, "source.mp4", film_scene(find_set(str(settings["set"]))))
    return StagedContext(files=(file,), parts=(ContextPart(role="source", file=file.name),))


def film(settings: Settings, variant: int) -> Footage:
    """Return the dots, small or larger."""
    return _film_dots(settings, radius=4 + 3 * variant)


def _film_dots(settings: Settings, *, radius: int = 4, swap: bool = False) -> Footage:
    count = find_set(str(settings["set"])).frames
    return film_pictures([_dots(true_points(settings, number), radius, swap) for number in range(count)])


def _dots(points: Points, radius: int, swap: bool) -> Pixels:
    canvas = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    places = list(points.values())
    for colour, (x, y) in zip(points, places[::-1] if swap else places, strict=True):
        cv2.circle(canvas, (round(x), round(y)), radius, RGB[colour], -1, cv2.LINE_AA)
    return canvas


def spoil(settings: Settings, code: str) -> Footage:
    """Return each dot where the other one belongs."""
    return _film_dots(settings, swap=True)


def find_dot(pixels: Pixels, colour: Colour) -> tuple[float, float] | None:
    """Return the middle of what stands out in a colour; None where there is nothing, or more than a dot."""
    channel = CHANNELS[colour]
    others = [each for each in range(3) if each != channel]
    stands_out = pixels[..., channel].astype(np.int16) - pixels[..., others].max(axis=2) > SEEN
    rows, columns = np.nonzero(stands_out)
    if not 3 <= len(rows) <= LARGEST * stands_out.size:
        return None
    return float(columns.mean()), float(rows.mean())


def verify(path: Path, settings: Settings) -> Sequence[Weakness]:
    """Measure how far each dot is from where it belongs."""
    if not (moments := moments_of(path)):
        return lacks_length("wrong_points")

    def is_off(moment: Moment) -> str:
        for colour, (x, y) in true_points(settings, moment.number).items():
            if (seen := find_dot(moment.pixels, colour)) is None:
                return f"there is no {colour} dot"
            off = float(np.hypot(seen[0] - x, seen[1] - y)) / WIDTH
            if off > NEAR:
                return f"the {colour} dot is {off:.0%} of the width from where it belongs"
        return ""

    return name_often("wrong_points", moments, is_off)


KIND = StagedKind(
    cases=(
        StagedCase(
            name="middles-desk",
            kind="keypoints",
            subcategory="keypoint_localisation",
            instruction=(
                "On black, show a red dot where the middle of the red disc is and a blue dot where the middle of the "
                "blue square is, moment by moment."
            ),
            settings={"set": "desk"},
            subjects=2,
        ),
    ),
    context=context,
    film=film,
    plants=("wrong_points",),
    spoil=spoil,
    verify=verify,
)
