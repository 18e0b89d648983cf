"""Is what a scene is said to show really there, plainly, and to whoever sees eight frames?"""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from cutscore.benchmarks.vidwork.procedures.procedure import Sight
from cutscore.benchmarks.vidwork.procedures.scene_sights import find_sights
from cutscore.stage import library
from cutscore.stage.palette import RGB
from cutscore.stage.renaming import rename
from cutscore.stage.render import frame
from cutscore.stage.scene import Scene
from cutscore.stage.states import Animation
from cutscore.stage.things import Join, Thing

SMALL = {"width": 320, "height": 180, "rate": Fraction(5), "captions": ()}


def small(name: str, seed: int = 1) -> Scene:
    return library.scene(name, seed=seed).model_copy(update=SMALL)


@cache
def asked(scene: Scene) -> dict[str, Sight]:
    return {sight.question: sight for sight in find_sights(scene)}


def test_the_chair_is_asked_before_and_after_it_is_painted() -> None:
    scene = small("chair")
    found = asked(scene)
    chair = scene.thing("chair")
    before = found["What colour is the chair at the beginning?"]
    assert before.key_terms == (chair.colour,)
    assert before.answer == f"The chair is {chair.colour} at the beginning."
    assert before.end_s <= scene.steps[0].end_s  # it is sanded then
    # An independent look: the painted pixels where the chair stands.
    pixels = frame(scene, int(before.start_s * scene.rate)).reshape(-1, 3).astype(int)
    near = (np.abs(pixels - RGB[chair.colour]).max(axis=1) < 25).sum()
    assert near > 40


@pytest.mark.parametrize("name", ["pancakes", "lamp", "salad"])
def test_every_answer_is_what_the_things_are_like_then(name: str) -> None:
    scene = small(name)
    performance, kinds = Animation(scene), {thing.kind: thing for thing in scene.things}
    for sight in asked(scene).values():
        middle = (sight.start_s + sight.end_s) / 2
        words = sight.question.rstrip("?").split()
        if words[0] == "How":
            kind = words[2]
            assert sight.key_terms == (str(performance.state(kinds[kind].id, middle).count),)
        elif words[:2] == ["What", "colour"]:
            thing = _thing(sight.question, kinds)
            state = performance.state(thing.id, middle)
            assert sight.key_terms == (state.filling if "contents" in words else state.colour,)
        elif words[0] == "On":
            other, one = sight.question.split(" of the ")[1].split(" at the beginning")[0].split(" is the ")
            places = [performance.state(kinds[each.replace(" ", "-")].id, sight.start_s).x for each in (one, other)]
            assert sight.key_terms == ("left" if places[0] < places[1] else "right",)
        else:
            assert sight.key_terms == (_thing(sight.question, kinds).text,)


def _thing(question: str, kinds: dict[str, Thing]) -> Thing:
    return next(thing for kind, thing in kinds.items() if f"{kind.replace('-', ' ')}" in question)


@pytest.mark.parametrize("name", ["pancakes", "lamp"])
def test_whoever_gets_eight_frames_sees_it(name: str) -> None:
    scene = small(name)
    frames_s = [scene.length_s * (2 * part + 1) / 16 for part in range(8)]
    found = asked(scene).values()
    assert len(found) >= 3
    for sight in found:
        assert any(sight.start_s <= at_s <= sight.end_s for at_s in frames_s), sight


def test_other_colours_give_other_answers() -> None:
    scene, question = small("pancakes"), "What colour is the jug?"
    assert asked(scene)[question].key_terms == ("blue",)
    assert asked(rename(scene, colours={"blue": "red", "red": "blue"}))[question].key_terms == ("red",)
    # People disagree about the name of this one.
    assert question not in asked(rename(scene, colours={"blue": "cyan"}))


def test_what_is_gone_at_the_end_is_not_asked_about_then() -> None:
    found = asked(small("pancakes"))
    assert "How many eggs are to be seen at the beginning?" in found
    assert not [question for question in found if "eggs" in question and "at the end" in question]
    assert "What colour are the contents of the bowl at the end?" not in found  # it has been poured out


def test_two_of_a_kind_are_not_asked_about() -> None:
    assert not [question for question in asked(small("lamp")) if "bulb" in question]


def test_food_gives_its_colour_away() -> None:
    assert "What colour is the tomato?" not in asked(small("salad"))


def test_what_is_hidden_or_off_the_picture_is_not_asked_about() -> None:
    scene, question = small("lamp"), "What colour is the battery?"
    assert question in asked(scene)
    battery = scene.thing("battery")
    covers = {"kind": "crate", "width": 400, "height": 400, "layer": 90}
    # It follows the battery everywhere, half of it uncovered.
    cover = Thing(id="cover", colour="brown", x=battery.x + 205, y=battery.y, **covers)
    follows = Join(thing="cover", at_s=Fraction(0), to="battery", link="on")
    hidden = scene.model_copy(update={"things": (*scene.things, cover), "changes": (*scene.changes, follows)})
    assert question not in asked(hidden)
    close = scene.model_copy(update={"shots": (scene.shots[0].model_copy(update={"size": "close", "on": "crate"}),)})
    assert question not in asked(close)
