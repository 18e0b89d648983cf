"""Whether the sound of a film is that of its clips: there, in time, once, and not distorted."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from pathlib import Path

import numpy as np

from cutscore.core.timeline import Span
from cutscore.media import deliverable
from cutscore.scoring.verifiers.film_faults import FilmFault
from cutscore.scoring.verifiers.rendered import ClipRun
from cutscore.scoring.verifiers.sound_comparison import (
    FAINT,
    LATE_S,
    RATE_HZ,
    SILENT,
    Wave,
    compare_sounds,
    envelope_lag_s,
    find_cut_tops,
    find_lag,
    find_silences,
    lay_in_step,
    loudness,
    tell_lag,
)

_CLIPS = 256  # that are kept
# Share by which a film that plays its clips at their own pace may be longer or shorter than they are.
_PACE = 0.03
# Share of what is heard in the clips that has to be found in the film, or it goes at another pace.
_LEAST_FOUND = 0.5
# Runs are exact to an eighth of a second.
_RUN_WITHIN_S = 0.125
# Correlation from which on a clip's sound is taken to be found.
_FOUND = 0.4
# Share of its best correlation from which on a clip's sound is in step: an echo fits as well where it is.
_IN_STEP = 0.8


def find_sound_faults(film: Path, runs: Sequence[ClipRun], clips: Mapping[str, Path]) -> Iterator[FilmFault]:
    """Return where the sound of a film is not that of the clips; nothing where the clips are silent.

    A film at the pace of its clips is compared with their sounds laid one after the other (`lay_in_step`). In a film
    that is longer or shorter each clip's sound is looked for by itself. Where it is not found, the film goes at another
    pace, and only how loud it is can be compared.
    """
    known = {name: _clip_wave(path) for name, path in clips.items()}
    shown = [run for run in runs if run.clip is not None]
    count = round(runs[-1].end_s * RATE_HZ)
    whole = Span(start_s=runs[0].start_s, end_s=runs[-1].end_s)
    own = sum(len(known[name]) for name, _ in groupby(run.clip or "" for run in shown))
    placed = _lay_sounds(shown, known, count)
    if loudness(placed) <= SILENT:
        return
    heard = _film_wave(film, count)
    if abs(count - own) <= _PACE * own:
        starts = [(known[name], next(group).start_s) for name, group in groupby(shown, key=lambda run: run.clip or "")]
        expected = lay_in_step(starts, heard)
        yield from find_silences(expected, heard)
        yield from compare_sounds(expected, heard, whole)
        return
    if loudness(heard) < FAINT * loudness(placed):
        yield from find_silences(placed, heard)
        return
    yield from _silent_clips(shown, placed, heard)
    # Tones are found in a slower film, too, and there look doubled or late.
    if not _goes_at_another_pace(shown, known, count / own):
        late, found = _find_each(shown, known, heard)
        yield from late
        if loudness(found) >= _LEAST_FOUND * loudness(placed):
            yield from compare_sounds(found, heard, whole)
            return
    if abs(lag_s := envelope_lag_s(_lay_sounds(shown, known, count, stretch=True), heard)) > LATE_S:
        yield tell_lag(whole, lag_s)
    yield from find_cut_tops(placed, heard, whole)


def _goes_at_another_pace(runs: Sequence[ClipRun], known: Mapping[str, Wave], pace: float) -> bool:
    """Return whether every clip is shown longer or shorter by the same share."""
    lengths = [(run.length_s, Fraction(len(known[run.clip or ""]), RATE_HZ)) for run in runs]
    return all(abs(float(shown_s) - pace * float(own_s)) <= _RUN_WITHIN_S for shown_s, own_s in lengths)


def _lay_sounds(runs: Sequence[ClipRun], known: Mapping[str, Wave], count: int, *, stretch: bool = False) -> Wave:
    """Return the clips' sounds, each where the film begins to show it; stretched, each as long as it is shown."""
    made = np.zeros(count)
    for run in runs:
        start, wave = round(run.start_s * RATE_HZ), known[run.clip or ""]
        room = min(count - start, round(run.length_s * RATE_HZ))
        if stretch and len(wave) and room > 0:
            wave = wave[np.linspace(0, len(wave) - 1, room).astype(int)]
        part = wave[: max(0, room)]
        made[start : start + len(part)] = part
    return made


def _find_each(runs: Sequence[ClipRun], known: Mapping[str, Wave], heard: Wave) -> tuple[list[FilmFault], Wave]:
    """Return which clips' sounds are out of step, and all that were found, laid where they are heard.

    A clip that is shown for less time than it lasts may have lost its beginning, and one for more may come later.
    """
    late, made = list[FilmFault](), np.zeros(len(heard))
    for run in runs:
        wave = known[run.clip or ""]
        if loudness(wave) <= SILENT:
            continue
        start = round(run.start_s * RATE_HZ)
        spare, near = round(run.length_s * RATE_HZ) - len(wave), round(LATE_S * RATE_HZ)
        lag, alike = find_lag(wave, heard, start, (min(0, spare) - near, max(0, spare) + near))
        other, more_alike = find_lag(wave, heard, start, (-RATE_HZ, RATE_HZ))
        if max(alike, more_alike) < _FOUND:
            continue
        if alike < _IN_STEP * more_alike:
            late.append(tell_lag(Span(start_s=run.start_s, end_s=run.end_s), other / RATE_HZ))
            lag = other
        begin, end = max(start, start + lag), min(len(heard), round(run.end_s * RATE_HZ))
        part = wave[begin - start - lag :][: max(0, end - begin)]
        made[begin : begin + len(part)] = part
    return late, made


def _silent_clips(runs: Sequence[ClipRun], expected: Wave, heard: Wave) -> Iterator[FilmFault]:
    for run in runs:
        inside = slice(round(run.start_s * RATE_HZ), round(run.end_s * RATE_HZ))
        loud = loudness(expected[inside])
        if loud > SILENT and loudness(heard[inside]) < FAINT * loud:
            yield FilmFault(
                "silent", Span(start_s=run.start_s, end_s=run.end_s), f"is silent where {run.clip} is heard"
            )


def _film_wave(path: Path, count: int) -> Wave:
    if not deliverable.has_sound(path):
        return np.zeros(count)
    samples = deliverable.read_sound(path, rate_hz=RATE_HZ, channels="mono").mono().astype(np.float64)[:count]
    return np.concatenate([samples, np.zeros(count - len(samples))])


@lru_cache(maxsize=_CLIPS)
def _clip_wave(path: Path) -> Wave:
    """Listen to a clip of ours once, for as long as it shows pictures; files in a store never change."""
    extent = deliverable.extent_of(path)
    length_s: Fraction = extent.end_s - extent.start_s
    return _film_wave(path, round(length_s * RATE_HZ))
