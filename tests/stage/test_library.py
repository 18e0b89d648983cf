from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from cutscore.core.errors import BadInput, UnknownName
from cutscore.stage import library
from cutscore.stage.graph import SceneGraphBuilder
from cutscore.stage.render import FrameRenderer
from cutscore.stage.scene import Scene, load_scene
from cutscore.stage.setting import Voice
from cutscore.stage.speech import available_voice, speak
from cutscore.stage.states import Animation
from cutscore.stage.timeline import timeline, truth

NAMES = library.names()


def small(name: str, *, seed: int = 0) -> Scene:
    return library.scene(name, seed=seed).model_copy(update={"width": 160, "height": 90, "rate": Fraction(5)})


def test_there_are_enough_scenes_of_every_sort() -> None:
    assert len(NAMES) >= 30
    for domain in ("kitchen", "workshop", "laboratory"):
        assert len(library.names("procedure", domain)) >= 5
    assert len(library.names("procedure", "first-aid")) >= 3
    for tag, count in (("story", 6), ("programme", 3), ("maze", 2), ("sorting", 3), ("collision", 4), ("pour", 3)):
        assert len(library.names(tag)) >= count


def check_sound(name: str) -> None:
    first, second = library.scene(name, seed=1), library.scene(name, seed=2)
    assert first == library.scene(name, seed=1)
    assert first.item_id != second.item_id
    assert load_scene(first.model_dump_json()) == first
    assert first.name == name
    assert first.tags
    assert truth(first).events


