"""Whether the sound of a film is that of its clips: there, in time, once, and not distorted."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cutscore.core.timeline import Span
from cutscore.media import deliverable
from cutscore.media.levels import SILENT_DBFS
from cutscore.scoring.verifiers.film_faults import FilmFault
from cutscore.scoring.verifiers.rendered import ClipRun

Wave = npt.NDArray[np.float64]

_RATE_HZ = 8000
_CLIPS = 256  # that are kept
_SILENT = 10 ** (SILENT_DBFS / 20)
# Share of a clip's loudness below which nothing of it is heard.
_FAINT = 0.03
# Share by which a film that plays its clips at their own pace may be longer or shorter than they are.
_PACE = 0.03
# Nobody sees that sound is 0.1 s off; runs of an assembly are exact to an eighth of a second.
LATE_S = 0.2
# An echo half as loud as what it follows, 40 ms or more behind it, is heard as a second voice.
ECHO, ECHO_S = 0.4, 0.04
# A wave whose tops are cut off has a smaller ratio of peak to mean; encoders move it by a tenth.
CREST, LOUD = 0.75, 0.5


def find_sound_faults(film: Path, runs: Sequence[ClipRun], clips: Mapping[str, Path]) -> Iterator[FilmFault]:
    """Return where the sound of a film is not that of the clips; nothing where the clips are silent.

    Clips that the film shows at another pace are only asked whether they are heard: their sound may be another then.
    """
    known = {name: _clip_wave(path) for name, path in clips.items()}
    expected, paced = _expect(runs, known)
    if _loudness(expected) <= _SILENT:
        return
    heard = _film_wave(film, len(expected))
    whole = Span(start_s=runs[0].start_s, end_s=runs[-1].end_s)
    silent = list(_silent(runs, expected, heard))
    yield from silent
    if not paced or _loudness(heard) < _FAINT * _loudness(expected):
        return
    response, own = _impulse_response(expected, heard), _impulse_response(expected, expected)
    main = int(np.abs(response).argmax())
    lag_s = (main if main < len(response) / 2 else main - len(response)) / _RATE_HZ
    if abs(lag_s) > LATE_S:
        way = "late" if lag_s > 0 else "early"
        yield FilmFault("out of step", whole, f"has its sound {abs(lag_s):.2f} s too {way}")
        return
    rest = np.abs(response - np.roll(own, main) * (response[main] / own[0]))
    near = round(ECHO_S * _RATE_HZ)
    rest[(np.arange(-near, near + 1) + main) % len(rest)] = 0
    if rest.max() >= ECHO * abs(response[main]):
        behind = (int(rest.argmax()) - main) % len(rest)
        off_s = min(behind, len(rest) - behind) / _RATE_HZ
        yield FilmFault("doubled", whole, f"has its sound twice, {off_s:.2f} s apart")
    if _crest(heard) < CREST * _crest(expected) and float(np.abs(heard).max()) >= LOUD:
        because = (
            f"has the tops of its sound cut off: peak to mean is {_crest(heard):.1f}, the clips' {_crest(expected):.1f}"
        )
        yield FilmFault("clipped", whole, because)


def _expect(runs: Sequence[ClipRun], known: Mapping[str, Wave]) -> tuple[Wave, bool]:
    """Return the sound that the clips would make, and whether the film goes at their pace.

    If it does, they are laid one after the other: where two are halves of one shot, nobody can tell the cut between
    them to the picture. Otherwise each is laid where the film begins to show it.
    """
    made = np.zeros(round(runs[-1].end_s * _RATE_HZ))
    shown = [run for run in runs if run.clip is not None]
    clips = [known[name] for name, _ in groupby(run.clip for run in shown) if name is not None]
    played = np.concatenate([*clips, np.zeros(0)])
    if abs(len(made) - len(played)) <= _PACE * len(played):
        count = min(len(made), len(played))
        made[:count] = played[:count]
        return made, True
    for run in shown:
        start, wave = round(run.start_s * _RATE_HZ), known[run.clip or ""]
        part = wave[: min(len(made) - start, round(run.length_s * _RATE_HZ))]
        made[start : start + len(part)] = part
    return made, False


def _silent(runs: Sequence[ClipRun], expected: Wave, heard: Wave) -> Iterator[FilmFault]:
    for run in runs:
        inside = slice(round(run.start_s * _RATE_HZ), round(run.end_s * _RATE_HZ))
        loud = _loudness(expected[inside])
        if loud > _SILENT and _loudness(heard[inside]) < _FAINT * loud:
            at = Span(start_s=run.start_s, end_s=run.end_s)
            yield FilmFault("silent", at, f"is silent where {run.clip} is heard")


def _impulse_response(given: Wave, heard: Wave) -> Wave:
    """Return what turns one sound into another; frequencies that the first lacks say nothing."""
    size = 2 * max(len(given), len(heard))
    one, other = np.fft.rfft(given, size), np.fft.rfft(heard, size)
    power = np.abs(one) ** 2
    response: Wave = np.fft.irfft(other * np.conj(one) / (power + 0.01 * power.max()), size)
    return response


def _crest(wave: Wave) -> float:
    return float(np.abs(wave).max()) / max(_loudness(wave), 1e-9)


def _loudness(wave: Wave) -> float:
    return float(np.sqrt(np.mean(wave**2))) if len(wave) else 0.0


def _film_wave(path: Path, count: int) -> Wave:
    if not deliverable.has_sound(path):
        return np.zeros(count)
    samples = deliverable.read_sound(path, rate_hz=_RATE_HZ, channels="mono").mono().astype(np.float64)[:count]
    return np.concatenate([samples, np.zeros(count - len(samples))])


@lru_cache(maxsize=_CLIPS)
def _clip_wave(path: Path) -> Wave:
    """Listen to a clip of ours once, for as long as it shows pictures; files in a store never change."""
    length_s: Fraction = deliverable.extent_of(path).end_s - deliverable.extent_of(path).start_s
    return _film_wave(path, round(length_s * _RATE_HZ))
