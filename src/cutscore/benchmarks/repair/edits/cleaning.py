"""Plain repairs of a stretch: sharpen it, take noise away, change its volume."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy import signal

from cutscore.core.timeline import Span
from cutscore.media.footage import Footage, change_pictures, change_sound
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.media.sound import Samples, Sound

_WINDOW_S = 0.032
# Quietest share of moments in which nothing but noise is heard; how often its strength is taken off; what always stays.
_NOISE, _OVER, _LEFT = 20, 2.0, 0.05


def sharpen(footage: Footage, span: Span, *, sigma: float, rounds: int = 8) -> Footage:
    """Undo a Gaussian blur of `sigma` pixels as Richardson and Lucy do; more rounds sharpen more, noise included."""

    def change(pictures: Iterator[Pixels]) -> Iterator[Pixels]:
        return (_sharpen_picture(pixels, sigma, rounds) for pixels in pictures)

    return change_pictures(footage, change, span)


def _sharpen_picture(pixels: Pixels, sigma: float, rounds: int) -> Pixels:
    cv2 = opencv()
    seen = pixels.astype(np.float32) + 1  # no division by 0
    made = seen.copy()
    for _ in range(rounds):
        made *= cv2.GaussianBlur(seen / cv2.GaussianBlur(made, (0, 0), sigma), (0, 0), sigma)
    return np.clip(np.rint(made - 1), 0, 255).astype(np.uint8)


def change_volume(footage: Footage, span: Span, *, gain: float) -> Footage:
    """Make the sound louder or quieter."""
    return change_sound(footage, lambda sound: (sound.samples * np.float32(gain)).astype(np.float32), span)


def reduce_noise(footage: Footage, span: Span) -> Footage:
    """Take steady noise away by spectral subtraction; the span's quietest moments tell what it sounds like."""
    return change_sound(footage, _denoise, span)


def _denoise(sound: Sound) -> Samples:
    size = max(16, int(sound.rate_hz * _WINDOW_S))
    table = sound.samples.reshape(len(sound.samples), -1)
    sides = [_subtract_noise(side.astype(np.float64), sound.rate_hz, size) for side in table.T]
    out = np.stack(sides, axis=1).astype(np.float32)
    return out[:, 0].copy() if sound.channels == 1 else out


def _subtract_noise(samples: npt.NDArray[np.float64], rate_hz: int, size: int) -> npt.NDArray[np.float64]:
    if len(samples) < 2 * size:
        return samples
    _, _, waves = signal.stft(samples, rate_hz, nperseg=size, noverlap=3 * size // 4)
    strength = np.abs(waves)
    noise = np.percentile(strength, _NOISE, axis=1, keepdims=True)
    gain = np.maximum(_LEFT, 1 - _OVER * noise / np.maximum(strength, 1e-12))
    _, back = signal.istft(waves * gain, rate_hz, nperseg=size, noverlap=3 * size // 4)
    out: npt.NDArray[np.float64] = np.zeros_like(samples)
    count = min(len(out), len(back))
    out[:count] = back[:count]
    return out
