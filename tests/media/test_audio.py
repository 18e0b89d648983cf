"""Clips here carry sound that is known sample by sample; PyAV writes them, nothing of ours."""

import tracemalloc
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest

from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.timeline import Span
from cutscore.media import audio
from cutscore.media.audio import has_sound, iter_sound, read_sound
from cutscore.media.budget import Budget
from cutscore.media.render import write_clip
from cutscore.media.sound import Sound

GREY = np.full((32, 32, 3), 128, np.uint8)


def noise(samples: int, channels: int = 1, seed: int = 3) -> np.ndarray:
    """Whole 16-bit numbers as floats, so that lossless codecs give exactly these back."""
    whole = np.random.default_rng(seed).integers(-20_000, 20_000, (samples, channels))
    return (whole / 2**15).astype(np.float32)


@dataclass(frozen=True)
class Made:
    """A clip of grey pictures with a sound track.

    Args:
        blocks: Start of each block on the file's clock, in samples, and its samples of shape (n, channels).
        picture_ms: When the first of the pictures is shown, on the same clock.
    """

    blocks: list[tuple[int, np.ndarray]]
    rate_hz: int = 48_000
    codec: str = "pcm_s16le"
    format: str = "mov"
    layout: str = "mono"
    picture_ms: int = 0
    pictures: int = 10

    def write(self, path: Path) -> Path:
        with av.open(str(path), "w", format=self.format, options={"avoid_negative_ts": "disabled"}) as out:
            video = out.add_stream("libx264", rate=25)
            video.width, video.height, video.pix_fmt = 32, 32, "yuv420p"
            video.codec_context.time_base = video.time_base = Fraction(1, 1000)
            audio = out.add_stream(self.codec, rate=self.rate_hz)
            audio.layout = self.layout
            kind = audio.codec_context.format.name
            for number in range(self.pictures):
                picture = av.VideoFrame.from_ndarray(GREY, format="rgb24").reformat(format="yuv420p")
                picture.pts, picture.time_base = self.picture_ms + 40 * number, Fraction(1, 1000)
                out.mux(video.encode(picture))
            for start, samples in self.blocks:
                planes = samples.T if kind == "fltp" else np.round(samples * 2**15).astype(np.int16).reshape(1, -1)
                frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(planes), format=kind, layout=self.layout)
                frame.sample_rate, frame.time_base, frame.pts = self.rate_hz, Fraction(1, self.rate_hz), start
                out.mux(audio.encode(frame))
            out.mux(video.encode(None))
            out.mux(audio.encode(None))
        return path


def test_samples_come_back_bit_for_bit(tmp_path: Path) -> None:
    truth = noise(48_000, 2)
    path = Made([(0, truth)], layout="stereo").write(tmp_path / "a.mov")
    heard = read_sound(path, rate_hz=48_000, channels="stereo")
    assert np.array_equal(heard.samples, truth)
    assert np.allclose(read_sound(path, rate_hz=48_000, channels="mono").samples, truth.mean(axis=1), atol=1e-7)


def test_a_mono_sound_is_on_both_sides_at_full_level(tmp_path: Path) -> None:
    truth = noise(9_000)
    path = Made([(0, truth)]).write(tmp_path / "a.mov")
    assert np.array_equal(read_sound(path, rate_hz=48_000, channels="stereo").samples, truth.repeat(2, axis=1))


@pytest.mark.parametrize("span", [("0", "1"), ("1/3", "2/3"), ("1/1000", "0.0011"), ("0.9", "1.5"), ("-0.25", "0.1")])
def test_a_span_is_the_same_part_of_the_whole(tmp_path: Path, span: tuple[str, str]) -> None:
    truth = noise(44_100)[:, 0]
    path = Made([(0, truth[:, None])], rate_hz=44_100).write(tmp_path / "a.mov")
    start, end = (round(Fraction(at) * 44_100) for at in span)
    long = np.concatenate([np.zeros(44_100, np.float32), truth, np.zeros(44_100, np.float32)])
    heard = read_sound(path, rate_hz=44_100, channels="mono", span=Span(start_s=span[0], end_s=span[1]))
    assert np.array_equal(heard.samples, long[start + 44_100 : end + 44_100])


