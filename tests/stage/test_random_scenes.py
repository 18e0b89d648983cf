"""Scenes drawn at random: whatever is valid can be painted, heard and told, and comes back from JSON."""

from fractions import Fraction
from random import Random
from typing import Any, get_args

import numpy as np
import pytest

from cutscore.stage.figures import FIGURES, shows
from cutscore.stage.graph import SceneGraphBuilder
from cutscore.stage.palette import COLOURS
from cutscore.stage.render import FrameRenderer
from cutscore.stage.scene import Scene, load_scene
from cutscore.stage.setting import INDOORS, Backdrop, Filter, Light, Size, Weather
from cutscore.stage.sound import sound
from cutscore.stage.things import Material
from cutscore.stage.timeline import timeline

LENGTH = 2


def drawn(seed: int) -> Scene:
    draw = Random(seed)
    backdrop = draw.choice(get_args(Backdrop))
    weather = "clear" if backdrop in INDOORS else draw.choice(get_args(Weather))
    place = {"backdrop": backdrop, "light": draw.choice(get_args(Light)), "weather": weather}
    things = [_thing(draw, n) for n in range(draw.randint(1, 8))]
    changes = [change for thing in things if "body" not in thing for change in _changes(draw, thing["id"])]
    move = {"at_s": 1, "for_s": "1/2", "x": draw.randint(-500, 500), "y": draw.randint(-300, 300), "zoom": "3/2"}
    shots = [{"size": draw.choice(get_args(Size))}, {"start_s": 1, "size": "medium", "on": "t0", "to": move}]
    style = draw.sample(get_args(Filter), draw.randint(0, 2))
    rate = draw.choice([5, "24000/1001", 12])
    size = {"width": 2 * draw.randint(16, 60), "height": 2 * draw.randint(16, 60), "rate": rate}
    return Scene.model_validate(
        {"name": "drawn", "title": "Drawn", "seed": seed, "length_s": LENGTH, "places": [place], "things": things}
        | {"changes": changes, "shots": shots, "style": style, **size}
        | {"captions": [{"start_s": 0, "end_s": 1, "text": "Some words", "at": draw.choice(["top", "title"])}]}
    )


def _thing(draw: Random, n: int) -> dict[str, Any]:
    kind = draw.choice(sorted(FIGURES))
    thing: dict[str, Any] = {"id": f"t{n}", "kind": kind, "colour": draw.choice(COLOURS), "layer": draw.randint(-3, 3)}
    thing |= {"x": draw.randint(-200, 1800), "y": draw.randint(-200, 1100), "material": draw.choice(get_args(Material))}
    thing |= {"turn": draw.randint(-400, 400), "width": draw.randint(0, 600)}
    extras = {"fill": "7/10", "count": draw.randint(0, 9), "mood": "sad", "text": "Añ"}
    thing |= {name: value for name, value in extras.items() if name in shows(kind)}
    if draw.random() < 0.3:
        thing["body"] = {"speed_x": draw.randint(-900, 900), "from_s": draw.choice([0, 1])}
    return thing


def _changes(draw: Random, name: str) -> list[dict[str, Any]]:
    at_s = Fraction(draw.randint(0, 10), 10)
    move = {"what": "move", "x": draw.randint(0, 1600), "y": draw.randint(0, 900), "arc": draw.randint(-90, 90)}
    choices: list[dict[str, Any]] = [
        move,
        {"what": "turn", "to": draw.randint(-90, 90)},
        {"what": "grow", "to": "3/2"},
        {"what": "recolour", "to": draw.choice(COLOURS)},
        {"what": "vanish"},
    ]
    chosen = draw.sample(choices, draw.randint(0, 3))
    return [{**change, "thing": name, "at_s": str(at_s), "for_s": "1/2"} for change in chosen]


def check(seed: int) -> None:
    scene = drawn(seed)
    assert load_scene(scene.model_dump_json()) == scene
    assert timeline(scene)
    assert np.isfinite(sound(scene).samples).all()
    studio, witness = FrameRenderer(scene), SceneGraphBuilder(scene)
    for number in (0, scene.frames // 2, scene.frames - 1):
        assert studio.frame(number).shape == (scene.height, scene.width, 3)
        for thing in witness.graph(number).things:
            left, top, right, bottom = thing.box
            assert 0 <= left < right <= scene.width
            assert 0 <= top < bottom <= scene.height
            assert 0 < thing.visible <= thing.framed <= 1


@pytest.mark.parametrize("seed", range(8))
def test_a_scene_drawn_at_random_can_be_shown(seed: int) -> None:
    check(seed)


@pytest.mark.real
@pytest.mark.parametrize("seed", range(100, 160))
def test_many_scenes_drawn_at_random_can_be_shown(seed: int) -> None:
    check(seed)
