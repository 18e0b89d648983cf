from fractions import Fraction
from itertools import pairwise

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.errors import BadInput
from cutscore.core.timeline import Span
from cutscore.media.levels import find_clippings, find_silences
from cutscore.media.sound import Sound, sample_at


def test_silence_is_found_to_the_sample() -> None:
    """A tone with a hole from sample 10,001 to 40,003 and a short one of 0.1 s after it."""
    samples = (0.1 * np.cos(np.arange(96_000) / 7.3)).astype(np.float32)
    samples[np.abs(samples) < 0.002] = 0.002
    samples[10_001:40_003] = 0.0009
    samples[60_000:64_800] = 0
    sound = Sound(samples, 48_000)
    (found,) = find_silences(sound)
    assert found == Span(start_s=Fraction(10_001, 48_000), end_s=Fraction(40_003, 48_000))
    assert len(find_silences(sound, at_least_s=Fraction(1, 10))) == 2
    assert len(find_silences(sound, at_least_s=Fraction(1, 10), below_dbfs=-70)) == 1
    both = Sound(np.stack([np.zeros_like(samples), samples], axis=1), 48_000)
    assert find_silences(both) == [found]  # one side that is heard is enough


@pytest.mark.parametrize("rate_hz", [8_000, 48_000])
def test_silences_are_those_that_ffmpeg_detects(rate_hz: int) -> None:
    """Words of random length and loudness with pauses between them; FFmpeg tells times in microseconds."""
    rng = np.random.default_rng(rate_hz)
    parts = []
    for _ in range(30):
        parts.append(rng.uniform(0.01, 0.5) * np.sign(rng.standard_normal(rng.integers(100, rate_hz // 2))))
        parts.append(rng.uniform(-0.0009, 0.0009, rng.integers(100, rate_hz // 2)))
    sound = Sound(np.concatenate(parts).astype(np.float32), rate_hz)
    graph = av.filter.Graph()
    source = graph.add_abuffer(sample_rate=rate_hz, format="flt", layout="mono", time_base=Fraction(1, rate_hz))
    detect = graph.add("silencedetect", "noise=-60dB:duration=0.2")
    graph.link_nodes(source, detect, graph.add("abuffersink")).configure()
    told: list[tuple[str, float]] = []
    for start in range(0, len(sound.samples), 100):
        block = sound.samples[start : start + 100]
        frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(block[None]), format="flt", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = rate_hz, start, Fraction(1, rate_hz)
        graph.push(frame)
        notes = graph.pull().metadata
        told += [(key.split("_")[-1], float(at)) for key, at in notes.items() if key.endswith(("_start", "_end"))]
    ours = find_silences(sound, at_least_s=Fraction(1, 5))
    edges = [edge for span in ours for edge in (("start", float(span.start_s)), ("end", float(span.end_s)))]
    if ours[-1].end_s == sound.length_s:  # FFmpeg has not seen it end
        edges.pop()
    assert [name for name, _ in told] == [name for name, _ in edges]
    assert np.allclose([at for _, at in told], [at for _, at in edges], atol=1.5 / rate_hz)


def test_all_silent_and_never_silent() -> None:
    assert find_silences(Sound(np.zeros(48_000, np.float32), 48_000)) == [Span(start_s=0, end_s=1)]
    assert find_silences(Sound(np.ones(48_000, np.float32), 48_000)) == []
    with pytest.raises(BadInput, match="cannot last -1 s"):
        find_silences(Sound(np.ones(48_000, np.float32), 48_000), at_least_s=Fraction(-1))


def test_cut_tops_are_clipping_and_touching_full_scale_is_not() -> None:
    fast = np.sin(2 * np.pi * 1000 * np.arange(4_800) / 48_000)  # one sample at each top
    assert fast.max() == 1
    assert find_clippings(Sound(fast.astype(np.float32), 48_000)) == []
    wave = np.sin(2 * np.pi * 100 * np.arange(4_800) / 48_000)
    found = find_clippings(Sound(np.clip(2 * wave, -1, 1).astype(np.float32), 48_000))
    assert len(found) == 20  # two tops in each of ten waves
    # A sine of twice full scale is above it between 30° and 150°: a third of the time.
    assert sum(span.length_s for span in found) == pytest.approx(Fraction(1, 15), rel=0.01)
    turned_down = Sound(np.clip(wave, -0.5, 0.5).astype(np.float32), 48_000)
    assert find_clippings(turned_down) == []
    assert len(find_clippings(turned_down, level=0.5)) == 20


def test_a_jump_from_top_to_bottom_is_not_one_run() -> None:
    samples = np.array([0, 1, 1, -1, -1, 0, 1, 1, 1, 0], np.float32)
    assert find_clippings(Sound(samples, 10)) == [Span(start_s="0.6", end_s="0.9")]
    sides = np.stack([samples, np.zeros(10, np.float32)], axis=1)
    assert find_clippings(Sound(sides, 10)) == [Span(start_s="0.6", end_s="0.9")]
    with pytest.raises(BadInput, match="cannot begin at level 0"):
        find_clippings(Sound(samples, 10), level=0)


@given(st.lists(st.fractions(0, 2, max_denominator=1000), min_size=2, max_size=6), st.integers(1, 200))
def test_parts_of_a_sound_tile(cuts: list[Fraction], rate_hz: int) -> None:
    sound = Sound(np.arange(1, rate_hz + 2, dtype=np.float32) / 1000, rate_hz)
    cuts.sort()
    pieces = []
    for start_s, end_s in pairwise(cuts):
        if sample_at(start_s, rate_hz) < sample_at(end_s, rate_hz):
            pieces.append(sound.part(Span(start_s=start_s, end_s=end_s)).samples)
    first, end = sample_at(cuts[0], rate_hz), sample_at(cuts[-1], rate_hz)
    whole = np.concatenate([sound.samples, np.zeros(3 * rate_hz, np.float32)])[first:end]
    assert np.array_equal(np.concatenate(pieces) if pieces else whole[:0], whole)


def test_a_part_may_begin_before_the_sound() -> None:
    sound = Sound(np.ones(10, np.float32), 10)
    assert sound.part(Span(start_s="-0.3", end_s="0.2")).samples.tolist() == [0, 0, 0, 1, 1]
    assert sound.part(Span(start_s=-2, end_s=-1)).samples.tolist() == [0] * 10
    assert sound.length_s == 1


def test_a_faded_sound_rises_and_falls_and_is_itself_between() -> None:
    sound = Sound(np.ones((10, 2), np.float32), 10)
    faded = sound.fade(Fraction(2, 5)).samples
    assert faded[:, 0].tolist() == faded[:, 1].tolist() == [0, 0.25, 0.5, 0.75, 1, 1, 0.75, 0.5, 0.25, 0]
    assert sound.fade(Fraction(0)).samples.tolist() == sound.samples.tolist()
    assert Sound(np.ones(3, np.float32), 10).fade(Fraction(9)).samples.tolist() == [0, 1, 0]
