"""Effects that make a defect: what goes wrong in edits, at a stated place, with a stated strength.

Each takes footage and a span and returns footage of the same length. Outside of the span every pixel and every sample
stays as it was. Chance comes from a seed. Place and strength are the truth that the benchmark then asks for.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, repeat

import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.repair.edits.insertions import take_stretches
from cutscore.core.errors import BadInput
from cutscore.core.timeline import Span
from cutscore.media.edit import apply_filters, join_footage
from cutscore.media.filter_graph import FilterStep, filter_pictures
from cutscore.media.footage import Footage, change_pictures, change_sound
from cutscore.media.orientation import Pixels
from cutscore.media.sound import Samples, Sound, sample_at

_TALKERS, _SYLLABLES_HZ = 6, 4  # how many make a babble, and how fast people speak
_HARMONICS = 24  # of the mains: what lamps and bad cables add reaches far into speech

Noise = npt.NDArray[np.float64]


def add_blur(footage: Footage, span: Span, *, sigma: float) -> Footage:
    """Blur with a Gaussian of `sigma` pixels."""
    _check(0 < sigma <= 1024, "blur", f"cannot have a sigma of {sigma} pixels")
    return apply_filters(footage, pictures=f"gblur=sigma={sigma}:steps=3", span=span)


def reduce_detail(footage: Footage, span: Span, *, factor: float) -> Footage:
    """Lose fine detail: each picture is made smaller by a factor, and as large again as it was."""
    _check(1 < factor <= 64, "lost sharpness", f"cannot come from pictures {factor} times smaller")

    def change(pictures: Iterator[Pixels]) -> Iterator[Pixels]:
        first = next(pictures)
        height, width = first.shape[:2]
        small = f"{max(1, round(width / factor))}:{max(1, round(height / factor))}:flags=area"
        steps = [FilterStep("scale", small), FilterStep("scale", f"{width}:{height}:flags=bilinear")]
        return filter_pictures(chain([first], pictures), steps, rate=footage.rate, what="lost sharpness")

    return change_pictures(footage, change, span)


def shift_colour(footage: Footage, span: Span, *, gains: tuple[float, float, float]) -> Footage:
    """Shift colour: multiply red, green and blue by gains."""
    _check(min(gains) >= 0, "tint", f"cannot have gains of {gains}")
    factors = np.array(gains)

    def change(pictures: Iterator[Pixels]) -> Iterator[Pixels]:
        for pixels in pictures:
            yield np.clip(np.rint(pixels * factors), 0, 255).astype(np.uint8)

    return change_pictures(footage, change, span)


def black_out(footage: Footage, span: Span) -> Footage:
    """Show black; the sound goes on."""
    return change_pictures(footage, lambda pictures: (np.zeros_like(pixels) for pixels in pictures), span)


def freeze(footage: Footage, span: Span) -> Footage:
    """Repeat the first picture of the span through all of it; the sound goes on."""

    def change(pictures: Iterator[Pixels]) -> Iterator[Pixels]:
        first = next(pictures)
        yield first
        yield from (kept for kept, _ in zip(repeat(first), pictures, strict=False))

    return change_pictures(footage, change, span)


def swap_shots(footage: Footage, first: Span, second: Span) -> Footage:
    """Exchange two shots, the earlier one first, with their sound; of different length, they move what lies between."""
    footage.check_span(first)
    footage.check_span(second)
    _check(first.end_s <= second.start_s, "swap", f"shots {first} and {second} overlap or are in the wrong order")
    cuts = [Fraction(0), first.start_s, first.end_s, second.start_s, second.end_s, footage.length_s]
    return join_footage(take_stretches(footage, [(cuts[i], cuts[i + 1]) for i in (0, 3, 2, 1, 4)]))


def mute(footage: Footage, span: Span) -> Footage:
    """Make the sound silent."""
    return change_sound(footage, lambda sound: np.zeros_like(sound.samples), span)


def add_echo(footage: Footage, span: Span, *, taps: Sequence[tuple[Fraction, float]]) -> Footage:
    """Add the sound of the span to itself several times, as the walls of a room do; past its end it is dry again.

    Taps say of each echo how much later it comes, and its gain.
    """
    for delay_s, _ in taps:
        _check(delay_s > 0, "echo", f"cannot come {delay_s} s late")

    def change(sound: Sound) -> Samples:
        out = sound.samples.copy()
        for delay_s, gain in taps:
            delay = min(len(out), sample_at(delay_s, sound.rate_hz))
            out[delay:] += np.float32(gain) * sound.samples[: len(out) - delay]
        return out

    return change_sound(footage, change, span)


def clip_waves(footage: Footage, span: Span, *, level: float) -> Footage:
    """Cut the waves off at a level, as an overdriven microphone does, and turn them up to full scale."""
    _check(0 < level <= 1, "clipping", f"cannot begin at level {level}")
    return change_sound(footage, lambda sound: np.clip(sound.samples / np.float32(level), -1, 1), span)


def add_hiss(footage: Footage, span: Span, *, snr_db: float, seed: int) -> Footage:
    """Add white noise at a signal-to-noise ratio over the span; a silent span has none and is refused."""
    rng = np.random.default_rng(seed)
    return _add_noise(footage, span, lambda sound: rng.standard_normal(sound.samples.shape), snr_db)


def add_hum(footage: Footage, span: Span, *, snr_db: float, mains_hz: int = 50) -> Footage:
    """Add the hum of the mains, with harmonics that get weaker, at a ratio as in `add_hiss`."""

    def hum(sound: Sound) -> Noise:
        at_s = np.arange(len(sound.samples)) / sound.rate_hz
        wave = sum(np.sin(2 * np.pi * mains_hz * n * at_s + n) / n**0.5 for n in range(1, _HARMONICS + 1))
        return _on_all_channels(np.asarray(wave), sound)

    return _add_noise(footage, span, hum, snr_db)


def add_babble(footage: Footage, span: Span, *, snr_db: float, seed: int) -> Footage:
    """Add people who talk in the background, at a ratio as in `add_hiss`.

    None of them says anything: each is a voice of a pitch of its own that rises and falls by the syllable.
    """
    rng = np.random.default_rng(seed)

    def babble(sound: Sound) -> Noise:
        at_s = np.arange(len(sound.samples)) / sound.rate_hz
        total = np.zeros(len(at_s))
        for pitch_hz in rng.uniform(90, 260, _TALKERS):
            marks_s = np.arange(0, at_s[-1] + 2, 1 / _SYLLABLES_HZ) + rng.uniform(-1, 0)
            loud = np.interp(at_s, marks_s, rng.uniform(0, 1, len(marks_s)) ** 2)
            glide = np.interp(at_s, marks_s, rng.uniform(0.85, 1.15, len(marks_s)))
            phase = 2 * np.pi * pitch_hz * np.cumsum(glide) / sound.rate_hz
            # The sixth of a set of harmonics or so is where a vowel is loudest.
            gains = 1 / (1 + (np.arange(1, 16) - rng.uniform(3, 7)) ** 2)
            total += loud * sum(gain * np.sin(n * phase) for n, gain in enumerate(gains, 1))
        return _on_all_channels(total, sound)

    return _add_noise(footage, span, babble, snr_db)


def _add_noise(footage: Footage, span: Span, noise_of: Callable[[Sound], Noise], snr_db: float) -> Footage:
    def change(sound: Sound) -> Samples:
        power = float(np.mean(sound.samples.astype(np.float64) ** 2))
        _check(power > 0, "noise", f"has no ratio to a silent sound in {span}")
        noise = noise_of(sound)
        noise *= np.sqrt(power / np.mean(noise**2)) * 10 ** (-snr_db / 20)
        return (sound.samples + noise).astype(np.float32)

    return change_sound(footage, change, span)


def _on_all_channels(wave: Noise, sound: Sound) -> Noise:
    return wave if sound.channels == 1 else np.repeat(wave[:, None], sound.channels, axis=1)


def _check(holds: bool, what: str, fact: str) -> None:
    if not holds:
        raise BadInput(what, fact)
