"""Words of the stage."""

from random import Random

import pytest

from cutscore.benchmarks.repair.planting.voices import draw_false_sentence, speak_fillers
from cutscore.stage import library


def test_words_of_the_stage_are_tones_and_its_lies_are_seen_to_be_lies() -> None:
    assert [float(sound.length_s) for sound in speak_fillers("tones")] == pytest.approx([0.256, 0.256, 0.284])
    scene = library.scene("race", seed=1)
    colours = {thing.kind.replace("-", " "): thing.colour for thing in scene.things}
    for seed in range(20):
        kind, _, colour = (
            draw_false_sentence(scene, Random(seed)).removeprefix("The ").removesuffix(".").partition(" is ")
        )
        assert kind in colours
        assert colour not in {thing.colour for thing in scene.things if thing.kind.replace("-", " ") == kind}
