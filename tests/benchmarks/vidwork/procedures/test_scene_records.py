"""Is the record of a staged procedure true of its scene, and told with gaps?"""

from fractions import Fraction
from itertools import pairwise

import pytest

from cutscore.benchmarks.vidwork.procedures.scene_records import (
    DOMAINS,
    narrate_with_gaps,
    record_scene,
    scene_needs,
    transcribe_scene,
)
from cutscore.benchmarks.vidwork.words import content_words
from cutscore.core.errors import BadInput
from cutscore.stage import library
from cutscore.stage.retiming import retime
from cutscore.stage.scene import Scene
from cutscore.stage.timeline import timeline

SMALL = {"width": 320, "height": 180, "rate": Fraction(5)}


def small(name: str, *, seed: int = 1, told: int = 0) -> Scene:
    return narrate_with_gaps(library.scene(name, seed=seed), seed=told).model_copy(update=SMALL)


@pytest.mark.parametrize("name", ["pancakes", "chair"])
def test_steps_are_those_of_the_timeline(name: str) -> None:
    scene = small(name)
    events = [event for event in timeline(scene) if event.kind == "step"]
    procedure = record_scene(scene)
    assert [(step.start_s, step.end_s, step.text, step.why) for step in procedure.steps] == [
        (event.start_s, event.end_s, event.text, event.after) for event in events
    ]
    assert procedure.domain in DOMAINS.values()


def test_a_step_has_the_words_of_its_text() -> None:
    pancakes = record_scene(small("pancakes"))
    assert [step.verb for step in pancakes.steps] == ["crack", "pour", "whisk", "turn", "pour", "bake"]
    salad = record_scene(small("salad"))
    assert {step.id: step.tool for step in salad.steps if step.tool} == {"cut-2": "knife"}  # and no bottle of oil
    assert {step.tool for step in record_scene(small("birdhouse")).steps} == {"", "hammer", "brush"}  # not "Saw"


@pytest.mark.parametrize(
    ("name", "needs"),
    [
        # Milk needs no eggs, the batter does; the pan is filled from the bowl, and bakes what was poured in.
        ("pancakes", {"whisk-3": ("crack-1",), "fill-5": ("crack-1", "pour-2", "whisk-3"), "bake-6": ("fill-5",)}),
        ("salad", {"cut-2": ("place-1",), "add-3": ("cut-2",)}),
        # Boards are sawn before they are nailed; the roof does not need the door; a brush paints when it was dipped.
        (
            "birdhouse",
            {
                "nail-2": ("saw-1",),
                "roof-3": ("nail-2",),
                "drill-4": ("nail-2",),
                "paint-6": ("nail-2", "dip-5"),
            },
        ),
        # Only what was painted last can dry.
        ("chair", {"wipe-2": ("sand-1",), "paint-4": ("dip-3",), "dry-5": ("paint-4",)}),
        ("birthday-cake", {"spread-2": ("dip-1",), "light-4": ("stick-3",)}),
        ("toast", {"lay-2": ("cut-1",), "melt-5": ("top-3", "bake-4")}),
        ("lamp", {"switch-5": ("connect-4",)}),
        # An arm is held under a tap that runs; what was never opened cannot be closed.
        ("cool-burn", {"cool-3": ("run-2",), "stop-4": ("run-2",)}),
        # One can aim what is locked, but not spray.
        ("small-fire", {"spray-4": ("unlock-2",), "watch-5": ("spray-4",)}),
        ("treat-cut", {"stick-4": ("open-1",), "tidy-5": ("stick-4",), "close-6": ("open-1",)}),
    ],
)
def test_a_step_needs_what_made_its_things(name: str, needs: dict[str, tuple[str, ...]]) -> None:
    assert {step: before for step, before in scene_needs(small(name)).items() if before} == needs


@pytest.mark.parametrize("name", ["pancakes", "shelf", "toy-car", "salad"])
@pytest.mark.parametrize("told", [0, 1, 2, 3])
def test_a_third_of_the_steps_goes_untold(name: str, told: int) -> None:
    scene = small(name, told=told)
    lines = [line.text for line in scene.lines]
    untold = [step for step in scene.steps if not any(line.startswith(step.text) for line in lines)]
    explained = [step for step in scene.steps if any(line.lower().endswith(f"{step.why}.") for line in lines)]
    assert len(untold) == -(-len(scene.steps) // 3)
    places = [scene.steps.index(step) for step in untold]
    assert all(after - before > 1 for before, after in pairwise(places))
    assert explained
    assert lines[0] == f"{scene.title}."
    assert scene.captions == ()


def test_the_transcript_is_what_the_lines_say() -> None:
    scene = small("pancakes")
    heard = content_words(record_scene(scene).narration)
    assert heard == [word for line in scene.lines for word in content_words(line.text)]


def test_what_is_told_depends_on_the_seed_alone() -> None:
    assert small("pancakes") == small("pancakes")
    assert len({small("pancakes", told=told).lines for told in range(6)}) > 1
    assert record_scene(small("chair")) == record_scene(small("chair"))


def test_other_times_give_other_times() -> None:
    scene = small("chair")
    twice = record_scene(retime(scene, Fraction(2)))
    once = record_scene(scene)
    assert [step.start_s for step in twice.steps] == [2 * step.start_s for step in once.steps]
    assert [step.needs for step in twice.steps] == [step.needs for step in once.steps]


def test_a_story_is_no_procedure() -> None:
    story = library.scene(library.names("story")[0])
    with pytest.raises(BadInput, match="is no procedure; give one with a tag of kitchen, workshop, first-aid"):
        record_scene(story)


def test_the_transcript_holds_the_words_where_they_are_spoken() -> None:
    scene = small("pancakes")
    said = transcribe_scene(scene)
    assert (said.made_by, said.length_s) == ("tones, one a word", scene.frames / scene.rate)
    assert [line.start_s for line in said.segments] == [line.start_s for line in scene.lines]
    for line in said.segments:
        assert [word.text for word in line.words] == line.text.split()
        assert line.end_s == line.words[-1].end_s


def test_a_silent_scene_has_an_empty_transcript() -> None:
    said = transcribe_scene(small("pancakes").model_copy(update={"lines": ()}))
    assert (said.made_by, said.segments) == ("nobody speaks", ())
