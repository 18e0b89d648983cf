"""The hostile-file factory, for files of sound: as in hostile.py, each with what has to happen to it, and why.

EQUAL means here: every sample equals the base sound's.
"""

import struct
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

sys.path.append(str(Path(__file__).parent))

from hostile import DEFAULT_BUDGET, DREF, EQUAL, OTHER_FILE, REFUSED, SAFE, Budget, Kind, Maker, Place, box, edited

RATE_HZ = 16_000
NOT_OURS = "is not a video or sound that we decode; it looks like "

SOUNDS: list[Kind] = []


def sound(outcome: str, reason: str = "", budget: Budget = DEFAULT_BUDGET) -> Callable[[Maker], Maker]:
    def register(make: Maker) -> Maker:
        SOUNDS.append(Kind(make.__name__.replace("_", " "), make, outcome, reason, budget))
        return make

    return register


def base_samples(count: int = RATE_HZ // 2) -> np.ndarray:
    """Half a second of noise in whole 16-bit numbers."""
    return np.random.default_rng(11).integers(-20_000, 20_000, count).astype(np.int16)


def chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + bytes(len(data) % 2)


def wav(
    *extra: bytes, data: bytes | None = None, tag: int = 1, channels: int = 1, rate_hz: int = RATE_HZ, bits: int = 16
) -> bytes:
    """Write a WAV by hand; without data it holds the base sound."""
    step = channels * bits // 8
    form = struct.pack("<HHIIHH", tag, channels, rate_hz, rate_hz * step % 2**32, step % 2**16, bits)
    samples = base_samples().tobytes() if data is None else data
    body = b"WAVE" + chunk(b"fmt ", form) + b"".join(extra) + chunk(b"data", samples)
    return chunk(b"RIFF", body)


def encoded(
    place: Place,
    format: str,
    codec: str,
    *,
    rate_hz: int = RATE_HZ,
    streams: int = 1,
    samples: np.ndarray | None = None,
) -> bytes:
    """Encode the base sound with PyAV."""
    path = place.folder / "encoded"
    with av.open(str(path), "w", format=format) as out:
        for track in [out.add_stream(codec, rate=rate_hz, layout="mono") for _ in range(streams)]:
            resampler = av.AudioResampler(track.codec_context.format.name, "mono", frame_size=track.frame_size or 0)
            whole = base_samples() if samples is None else samples
            frame = av.AudioFrame.from_ndarray(whole[None], format="s16", layout="mono")
            frame.sample_rate, frame.time_base, frame.pts = rate_hz, Fraction(1, rate_hz), 0
            for part in [*resampler.resample(frame), *resampler.resample(None)]:
                out.mux(track.encode(part))
            out.mux(track.encode(None))
    return path.read_bytes()


def id3(length: int, told: int | None = None) -> bytes:
    told = length if told is None else told
    size = bytes(told >> shift & 0x7F for shift in (21, 14, 7, 0))
    return b"ID3\x04\0\0" + size + bytes(length)


# --- not sound -------------------------------------------------------------------------------------------------------


def _text(name: str, reason: str, write: Callable[[Place], str | bytes]) -> None:
    SOUNDS.append(Kind(name, lambda place: place.write(write(place), "fixed.wav"), REFUSED, reason))


_text("concat script", NOT_OURS + "a concat script", lambda _: "ffconcat version 1.0\nfile golden.mp4\n")
_text("M3U", NOT_OURS + "an HLS playlist", lambda place: f"#EXTM3U\n{place.url}/a.mp3\n")
_text("PLS", NOT_OURS + "a playlist", lambda place: f"[playlist]\nFile1={place.url}/b.mp3\n")
_text("SDP", NOT_OURS + "an SDP session", lambda place: f"v=0\nc=IN IP4 127.0.0.1\nm=audio {place.port} RTP/AVP 0\n")
_text("AVI", NOT_OURS + "a RIFF file", lambda _: chunk(b"RIFF", b"AVI " + bytes(64)))
_text("AIFF", "is not a video or sound that we decode", lambda _: b"FORM\0\0\0\x08AIFF" + bytes(64))
_text("AU", "is not a video or sound that we decode", lambda _: b".snd\0\0\0\x18" + bytes(64))
_text("MIDI", "is not a video or sound that we decode", lambda _: b"MThd\0\0\0\6" + bytes(64))
_text("ADTS", "is not a video or sound that we decode", lambda place: encoded(place, "adts", "aac"))
_text("empty", "is not a video or sound that we decode; it is empty", lambda _: b"")
_text("noise", "nothing that we know", lambda _: np.random.default_rng(5).bytes(100_000))
_text(
    "tag and then a script", "cannot be decoded|has no sound|has an audio codec", lambda _: id3(64) + b"ffconcat 1.0\n"
)
_text("WAV of 12 bytes", "cannot be decoded|has no sound", lambda _: b"RIFF\0\0\0\0WAVE")
_text("FLAC of 4 bytes", "cannot be decoded|has no sound", lambda _: b"fLaC")
_text("Ogg of 4 bytes", "cannot be decoded|has no sound", lambda _: b"OggS")


@sound(REFUSED, "is a symbolic link; deliver the file itself")
def link_to_a_sound(place: Place) -> Path:
    place.write(wav(), "real.wav")
    path = place.folder / "fixed.wav"
    path.symlink_to("real.wav")
    return path


# --- out of proportion -----------------------------------------------------------------------------------------------


@sound(REFUSED, "has 10000000 bytes of metadata, 8388608 are allowed")
def wav_with_ten_megabytes_of_notes(place: Place) -> Path:
    return place.write(wav(chunk(b"LIST", b"INFO" + bytes(9_999_996))))


@sound(REFUSED, "has more than 1000 chunks")
def wav_of_two_thousand_chunks(place: Place) -> Path:
    return place.write(wav(*[chunk(b"note", b"")] * 2000))


@sound(REFUSED, "has 268435465 bytes of metadata, 8388608 are allowed")
def mp3_whose_tag_claims_all_that_a_tag_can(place: Place) -> Path:
    return place.write(id3(64, told=2**28 - 1) + encoded(place, "mp3", "libmp3lame"))


@sound(REFUSED, "has 8389000 bytes of metadata, 8388608 are allowed")
def mp3_of_ten_thousand_tags(place: Place) -> Path:
    return place.write(id3(990) * 10_000 + encoded(place, "mp3", "libmp3lame"))


@sound(REFUSED, "bytes of metadata, 8388608 are allowed")
def flac_of_many_pictures(place: Place) -> Path:
    data = encoded(place, "flac", "flac")
    picture = b"\x06" + (2**24 - 1).to_bytes(3) + bytes(2**24 - 1)
    return place.write(data[:42] + picture + data[42:])


@sound(REFUSED, "has sound of 0 channels, 1 to 64 are allowed|has sound of 65535 channels")
def wav_of_65535_channels(place: Place) -> Path:
    return place.write(wav(channels=65_535, bits=8, data=bytes(65_535 * 4)))


@sound(REFUSED, "has 2000000000 samples a second, 1 to 768000 are allowed")
def wav_of_two_thousand_million_samples_a_second(place: Place) -> Path:
    return place.write(wav(rate_hz=2_000_000_000))


@sound(REFUSED, "cannot be decoded|samples a second")
def wav_of_no_sample_a_second(place: Place) -> Path:
    return place.write(wav(rate_hz=0))


@sound(SAFE)
def wav_of_one_sample_a_second(place: Place) -> Path:
    return place.write(wav(rate_hz=1, data=bytes(200)))


@sound(REFUSED, "lasts 2147484 s, 14400 s are allowed")
def sparse_wav_of_days(place: Place) -> Path:
    path = place.write(wav(bits=8, rate_hz=1000, data=b""))
    with path.open("r+b") as file:
        file.seek(-4, 2)
        file.write(struct.pack("<I", 2**31))
        file.truncate(2**31 + 44)
    return path


@sound(REFUSED, "lasts 4294967 s, 14400 s are allowed")
def flac_that_claims_fifty_days(place: Place) -> Path:
    """36 bits count its samples."""
    data = bytearray(encoded(place, "flac", "flac"))
    data[21] |= 0x0F
    data[22:26] = b"\xff" * 4
    return place.write(bytes(data))


@sound(REFUSED, "lasts . s, 2 s are allowed", budget=Budget(duration_s=2))
def flac_that_does_not_say_how_long_it_is(place: Place) -> Path:
    data = bytearray(encoded(place, "flac", "flac", samples=np.zeros(5 * RATE_HZ, np.int16)))
    data[21] &= 0xF0
    data[22:26] = bytes(4)
    return place.write(bytes(data))


@sound(REFUSED, "has 40 streams, 32 are allowed|cannot be decoded")
def matroska_of_forty_sounds(place: Place) -> Path:
    return place.write(encoded(place, "matroska", "pcm_s16le", streams=40))


@sound(REFUSED, "has 16044 bytes, 1000 are allowed", budget=Budget(file_bytes=1000))
def more_bytes_than_allowed(place: Place) -> Path:
    return place.write(wav())


# --- broken or misleading inside -------------------------------------------------------------------------------------


@sound(REFUSED, "has an audio codec that we do not decode")
def wav_of_a_codec_that_nobody_delivers(place: Place) -> Path:
    return place.write(wav(tag=6, bits=8, data=bytes(1000)))  # A-law


@sound(REFUSED, "has samples that are not finite numbers")
def wav_of_samples_that_are_no_numbers(place: Place) -> Path:
    return place.write(wav(tag=3, bits=32, data=np.array([0, np.nan, np.inf] * 100, np.float32).tobytes()))


@sound(REFUSED, OTHER_FILE)
def m4a_whose_sound_is_elsewhere(place: Place) -> Path:
    entry = box(b"url ", struct.pack(">I", 0), b"golden.mp4\0")
    data = encoded(place, "mov", "aac")
    return place.write(edited(data, DREF, lambda _: struct.pack(">II", 0, 1) + entry))


@sound(REFUSED, "has pictures in a container of sound, ogg")
def ogg_with_pictures(place: Place) -> Path:
    path = place.folder / "fixed.ogg"
    with av.open(str(path), "w", format="ogg") as out:
        pictures, track = out.add_stream("libvpx", rate=25), out.add_stream("libopus", rate=48_000, layout="mono")
        pictures.width = pictures.height = 64
        pictures.pix_fmt = "yuv420p"
        picture = av.VideoFrame(64, 64, "yuv420p")
        picture.pts = 0
        silence = av.AudioFrame.from_ndarray(np.zeros((1, 960), np.int16), format="s16", layout="mono")
        silence.sample_rate, silence.pts = 48_000, 0
        out.mux([*pictures.encode(picture), *pictures.encode(None), *track.encode(silence), *track.encode(None)])
    return path


@sound(REFUSED, "changes its sound from|cannot be decoded")
def ogg_that_changes_its_rate_on_the_way(place: Place) -> Path:
    first = encoded(place, "ogg", "flac")
    return place.write(first + encoded(place, "ogg", "flac", rate_hz=48_000))


@sound(SAFE)
def ogg_of_a_hundred_links(place: Place) -> Path:
    return place.write(encoded(place, "ogg", "libopus", rate_hz=48_000) * 100)


@sound(SAFE)
def wav_whose_format_comes_twice(place: Place) -> Path:
    return place.write(wav(chunk(b"fmt ", struct.pack("<HHIIHH", 1, 2, 48_000, 192_000, 4, 16))))


@sound(SAFE)
def flac_cut_in_the_middle_of_a_frame(place: Place) -> Path:
    data = encoded(place, "flac", "flac")
    return place.write(data[: len(data) * 2 // 3])


@sound(EQUAL)
def wav_with_codes_in_its_tags(place: Place) -> Path:
    return place.write(wav(chunk(b"LIST", b"INFO" + chunk(b"INAM", b"\x1b[2J\x07<script>\xff\xfe"))))


@sound(EQUAL)
def wav_whose_outer_length_lies(place: Place) -> Path:
    return place.write(b"RIFF\x01\0\0\0" + wav()[8:])


@sound(EQUAL)
def flac_under_a_name_that_is_a_protocol(place: Place) -> Path:
    return place.write(encoded(place, "flac", "flac"), "concat:a|golden.mp4")


def _damaged(number: int, format: str, codec: str) -> None:
    def make(place: Place) -> Path:
        data = bytearray(encoded(place, format, codec, rate_hz=48_000 if codec == "libopus" else RATE_HZ))
        dice = np.random.default_rng(number)
        for at in dice.integers(0, len(data), 12):
            data[at] = dice.integers(0, 256)
        return place.write(bytes(data))

    SOUNDS.append(Kind(f"{format} with 12 bytes changed, {number}", make, SAFE))


_FORMATS = (("wav", "pcm_s16le"), ("flac", "flac"), ("mp3", "libmp3lame"), ("ogg", "libopus"), ("ipod", "aac"))
for _number in range(3):
    for _format, _codec in _FORMATS:
        _damaged(_number, _format, _codec)