def test_spans_that_touch_share_no_sample_and_miss_none(tmp_path: Path) -> None:
    path = Made([(0, noise(44_100))], rate_hz=44_100).write(tmp_path / "a.mov")
    for rate_hz in (44_100, 16_000):
        whole = read_sound(path, rate_hz=rate_hz, channels="mono").samples
        cuts = [Fraction(number, 7) for number in range(8)]
        spans = [Span(start_s=a, end_s=b) for a, b in pairwise(cuts)]
        parts = [read_sound(path, rate_hz=rate_hz, channels="mono", span=span).samples for span in spans]
        assert np.array_equal(np.concatenate(parts), whole)


def test_sound_that_starts_late_is_preceded_by_silence(tmp_path: Path) -> None:
    """Pictures from 0, sound from exactly 0.25 s."""
    truth = noise(24_000)
    path = Made([(12_000, truth)]).write(tmp_path / "a.mov")
    heard = read_sound(path, rate_hz=48_000, channels="mono").samples
    assert np.array_equal(heard, np.concatenate([np.zeros(12_000, np.float32), truth[:, 0]]))


def test_sound_before_the_first_picture_is_cut_off(tmp_path: Path) -> None:
    """Sound from 0, pictures from 0.2 s: second 0 is the first picture."""
    truth = noise(48_000)
    path = Made([(0, truth)], picture_ms=200, format="matroska", codec="flac").write(tmp_path / "a.mkv")
    assert np.array_equal(read_sound(path, rate_hz=48_000, channels="mono").samples, truth[9_600:, 0])


def test_gaps_are_silent_and_overlaps_are_heard_once(tmp_path: Path) -> None:
    """0 to 0.1 s sound, then nothing to 0.3 s, then sound to 0.4 s, and a block that claims 0.35 to 0.45 s."""
    first, second, third = noise(4_800, seed=1), noise(4_800, seed=2), noise(4_800, seed=4)
    blocks = [(0, first), (14_400, second), (16_800, third)]
    path = Made(blocks, format="matroska", codec="pcm_s16le").write(tmp_path / "a.mkv")
    heard = read_sound(path, rate_hz=48_000, channels="mono").samples
    truth = np.concatenate([first, np.zeros((9_600, 1), np.float32), second, third[2_400:]])[:, 0]
    assert np.array_equal(heard, truth)


def test_a_coarse_clock_is_not_a_gap(tmp_path: Path) -> None:
    """Blocks of 1000 samples at 44.1 kHz begin at 22.68 ms, 45.35 ms, …; Matroska writes whole milliseconds."""
    truth = noise(100_000)
    blocks = [(at, truth[at : at + 1000]) for at in range(0, 100_000, 1000)]
    path = Made(blocks, rate_hz=44_100, format="matroska").write(tmp_path / "a.mkv")
    assert np.array_equal(read_sound(path, rate_hz=44_100, channels="mono").samples, truth[:, 0])


@pytest.mark.parametrize(("codec", "format"), [("aac", "mp4"), ("aac", "matroska"), ("libopus", "matroska")])
def test_what_encoders_put_in_front_is_not_heard(tmp_path: Path, codec: str, format: str) -> None:
    """A chirp is heard at the sample where it was put: the correlation peaks at lag 0."""
    at = np.arange(48_000) / 48_000
    chirp = (0.5 * np.sin(2 * np.pi * (200 * at + 1500 * at**2))).astype(np.float32)[:, None]
    blocks = [(start, chirp[start : start + 960]) for start in range(0, 48_000, 960)]
    if codec == "aac":
        blocks = [(start, chirp[start : start + 1024]) for start in range(0, 47_104, 1024)]
    made = Made(blocks, codec=codec, format=format)
    heard = read_sound(made.write(tmp_path / "a"), rate_hz=48_000, channels="mono").samples[:47_000]
    lags = np.arange(-1100, 1101)
    middle = slice(5_000, 40_000)
    fit = [float(np.dot(np.roll(heard, -lag)[middle], chirp[middle, 0])) for lag in lags]
    assert lags[int(np.argmax(fit))] == 0


