from math import inf

import av
import numpy as np
import pytest
from scipy import signal

from cutscore.core.errors import BadInput
from cutscore.media.loudness import blocks_loudness_lufs, k_weighting, loudness_lufs, sample_peak_dbfs, true_peak_dbtp
from cutscore.media.sound import Sound


def tone(hz: float, seconds: float, dbfs: float, rate_hz: int = 48_000) -> np.ndarray:
    at = np.arange(round(seconds * rate_hz)) / rate_hz
    return (10 ** (dbfs / 20) * np.sin(2 * np.pi * hz * at)).astype(np.float32)


def stereo(*parts: np.ndarray, rate_hz: int = 48_000) -> Sound:
    return Sound(np.concatenate(parts)[:, None].repeat(2, axis=1), rate_hz)


def by_ffmpeg(sound: Sound) -> tuple[float, float]:
    """Integrated loudness and true peak (dB) as FFmpeg's ebur128 filter tells them at the end."""
    layout = "mono" if sound.channels == 1 else "stereo"
    graph = av.filter.Graph()
    source = graph.add_abuffer(sample_rate=sound.rate_hz, format="fltp", layout=layout)
    meter = graph.add("ebur128", "metadata=1:peak=true")
    graph.link_nodes(source, meter, graph.add("abuffersink")).configure()
    table = sound.samples.reshape(len(sound.samples), -1)
    told: dict[str, str] = {}
    peaks = [0.0]

    def pull() -> None:
        while True:
            try:
                told.update(graph.pull().metadata)
            except (av.error.BlockingIOError, av.error.EOFError):
                return
            peaks.extend(float(value) for name, value in told.items() if "true_peaks_ch" in name)

    for start in range(0, len(table), 4800):
        planes = np.ascontiguousarray(table[start : start + 4800].T)
        frame = av.AudioFrame.from_ndarray(planes, format="fltp", layout=layout)
        frame.sample_rate, frame.pts = sound.rate_hz, start
        graph.push(frame)
        pull()
    graph.push(None)
    pull()
    return float(told["lavfi.r128.I"]), 20 * np.log10(max(peaks))


def test_the_filter_is_the_one_that_the_standard_prints() -> None:
    """BS.1770-4, tables 1 and 2, for 48 kHz."""
    store = [1.53512485958697, -2.69169618940638, 1.19839281085285, 1, -1.69065929318241, 0.73248077421585]
    high_pass = [1, -2, 1, 1, -1.99004745483398, 0.99007225036621]
    assert np.allclose(k_weighting(48_000), [store, high_pass], atol=1e-8)


@pytest.mark.parametrize("rate_hz", [16_000, 44_100, 48_000, 96_000])
def test_other_rates_hear_alike(rate_hz: int) -> None:
    at_hz = np.array([50, 200, 1000, 3000])
    _, here = signal.sosfreqz(k_weighting(rate_hz), at_hz, fs=rate_hz)
    _, there = signal.sosfreqz(k_weighting(48_000), at_hz, fs=48_000)
    assert np.abs(20 * np.log10(np.abs(here / there))).max() < 0.1


def test_a_full_scale_sine_of_997_hz_on_one_channel() -> None:
    """BS.1770-4, annex 1: -3.01 LKFS."""
    assert loudness_lufs(Sound(tone(997, 5, 0), 48_000)) == pytest.approx(-3.01, abs=0.01)
    assert loudness_lufs(stereo(tone(997, 5, 0))) == pytest.approx(0.0, abs=0.01)


# EBU Tech 3341, table 1: what a meter must say of 1 kHz in stereo, within 0.1 LU.
PUBLISHED = {
    "case 1": ([(-23, 20)], -23.0),
    "case 2": ([(-33, 20)], -33.0),
    "case 3": ([(-36, 10), (-23, 60), (-36, 10)], -23.0),
    "case 4": ([(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)], -23.0),
    "case 5": ([(-26, 20), (-20, 20.1), (-26, 20)], -23.0),
}


@pytest.mark.parametrize("case", PUBLISHED)
def test_the_published_cases(case: str) -> None:
    parts, expected = PUBLISHED[case]
    sound = stereo(*[tone(1000, seconds, dbfs, 16_000) for dbfs, seconds in parts], rate_hz=16_000)
    assert loudness_lufs(sound) == pytest.approx(expected, abs=0.1)


def speechlike(seconds: int, rate_hz: int) -> np.ndarray:
    rng = np.random.default_rng(5)
    words = np.repeat(rng.uniform(0, 1, seconds * 4) ** 3, rate_hz // 4)
    return (0.4 * words * rng.uniform(-1, 1, len(words))).astype(np.float32)


@pytest.mark.parametrize("rate_hz", [44_100, 48_000])
@pytest.mark.parametrize("sides", [1, 2])
def test_it_agrees_with_ffmpeg(rate_hz: int, sides: int) -> None:
    samples = speechlike(8, rate_hz)
    both = samples if sides == 1 else np.stack([samples, 0.3 * samples[::-1]], axis=1)
    sound = Sound(np.ascontiguousarray(both), rate_hz)
    lufs, peak = by_ffmpeg(sound)
    assert loudness_lufs(sound) == pytest.approx(lufs, abs=0.1)
    assert true_peak_dbtp(sound) == pytest.approx(peak, abs=0.4)  # two interpolators, and noise is hard on both


def test_blocks_of_any_size_give_the_same() -> None:
    sound = stereo(speechlike(3, 44_100), rate_hz=44_100)
    cuts = np.array_split(sound.samples, [1, 2, 5_000, 5_001, 90_000])
    assert blocks_loudness_lufs(cuts, rate_hz=44_100) == pytest.approx(loudness_lufs(sound), abs=1e-9)


def test_silence_is_infinitely_quiet_and_a_blink_has_no_loudness() -> None:
    assert loudness_lufs(Sound(np.zeros(48_000, np.float32), 48_000)) == -inf
    assert loudness_lufs(stereo(tone(1000, 2, -75))) == -inf
    with pytest.raises(BadInput, match="shorter than a block of 400 ms"):
        loudness_lufs(Sound(tone(1000, 0.39, -3), 48_000))
    with pytest.raises(BadInput, match="is not defined at 2000 samples a second"):
        loudness_lufs(Sound(tone(100, 1, -3, 2000), 2000))


def test_peaks_between_samples_are_found() -> None:
    """A quarter-rate sine that is sampled at 45° has its peak of 0 dB between samples of -3.01 dB."""
    at = np.arange(4800)
    sound = Sound((0.5 * np.sin(np.pi / 2 * at + np.pi / 4)).astype(np.float32), 48_000)
    assert sample_peak_dbfs(sound) == pytest.approx(-9.03, abs=0.01)
    # The first and last wave are steps to an interpolator; in the middle it is the sine.
    assert true_peak_dbtp(Sound(sound.samples * np.hanning(4800).astype(np.float32), 48_000)) == pytest.approx(
        -6.02, abs=0.1
    )
    assert sample_peak_dbfs(Sound(np.zeros(9, np.float32), 48_000)) == -inf
