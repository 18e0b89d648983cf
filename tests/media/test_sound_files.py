"""Files of sound alone, as editors and agents deliver them: second 0 is the first sample."""

import wave
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from scipy.signal import correlate, correlation_lags

from cutscore.core.errors import BrokenData
from cutscore.core.timeline import Span
from cutscore.media.audio import has_sound, iter_sound, read_sound
from cutscore.media.budget import Budget
from cutscore.media.container import open_sound
from cutscore.media.container_type import detect_container, detect_sound_container
from cutscore.media.frames import read_frames
from cutscore.media.plan import FramePlan

RATE_HZ = 44_100


def chirp(channels: int = 1) -> np.ndarray:
    """One second that is like itself at no other shift: whole 16-bit numbers as floats, of shape (n, channels)."""
    at = np.arange(RATE_HZ) / RATE_HZ
    wave_ = np.round(0.5 * np.sin(2 * np.pi * (200 * at + 1500 * at**2)) * 2**15) / 2**15
    return wave_.astype(np.float32)[:, None].repeat(channels, axis=1)


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write samples as a file: `write(samples, "flac", "flac", start=0)`."""

    def write(
        samples: np.ndarray, format: str, codec: str, *, start: int = 0, cover: str = "", rate_hz: int = RATE_HZ
    ) -> Path:
        path = tmp_path / "track.wav"  # names do not count
        with av.open(str(path), "w", format=format) as out:
            layout = "mono" if samples.shape[1] == 1 else "stereo"
            stream = out.add_stream(codec, rate=rate_hz, layout=layout, options={"strict": "experimental"})
            kind = stream.codec_context.format.name
            if cover:
                picture = out.add_stream(cover, rate=1)
                picture.width = picture.height = 16
                picture.pix_fmt = "rgb24" if cover == "png" else "yuvj420p"
                picture.disposition = av.stream.Disposition.attached_pic
                out.mux(picture.encode(av.VideoFrame(16, 16, picture.pix_fmt)))
            resampler = av.AudioResampler(format=kind, layout=layout, frame_size=stream.frame_size or 0)
            whole = np.round(samples * 2**15).astype(np.int16).reshape(1, -1)
            frame = av.AudioFrame.from_ndarray(whole, format="s16", layout=layout)
            frame.sample_rate, frame.time_base, frame.pts = rate_hz, Fraction(1, rate_hz), start
            for part in [*resampler.resample(frame), *resampler.resample(None)]:
                out.mux(stream.encode(part))
            out.mux(stream.encode(None))
        return path

    return write


@pytest.mark.parametrize(("format", "codec"), [("wav", "pcm_s16le"), ("wav", "pcm_f32le"), ("flac", "flac")])
@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize("trusted", [True, False])
def test_lossless_files_come_back_bit_for_bit(
    write: Callable[..., Path], format: str, codec: str, channels: int, trusted: bool
) -> None:
    path = write(chirp(channels), format, codec)
    assert has_sound(path, trusted=trusted)
    heard = read_sound(path, rate_hz=RATE_HZ, channels="stereo", trusted=trusted).samples
    assert np.array_equal(heard, chirp(2))
    span = Span(start_s=Fraction(1, 3), end_s=Fraction(2, 3))
    part = read_sound(path, rate_hz=RATE_HZ, channels="mono", span=span, trusted=trusted).samples
    assert np.array_equal(part, chirp()[14_700:29_400, 0])


@pytest.mark.parametrize(
    ("format", "codec"),
    [
        ("mp3", "libmp3lame"),
        ("ipod", "aac"),
        ("ogg", "vorbis"),
        ("ogg", "libopus"),
        ("ogg", "flac"),
        ("mov", "alac"),
        ("matroska", "aac"),
        ("webm", "libopus"),
    ],
)
def test_second_0_is_the_first_sample(write: Callable[..., Path], format: str, codec: str) -> None:
    """What an encoder puts in front is not heard: the correlation with the truth peaks at lag 0."""
    rate_hz = 48_000 if codec == "libopus" else RATE_HZ
    path = write(chirp(2), format, codec, rate_hz=rate_hz)
    heard = read_sound(path, rate_hz=rate_hz, channels="mono").samples
    assert abs(len(heard) - RATE_HZ) <= 1200
    lags = correlation_lags(len(heard), RATE_HZ)
    assert lags[int(np.argmax(correlate(heard, chirp()[:, 0], method="fft")))] == 0
    child = read_sound(path, rate_hz=rate_hz, channels="mono", trusted=False).samples
    assert np.array_equal(child, heard)


def test_a_clock_that_starts_late_is_no_silence(write: Callable[..., Path]) -> None:
    path = write(chirp(), "matroska", "pcm_s16le", start=5 * RATE_HZ)
    assert np.array_equal(read_sound(path, rate_hz=RATE_HZ, channels="mono").samples, chirp()[:, 0])


@pytest.mark.parametrize("cover", ["mjpeg", "png"])
@pytest.mark.parametrize(("format", "codec"), [("mp3", "libmp3lame"), ("flac", "flac"), ("mp4", "aac")])
def test_a_cover_does_not_make_it_a_video(write: Callable[..., Path], format: str, codec: str, cover: str) -> None:
    path = write(chirp(), format, codec, cover=cover)
    assert abs(len(read_sound(path, rate_hz=RATE_HZ, channels="mono", trusted=False).samples) - RATE_HZ) <= 1200


def test_a_wav_of_another_hand_is_read(tmp_path: Path) -> None:
    """Python's own module writes it, one byte a sample."""
    with wave.open(str(tmp_path / "a.wav"), "wb") as out:
        out.setparams((1, 1, 8000, 0, "NONE", ""))
        out.writeframes(bytes(range(256)))
    heard = read_sound(tmp_path / "a.wav", rate_hz=8000, channels="mono").samples
    assert np.array_equal(heard, ((np.arange(256) - 128) / 128).astype(np.float32))


