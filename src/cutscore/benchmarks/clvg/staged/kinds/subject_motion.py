"""Partial reference: the thing of a picture, moving as words say or as a thing of another clip does.

Where it is, is found by laying the picture's thing over the delivered frames at several sizes; what fits nowhere well
is another thing. Background and, without a clip to follow, the exact way are open.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from cutscore.benchmarks.clvg.dataset import ContextPart
from cutscore.benchmarks.clvg.staged.comparing import Moment, lacks_length, moments_of, name_often
from cutscore.benchmarks.clvg.staged.films import WIDTH, film_scene, put_film, put_scene_picture
from cutscore.benchmarks.clvg.staged.kind import Settings, StagedCase, StagedContext, StagedKind
from cutscore.benchmarks.clvg.staged.sets import LENGTH_S, build_set
from cutscore.core.files import FileStore
from cutscore.core.judgement import Weakness
from cutscore.core.timeline import Span
from cutscore.media.footage import Footage
from cutscore.perception.subject_match import SubjectSight, cut_out, find_subject
from cutscore.stage.render import frame
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Place
from cutscore.stage.things import Move, Thing

LIKE = 30.0  # mean levels from the picture's thing up to which it is that thing
OFF = 0.08  # of the width: mean distance from the way that a clip shows
CROSSES = 0.35  # of the width that has to be crossed where words name a direction

Way = Sequence[tuple[int, int]]


def _stage(
    kind: str, colour: str, way: Way, *, backdrop: str = "studio", paint: str = "grey", width: int = 300
) -> Scene:
    """Return a scene in which one thing goes along a way, each stretch in the same time."""
    stretch_s = LENGTH_S / (len(way) - 1)
    moves = [
        Move(thing="thing", at_s=number * stretch_s, for_s=stretch_s, ease="steady", x=x, y=y)
        for number, (x, y) in enumerate(way[1:])
    ]
    thing = Thing.model_validate(
        {"id": "thing", "kind": kind, "colour": colour, "x": way[0][0], "y": way[0][1], "width": width}
    )
    place = Place.model_validate({"backdrop": backdrop, "colour": paint})
    return build_set("walk", place, [thing], moves)


def _portrait(settings: Settings) -> Scene:
    kind, colour = cast(list[str], settings["subject"])
    return _stage(kind, colour, [(800, 470), (800, 470)], paint="white", width=int(cast(int, settings["drawn"])))


def _way(settings: Settings) -> Way:
    return [(x, y) for x, y in cast(list[tuple[int, int]], settings["way"])]


def context(settings: Settings, store: FileStore) -> StagedContext:
    """Take a picture of the thing, and film another thing on its way where that is to be followed."""
    subject = put_scene_picture(store, "subject.png", _portrait(settings))
    parts = (ContextPart(role="subject", file=subject.name),)
    if not settings["follow"]:
        return StagedContext(files=(subject,), parts=parts)
    motion = put_film(
        store, "motion.mp4", film_scene(_stage("circle", "red", _way(settings), paint="white", width=140))
    )
    return StagedContext(files=(subject, motion), parts=(*parts, ContextPart(role="motion", file=motion.name)))


def film(settings: Settings, variant: int) -> Footage:
    """Return the thing on its way, before one of two backgrounds and in one of two sizes."""
    kind, colour = cast(list[str], settings["subject"])
    backdrop, paint = (("room", "blue"), ("studio", "grey"))[variant]
    return film_scene(_stage(kind, colour, _way(settings), backdrop=backdrop, paint=paint, width=300 - 40 * variant))


def spoil(settings: Settings, code: str) -> Footage:
    """Return another thing on the right way, or the right thing on another way."""
    kind, colour = cast(list[str], settings["subject" if code == "wrong_motion" else "other"])
    way = _way(settings)
    turned = [(x, 900 - y) for x, y in way] if settings["follow"] else list(reversed(way))
    return film_scene(_stage(kind, colour, turned if code == "wrong_motion" else way, backdrop="room"))


def verify(path: Path, settings: Settings) -> Sequence[Weakness]:
    """Look for the picture's thing in every moment, then at its way."""
    if not (moments := moments_of(path)):
        return lacks_length("wrong_motion")
    subject = cut_out(frame(_portrait(settings), 0))
    seen = {moment.number: find_subject(moment.pixels, subject) for moment in moments}

    def is_another(moment: Moment) -> str:
        fits = seen[moment.number].off
        return "" if fits <= LIKE else f"nothing fits the picture's thing better than {fits:.0f} levels"

    if weak := name_often("wrong_subject", moments, is_another):
        return weak
    return _check_way(moments, [seen[moment.number] for moment in moments], settings)


def _check_way(moments: Sequence[Moment], seen: Sequence[SubjectSight], settings: Settings) -> list[Weakness]:
    at = np.array([[each.x / WIDTH, each.y / WIDTH] for each in seen])
    whole = Span(start_s=moments[0].at_s, end_s=moments[-1].at_s)
    if not settings["follow"]:
        steps = np.diff(at[:, 0])
        crossed, back = float(at[-1, 0] - at[0, 0]), float(-steps[steps < 0].sum())
        if crossed >= CROSSES and back <= 0.2 * crossed:
            return []
        return [Weakness(code="wrong_motion", text=f"it goes {crossed:+.0%} of the width to the right", at=whole)]
    way = np.array(_way(settings), float) / 1600
    shares = np.array([float(moment.at_s / LENGTH_S) for moment in moments]) * (len(way) - 1)
    true = np.stack([np.interp(shares, range(len(way)), way[:, axis]) for axis in (0, 1)], axis=1)
    off = float(np.linalg.norm(at - true, axis=1).mean())
    if off <= OFF:
        return []
    return [Weakness(code="wrong_motion", text=f"it is {off:.0%} of the width off the way of the clip", at=whole)]


def _case(name: str, subcategory: str, instruction: str, **settings: Any) -> StagedCase:
    return StagedCase(
        name=name, kind="subject_motion", subcategory=subcategory, instruction=instruction, settings=settings
    )


KIND = StagedKind(
    cases=(
        _case(
            "robot-crosses",
            "subject_reference",
            "The robot of the picture crosses the view from left to right, at one pace. Leave it as it looks.",
            subject=["robot", "orange"],
            other=["robot", "green"],
            drawn=340,
            way=[[300, 560], [1300, 560]],
            follow=False,
        ),
        _case(
            "cat-on-the-way",
            "motion_trajectory",
            "The cat of the picture goes along the way of the red disc in the clip, at the same pace.",
            subject=["cat", "orange"],
            other=["cat", "blue"],
            drawn=340,
            way=[[300, 300], [700, 640], [1000, 240], [1300, 600]],
            follow=True,
        ),
    ),
    context=context,
    film=film,
    plants=("wrong_subject", "wrong_motion"),
    spoil=spoil,
    verify=verify,
)
