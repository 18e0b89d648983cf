from fractions import Fraction as F
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.stage.palette import RGB
from cutscore.stage.scene import Scene
from cutscore.stage.states import EASES, Animation, State
from cutscore.stage.things import (
    Appear,
    Become,
    Count,
    Fill,
    Grow,
    Join,
    Move,
    Recolour,
    Release,
    Rotate,
    Thing,
    Vanish,
    Write,
)


def play(*changes: Any, **fields: Any) -> Animation:
    things = (Thing(id="cup", kind="cup", x=100, y=100, **fields), Thing(id="cook", kind="person", x=500, y=500))
    return Animation(Scene(name="a", title="A", length_s=10, things=things, changes=changes))


def cup(performance: Animation, at_s: Any) -> State:
    return performance.state("cup", F(at_s))


@settings(max_examples=30)
@given(st.sampled_from(sorted(EASES)), st.fractions(0, 1), st.fractions(0, 1))
def test_eases_go_from_0_to_1_and_never_back(name: Any, u: F, v: F) -> None:
    ease = EASES[name]
    assert (ease(F(0)), ease(F(1))) == (0, 1)
    assert ease(min(u, v)) <= ease(max(u, v))


def test_moves_follow_each_other_exactly() -> None:
    acted = play(
        Move(thing="cup", at_s=1, for_s=2, x=300, y=100, ease="steady"),
        Move(thing="cup", at_s=4, for_s=1, x=300, y=400, arc=80),
    )
    assert [cup(acted, t).x for t in (0, 1, "3/2", 2, 3, 9)] == [100, 100, 150, 200, 300, 300]
    assert cup(acted, "9/2").y == 100 + 150 - 80
    assert cup(acted, 5).y == 400


def test_a_held_thing_goes_with_its_holder_and_stays_where_it_is_left() -> None:
    acted = play(
        Join(thing="cup", at_s=1, to="cook"),
        Move(thing="cook", at_s=2, for_s=2, x=700, y=500, ease="steady"),
        Release(thing="cup", at_s=3),
        Move(thing="cup", at_s=5, for_s=1, x=0, y=0),
    )
    assert cup(acted, 1).joined == ("cook", "held")
    assert [cup(acted, t).x for t in (2, "5/2", 3, 4, 5, 6)] == [100, 150, 200, 200, 200, 0]
    assert cup(acted, 3).joined is None


def test_a_thing_may_move_in_a_moving_hand() -> None:
    acted = play(
        Join(thing="cup", at_s=0, to="cook"),
        Move(thing="cook", at_s=0, for_s=2, x=600, y=500, ease="steady"),
        Move(thing="cup", at_s=0, for_s=2, x=300, y=100, ease="steady"),
    )
    assert cup(acted, 1).x == 200 + 50
    assert cup(acted, 2).x == 300 + 100


def test_everything_else_that_can_change() -> None:
    acted = play(
        Rotate(thing="cup", at_s=0, for_s=2, to=90, ease="steady"),
        Grow(thing="cup", at_s=0, for_s=2, to=2, ease="steady"),
        Fill(thing="cup", at_s=0, for_s=2, to="4/5", ease="steady"),
        Count(thing="cup", at_s=0, for_s=2, to=4),
        Write(thing="cup", at_s=1, to="tea"),
        Become(thing="cup", at_s=4, to="eggs"),
        Become(thing="cup", at_s=5, to="beaker"),
    )
    early, late = cup(acted, 1), cup(acted, 6)
    assert (early.turn, early.width, early.fill, early.count, early.text) == (45, 124 * F(3, 2), F(2, 5), 1, "tea")
    assert (late.turn, late.fill, late.count, late.kind, late.width) == (90, F(4, 5), 4, "beaker", 240)


def test_a_colour_has_its_new_name_from_half_way_on() -> None:
    acted = play(Recolour(thing="cup", at_s=0, for_s=2, to="blue", ease="steady"), colour="red")
    assert [cup(acted, t).colour for t in (0, "9/10", 1, 2)] == ["red", "red", "blue", "blue"]
    assert cup(acted, 2).rgb == RGB["blue"]
    assert cup(acted, 1).rgb not in RGB.values()


def test_things_appear_and_vanish() -> None:
    acted = play(Appear(thing="cup", at_s=1, for_s=1), Vanish(thing="cup", at_s=3, for_s=1), seen=False)
    assert [cup(acted, t).presence for t in (0, 2, 4)] == [0, 256, 0]
    assert 0 < cup(acted, "3/2").presence < 256
    assert [state.thing.id for state in acted.states(F(0), "stage")] == ["cook"]


def test_nearer_layers_come_later() -> None:
    acted = play(layer=5)
    assert [state.thing.id for state in acted.states(F(0), "stage")] == ["cook", "cup"]
