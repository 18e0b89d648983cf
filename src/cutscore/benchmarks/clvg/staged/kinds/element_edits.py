"""Element editing: one thing of a clip, or its background, becomes another, goes or comes; all else stays.

Every case has films with the edit done in two ways and the clip as given. Where the edit changes pixels, the delivered
film has to be nearer to one that has it than to the clip; elsewhere it has to show what the clip shows.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from pydantic import JsonValue, TypeAdapter

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
from cutscore.benchmarks.clvg.staged.films import film_scene, put_film, put_scene_picture
from cutscore.benchmarks.clvg.staged.kind import Settings, StagedCase, StagedContext, StagedKind
from cutscore.benchmarks.clvg.staged.sets import find_set, map_pictures, soften
from cutscore.core.files import FileStore
from cutscore.core.judgement import Weakness
from cutscore.media.footage import Footage
from cutscore.perception.colours import NAMES, name_pixels
from cutscore.stage.edits import Edit, Remove, apply
from cutscore.stage.scene import Scene

SHOWS = 24.0  # levels by which an edit has to change a pixel to show there
NEARER = 0.6  # distance to the edited film over the distance to the given one
LIKE = 32.0  # mean levels from the edited film up to which it is that film
NAMED = 0.7  # share of the pixels that have to bear the name of a colour that was asked for
SAME = 0.25  # the same towards the given film: nothing was done

EDIT: TypeAdapter[Edit] = TypeAdapter(Edit)


def _edit(settings: Settings, *names: str) -> Scene:
    scene = find_set(str(settings["set"]))
    for name in names:
        for plain in cast(Sequence[JsonValue], settings[name]):
            scene = apply(scene, EDIT.validate_python(plain))
    return scene


def _without_things(scene: Scene) -> Scene:
    for thing in scene.things:
        scene = apply(scene, Remove(thing=thing.id))
    return scene


def context(settings: Settings, store: FileStore) -> StagedContext:
    """Film the set, and take a picture of the other background where one is asked for."""
    source = put_film(store, "source.mp4", film_scene(_edit(settings)))
    parts = (ContextPart(role="source", file=source.name),)
    if not settings.get("background"):
        return StagedContext(files=(source,), parts=parts)
    picture = put_scene_picture(store, "background.png", _without_things(_edit(settings, "edits")))
    return StagedContext(files=(source, picture), parts=(*parts, ContextPart(role="background", file=picture.name)))


def film(settings: Settings, variant: int) -> Footage:
    """Return the edited film, in one of two ways; a bit softer where the words leave nothing else open."""
    if not variant:
        return film_scene(_edit(settings, "edits"))
    made = film_scene(_edit(settings, "edits", "otherwise"))
    return made if settings["otherwise"] else map_pictures(made, lambda pixels, _: soften(pixels))


def spoil(settings: Settings, code: str) -> Footage:
    """Return the clip as given, another edit of the same thing, or the right edit with something lost."""
    if code == "no_change":
        return film_scene(_edit(settings))
    if code == "wrong_edit":
        return film_scene(_edit(settings, "wrong"))
    return film_scene(apply(_edit(settings, "edits"), Remove(thing=str(settings["lost"]))))


def verify(path: Path, settings: Settings) -> Sequence[Weakness]:
    """Compare with both right films and with the clip as given; the right film that fits better counts."""
    if not (moments := moments_of(path)):
        return lacks_length("wrong_edit")
    source = TruePictures(_edit(settings))
    ways = [("edits",), ("edits", "otherwise")] if settings["otherwise"] else [("edits",)]
    return min((_compare(moments, source, _edit(settings, *names), settings) for names in ways), key=len)


def _compare(moments: Sequence[Moment], source: TruePictures, scene: Scene, settings: Settings) -> list[Weakness]:
    made = TruePictures(scene)
    bare = TruePictures(_without_things(scene)) if settings.get("background") else None

    def asked_at(number: int) -> Mask:
        return difference(source[number], made[number]) >= SHOWS

    def kept_at(number: int) -> Mask:
        """Return what has to stay: all things where the background goes, else all that the edit leaves."""
        return difference(made[number], bare[number]) >= SHOWS if bare else ~widen(asked_at(number), 6)

    def distances(moment: Moment) -> tuple[float, float]:
        where = asked_at(moment.number)
        done, left = (float(difference(moment.pixels, each[moment.number])[where].mean()) for each in (made, source))
        return done, left

    def is_untouched(moment: Moment) -> str:
        done, left = distances(moment)
        return "it is as in the given clip" if left <= SAME * done else ""

    def is_unlike(moment: Moment) -> str:
        if named := str(settings.get("colour", "")):  # any shade that bears the name
            seen = name_pixels(moment.pixels[asked_at(moment.number)])
            share = float((seen == NAMES.index(named)).mean())
            return "" if share >= NAMED else f"{share:.0%} of what was to become {named} is {named}"
        done, left = distances(moment)
        told = f"where the edit shows, it is {done:.0f} levels from what was asked for and {left:.0f} from the clip"
        return "" if done <= min(NEARER * left, LIKE) else told

    def has_else(moment: Moment) -> str:
        other = shows_other(moment.pixels, made[moment.number], kept_at(moment.number))
        return "something that had to stay has changed" if other else ""

    undone = name_often("no_change", moments, is_untouched) or name_often("wrong_edit", moments, is_unlike)
    return [*undone, *name_often("collateral_change", moments, has_else)]


def _case(name: str, subcategory: str, instruction: str, settings: dict[str, JsonValue]) -> StagedCase:
    return StagedCase(
        name=name, kind="element_edits", subcategory=subcategory, instruction=instruction, settings=settings, subjects=4
    )


KIND = StagedKind(
    cases=(
        _case(
            "garden-to-beach",
            "background_modification",
            "Put all that stands in the garden before the background of the picture. Leave the things as they are.",
            {
                "set": "garden",
                "edits": [{"edit": "dress", "backdrop": "sea", "colour": "blue"}],
                "otherwise": [],
                "background": True,
                "wrong": [{"edit": "dress", "backdrop": "kitchen", "colour": "orange"}],
                "lost": "sign",
            },
        ),
        _case(
            "add-star",
            "element_addition",
            "Add a large yellow star at the top of the sky, in the middle. Leave everything else as it is.",
            {
                "set": "road",
                "edits": [
                    {
                        "edit": "add",
                        "thing": {"id": "new", "kind": "star", "colour": "yellow", "x": 720, "y": 190, "width": 220},
                    }
                ],
                "otherwise": [{"edit": "shift", "thing": "new", "x": 20, "y": 10}],
                "wrong": [
                    {
                        "edit": "add",
                        "thing": {"id": "new", "kind": "heart", "colour": "purple", "x": 720, "y": 190, "width": 220},
                    }
                ],
                "lost": "crate",
            },
        ),
        _case(
            "remove-heart",
            "element_removal",
            "Take the red heart away. Leave everything else as it is.",
            {
                "set": "garden",
                "edits": [{"edit": "remove", "thing": "heart"}],
                "otherwise": [],
                "wrong": [{"edit": "paint", "thing": "heart", "colour": "blue"}],
                "lost": "sign",
            },
        ),
        _case(
            "star-for-crate",
            "object_replacement",
            "Replace the purple crate by a yellow star of about the same size. Leave everything else as it is.",
            {
                "set": "road",
                "edits": [
                    {"edit": "replace", "thing": "crate", "kind": "star", "width": 200},
                    {"edit": "paint", "thing": "crate", "colour": "yellow"},
                ],
                "otherwise": [{"edit": "replace", "thing": "crate", "kind": "star", "width": 230}],
                "wrong": [
                    {"edit": "replace", "thing": "crate", "kind": "heart", "width": 200},
                    {"edit": "paint", "thing": "crate", "colour": "red"},
                ],
                "lost": "fir",
            },
        ),
        _case(
            "paint-star",
            "subject_editing",
            "Make the yellow star green. Leave everything else as it is.",
            {
                "set": "desk",
                "edits": [{"edit": "paint", "thing": "star", "colour": "green"}],
                "otherwise": [],
                "colour": "green",
                "wrong": [{"edit": "paint", "thing": "star", "colour": "purple"}],
                "lost": "block",
            },
        ),
    ),
    context=context,
    film=film,
    plants=("wrong_edit", "collateral_change", "no_change"),
    spoil=spoil,
    verify=verify,
)