def check_alive(name: str) -> None:
    scene = small(name)
    studio, witness = FrameRenderer(scene), SceneGraphBuilder(scene)
    numbers = (0, scene.frames // 2, scene.frames - 1)
    assert all(witness.graph(number).things for number in numbers)
    pictures = [studio.frame(number) for number in numbers]
    assert not all(np.array_equal(one, other) for one, other in pairwise(pictures))


@pytest.mark.parametrize("name", NAMES[::7])
def test_a_scene_is_sound_and_alive(name: str) -> None:
    check_sound(name)
    check_alive(name)


@pytest.mark.real
@pytest.mark.parametrize("name", NAMES)
def test_every_scene_is_sound_and_alive_and_shows_its_colours(name: str) -> None:
    check_sound(name)
    check_alive(name)
    assert colours_found(name, 5) >= 3
    for length_s in (4, 300):
        assert library.scene(name, seed=4, length_s=length_s).length_s == length_s


# Glass shows what is behind it, a vessel of glass its filling, and the colour of an actor is that of the clothes.
PALE = {"glass", "beaker", "flask", "tube", "steam", "dust", "stream", "bottle", "pipette", "whisk", "tree"}


def colours_found(name: str, frames: int) -> int:
    """Check that what is well visible shows its colour inside its box; give how many things were looked at."""
    scene = library.scene(name, seed=5).model_copy(update={"width": 480, "height": 270})
    studio, witness, looked = FrameRenderer(scene), SceneGraphBuilder(scene), 0
    for n in range(frames):
        number = (2 * n + 1) * scene.frames // (2 * frames)
        pixels = studio.frame(number).astype(int)
        for thing in witness.graph(number).things:
            left, top, right, bottom = thing.box
            if thing.visible > 0.6 and thing.presence == 1 and thing.kind not in PALE and right - left > 8:
                near = (np.abs(pixels[top:bottom, left:right] - np.array(thing.rgb)) <= 44).all(axis=2)
                assert near.sum() >= 6, (name, number, thing.id, thing.rgb)
                looked += 1
    return looked


@pytest.mark.parametrize("name", ["pancakes", "lantern"])
def test_colours_are_found_in_their_boxes(name: str) -> None:
    assert colours_found(name, 2) >= 4


def test_procedures_have_steps_with_tools_and_causes() -> None:
    for name in library.names("procedure"):
        steps = library.scene(name, seed=3).steps
        assert len(steps) >= 3
        assert sum(step.tool is not None for step in steps) >= 2
        assert sum(bool(step.because) for step in steps) >= 2
        assert all(step.why and step.text for step in steps)


@pytest.mark.parametrize("length_s", [30, 300])
@pytest.mark.parametrize("name", ["crystals", "small-fire"])
def test_procedures_take_the_length_that_is_asked_for(name: str, length_s: int) -> None:
    scene = library.scene(name, length_s=length_s)
    assert scene.length_s == length_s
    # Nothing is in slow motion: a move takes two seconds and a half at most.
    moves = [event for event in timeline(scene) if event.what == "move"]
    assert max(event.end_s - event.start_s for event in moves) <= Fraction(5, 2)


def test_stories_are_cut_and_heard() -> None:
    for name in library.names("story"):
        kinds = [event.kind for event in timeline(library.scene(name, seed=3))]
        assert kinds.count("cut") >= 3
        assert kinds.count("sound") >= 3
        assert kinds.count("line") >= 3


def overlong(voice: Voice, names: Sequence[str]) -> list[str]:
    """Name lines that are not over when the next one begins, or when the scene ends."""
    found = []
    for name in names:
        scene = library.scene(name)
        lines = sorted(scene.lines, key=lambda line: line.start_s)
        for line, until_s in zip(lines, [*(other.start_s for other in lines[1:]), scene.length_s], strict=True):
            words = speak(line.text, voice).words
            if line.start_s + words[-1].end_s > until_s or not words[0].exact:
                found.append(f"{name}: {line.text}")
    return found


def test_nobody_is_interrupted() -> None:
    assert overlong("tones", NAMES[::3]) == []


@pytest.mark.real
@pytest.mark.skipif(available_voice() == "tones", reason="espeak-ng is not installed: 'apt-get install espeak-ng'")
def test_nobody_is_interrupted_when_it_is_spoken() -> None:
    assert overlong("espeak-ng", NAMES[::2]) == []


@pytest.mark.parametrize("seed", range(3))
def test_a_maze_is_walked_without_going_through_walls(seed: int) -> None:
    scene = library.scene("maze", seed=seed)
    acted = Animation(scene)
    walls = [thing for thing in scene.things if thing.kind == "wall"]
    for n in range(200):
        x, y = acted.place("walker", scene.length_s * n / 200)
        for wall in walls:
            assert abs(x - wall.x) > wall.width / 2 + 20 or abs(y - wall.y) > wall.height / 2 + 20
    assert acted.place("walker", scene.length_s) == acted.place("flag", Fraction(0))


@pytest.mark.parametrize("seed", range(3))
def test_sorted_things_end_in_the_bin_of_their_colour(seed: int) -> None:
    scene = library.scene("sort-colours", seed=seed)
    acted = Animation(scene)
    for thing in scene.things:
        if thing.id.startswith("piece-"):
            end, bin_at = acted.state(thing.id, scene.length_s), acted.state(f"bin-{thing.colour}", Fraction(0))
            assert end.x == bin_at.x


@pytest.mark.parametrize("seed", range(3))
def test_the_ball_stays_under_its_cup(seed: int) -> None:
    scene = library.scene("cups", seed=seed)
    acted = Animation(scene)
    (hidden,) = {change.to for change in scene.all_changes() if change.what == "join"}
    assert acted.place("ball", scene.length_s)[0] == acted.place(hidden, scene.length_s)[0]


def test_crossing_discs_meet_in_some_versions_and_not_in_others() -> None:
    met = {any(e.what == "collides" for e in timeline(library.scene("crossing", seed=seed))) for seed in range(8)}
    assert met == {True, False}


def test_one_disc_after_the_other_is_hit() -> None:
    hits = [e for e in timeline(library.scene("chain", seed=4)) if e.what == "collides"]
    assert [hit.who for hit in hits[:2]] == [("disc-1", "disc-2"), ("disc-2", "disc-3")]


def test_unknown_scenes_and_lengths_are_refused() -> None:
    with pytest.raises(UnknownName, match="no scene 'pancake'; did you mean 'pancakes'"):
        library.scene("pancake")
    with pytest.raises(BadInput, match="scene 'maze': cannot be told in 1 s; give at least 4"):
        library.scene("maze", length_s=1)
