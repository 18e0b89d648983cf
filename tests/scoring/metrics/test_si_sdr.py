from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.errors import BadInput
from cutscore.media.sound import Sound
from cutscore.scoring.metrics.si_sdr import aligned_si_sdr_db, sdr_db, si_sdr_db


def sounds(seed: int = 1, samples: int = 16_000) -> tuple[np.ndarray, np.ndarray]:
    """A sound and noise that is exactly orthogonal to it, both without mean and of power 1."""
    rng = np.random.default_rng(seed)
    clean, noise = rng.standard_normal((2, samples))
    clean -= clean.mean()
    noise -= noise.mean()
    noise -= np.dot(noise, clean) / np.dot(clean, clean) * clean
    return clean / np.std(clean), noise / np.std(noise)


@given(st.floats(-30, 60), st.floats(0.01, 100), st.floats(-1, 1))
def test_noise_that_is_orthogonal_gives_its_own_level(snr_db: float, gain: float, mean: float) -> None:
    clean, noise = sounds()
    assert si_sdr_db(clean, gain * (clean + noise * 10 ** (-snr_db / 20)) + mean) == pytest.approx(snr_db, abs=1e-6)


def test_it_agrees_with_least_squares() -> None:
    """Fitting the reference to the sound by `lstsq` leaves the same residue."""
    rng = np.random.default_rng(4)
    clean, other = rng.standard_normal((2, 5000))
    other += 0.4 * clean
    columns = np.stack([clean, np.ones(5000)], axis=1)
    (gain, _), residue, *_ = np.linalg.lstsq(columns, other, rcond=None)
    expected = 10 * np.log10(gain**2 * np.var(clean) * 5000 / residue[0])
    assert si_sdr_db(clean, other) == pytest.approx(expected, abs=1e-9)


def test_the_ends_of_the_scale() -> None:
    clean, _ = sounds()
    assert si_sdr_db(clean, clean) > 150
    assert si_sdr_db(clean, np.zeros_like(clean)) == -inf
    with pytest.raises(BadInput, match="SI-SDR: the reference is silent"):
        si_sdr_db(np.zeros(9), np.ones(9))
    with pytest.raises(BadInput, match=r"sounds have shapes \(9,\) and \(8,\)"):
        si_sdr_db(np.ones(9), np.ones(8))


def test_a_shift_ruins_it_and_alignment_saves_it() -> None:
    clean, noise = sounds()
    late = np.concatenate([np.zeros(800), clean]) + 0.1 * np.resize(noise, 16_800)  # 50 ms at 16 kHz, 20 dB
    scaled = (clean / 10).astype(np.float32), (late / 10).astype(np.float32)
    assert si_sdr_db(scaled[0], scaled[1][:16_000]) < -20
    assert aligned_si_sdr_db(*(Sound(samples, 16_000) for samples in scaled)) == pytest.approx(20, abs=0.3)


@given(st.floats(-30, 60), st.floats(0.1, 10))
def test_the_plain_ratio_minds_the_gain(snr_db: float, gain: float) -> None:
    clean, noise = sounds()
    other = gain * clean + noise * 10 ** (-snr_db / 20)
    sums = (float(clean @ clean), float(other @ other), float(clean @ other))
    expected = 10 * np.log10(np.sum(clean**2) / np.sum((other - clean) ** 2))
    assert sdr_db(*sums) == pytest.approx(expected, abs=1e-4)


def test_the_ends_of_the_plain_ratio() -> None:
    assert sdr_db(9.0, 9.0, 9.0) == inf
    assert sdr_db(9.0, 0.0, 0.0) == 0  # silence differs by all that there was
    with pytest.raises(BadInput, match="SDR: the reference is silent"):
        sdr_db(0.0, 1.0, 0.0)
