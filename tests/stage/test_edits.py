from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
from pydantic import TypeAdapter

from cutscore.core.errors import BadInput, UnknownName
from cutscore.stage.differences import compare_scenes
from cutscore.stage.edits import (
    Add,
    Direct,
    Dress,
    Edit,
    Paint,
    Put,
    Refilm,
    Remove,
    Replace,
    Restyle,
    Rewrite,
    Shift,
    Speed,
    apply,
    inverse,
)
from cutscore.stage.graph import scene_graph
from cutscore.stage.renaming import rename
from cutscore.stage.render import frames
from cutscore.stage.retiming import retime
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Shot
from cutscore.stage.states import Animation
from cutscore.stage.things import Appear, Body, Move, Recolour, Thing

EDITS = [
    Add(
        thing=Thing(id="apple", kind="apples", colour="red", x=1200, y=640, seen=False),
        changes=(Appear(thing="apple", at_s=3),),
    ),
    Remove(thing="jug"),
    Replace(thing="glass", kind="cup", material="shiny"),
    Paint(thing="jug", colour="pink"),
    Paint(thing="glass", colour="red", part="filling"),
    Shift(thing="glass", x=200),
    Direct(thing="jug", changes=(Move(thing="jug", at_s=3, for_s=1, x=300, y=400),)),
    Restyle(style=("sepia", "vignette")),
    Dress(backdrop="park", weather="rain", light="dusk"),
    Refilm(shots=(Shot(size="close", on="cook"),)),
    Rewrite(old="Take the jug", new="Lift it"),
    Speed(factor=2),
]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.edit)
def test_an_edit_changes_something_and_its_inverse_takes_it_back(pour: Scene, edit: Any) -> None:
    edited = apply(pour, edit)
    assert edited != pour
    back = inverse(pour, edit)
    assert isinstance(back, Put)
    assert apply(edited, back) == pour


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.edit)
def test_an_edit_goes_through_json(edit: Any) -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(Edit)
    assert adapter.validate_json(adapter.dump_json(edit)) == edit


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.edit)
def test_frames_that_are_said_to_be_equal_are_equal(pour: Scene, edit: Any) -> None:
    small = pour.model_copy(update={"width": 64, "height": 36, "rate": F(4)})
    edited = apply(small, edit)
    told = compare_scenes(small, edited)
    changed = {n for first, end in told.frames for n in range(first, end)}
    equal = [np.array_equal(one, other) for one, other in zip(frames(small), frames(edited), strict=False)]
    assert all(same for n, same in enumerate(equal) if n not in changed)
    assert not all(same for n, same in enumerate(equal) if n in changed)


def test_the_difference_names_what_changed_and_what_did_not(pour: Scene) -> None:
    told = compare_scenes(pour, apply(pour, Paint(thing="jug", colour="pink")))
    assert told.things == {"jug": ("colour",)}
    assert told.untouched == ("cook", "counter", "glass")
    assert told.fields == ()
    assert told.frames == ((0, 40),)
    late = compare_scenes(pour, apply(pour, EDITS[0]))
    assert (late.things, late.frames) == ({"apple": ("there",)}, ((30, 40),))


def test_frames_that_only_one_has_differ(pour: Scene) -> None:
    longer = pour.model_copy(update={"length_s": F(5)})
    assert compare_scenes(pour, longer).frames == compare_scenes(longer, pour).frames == ((40, 50),)
    other = pour.model_copy(update={"rate": F(5)})
    assert compare_scenes(pour, other).frames == ((0, 40),)


def test_a_removed_thing_is_forgotten_everywhere(pour: Scene) -> None:
    without = apply(pour, Remove(thing="glass"))
    assert without.steps[1].objects == ()
    assert without.shots[1].on is None
    assert apply(pour, Remove(thing="cook")).lines[0].speaker is None
    assert apply(pour, Remove(thing="jug")).steps[0].changes == ()


def test_paint_holds_against_later_recolouring(pour: Scene) -> None:
    scene = apply(pour, Direct(thing="jug", changes=(Recolour(thing="jug", at_s=1, to="black"),)))
    painted = apply(scene, Paint(thing="jug", colour="pink"))
    assert Animation(painted).state("jug", F(2)).colour == "pink"


def test_shift_moves_all_of_the_way(pour: Scene) -> None:
    shifted = Animation(apply(pour, Shift(thing="jug", x=100, y=-10)))
    for at_s in (F(0), F(3, 2), F(3)):
        old, new = Animation(pour).place("jug", at_s), shifted.place("jug", at_s)
        assert (new[0] - old[0], new[1] - old[1]) == (100, -10)


def test_what_cannot_be_done_is_said(pour: Scene) -> None:
    with pytest.raises(UnknownName, match="no thing 'jub'; did you mean 'jug'"):
        apply(pour, Paint(thing="jub", colour="red"))
    with pytest.raises(UnknownName, match="no place 'moon'"):
        apply(pour, Dress(place="moon"))
    with pytest.raises(BadInput, match="scene 'pour': cannot be edited so: thing 'jug' is no kind 'frog'"):
        apply(pour, Replace(thing="jug", kind="frog"))
    with pytest.raises(BadInput, match="has no text 'never'"):
        apply(pour, Rewrite(old="never", new="ever"))
    with pytest.raises(BadInput, match="there are two things 'jug'"):
        apply(pour, Add(thing=pour.thing("jug")))


def test_twice_as_fast_is_half_as_long(pour: Scene) -> None:
    fast = apply(pour, Speed(factor=2))
    assert fast.length_s == 2
    assert Animation(fast).place("jug", F(3, 4)) == Animation(pour).place("jug", F(3, 2))


def test_what_flies_keeps_its_curve_when_it_is_slower() -> None:
    ball = Thing(id="ball", kind="ball", x=100, y=100, width=80, body=Body(speed_x=300, speed_y=-200))
    scene = Scene(name="a", title="A", length_s=2, things=(ball,))
    slow = retime(scene, F(2))
    for at_s in (F(1, 4), F(1, 2), F(3, 4)):
        for one, other in zip(
            Animation(scene).place("ball", at_s), Animation(slow).place("ball", 2 * at_s), strict=True
        ):
            assert abs(one - other) < F(1, 10)


def test_renaming_swaps_colours_in_pixels_and_words() -> None:
    cup = Thing(id="cup", kind="circle", colour="red", x=800, y=450, text="")
    scene = Scene(
        name="a", title="A Red cup", length_s=1, things=(cup,), changes=(Recolour(thing="cup", at_s=0, to="blue"),)
    )
    other = rename(scene, colours={"red": "blue", "blue": "red"}, words={"cup": "mug"}, seed=5)
    assert (other.things[0].colour, other.title, other.seed) == ("blue", "A Blue mug", 5)
    shown = scene_graph(other, 0).thing("cup")
    assert shown is not None
    assert shown.colour == "red"
    assert rename(other, colours={"red": "blue", "blue": "red"}, words={"mug": "cup"}, seed=0) == scene


def test_renaming_keeps_parts_of_words_and_refuses_other_colours(pour: Scene) -> None:
    scene = pour.model_copy(update={"title": "Tired of RED"})
    assert rename(scene, colours={"red": "green"}).title == "Tired of GREEN"
    assert rename(scene) == scene
    with pytest.raises(BadInput, match="colour 'mauve': is not on the palette"):
        rename(scene, colours={"red": "mauve"})
