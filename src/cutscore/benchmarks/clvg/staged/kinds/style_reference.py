"""Partial reference: the clip in the look of a picture or of another clip.

A look is told by its tones: how much colour there is, of which hue, at which lightness. Those of the delivered film
are compared with those of the clip in that look, and with those of other looks; what is shown has to stay.
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.clvg.dataset import ContextPart
from cutscore.benchmarks.clvg.staged.comparing import Moment, TruePictures, lacks_length, moments_of, name_often
from cutscore.benchmarks.clvg.staged.films import film_scene, put_film, put_scene_picture
from cutscore.benchmarks.clvg.staged.kind import Settings, StagedCase, StagedContext, StagedKind
from cutscore.benchmarks.clvg.staged.sets import find_set, map_pictures
from cutscore.core.files import FileStore
from cutscore.core.judgement import Weakness
from cutscore.media.footage import Footage
from cutscore.media.orientation import Pixels
from cutscore.perception.colours import rgb_to_lab
from cutscore.stage.blend import as_bytes
from cutscore.stage.edits import Remove, Restyle, apply
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Filter

NEAR = 9.0  # ΔE between the mean tones of two looks up to which they are one
ALIKE = 0.86  # correlation of what is shown, whatever its colours
BLOCK = (40, 22)
LOST = 0.012  # share of blocks whose lightness may differ

Tones = npt.NDArray[np.float64]


def _in_style(settings: Settings, style: str, *, without: str = "", name: str = "set") -> Scene:
    scene = find_set(str(settings[name]))
    if without:
        scene = apply(scene, Remove(thing=without))
    chosen: tuple[Filter, ...] = (style,) if style else ()  # type: ignore[assignment]
    return apply(scene, Restyle(style=chosen))


def context(settings: Settings, store: FileStore) -> StagedContext:
    """Film the set plainly, and another set in the look that is wanted."""
    source = put_film(store, "source.mp4", film_scene(_in_style(settings, "")))
    look = _in_style(settings, str(settings["style"]), name="other")
    shown_by = (
        put_film(store, "style.mp4", film_scene(look))
        if settings["film"]
        else put_scene_picture(store, "style.png", look)
    )
    parts = (ContextPart(role="source", file=source.name), ContextPart(role="style", file=shown_by.name))
    return StagedContext(files=(source, shown_by), parts=parts)


def film(settings: Settings, variant: int) -> Footage:
    """Return the clip in the look, or in a look that is hardly lighter."""
    made = film_scene(_in_style(settings, str(settings["style"])))
    return (
        map_pictures(made, lambda pixels, _: as_bytes(cv2.convertScaleAbs(pixels, alpha=1.0, beta=6)))
        if variant
        else made
    )


def spoil(settings: Settings, code: str) -> Footage:
    """Return the clip in another look, or in the right one with something lost."""
    if code == "wrong_style":
        return film_scene(_in_style(settings, str(settings["wrong"])))
    return film_scene(_in_style(settings, str(settings["style"]), without=str(settings["lost"])))


def tones_of(pixels: Pixels) -> Tones:
    """Return mean lightness and hue of a picture, how far its colours spread, and how much colour there is."""
    lab = rgb_to_lab(as_bytes(cv2.GaussianBlur(pixels, (0, 0), 1.5))).reshape(-1, 3).astype(np.float64)
    return np.array([lab[:, 0].mean() / 2, *lab[:, 1:].mean(axis=0), *lab[:, 1:].std(axis=0), lab[:, 0].std()])


def lightness_order(pixels: Pixels) -> npt.NDArray[np.float32]:
    """Return a small grey picture without its light and contrast."""
    small = cv2.resize(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), BLOCK, interpolation=cv2.INTER_AREA).astype(np.float32)
    return (small - small.mean()) / max(1.0, float(small.std()))  # type: ignore[no-any-return]


def verify(path: Path, settings: Settings) -> Sequence[Weakness]:
    """Compare tones with the look, and what is shown with the clip."""
    truth = TruePictures(_in_style(settings, str(settings["style"])))
    if not (moments := moments_of(path)):
        return lacks_length("collateral_change")

    def looks_else(moment: Moment) -> str:
        far = float(np.linalg.norm(tones_of(moment.pixels) - tones_of(truth[moment.number])))
        return "" if far <= NEAR else f"its tones are {far:.0f} from those of the look (ΔE)"

    def shows_else(moment: Moment) -> str:
        one, other = (lightness_order(each) for each in (moment.pixels, truth[moment.number]))
        lost = float((np.abs(one - other) > 0.7).mean())
        return (
            "" if lost <= LOST and float((one * other).mean()) >= ALIKE else "something else is there than in the clip"
        )

    return [*name_often("wrong_style", moments, looks_else), *name_often("collateral_change", moments, shows_else)]


def _case(name: str, subcategory: str, settings: Settings) -> StagedCase:
    piece = "clip" if settings["film"] else "picture"
    return StagedCase(
        name=name,
        kind="style_reference",
        subcategory=subcategory,
        instruction=f"Show the source clip in the style of the {piece}: its tones and colours alone.",
        settings=dict(settings),
        subjects=4,
    )


KIND = StagedKind(
    cases=(
        _case(
            "sepia-den",
            "style_transfer",
            {"set": "den", "other": "road", "style": "sepia", "wrong": "grey", "film": False, "lost": "table"},
        ),
        _case(
            "grey-road",
            "video_style",
            {"set": "road", "other": "garden", "style": "grey", "wrong": "sepia", "film": True, "lost": "house"},
        ),
    ),
    context=context,
    film=film,
    plants=("wrong_style", "collateral_change"),
    spoil=spoil,
    verify=verify,
)
