"""Camera: a clip filmed otherwise, as words say (editing) or as another clip shows (reference).

Each delivered picture is laid onto the whole stage at its moment by features that both show: that tells where the
camera looks and how near it is. A picture that fits nowhere shows something else.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from pydantic import JsonValue

from cutscore.benchmarks.clvg.dataset import ContextPart
from cutscore.benchmarks.clvg.staged.comparing import (
    Moment,
    TruePictures,
    difference,
    lacks_length,
    moments_of,
    name_often,
)
from cutscore.benchmarks.clvg.staged.films import HEIGHT, WIDTH, film_scene, put_film
from cutscore.benchmarks.clvg.staged.kind import Settings, StagedCase, StagedContext, StagedKind
from cutscore.benchmarks.clvg.staged.sets import LENGTH_S, find_set
from cutscore.core.files import FileStore
from cutscore.core.judgement import Weakness
from cutscore.core.timeline import Span
from cutscore.media.footage import Footage
from cutscore.media.orientation import Pixels
from cutscore.stage.blend import as_bytes
from cutscore.stage.edits import Refilm, Remove, apply
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Shot

LARGER = 2  # the stage is drawn so many times larger than the film before pictures are laid onto it
LIKE = 22.0  # mean levels from the stage up to which a picture shows it
FEATURES, AGREE = 8, 3.0  # that have to agree, within so many pixels
MOVED = 0.05  # of the stage's width, and for a zoom in the logarithm of its size: below it the camera rests
STRAY = 0.6  # of the way that was asked for: how far it may go in other directions

MOVES: Mapping[str, tuple[float, float, float]] = {
    "left": (-1, 0, 0),
    "right": (1, 0, 0),
    "up": (0, -1, 0),
    "down": (0, 1, 0),
    "in": (0, 0, 1),
    "out": (0, 0, -1),
}


@dataclass(frozen=True)
class CameraPlace:
    """Where a picture lies on the stage: its middle as shares of the stage's width, its size as a logarithm."""

    x: float
    y: float
    nearness: float
    off: float


def _shot(name: str, move: str = "", share: Fraction = Fraction(1)) -> Shot:
    """Return a shot that begins where the move has room, and makes a share of it."""
    x, y, near = MOVES.get(move, (0, 0, 0))
    begins: dict[str, Any] = {"size": "wide" if near > 0 else "medium", "x": -260 * x, "y": -150 * y}
    if near < 0:
        begins = {"size": "medium", "x": 0, "y": 0}
    if not move:
        return Shot.model_validate(begins)
    zoom = Fraction(8, 5) if near > 0 else Fraction(5, 8) if near < 0 else Fraction(1)
    ends = {"at_s": 0, "for_s": LENGTH_S, "x": 520 * x * share, "y": 300 * y * share, "zoom": 1 + (zoom - 1) * share}
    return Shot.model_validate({**begins, "to": ends})


def _filmed(settings: Settings, move: str, *, share: Fraction = Fraction(1), name: str = "set") -> Scene:
    scene = find_set(str(settings[name]))
    return apply(scene, Refilm(shots=(_shot(scene.name, move, share),)))


def context(settings: Settings, store: FileStore) -> StagedContext:
    """Film the set with a camera that rests, and another one with the move where that is shown by a clip."""
    source = put_film(store, "source.mp4", film_scene(find_set(str(settings["set"]))))
    parts = (ContextPart(role="source", file=source.name),)
    if not settings["other"]:
        return StagedContext(files=(source,), parts=parts)
    camera = put_film(store, "camera.mp4", film_scene(_filmed(settings, str(settings["move"]), name="other")))
    return StagedContext(files=(source, camera), parts=(*parts, ContextPart(role="camera", file=camera.name)))


def film(settings: Settings, variant: int) -> Footage:
    """Return the clip with the move, all of it or three quarters."""
    return film_scene(_filmed(settings, str(settings["move"]), share=Fraction(1) if not variant else Fraction(3, 4)))


def spoil(settings: Settings, code: str) -> Footage:
    """Return the clip with another move, or with the right one and without one of its things."""
    if code == "wrong_camera":
        return film_scene(_filmed(settings, str(settings["wrong"])))
    return film_scene(apply(_filmed(settings, str(settings["move"])), Remove(thing=str(settings["lost"]))))


