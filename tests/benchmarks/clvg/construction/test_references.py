"""clvg: which pieces of a clip are good enough to be given as a reference."""

import numpy as np
import pytest

from cutscore.benchmarks.clvg.construction.references import (
    CONTEXTS,
    estimate_snr_db,
    plan_context,
    refuse_sound,
    refuse_still,
    style_drift,
)
from cutscore.benchmarks.clvg.taxonomy import read_taxonomy
from cutscore.media.orientation import Pixels
from cutscore.media.sound import Sound

RATE = 8000


def picture(seed: int = 0, tint: tuple[int, int, int] = (255, 255, 255)) -> Pixels:
    noise = np.random.default_rng(seed).integers(0, 256, (60, 80, 1))
    return (noise * np.array(tint) // 255).astype(np.uint8)


def tone(*, floor: float = 0.0, level: float = 0.3) -> Sound:
    """Half a second of tone, half a second of floor, twice."""
    time = np.arange(2 * RATE) / RATE
    loud = (time % 1 < 0.5) * np.sin(2 * np.pi * 220 * time) * level
    noise = np.random.default_rng(1).normal(0, 1, len(time)) * floor
    return Sound((loud + noise).astype(np.float32), RATE)


def test_every_subcategory_has_a_context() -> None:
    categories, known = read_taxonomy()
    assert all(plan_context(kind) for kind in known.values())
    assert {*CONTEXTS} <= {*known, *categories}
    assert plan_context(known["vocal_timbre"]) == (("source", "video"), ("voice", "sound"))


def test_a_sharp_picture_of_its_clip_will_do() -> None:
    assert refuse_still(picture(1), picture(2)) == ""


@pytest.mark.parametrize(
    ("shown", "clip", "why"),
    [
        (np.full((60, 80, 3), 128, np.uint8), picture(), "shows next to nothing"),
        (np.tile(np.linspace(0, 255, 80)[None, :, None], (60, 1, 3)).astype(np.uint8), picture(), "is blurred"),
        (picture(1, (255, 40, 40)), picture(1, (40, 40, 255)), "has other colours than its clip"),
    ],
)
def test_a_picture_that_leaves_open_what_is_meant_is_refused(shown: Pixels, clip: Pixels, why: str) -> None:
    assert refuse_still(shown, clip).startswith(why)


def test_drift_is_nothing_for_the_same_picture() -> None:
    assert style_drift(picture(), picture()) == pytest.approx(0, abs=1e-6)


def test_a_clear_voice_will_do_and_a_noisy_or_cut_one_will_not() -> None:
    assert refuse_sound(tone(floor=0.002)) == ""
    assert refuse_sound(tone(floor=0.2)).startswith("is noisy")
    cut = np.clip(tone(floor=0.002, level=3.0).samples, -1, 1).astype(np.float32)
    assert refuse_sound(Sound(cut, RATE)) == "is cut at its tops"
    assert refuse_sound(Sound(np.zeros(RATE, np.float32), RATE)) == "is silent for most of the time"
    assert estimate_snr_db(tone(floor=0.002)) > estimate_snr_db(tone(floor=0.05))
