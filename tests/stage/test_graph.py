from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from cutscore.media.orientation import Pixels
from cutscore.stage.figures import FIGURES, shows
from cutscore.stage.graph import SceneGraph, SceneGraphBuilder, scene_graph
from cutscore.stage.palette import COLOURS
from cutscore.stage.render import frame
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Caption, Filter, Light, Place, Shot
from cutscore.stage.things import Join, Move, Thing, Vanish


def scene(*things: Thing, **fields: Any) -> Scene:
    given = {"places": (Place(backdrop="studio", colour="grey"),), "width": 320, "height": 180, "length_s": 2, **fields}
    return Scene(name="a", title="A", things=things, rate=5, **given)


def disc(name: str, x: int, y: int, **fields: Any) -> Thing:
    return Thing(id=name, kind="circle", x=x, y=y, width=fields.pop("width", 200), **fields)


def near(pixels: Pixels, rgb: tuple[int, int, int], *, within: int = 34) -> Any:
    return (np.abs(pixels.astype(int) - np.array(rgb)) <= within).all(axis=-1)


def related(seen: SceneGraph, what: str) -> set[tuple[str, str]]:
    return {(each.one, each.other) for each in seen.relations if each.what == what}


LIGHTS: list[tuple[Light, tuple[Filter, ...]]] = [("day", ()), ("night", ("faded",)), ("dusk", ("sepia",))]


@pytest.mark.parametrize(("colour", "light", "style"), [(c, *LIGHTS[n % 3]) for n, c in enumerate(COLOURS)])
def test_the_colour_is_found_in_the_box_and_nowhere_else(colour: Any, light: Light, style: tuple[Filter, ...]) -> None:
    """The picture with the thing differs from the one without it inside the box alone, and there it has the colour."""
    place = Place(backdrop="studio", colour="grey", light=light)
    with_it = scene(disc("it", 700, 450, colour=colour), places=(place,), style=style)
    seen = scene_graph(with_it, 0).thing("it")
    assert seen is not None
    assert seen.colour == colour
    left, top, right, bottom = seen.box
    inside = near(frame(with_it, 0)[top:bottom, left:right], seen.rgb)
    assert inside.mean() > 0.5
    assert (right - left, bottom - top) == pytest.approx((40, 40), abs=1)
    changed = (frame(with_it, 0) != frame(with_it.model_copy(update={"things": ()}), 0)).any(axis=2)
    changed[top : bottom + 6, left - 4 : right + 4] = False  # below it lies its shadow
    assert not changed.any()


# Vessels of glass show their filling, dust and steam are thin, pegs are of plain wood, and the counter is too wide.
PALE = {"glass", "beaker", "flask", "tube", "dust", "steam", "peg", "counter"}


def test_every_kind_shows_its_colour() -> None:
    kinds = sorted(set(FIGURES) - PALE)
    for first in range(0, len(kinds), 12):
        things = [_shown(kind, n) for n, kind in enumerate(kinds[first : first + 12])]
        shown = scene(*things, width=640, height=360)
        pixels = frame(shown, 0)
        for seen in scene_graph(shown, 0).things:
            left, top, right, bottom = seen.box
            assert near(pixels[top:bottom, left:right], seen.rgb).sum() >= 20, seen.kind


