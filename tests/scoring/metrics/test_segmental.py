"""Segmental SNR against an implementation that follows the definition word for word, and at the ends of its scale."""

import numpy as np
import pytest

from cutscore.core.errors import BadInput
from cutscore.scoring.metrics.segmental import HIGHEST_DB, LOWEST_DB, fw_seg_snr_db


def voice(seed: int = 1, samples: int = 12_000) -> np.ndarray:
    """Syllables of noise through a formant, with pauses of silence between them, at 16 kHz."""
    rng = np.random.default_rng(seed)
    noise = rng.standard_normal(samples)
    noise[1:] += 0.9 * noise[:-1]
    return noise * np.clip(np.sin(np.arange(samples) / 700), 0, None)


def by_the_book(clean: np.ndarray, heard: np.ndarray) -> float:
    """One frame and one band after the other, by the discrete Fourier transform's own sum."""
    time = np.arange(512)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * time / 511)
    turns = np.exp(-2j * np.pi * np.outer(np.arange(257), time) / 512)
    frames = []
    for start in range(0, len(clean) - 511, 256):
        spectra = [np.abs(turns @ (side[start : start + 512] * window)) for side in (clean, heard)]
        bands = []
        for band in range(19):
            middle_hz = 100 * 2 ** (band / 3)
            inside = [n for n in range(257) if middle_hz * 2 ** (-1 / 6) <= n * 31.25 < middle_hz * 2 ** (1 / 6)]
            inside = inside or [min(n for n in range(257) if n * 31.25 >= middle_hz * 2 ** (-1 / 6))]
            bands.append([np.sqrt(sum(side[n] ** 2 for n in inside)) for side in spectra])
        frames.append(bands)
    loudest = max(sum(x**2 for x, _ in bands) for bands in frames)
    ratios = []
    for bands in frames:
        if sum(x**2 for x, _ in bands) <= loudest / 10_000:
            continue
        weights = [x**0.2 for x, _ in bands]
        decibels = [np.clip(10 * np.log10(x**2 / (x - y) ** 2), -10, 35) for x, y in bands]
        ratios.append(np.dot(weights, decibels) / sum(weights))
    return float(np.mean(ratios))


@pytest.mark.parametrize(("gain", "noise"), [(1.0, 0.01), (1.0, 0.3), (0.5, 0.05), (1.7, 3.0)])
def test_it_is_what_the_definition_says(gain, noise):
    clean = voice()
    heard = gain * clean + noise * np.random.default_rng(2).standard_normal(len(clean))
    assert fw_seg_snr_db(clean, heard, rate_hz=16_000) == pytest.approx(by_the_book(clean, heard), abs=1e-6)


def test_the_ends_of_the_scale():
    clean = voice()
    assert fw_seg_snr_db(clean, clean, rate_hz=16_000) == HIGHEST_DB
    assert fw_seg_snr_db(clean, 100 * clean, rate_hz=16_000) == LOWEST_DB
    assert fw_seg_snr_db(clean, 0 * clean, rate_hz=16_000) == pytest.approx(0)
    for silent in (0 * clean, clean[:100]):
        with pytest.raises(BadInput, match="the clean sound is silent or shorter than a frame"):
            fw_seg_snr_db(silent, silent, rate_hz=16_000)
    with pytest.raises(BadInput, match="give two mono of one length"):
        fw_seg_snr_db(clean, clean[1:], rate_hz=16_000)


def test_less_noise_is_never_worse_and_the_rate_hardly_matters():
    clean, noise = voice(), np.random.default_rng(3).standard_normal(12_000)
    values = [fw_seg_snr_db(clean, clean + level * noise, rate_hz=16_000) for level in (1, 0.5, 0.2, 0.1, 0.01, 0)]
    assert values == sorted(values)
    tripled = [np.interp(np.arange(0, 12_000, 1 / 3), np.arange(12_000), each) for each in (clean, clean + 0.2 * noise)]
    assert fw_seg_snr_db(*tripled, rate_hz=48_000) == pytest.approx(values[2], abs=1)


def test_noise_in_a_pause_is_not_counted():
    clean = voice()
    pause = np.clip(-np.sin(np.arange(len(clean)) / 700), 0, None) > 0.5
    assert fw_seg_snr_db(clean, clean + 1e-3 * pause, rate_hz=16_000) > HIGHEST_DB - 1