def test_resampling_keeps_time_and_level(tmp_path: Path) -> None:
    """A 440 Hz tone at 44.1 kHz is, at 16 kHz, the same tone sampled at n ÷ 16000 s."""
    tone = (0.5 * np.sin(2 * np.pi * 440 * np.arange(44_100) / 44_100)).astype(np.float32)
    path = Made([(0, tone[:, None])], rate_hz=44_100).write(tmp_path / "a.mov")
    heard = read_sound(path, rate_hz=16_000, channels="mono").samples
    truth = 0.5 * np.sin(2 * np.pi * 440 * np.arange(16_000) / 16_000)
    assert len(heard) == 16_000
    assert np.abs(heard - truth)[200:-200].max() < 1e-3


def test_many_channels_are_mixed_without_clipping(tmp_path: Path) -> None:
    """Full scale on all channels of 5.1: the mix keeps within -1 … 1 and left and right are alike."""
    loud = np.full((9_600, 6), 0.999, np.float32)
    path = Made([(0, loud)], layout="5.1").write(tmp_path / "a.mov")
    heard = read_sound(path, rate_hz=48_000, channels="stereo").samples
    assert heard.shape == (9_600, 2)
    assert 0.9 < heard.max() <= 1
    assert np.allclose(heard[:, 0], heard[:, 1])


@pytest.mark.parametrize("codec", ["pcm_u8", "pcm_s32le", "pcm_f32le"])
def test_other_kinds_of_samples_are_read_at_their_scale(tmp_path: Path, codec: str) -> None:
    path = tmp_path / "a.mkv"
    ramp = np.linspace(-1, 0.99, 4_800)
    kinds = {"pcm_u8": ("u8", np.round(ramp * 128 + 128)), "pcm_s32le": ("s32", np.round(ramp * 2**31))}
    kind, values = kinds.get(codec, ("flt", ramp))
    dtypes = {"u8": np.uint8, "s32": np.int32, "flt": np.float32}
    with av.open(str(path), "w", format="matroska") as out:
        video = out.add_stream("libx264", rate=25)
        video.width, video.height, video.pix_fmt = 32, 32, "yuv420p"
        audio = out.add_stream(codec, rate=48_000)
        audio.layout = "mono"
        out.mux(video.encode(av.VideoFrame.from_ndarray(GREY, format="rgb24").reformat(format="yuv420p")))
        frame = av.AudioFrame.from_ndarray(values.astype(dtypes[kind])[None], format=kind, layout="mono")
        frame.sample_rate, frame.time_base, frame.pts = 48_000, Fraction(1, 48_000), 0
        out.mux([*audio.encode(frame), *audio.encode(None), *video.encode(None)])
    heard = read_sound(path, rate_hz=48_000, channels="mono").samples
    assert np.abs(heard - ramp).max() <= (1 / 256 if codec == "pcm_u8" else 1e-6)


@pytest.mark.parametrize(
    "made",
    [
        Made([(0, noise(48_000, 2))], layout="stereo"),
        Made([(12_000, noise(24_000))], picture_ms=200, format="matroska", codec="flac"),
        Made([(0, noise(9_600, 6))], layout="5.1"),
        Made([(start, noise(1024, seed=start)) for start in range(0, 47_104, 1024)], codec="aac", format="mp4"),
    ],
    ids=["stereo", "late", "5.1", "aac"],
)
def test_a_child_sends_the_same_samples(tmp_path: Path, made: Made) -> None:
    path = made.write(tmp_path / "a")
    assert has_sound(path, trusted=False)
    for rate_hz in (48_000, 16_000):
        for channels in ("mono", "stereo"):
            for span in (None, Span(start_s="-1/3", end_s="2/3")):
                how = {"rate_hz": rate_hz, "channels": channels, "span": span}
                ours, theirs = read_sound(path, **how), read_sound(path, **how, trusted=False)
                assert np.array_equal(ours.samples, theirs.samples)
                assert ours.samples.shape == theirs.samples.shape


