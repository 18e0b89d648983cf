"""A sound against the one that is expected: silent, out of step, doubled or clipped. Waves at `RATE_HZ`, no files."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from cutscore.core.timeline import Span
from cutscore.media.levels import SILENT_DBFS
from cutscore.scoring.verifiers.film_faults import FilmFault

Wave = npt.NDArray[np.float64]

RATE_HZ = 8000
SILENT = 10 ** (SILENT_DBFS / 20)
# Share of the expected loudness below which nothing is heard.
FAINT = 0.03
# Nobody sees that sound is 0.1 s off; runs of an assembly are exact to an eighth of a second.
LATE_S = 0.2
# An echo half as loud as what it follows, 40 ms or more behind it, is heard as a second voice.
ECHO, ECHO_S = 0.4, 0.04
# A wave whose tops are cut off has a smaller ratio of peak to mean; encoders move it by a tenth.
CREST, LOUD = 0.75, 0.5
# Quarters of a second in which nothing is heard; one alone may be a pause that came a little early.
_WINDOW_S, SILENCE_S = Fraction(1, 4), Fraction(1, 2)
# Loudness is followed at so many values a second. Where films at another pace are compared by it, it has to fit well,
# and clearly better than in step: loudness says less than the wave itself.
_ENVELOPE_HZ, _ENVELOPE_FITS, _ENVELOPE_BETTER = 50, 0.6, 0.15


def loudness(wave: Wave) -> float:
    """Return the root mean square."""
    return float(np.sqrt(np.mean(wave**2))) if len(wave) else 0.0


def compare_sounds(
    expected: Wave,
    heard: Wave,
    whole: Span,
    *,
    least_alike: float = 0.0,
    within_s: float | None = None,
    crest: float = CREST,
) -> Iterator[FilmFault]:
    """Return how a sound as a whole differs from the one that is expected.

    A sound that is less alike (correlation, at whatever lag) is another one, and nothing is said of it. Lags and echoes
    beyond `within_s` are not looked for.
    """
    if loudness(heard) < FAINT * loudness(expected):
        return
    response, own = _impulse_responses(expected, heard)
    lags = np.fft.fftfreq(len(response), 1 / len(response)) / RATE_HZ
    if within_s is not None:
        response, own = (np.where(np.abs(lags) <= within_s, each, 0) for each in (response, own))
    main = int(np.abs(response).argmax())
    if least_alike and _correlation(expected, heard, round(lags[main] * RATE_HZ)) < least_alike:
        return
    if abs(lags[main]) > LATE_S:
        yield tell_lag(whole, float(lags[main]))
        return
    rest = np.abs(response - np.roll(own, main) * (response[main] / own[0]))
    near = round(ECHO_S * RATE_HZ)
    rest[(np.arange(-near, near + 1) + main) % len(rest)] = 0
    if rest.max() >= ECHO * abs(response[main]):
        off_s = abs(lags[int(rest.argmax())] - lags[main])
        yield FilmFault("doubled", whole, f"has its sound twice, {off_s:.2f} s apart")
    yield from find_cut_tops(expected, heard, whole, crest=crest)


def tell_lag(at: Span, lag_s: float) -> FilmFault:
    """Return the fault of sound that is late, or early below 0."""
    return FilmFault("out of step", at, f"has its sound {abs(lag_s):.2f} s too {'late' if lag_s > 0 else 'early'}")


def find_cut_tops(expected: Wave, heard: Wave, whole: Span, *, crest: float = CREST) -> Iterator[FilmFault]:
    """Return whether the tops of a sound are cut off; both may lie anywhere in time."""
    if _crest(heard) < crest * _crest(expected) and float(np.abs(heard).max()) >= LOUD:
        ratios = f"peak to mean is {_crest(heard):.1f}, the clips' {_crest(expected):.1f}"
        yield FilmFault("clipped", whole, f"has the tops of its sound cut off: {ratios}")


def find_silences(expected: Wave, heard: Wave, *, longer_than_s: Fraction = SILENCE_S) -> Iterator[FilmFault]:
    """Return the stretches, as long as that or longer, in which nothing is heard though something is expected.

    Where nothing is heard from beginning to end, it is all one stretch, pauses included.
    """
    if loudness(heard) < FAINT * loudness(expected):
        whole = Span(start_s=Fraction(0), end_s=Fraction(len(expected), RATE_HZ))
        yield FilmFault("silent", whole, "is silent from beginning to end where the clips are heard")
        return
    step = round(_WINDOW_S * RATE_HZ)
    silent = [
        (loud := loudness(expected[at : at + step])) > SILENT and loudness(heard[at : at + step]) < FAINT * loud
        for at in range(0, len(expected), step)
    ]
    first = None
    for number, quiet in enumerate([*silent, False]):
        if quiet and first is None:
            first = number
        elif not quiet and first is not None:
            at = Span(start_s=first * _WINDOW_S, end_s=min(number * _WINDOW_S, Fraction(len(expected), RATE_HZ)))
            if at.length_s >= longer_than_s:
                yield FilmFault("silent", at, f"is silent for {float(at.length_s):.2f} s where the clips are heard")
            first = None


def find_lag(wave: Wave, heard: Wave, start: int, within: tuple[int, int]) -> tuple[int, float]:
    """Return by how many samples a sound comes later than `start`, `within` two bounds, and its correlation there."""
    least, most = within
    low = max(0, start + least)
    around = heard[low : max(low, start + len(wave) + most)]
    size = len(around) + len(wave)
    products = np.fft.irfft(np.fft.rfft(around, size) * np.conj(np.fft.rfft(wave, size)), size)
    lags = np.concatenate([np.arange(len(around)), np.arange(-len(wave), 0)]) + low - start
    best = int(np.where((lags >= least) & (lags <= most), products, -np.inf).argmax())
    lag = int(lags[best])
    return lag, _correlation(wave, heard[max(0, start) :], lag)


def lay_in_step(clips: Sequence[tuple[Wave, Fraction]], heard: Wave) -> Wave:
    """Return the sounds of clips one after the other, each moved to where a film has it if it is in step there.

    Blocks of AAC go on for some 20 ms after the last picture. Whoever joins files lets the next clip wait for them, and
    pictures and sound are later by that at each cut. So what a film is longer than its clips is spread over its cuts.
    Where two clips are halves of one shot, nobody can tell the cut between them to the picture: in step is what is near
    the place that was reckoned so, or near the second at which the clip is first seen, which comes with its sound.
    """
    spare = (len(heard) - sum(len(wave) for wave, _ in clips)) / max(1, len(clips))
    made, at, near = np.zeros(len(heard)), 0.0, round(LATE_S * RATE_HZ)
    for wave, seen_s in clips:
        place = round(at)
        least, most = sorted((0, round(seen_s * RATE_HZ) - place))
        lag, _ = find_lag(wave, heard, place, (least - RATE_HZ, most + RATE_HZ))
        begin = max(0, place + (lag if least - near <= lag <= most + near else 0))
        part = wave[: max(0, len(made) - begin)]
        made[begin : begin + len(part)] = part
        at += len(wave) + spare
    return made


def envelope_lag_s(expected: Wave, heard: Wave) -> float:
    """Return by how many seconds, at most one, a sound's loudness follows the expected one late; 0 where it may fit."""
    one, other = _envelope(expected), _envelope(heard)
    lags = range(-_ENVELOPE_HZ, _ENVELOPE_HZ + 1)
    fits = {lag: _correlation(one, other, lag) for lag in lags if abs(lag) < len(one) // 2}
    best = max(fits, key=lambda lag: fits[lag])
    near = max(fit for lag, fit in fits.items() if abs(lag) <= LATE_S * _ENVELOPE_HZ)
    clear = fits[best] >= _ENVELOPE_FITS and fits[best] >= near + _ENVELOPE_BETTER
    return best / _ENVELOPE_HZ if clear else 0.0


def _envelope(wave: Wave) -> Wave:
    step = RATE_HZ // _ENVELOPE_HZ
    levels: Wave = np.sqrt(np.mean(wave[: len(wave) // step * step].reshape(-1, step) ** 2, axis=1))
    levels -= levels.mean()
    return levels


def _correlation(one: Wave, other: Wave, lag: int) -> float:
    """Return the correlation of a sound with another that comes `lag` samples later, where both are."""
    first, second = one[max(0, -lag) :], other[max(0, lag) :]
    count = min(len(first), len(second))
    first, second = first[:count], second[:count]
    power = float(first @ first) * float(second @ second)
    return float(first @ second) / power**0.5 if power > 0 else 0.0


def _impulse_responses(given: Wave, heard: Wave) -> tuple[Wave, Wave]:
    """Return what turns one sound into another, and what turns it into itself.

    Frequencies that it lacks say nothing.
    """
    size = 1 << (2 * max(len(given), len(heard)) - 1).bit_length()
    one, other = np.fft.rfft(given, size), np.fft.rfft(heard, size)
    power = np.abs(one) ** 2
    share = 1 / (power + 0.01 * power.max())
    return np.fft.irfft(other * np.conj(one) * share, size), np.fft.irfft(power * share, size)


def _crest(wave: Wave) -> float:
    return float(np.abs(wave).max()) / max(loudness(wave), 1e-9)
