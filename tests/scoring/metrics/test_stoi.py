import numpy as np
import pytest
from scipy import signal

from cutscore.core.errors import BadInput
from cutscore.scoring.metrics.stoi import estoi, stoi


def speechlike(seconds: float = 3, rate_hz: int = 10_000, seed: int = 1) -> np.ndarray:
    """Harmonics of a wandering pitch under syllables of changing colour, with pauses."""
    rng = np.random.default_rng(seed)
    samples = round(seconds * rate_hz)
    at = np.arange(samples) / rate_hz
    pitch = 2 * np.pi * np.cumsum(120 + 30 * np.sin(2 * np.pi * 0.7 * at)) / rate_hz
    syllables = np.repeat(rng.uniform(0.05, 1, (-(-samples // 1500), 20)), 1500, axis=0)[:samples]
    voice = sum(syllables[:, k - 1] * np.sin(k * pitch) / k for k in range(1, 21))
    gate = np.repeat(rng.uniform(size=-(-samples // 3000)) > 0.2, 3000)[:samples]
    gate[:6000] = True
    return np.asarray(0.2 * voice * gate + 1e-4 * rng.standard_normal(samples))


def noisy(clean: np.ndarray, snr_db: float, seed: int = 2) -> np.ndarray:
    noise = np.random.default_rng(seed).standard_normal(len(clean))
    return np.asarray(clean + noise * np.std(clean) / np.std(noise) * 10 ** (-snr_db / 20))


def by_the_papers(clean: np.ndarray, heard: np.ndarray) -> tuple[float, float]:
    """STOI and ESTOI at 10 kHz in loops, straight from the equations; scipy makes the spectra."""
    window = signal.windows.hann(258)[1:-1]
    starts = range(0, len(clean) - 256 + 1, 128)
    energy = [np.sum((clean[at : at + 256] * window) ** 2) for at in starts]
    kept = [at for at, e in zip(starts, energy, strict=True) if 10 * np.log10(max(energy) / e) < 40]
    pair = []
    for sound in (clean, heard):
        out = np.zeros(128 * (len(kept) + 1))
        for number, at in enumerate(kept):
            out[128 * number : 128 * number + 256] += sound[at : at + 256] * window
        pair.append(out)
    bands = []
    for sound in pair:
        spectra = signal.ShortTimeFFT(window, 128, 10_000, mfft=512, fft_mode="onesided", phase_shift=None)
        # Frames that lie wholly inside: the first is centred at sample 128.
        power = np.abs(spectra.stft(sound, p0=1, p1=len(kept) + 1)) ** 2
        hz = np.arange(257) * 10_000 / 512
        rows = []
        for band in range(15):
            centre = 150 * 2 ** (band / 3)
            low, high = (np.abs(hz - edge).argmin() for edge in (centre / 2 ** (1 / 6), centre * 2 ** (1 / 6)))
            rows.append(np.sqrt(power[low:high].sum(axis=0)))
        bands.append(np.array(rows))
    plain, extended = [], []
    for end in range(30, bands[0].shape[1] + 1):
        x, y = (part[:, end - 30 : end] for part in bands)
        for band in range(15):
            alpha = np.sqrt((x[band] ** 2).sum() / (y[band] ** 2).sum())
            clipped = np.array([min(alpha * b, a + a * 10 ** (15 / 20)) for a, b in zip(x[band], y[band], strict=True)])
            plain.append(np.corrcoef(x[band], clipped)[0, 1])
        rows = [v - v.mean(axis=1)[:, None] for v in (x, y)]
        rows = [v / np.sqrt((v**2).sum(axis=1))[:, None] for v in rows]
        extended.append(np.mean([np.corrcoef(rows[0][:, n], rows[1][:, n])[0, 1] for n in range(30)]))
    return float(np.mean(plain)), float(np.mean(extended))


@pytest.mark.parametrize("snr_db", [-5, 5, 20])
@pytest.mark.parametrize("seed", [1, 2])
def test_it_agrees_with_the_equations(snr_db: float, seed: int) -> None:
    clean = speechlike(2.013, seed=seed)
    heard = noisy(clean, snr_db)
    plain, extended = by_the_papers(clean, heard)
    assert stoi(clean, heard, rate_hz=10_000) == pytest.approx(plain, abs=1e-6)
    assert estoi(clean, heard, rate_hz=10_000) == pytest.approx(extended, abs=1e-6)


@pytest.mark.parametrize("measure", [stoi, estoi])
def test_a_copy_gets_1_at_any_gain_and_noise_takes_away(measure) -> None:
    clean = speechlike()
    assert measure(clean, clean, rate_hz=10_000) == pytest.approx(1, abs=1e-6)
    assert measure(clean, 0.1 * clean, rate_hz=10_000) == pytest.approx(1, abs=1e-6)
    falling = [measure(clean, noisy(clean, snr_db), rate_hz=10_000) for snr_db in (30, 20, 10, 5, 0, -10)]
    assert falling == sorted(falling, reverse=True)
    assert falling[0] > 0.9
    assert falling[-1] < 0.6
    stranger = speechlike(seed=8)
    assert measure(clean, stranger, rate_hz=10_000) < 0.5


@pytest.mark.parametrize("measure", [stoi, estoi])
def test_a_shift_of_50_ms_ruins_it(measure) -> None:
    clean = speechlike()
    assert measure(clean, np.roll(clean, 500), rate_hz=10_000) < 0.75
    assert measure(clean, np.roll(clean, 500), rate_hz=10_000) < measure(clean, noisy(clean, 15), rate_hz=10_000)


def test_pauses_do_not_count() -> None:
    """Half a second of noise is added where the clean speech is silent, far from speech: nothing changes."""
    clean = np.concatenate([speechlike(1), np.zeros(10_000), speechlike(1, seed=3)])
    heard = clean.copy()
    heard[12_000:17_000] += 0.1 * np.random.default_rng(1).standard_normal(5_000)
    assert stoi(clean, heard, rate_hz=10_000) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("rate_hz", [16_000, 48_000])
def test_the_rate_matters_little(rate_hz: int) -> None:
    clean = speechlike(2)
    heard = noisy(clean, 5)
    there = [signal.resample_poly(part, rate_hz // 1000, 10) for part in (clean, heard)]
    assert stoi(*there, rate_hz=rate_hz) == pytest.approx(stoi(clean, heard, rate_hz=10_000), abs=0.01)


def test_errors_say_what_is_the_case() -> None:
    with pytest.raises(BadInput, match="STOI: has 29 frames of speech, fewer than 30; give at least half a second"):
        stoi(np.ones(256 + 28 * 128), np.ones(256 + 28 * 128), rate_hz=10_000)
    with pytest.raises(BadInput, match="ESTOI: has 0 frames"):
        estoi(np.ones(99), np.ones(99), rate_hz=10_000)
    with pytest.raises(BadInput, match="give two mono of one length"):
        stoi(np.ones(9), np.ones((9, 2)), rate_hz=10_000)