def locate(pixels: Pixels, stage: Pixels) -> CameraPlace | None:
    """Return where on a picture of the whole stage another one lies; None where it fits nowhere."""
    finder = cv2.ORB_create(800, fastThreshold=8)  # type: ignore[attr-defined]
    points, marks = finder.detectAndCompute(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), None)
    there, known = finder.detectAndCompute(cv2.cvtColor(stage, cv2.COLOR_RGB2GRAY), None)
    if marks is None or known is None or len(known) < 2:
        return None
    pairs = [two for two in cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(marks, known, k=2) if len(two) == 2]
    good = [one for one, other in pairs if one.distance < 0.8 * other.distance]
    if len(good) < FEATURES:
        return None
    here = np.array([points[each.queryIdx].pt for each in good], np.float32)
    onto = np.array([there[each.trainIdx].pt for each in good], np.float32)
    matrix, agree = cv2.estimateAffinePartial2D(here, onto, method=cv2.RANSAC, ransacReprojThreshold=AGREE)
    if matrix is None or int(agree.sum()) < FEATURES:
        return None
    return _place(pixels, stage, matrix)


def _place(pixels: Pixels, stage: Pixels, matrix: Any) -> CameraPlace:
    """Return the place by the matrix that takes the picture onto the stage, and how well it fits there."""
    height, width = pixels.shape[:2]
    seen = cv2.warpAffine(stage, matrix, (width, height), flags=cv2.INTER_AREA | cv2.WARP_INVERSE_MAP)
    smooth = [as_bytes(cv2.GaussianBlur(each, (0, 0), 2.5)) for each in (seen, pixels)]
    x, y = matrix @ np.array([width / 2, height / 2, 1])
    size = float(np.hypot(matrix[0, 0], matrix[1, 0])) * width / stage.shape[1]
    worst = np.sort(cv2.resize(difference(smooth[0], smooth[1]), (20, 11), interpolation=cv2.INTER_AREA).ravel())[-6:]
    return CameraPlace(float(x) / stage.shape[1], float(y) / stage.shape[1], -float(np.log(size)), float(worst.mean()))


def verify(path: Path, settings: Settings) -> Sequence[Weakness]:
    """Find the camera's way, and look for what it shows beside the stage."""
    if not (moments := moments_of(path)):
        return lacks_length("wrong_camera")
    scene = find_set(str(settings["set"])).model_copy(update={"width": LARGER * WIDTH, "height": LARGER * HEIGHT})
    stage = TruePictures(scene)
    places = {moment.number: locate(moment.pixels, stage[moment.number]) for moment in moments}

    def shows_else(moment: Moment) -> str:
        place = places[moment.number]
        if place is not None and place.off <= LIKE:
            return ""
        return "what it shows is not the scene of the given clip" if place is None else "something has changed"

    changed = name_often("collateral_change", moments, shows_else)
    found = [place for place in places.values() if place is not None]
    if len(found) < 3:
        return changed
    way = np.array([found[-1].x - found[0].x, found[-1].y - found[0].y, found[-1].nearness - found[0].nearness])
    wanted = np.array(MOVES[str(settings["move"])])
    along = float(way @ wanted)
    if along < MOVED or float(np.abs(way - along * wanted).max()) > STRAY * along:
        told = f"the view goes {way[0]:+.0%} to the right, {way[1]:+.0%} down and {way[2]:+.2f} nearer"
        whole = Span(start_s=moments[0].at_s, end_s=moments[-1].at_s)
        changed.append(Weakness(code="wrong_camera", text=told, at=whole))
    return changed


def _case(name: str, subcategory: str, instruction: str, **settings: JsonValue) -> StagedCase:
    return StagedCase(
        name=name, kind="camera_motion", subcategory=subcategory, instruction=instruction, settings=settings, subjects=4
    )


KIND = StagedKind(
    cases=(
        _case(
            "zoom-road",
            "camera_motion_editing",
            "Let the camera zoom in on the middle, slowly and from the first moment on. Leave what happens as it is.",
            set="road",
            move="in",
            wrong="out",
            other="",
            lost="house",
        ),
        _case(
            "pan-garden",
            "camera_motion_editing",
            "Come a bit nearer and let the camera pan to the right over the scene. Leave what happens as it is.",
            set="garden",
            move="right",
            wrong="left",
            other="",
            lost="sign",
        ),
        _case(
            "film-like-that",
            "camera_motion_reference",
            "Film the scene of the source with the camera move of the other clip. Leave what happens as it is.",
            set="road",
            move="left",
            wrong="right",
            other="den",
            lost="crate",
        ),
    ),
    context=context,
    film=film,
    plants=("wrong_camera", "collateral_change"),
    spoil=spoil,
    verify=verify,
)
