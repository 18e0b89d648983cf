"""A small film of the stage with sound, and the many ways in which an honest or a dishonest hand may deliver it."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import repeat
from pathlib import Path

import av
import numpy as np
import pytest
from av.audio.frame import AudioFrame
from av.video.frame import VideoFrame

from cutscore.media.footage import Footage, write
from cutscore.media.sound import Sound
from cutscore.stage import library
from cutscore.stage.render import frames as paint
from cutscore.stage.sound import sound as sound_of

WIDTH, HEIGHT, RATE = 128, 72, Fraction(12)

Save = Callable[..., Path]


def staged(name: str, *, seed: int = 0, length_s: int = 5) -> Footage:
    """Footage of a scene that is held in memory."""
    size = {"width": WIDTH, "height": HEIGHT, "rate": RATE}
    scene = library.scene(name, seed=seed, length_s=length_s).model_copy(update=size)
    pictures = list(paint(scene))
    heard = sound_of(scene).mono()
    # The stage is silent between its sounds. A quiet noise that never repeats makes every moment one that can be heard.
    murmur = np.random.default_rng(seed).standard_normal(len(heard)).astype(np.float32)
    return Footage(lambda: iter(pictures), len(pictures), RATE, Sound(heard + 0.02 * murmur, 48_000), name)


@pytest.fixture(scope="session")
def pancakes() -> Footage:
    """5 s in 60 pictures of 128×72 with sound: somebody bakes, in several shots."""
    return staged("pancakes")


@pytest.fixture(scope="session")
def lost_kite() -> Footage:
    """Another film of 5 s: somebody looks for a kite."""
    return staged("lost-kite")


@pytest.fixture
def save(tmp_path: Path) -> Save:
    """Write footage: `save(footage)` as H.264 in MP4, or in another codec, container, time base or rate."""
    numbers = iter(range(1000))

    def saved(footage: Footage, **how: object) -> Path:
        path = tmp_path / f"{next(numbers)}.mp4"
        if how.keys() <= {"crf"}:
            write(footage, path, **how)
        else:
            encode(footage, path, **how)
        return path

    return saved


def encode(
    footage: Footage,
    path: Path,
    *,
    codec: str = "libx264",
    container: str = "mp4",
    unit: Fraction = Fraction(1, 90_000),
    rate: Fraction | None = None,
    size: tuple[int, int] | None = None,
    options: dict[str, str] | None = None,
    sound: str = "aac",
) -> None:
    """Write as others do, with nothing of ours; another rate shows what is on screen at each moment."""
    rate = rate or footage.rate
    pictures = list(footage.pictures())
    count = round(footage.length_s * rate)
    width, height = size or (pictures[0].shape[1], pictures[0].shape[0])
    with av.open(str(path), "w", format=container) as out:
        video = out.add_stream(codec, rate=rate, options=options or {})
        video.width, video.height, video.pix_fmt = width, height, "yuv420p"
        video.codec_context.time_base = video.time_base = unit
        audio = None if footage.sound is None else out.add_stream(sound, rate=footage.sound.rate_hz, layout="mono")
        for number in range(count):
            # As FFmpeg's fps filter rounds: each picture begins at the nearest moment of the new rate.
            shown = max(n for n in range(len(pictures)) if round(n * rate / footage.rate) <= number)
            frame = VideoFrame.from_ndarray(pictures[shown], format="rgb24").reformat(width, height, "yuv420p")
            frame.pts, frame.time_base = round(number / rate / unit), unit
            out.mux(video.encode(frame))
        out.mux(video.encode(None))
        if audio is not None and footage.sound is not None:
            wave = footage.sound.mono()
            for start in range(0, len(wave), 960):
                block = AudioFrame.from_ndarray(wave[None, start : start + 960], format="fltp", layout="mono")
                block.sample_rate, block.pts = footage.sound.rate_hz, start
                block.time_base = Fraction(1, footage.sound.rate_hz)
                out.mux(audio.encode(block))
            out.mux(audio.encode(None))


@pytest.fixture(scope="session")
def moved() -> Callable[[Footage, int], Footage]:
    """Show everything some frames later, by repeating the first picture, or earlier, by losing some; sound stays."""

    def by(footage: Footage, frames: int) -> Footage:
        pictures = list(footage.pictures())
        shown = [*repeat(pictures[0], frames), *pictures][: len(pictures)] if frames > 0 else pictures[-frames:]
        return replace(footage, pictures=lambda: iter(shown), count=len(shown))

    return by