def test_a_wav_without_a_length_is_read_to_its_end(write: Callable[..., Path]) -> None:
    """As programs write it into a pipe: they never come back to fill in the sizes."""
    path = write(chirp(), "wav", "pcm_s16le")
    data = bytearray(path.read_bytes())
    at = data.index(b"data")
    data[4:8] = data[at + 4 : at + 8] = b"\xff\xff\xff\xff"
    path.write_bytes(data)
    assert np.array_equal(read_sound(path, rate_hz=RATE_HZ, channels="mono", trusted=False).samples, chirp()[:, 0])


def test_what_is_open(write: Callable[..., Path], red_blue: Path) -> None:
    with open_sound(write(chirp(), "flac", "flac")) as sound:
        assert (sound.kind, sound.stream.rate) == ("flac", RATE_HZ)
    with pytest.raises(BrokenData, match=r"clip 'red_blue.mp4': has no sound"), open_sound(red_blue):
        pass


def test_sound_is_no_video(write: Callable[..., Path]) -> None:
    path = write(chirp(), "flac", "flac")
    with pytest.raises(
        BrokenData, match=r"is not a video that we decode; it looks like a FLAC file; known are mp4, mov"
    ):
        read_frames(path, FramePlan.parse("times=0"))


def test_budgets_hold_for_sound_alone(write: Callable[..., Path]) -> None:
    path = write(chirp(2), "wav", "pcm_s16le")
    for budget, reason in {
        Budget(file_bytes=1000): "has 17.... bytes, 1000 are allowed",
        Budget(channels=1): "has sound of 2 channels, 1 to 1 are allowed",
        Budget(sound_hz=8000): "has 44100 samples a second, 1 to 8000 are allowed",
    }.items():
        with pytest.raises(BrokenData, match=reason):
            read_sound(path, rate_hz=RATE_HZ, channels="mono", budget=budget)
    long = write(chirp().repeat(3, axis=0), "wav", "pcm_s16le")
    with pytest.raises(BrokenData, match="lasts 3 s, 2 s are allowed"):
        read_sound(long, rate_hz=RATE_HZ, channels="mono", budget=Budget(duration_s=2))


def test_a_sound_of_one_sample_a_second_comes_in_blocks(tmp_path: Path) -> None:
    """100 bytes become five million samples, and never are all of them in memory."""
    with wave.open(str(tmp_path / "slow.wav"), "wb") as out:
        out.setparams((1, 1, 1, 0, "NONE", ""))
        out.writeframes(bytes(100))
    lengths = [len(block) for block in iter_sound(tmp_path / "slow.wav", rate_hz=48_000, channels="mono")]
    assert sum(lengths) == 4_800_000
    assert max(lengths) <= 1 << 20


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"RIFF\x00\x00\x00\x00WAVE", "wav"),
        (b"RF64\xff\xff\xff\xffWAVE", "wav"),
        (b"RIFF\x00\x00\x00\x00AVI ", None),
        (b"fLaC", "flac"),
        (b"OggS", "ogg"),
        (b"ID3\x04", "mp3"),
        (b"\xff\xfb\x90\x00" + bytes(413) + b"\xff\xfb\x90\x00", "mp3"),  # 128 kbit/s at 44.1 kHz: 417 bytes
        (b"\xff\xf3\x40\x00" + bytes(100) + b"\xff\xf3\x40\x00", "mp3"),  # 32 kbit/s at 22.05 kHz: 104 bytes
        (b"\xff\xfb\x90\x00" + bytes(413), None),
        (b"\xff\xfb\xf0\x00", None),
        (b"\xff\xd8\xff\xe0", None),
        (b"", None),
    ],
)
def test_sound_is_told_by_its_first_bytes(head: bytes, kind: str | None) -> None:
    assert detect_sound_container(head) == kind
    assert detect_container(head) is None