def _shown(kind: str, n: int) -> Thing:
    natural = FIGURES[kind]
    width = min(Fraction(260), Fraction(200 * natural.width, natural.height))
    x, y = 200 + 400 * (n % 4), 150 + 300 * (n // 4)
    fields = {name: value for name, value in (("count", 3), ("fill", "1/2")) if name in shows(kind)}
    return Thing(id=f"it-{n}", kind=kind, colour="purple", x=x, y=y, width=width, **fields)


def test_a_hidden_thing_says_by_whom_and_how_much() -> None:
    """The front disc covers the right half of the back one, which sticks out of it to the left."""
    back, front = disc("back", 700, 450), Thing(id="front", kind="wall", x=800, y=450, width=200, height=400, layer=1)
    seen = scene_graph(scene(back, front), 0)
    behind = seen.thing("back")
    assert behind is not None
    assert behind.visible == pytest.approx(0.5, abs=0.02)
    assert (behind.framed, behind.hidden_by) == (1, ("front",))
    ahead = seen.thing("front")
    assert ahead is not None
    assert (ahead.visible, ahead.hidden_by) == (1, ())


def test_what_is_quite_hidden_or_outside_is_not_seen() -> None:
    cover = Thing(id="cover", kind="wall", x=800, y=450, width=400, height=400, layer=1)
    seen = scene_graph(scene(disc("under", 800, 450), cover, disc("outside", 5000, 450)), 0)
    assert [thing.id for thing in seen.things] == ["cover"]


def test_a_thing_at_the_edge_is_partly_framed() -> None:
    seen = scene_graph(scene(disc("edge", 0, 450)), 0).thing("edge")
    assert seen is not None
    assert seen.framed == seen.visible == pytest.approx(0.5, abs=0.03)
    assert seen.box[0] == 0


def test_a_caption_hides_what_is_below_it() -> None:
    words = Caption(start_s=0, end_s=1, text="Here are some words")
    shown = scene(disc("low", 800, 800), captions=(words,))
    early, late = scene_graph(shown, 0).thing("low"), scene_graph(shown, 9).thing("low")
    assert early is not None
    assert late is not None
    assert early.hidden_by == ("caption",)
    assert late.visible > early.visible


def test_relations() -> None:
    things = (
        disc("left", 300, 450),
        disc("right", 900, 450),
        disc("below", 900, 640, width=190),
        Thing(id="cook", kind="person", x=1300, y=450),
        Thing(id="cup", kind="cup", x=1450, y=450, layer=1),
        Thing(id="box", kind="crate", x=300, y=750, width=200),
        Thing(id="key", kind="key", x=300, y=750, layer=1),
    )
    joins = (Join(thing="cup", at_s=0, to="cook"), Join(thing="key", at_s=0, to="box", link="inside"))
    seen = scene_graph(scene(*things, changes=joins), 0)
    assert ("left", "right") in related(seen, "left-of")
    assert ("right", "left") not in related(seen, "left-of")
    assert ("box", "key") not in related(seen, "left-of")  # it begins further left, and ends further right
    assert ("right", "below") not in related(seen, "above")  # their boxes overlap
    assert ("left", "box") in related(seen, "above")
    assert related(seen, "holds") == {("cook", "cup")}
    assert related(seen, "inside") == {("key", "box")}
    assert {("right", "below"), ("box", "key")} <= related(seen, "touches")
    assert ("left", "right") not in related(seen, "touches")


def test_the_graph_follows_the_frames(pour: Scene) -> None:
    witness = SceneGraphBuilder(pour)
    early, late = witness.graph(5), witness.graph(35)
    assert (early.shot, late.shot) == (1, 2)
    assert early.at_s == Fraction(1, 2)
    glass = late.thing("glass")
    assert glass is not None
    assert (glass.fill, glass.filling) == (Fraction(4, 5), "orange")
    assert related(early, "holds") == set()
    assert related(late, "holds") == {("cook", "jug")} or late.thing("cook") is None


def test_filled_to_a_share_means_that_share_of_the_height() -> None:
    """The surface is an oval, ten units high, with its middle at the level; the inside is 110 of 126 units high."""
    glass = Thing(id="glass", kind="glass", x=800, y=450, height=800, fill="2/5", filling="red")
    shown = scene(glass, width=640, height=360)
    red = np.flatnonzero(near(frame(shown, 0), (214, 58, 56), within=60)[:, 320])
    unit = 320 / 126
    assert (red[-1] - red[0] + 1) / unit - 5 == pytest.approx(0.4 * 110, abs=1)


def test_a_fading_thing_has_less_presence() -> None:
    shown = scene(disc("it", 800, 450), changes=(Vanish(thing="it", at_s=0, for_s=2, ease="steady"),))
    middle = scene_graph(shown, 5).thing("it")
    assert middle is not None
    assert middle.presence == pytest.approx(0.5, abs=0.01)


def test_boxes_follow_a_following_camera() -> None:
    runner = disc("it", 400, 450)
    move = Move(thing="it", at_s=0, for_s=2, x=1200, y=450, ease="steady")
    shown = scene(runner, changes=(move,), shots=(Shot(size="close", on="it", follow=True),))
    places = {scene_graph(shown, n).thing("it").x for n in range(10)}  # type: ignore[union-attr]
    assert max(places) - min(places) <= 0.25