def test_a_child_refuses_as_we_do(tmp_path: Path, red_blue: Path) -> None:
    assert not has_sound(red_blue, trusted=False)
    with pytest.raises(BrokenData, match=r"clip 'red_blue.mp4': has no sound"):
        read_sound(red_blue, rate_hz=48_000, channels="mono", trusted=False)
    path = Made([(0, noise(48_000))]).write(tmp_path / "a.mov")
    with pytest.raises(BrokenData, match=r"clip 'a.mov': has 48000 samples a second, 1 to 8000 are allowed"):
        read_sound(path, rate_hz=48_000, channels="mono", trusted=False, budget=Budget(sound_hz=8000))


def test_memory_does_not_grow_with_the_clip(tmp_path: Path) -> None:
    def peak(seconds: int) -> int:
        path = Made([(0, noise(8_000 * seconds))], rate_hz=8_000, codec="aac", format="mp4").write(tmp_path / "a.mp4")
        tracemalloc.start()
        samples = sum(len(block) for block in iter_sound(path, rate_hz=16_000, channels="mono"))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert abs(samples - 16_000 * seconds) <= 4096
        return most

    assert peak(64) < 1.3 * peak(8)


def test_errors_say_what_is_the_case(tmp_path: Path, red_blue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BrokenData, match=r"clip 'red_blue.mp4': has no sound"):
        read_sound(red_blue, rate_hz=48_000, channels="mono")
    rare = Made([(0, noise(480))], codec="pcm_alaw").write(tmp_path / "rare.mov")
    with pytest.raises(BrokenData, match="has an audio codec that we do not decode; known are aac, ac3"):
        read_sound(rare, rate_hz=48_000, channels="mono")
    path = tmp_path / "clip.mp4"
    write_clip(path, [GREY] * 25, rate=Fraction(25), sound=Sound(noise(48_000)[:, 0], 48_000))
    assert has_sound(path)
    assert not has_sound(red_blue)
    with pytest.raises(BadInput, match="cannot have 0 samples a second"):
        read_sound(path, rate_hz=0, channels="mono")
    with pytest.raises(BadInput, match="cannot be 'both'; ask for mono or stereo"):
        read_sound(path, rate_hz=48_000, channels="both")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="is longer than 3600 s; read it in spans"):
        read_sound(path, rate_hz=48_000, channels="mono", span=Span(start_s=0, end_s=3601))
    with pytest.raises(BrokenData, match="has no sound there"):
        read_sound(path, rate_hz=48_000, channels="mono", span=Span(start_s=1, end_s=1))
    monkeypatch.setattr(audio, "MOST_AT_ONCE_S", Fraction(1, 2))
    with pytest.raises(BadInput, match="is longer than"):
        read_sound(path, rate_hz=48_000, channels="mono")


def test_a_stamp_past_the_budget_is_not_filled_with_silence(tmp_path: Path) -> None:
    """The second block claims to be heard after 3 s; the container's own length is left out of the file."""
    path = Made([(0, noise(480)), (48_000 * 3, noise(480))], format="matroska").write(tmp_path / "a.mkv")
    assert sum(map(len, iter_sound(path, rate_hz=48_000, channels="mono"))) == 144_480
    path.write_bytes(path.read_bytes().replace(b"\x44\x89\x88", b"\x44\x00\x88"))  # the element called Duration
    blocks = iter_sound(path, rate_hz=48_000, channels="mono", budget=Budget(duration_s=1))
    with pytest.raises(BrokenData, match="lasts 3 s, 1 s are allowed"):
        list(blocks)
