import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from cutscore.core.errors import BrokenData
from cutscore.stage.scene import Scene, load_scene
from cutscore.stage.things import Thing, exact


def test_json_and_back_is_the_same_scene(pour: Scene) -> None:
    again = load_scene(pour.model_dump_json())
    assert again == pour
    assert again.item_id == pour.item_id


def test_times_stay_exact() -> None:
    scene = Scene(name="a", title="A", length_s="1001/300", rate="30000/1001")
    assert load_scene(scene.model_dump_json()).rate == Fraction(30000, 1001)
    assert scene.frames == 100


def test_the_item_id_follows_what_is_shown(pour: Scene) -> None:
    assert pour.model_copy(update={"seed": 1}).item_id != pour.item_id
    assert pour.model_copy(update={"voice": "espeak-ng"}).item_id != pour.item_id
    assert pour.item_id.startswith("pour-")


@settings(max_examples=40)
@given(st.fractions(min_value=-(10**6), max_value=10**6, max_denominator=10**9))
def test_numbers_are_read_as_they_were_written(number: Fraction) -> None:
    assert exact(str(number)) == number


@pytest.mark.parametrize("bad", ["1/0", "ten", True, None, 1e9, float("nan"), "1e999999"])
def test_what_is_no_number_is_refused(bad: object) -> None:
    with pytest.raises(ValueError, match=r"not a number|too large"):
        exact(bad)


def changed(scene: Scene, **fields: Any) -> dict[str, Any]:
    return {**scene.model_dump(mode="json"), **fields}


A_THING = {"id": "cup", "kind": "cup", "x": 0, "y": 0}

ALONE = {"steps": [], "shots": [{}], "lines": []}

FAULTS = [
    ({"rain": "heavy"}, "rain: Extra inputs are not permitted"),
    ({"things": [A_THING, A_THING]}, "there are two things 'cup'"),
    ({"things": [{**A_THING, "kind": "cupp"}]}, "thing 'cup' is no kind 'cupp'; did you mean 'cup'?"),
    ({"things": [{**A_THING, "colour": "mauve"}]}, "things.0.colour"),
    ({"things": [{**A_THING, "place": "moon"}]}, "thing 'cup' is in no place 'moon'; known: stage"),
    ({"things": [{**A_THING, "fill": 2}]}, "things.0.fill"),
    ({"changes": [{"what": "explode", "thing": "jug", "at_s": 0}]}, "changes.0"),
    ({"changes": [{"what": "turn", "thing": "jag", "at_s": 0, "to": 0}]}, "no thing 'jag'; did you mean 'jug'?"),
    (
        {"changes": [{"what": "turn", "thing": "jug", "at_s": "9/4", "to": 0}]},
        "'jug' is told to turn at 2.25 s, before",
    ),
    ({"changes": [{"what": "become", "thing": "jug", "at_s": 0, "to": "frog"}]}, "'jug' becomes no kind 'frog'"),
    ({"changes": [{"what": "join", "thing": "cook", "at_s": 3, "to": "jug"}]}, "'cook' joins 'jug', which goes with"),
    ({"changes": [{"what": "fill", "thing": "jug", "at_s": 3, "for_s": 2, "to": 0}]}, "is at 5 s, the scene lasts 4 s"),
    (
        {**ALONE, "things": [{**A_THING, "kind": "star", "fill": "1/2"}]},
        "the fill of 'cup' cannot be seen: it is a star",
    ),
    ({**ALONE, "things": [{**A_THING, "text": "tea"}]}, "the text of 'cup' cannot be seen: it is a cup"),
    ({"changes": [{"what": "feel", "thing": "jug", "at_s": 0, "to": "sad"}]}, "the mood of 'jug' cannot be seen"),
    ({"changes": [{"what": "count", "thing": "glass", "at_s": 0, "to": 2}]}, "the count of 'glass' cannot be seen"),
    ({"shots": [{"start_s": 1}]}, "the first shot begins after 0 s"),
    ({"shots": [{}, {"start_s": 0}]}, "shot 1 begins at 0 s and ends at 0 s"),
    ({"shots": [{"follow": True}]}, "shot 1 follows nothing"),
    ({"shots": [{"on": "cupboard"}]}, "shot 1 is on no thing 'cupboard'"),
    ({"shots": [{"to": {"at_s": 3, "for_s": 2}}]}, "shot 1: the camera moves outside"),
    ({"places": [{"backdrop": "kitchen", "weather": "rain"}]}, "rain is not seen indoors"),
    ({"captions": [{"start_s": 2, "end_s": 1, "text": "no"}]}, "caption 'no' ends before it begins"),
    ({"captions": [{"start_s": 0, "end_s": 1, "text": " "}]}, "captions.0.text"),
    ({"lines": [{"start_s": 0, "text": "語"}]}, "lines.0.text: the letter '語' (U+8A9E) cannot be shown"),
    ({"things": [{**A_THING, "text": "a\nb"}]}, "things.0.text"),
    ({"style": ["sepia", "sepia"]}, "there are two filters 'sepia'"),
    ({"width": 321}, "width: Input should be a multiple of 2"),
]


@pytest.mark.parametrize(("fields", "words"), FAULTS)
def test_what_is_wrong_is_named(pour: Scene, fields: dict[str, Any], words: str) -> None:
    with pytest.raises(BrokenData) as caught:
        load_scene(json.dumps(changed(pour, **fields)), what="scene 'x.json'")
    assert words in str(caught.value)
    assert str(caught.value).startswith("scene 'x.json': ")


def test_steps_need_earlier_steps(pour: Scene) -> None:
    steps = pour.model_dump(mode="json")["steps"]
    with pytest.raises(ValidationError, match="step 'take' needs no earlier step 'pour'"):
        Scene.model_validate(changed(pour, steps=[{**steps[0], "because": ["pour"]}, steps[1]]))
    with pytest.raises(ValidationError, match="its change of 'jug' lies outside"):
        Scene.model_validate(changed(pour, steps=[{**steps[0], "end_s": "3/2"}]))


def test_steps_stand_in_order_of_time(pour: Scene) -> None:
    steps = pour.model_dump(mode="json")["steps"]
    with pytest.raises(ValidationError, match="step 'take' stands after 'pour' and begins before it"):
        Scene.model_validate(changed(pour, steps=[{**steps[1], "because": []}, steps[0]]))


def test_forces_and_moves_exclude_each_other() -> None:
    ball = {"id": "ball", "kind": "ball", "x": 0, "y": 0, "body": {}}
    move = {"what": "move", "thing": "ball", "at_s": 0, "x": 1, "y": 1}
    with pytest.raises(ValidationError, match="'ball' has a body, so forces move it"):
        Scene.model_validate({"name": "a", "title": "A", "length_s": 1, "things": [ball], "changes": [move]})


def test_text_that_is_not_json_is_refused() -> None:
    with pytest.raises(BrokenData, match="is not JSON from character 1 on"):
        load_scene("scene")


def test_things_are_frozen() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Thing(id="a", kind="cup", x=0, y=0).x = Fraction(1)  # type: ignore[misc]


def test_the_scene_of_the_guide_is_a_scene(repository: Path) -> None:
    page = (repository / "docs" / "stage.md").read_text(encoding="utf-8")
    text = page.partition("<!-- file: ball.json -->\n```json\n")[2].partition("```")[0]
    scene = load_scene(text)
    assert (scene.title, [thing.id for thing in scene.things]) == ("A ball falls", ["dog", "ball"])
