"""What filters without knowledge reach: a sharpener some of a blur, a low-pass some of a hiss, and none of golden."""

from fractions import Fraction

import numpy as np
import pytest

from cutscore.benchmarks.repair.edits.effects import add_blur, add_hiss
from cutscore.benchmarks.repair.planting.blind_repairs import reach_blindly
from cutscore.benchmarks.repair.verify.placement import Measure
from cutscore.core.timeline import Span
from cutscore.media.footage import Footage
from cutscore.media.sound import Sound

pytestmark = pytest.mark.real

WINDOW = Span(start_s=1, end_s=2)


@pytest.fixture(scope="module")
def clip() -> Footage:
    """Three seconds of drifting squares at four pictures a second, and a low tone."""
    texture = np.kron(np.random.default_rng(1).integers(0, 256, (9, 40, 3)), np.ones((4, 4, 1))).astype(np.uint8)
    pictures = [np.ascontiguousarray(np.roll(texture, 3 * number, axis=1)[:, :64]) for number in range(12)]
    tone = (0.3 * np.sin(np.arange(48_000) * 0.06)).astype(np.float32)
    return Footage(lambda: iter(pictures), 12, Fraction(4), Sound(tone, 16_000), "clip")


def test_sharpening_everything_reaches_some_of_a_blur(clip: Footage) -> None:
    broken = add_blur(clip, WINDOW, sigma=1.8)
    measures = [Measure(name="psnr", broken=20, golden=40), Measure(name="ssim", broken=0.5, golden=1)]
    assert 0.02 < reach_blindly(broken, clip, WINDOW, "blur", measures) < 0.6


def test_muffling_everything_reaches_some_of_a_hiss(clip: Footage) -> None:
    broken = add_hiss(clip, WINDOW, snr_db=3, seed=1)
    measures = [Measure(name="si_sdr", broken=3, golden=20)]
    assert 0.1 < reach_blindly(broken, clip, WINDOW, "noise", measures) <= 1.02
    assert reach_blindly(broken, clip, WINDOW, "noise", [Measure(name="si_sdr", broken=60, golden=80)]) == 0
