from fractions import Fraction as F

from cutscore.stage.scene import RENDERER, Scene
from cutscore.stage.setting import CameraMove, SceneLine, Shot
from cutscore.stage.things import Body, Feel, Fill, Recolour, Thing, Write
from cutscore.stage.timeline import Event, Truth, timeline, truth


def of(scene: Scene, kind: str) -> list[Event]:
    return [event for event in timeline(scene) if event.kind == kind]


def test_truth_names_the_item_and_goes_through_json(pour: Scene) -> None:
    told = truth(pour)
    assert (told.item, told.renderer, told.speaker) == (pour.item_id, RENDERER, "tones, one a word")
    assert Truth.model_validate_json(told.model_dump_json()) == told


def test_events_are_in_order_of_time(pour: Scene) -> None:
    starts = [event.start_s for event in timeline(pour)]
    assert starts == sorted(starts)


def test_shots_cuts_and_camera(pour: Scene) -> None:
    assert [(e.start_s, e.end_s, e.what) for e in of(pour, "shot")] == [(0, 2, "wide"), (2, 4, "medium")]
    assert [e.start_s for e in of(pour, "cut")] == [2]
    assert [(e.start_s, e.end_s, e.what) for e in of(pour, "camera")][-1] == (3, 4, "zoom-in")


def test_a_pan_that_the_edge_forbids_is_no_pan() -> None:
    shots = (
        Shot(to=CameraMove(at_s=0, for_s=1, x=300)),
        Shot(start_s=1, size="close", to=CameraMove(at_s=1, for_s=1, x=300, y=-100)),
    )
    scene = Scene(name="a", title="A", length_s=2, shots=shots)
    assert [(e.what, e.start_s) for e in of(scene, "camera")] == [("pan-right", 1), ("tilt-up", 1)]


def test_steps_say_who_with_what_and_why(pour: Scene) -> None:
    take, fill = of(pour, "step")
    assert (take.what, take.who, take.text) == ("take", ("cook", "jug"), "Take the jug")
    assert (fill.before, fill.after, fill.who) == ("take", "the glass is empty", ("cook", "jug", "glass"))


def test_changes_say_what_was_and_what_is(pour: Scene) -> None:
    found = {(e.what, e.who[0]): (e.before, e.after, e.step) for e in of(pour, "change")}
    assert found["fill", "glass"] == ("0", "4/5", "pour")
    assert found["move", "jug"] == ("700,620", "800,500", "take")
    assert found["held", "jug"] == ("", "cook", "take")


def test_a_change_at_an_instant_says_what_was_before() -> None:
    things = (
        Thing(id="bottle", kind="bottle", colour="red", x=1, y=1, text="tea"),
        Thing(id="cat", kind="cat", x=500, y=1),
    )
    changes = (
        Recolour(thing="bottle", at_s=1, to="blue"),
        Write(thing="bottle", at_s=1, to="milk"),
        Feel(thing="cat", at_s=1, to="sad"),
        Fill(thing="bottle", at_s=1, to=1),
    )
    scene = Scene(name="a", title="A", length_s=2, things=things, changes=changes)
    found = {e.what: (e.before, e.after) for e in of(scene, "change")}
    assert found == {
        "recolour": ("red", "blue"),
        "write": ("tea", "milk"),
        "feel": ("calm", "sad"),
        "fill": ("0", "1"),
    }


def test_hits_are_told_and_heard() -> None:
    ball = Thing(id="ball", kind="ball", x=800, y=100, width=100, body=Body())
    scene = Scene(name="a", title="A", length_s=1, things=(ball,))
    (hit,) = of(scene, "hit")
    assert (hit.what, hit.who, hit.text) == ("bounces", ("ball",), "the floor")
    (knock,) = of(scene, "sound")
    assert (knock.what, knock.start_s) == ("knock", hit.start_s)


def test_words_lie_inside_their_line(pour: Scene) -> None:
    (line,) = of(pour, "line")
    words = of(pour, "word")
    assert [word.text for word in words] == ["Now", "fill", "the", "glass"]
    assert (line.start_s, line.end_s, line.who) == (0, words[-1].end_s, ("cook",))
    assert all(F(0) < word.end_s - word.start_s < 1 and word.exact for word in words)


def test_what_comes_after_the_end_is_not_said() -> None:
    scene = Scene(name="a", title="A", length_s=1, lines=(SceneLine(start_s="1/2", text="one two three four"),))
    words = of(scene, "word")
    assert [word.text for word in words] == ["one", "two"]
    assert words[-1].end_s == 1
    assert of(scene, "line")[0].text == "one two"
