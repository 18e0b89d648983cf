from fractions import Fraction as F

import pytest

from cutscore.stage.camera import CameraView, timed_shots, view_at
from cutscore.stage.scene import Scene
from cutscore.stage.setting import CameraMove, Shot
from cutscore.stage.states import Animation
from cutscore.stage.things import Move, Thing


def look(*shots: Shot, at_s: F = F(0), size: tuple[int, int] = (1600, 900)) -> CameraView:
    things = (Thing(id="corner", kind="cup", x=10, y=890), Thing(id="cup", kind="cup", x=800, y=500))
    walk = Move(thing="cup", at_s=0, for_s=2, x=1000, y=500, ease="steady")
    scene = Scene(
        name="a", title="A", length_s=4, things=things, changes=(walk,), shots=shots, width=size[0], height=size[1]
    )
    return view_at(Animation(scene), at_s)


def test_a_wide_shot_shows_the_whole_stage() -> None:
    assert look(Shot()) == CameraView("stage", F(800), F(450), F(1))
    assert look(Shot(), size=(800, 800)).scale == F(1, 2)


@pytest.mark.parametrize(("size", "scale"), [("medium", F(8, 5)), ("close", F(5, 2))])
def test_a_nearer_shot_is_centred_on_its_thing(size: str, scale: F) -> None:
    assert look(Shot.model_validate({"size": size, "on": "cup"})) == CameraView("stage", F(800), F(500), scale)


def test_the_camera_never_looks_past_the_edge() -> None:
    view = look(Shot(size="close", on="corner"))
    assert (view.x, view.y) == (320, 900 - 180)


def test_it_stays_unless_it_follows() -> None:
    assert look(Shot(size="close", on="cup"), at_s=F(1)).x == 800
    assert look(Shot(size="close", on="cup", follow=True), at_s=F(1)).x == 900


def test_it_moves_gently_and_arrives_exactly() -> None:
    shot = Shot(size="medium", to=CameraMove(at_s=1, for_s=2, x=200, y=-100, zoom="5/4"))
    start, middle, end = (look(shot, at_s=F(at_s)) for at_s in (1, 2, 3))
    assert (start.x, start.y, start.scale) == (800, 450, F(8, 5))
    assert (middle.x, middle.y, middle.scale) == (900, 400, F(9, 5))
    assert (end.x, end.y, end.scale) == (1000, 350, 2)
    assert look(shot, at_s=F(4)) == end


def test_shots_follow_each_other() -> None:
    scene = Scene(name="a", title="A", length_s=3, shots=(Shot(), Shot(start_s=1), Shot(start_s="5/2")))
    assert [(take.number, take.span.start_s, take.span.end_s) for take in timed_shots(scene)] == [
        (1, 0, 1),
        (2, 1, F(5, 2)),
        (3, F(5, 2), 3),
    ]
