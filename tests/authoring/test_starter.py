"""Scenes as clips in a store."""

from fractions import Fraction
from pathlib import Path

import numpy as np

from cutscore.authoring.starter import put_scene, put_scene_part
from cutscore.core.timeline import Span
from cutscore.media.audio import read_sound
from cutscore.media.probe import probe
from cutscore.stage import library
from cutscore.stage.sound import sound
from cutscore.store import Store

SCENE = library.scene("lost-kite", length_s=7).model_copy(update={"width": 64, "height": 36, "rate": Fraction(4)})


def test_a_scene_is_put_without_its_sound(tmp_path: Path) -> None:
    store = Store(tmp_path)
    ref = put_scene(store, "scene.mp4", SCENE)
    facts = probe(store.path(ref))
    assert (ref.name, ref.media_type) == ("scene.mp4", "video/mp4")
    assert (facts.frames, facts.sound) == (28, None)


def test_a_part_of_a_scene_has_its_frames_and_its_sound(tmp_path: Path) -> None:
    store = Store(tmp_path)
    clip = store.path(put_scene_part(store, "part.mp4", SCENE, 8, 16))
    facts = probe(clip)
    assert (facts.frames, facts.duration_s) == (8, Fraction(2))
    heard = read_sound(clip, rate_hz=48_000, channels="mono")
    wanted = sound(SCENE).part(Span(start_s=2, end_s=4))
    assert np.corrcoef(heard.samples[: len(wanted.samples)], wanted.samples)[0, 1] > 0.95
