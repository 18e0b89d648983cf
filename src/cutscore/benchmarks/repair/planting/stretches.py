"""Stretches that are planted to be cut out again: filler words, a wrong sentence, a stretch that is shown twice.

Words go into pauses. Where a pause is long enough, pictures go on as they were filmed, and golden is the clip without
that stretch: no trace in the pictures tells where it was. Where people hardly pause, the clip is made longer between
two words, and pictures swing back and forth meanwhile (`edits.insertions`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import ceil, floor
from random import Random

import numpy as np
import numpy.typing as npt
from pydantic import JsonValue

from cutscore.benchmarks.repair.edits.insertions import cut_out, insert_sound, mix_sound, picture_count, repeat_span
from cutscore.core.errors import BadInput
from cutscore.core.timeline import Span
from cutscore.media.footage import Footage
from cutscore.media.levels import find_runs
from cutscore.media.sound import Sound

MOST_FILLERS = 3
# Mean difference in levels of 255 from which a picture jumps back visibly when a stretch is shown again.
JUMP = 2.0
_BLOCK_S = Fraction(1, 50)
_PAUSE_DB, _SHORTEST_PAUSE_S = 20.0, Fraction(3, 50)
_APART_S = Fraction(1, 5)
_LOUDEST = 0.9


@dataclass(frozen=True, eq=False)
class PlantedStretches:
    """A clip with something to cut out, and without it.

    Spans say of each stretch where it lies in the broken clip: as planted, then others that are as right.
    """

    broken: Footage
    golden: Footage
    spans: tuple[tuple[Span, ...], ...]
    strength: dict[str, JsonValue]


def plant_repeat(footage: Footage, span: Span, draw: Random) -> PlantedStretches:
    """Show a stretch twice, with its sound or with silence under the second time.

    With its sound, any cut of that length which begins within the first copy or right behind it leaves the same clip.
    With silence only the second copy may go.
    """
    first, end = footage.first_at(span.start_s), footage.first_at(span.end_s)
    ends = list(islice(footage.pictures(), first, end, max(1, end - first - 1)))
    jump = round(float(np.abs(ends[-1].astype(np.int16) - ends[0]).mean()), 2)
    if jump < JUMP:
        fact = f"'{footage.name}' hardly moves in {span}: nobody could see that it is shown twice"
        raise BadInput("repeat", fact, "give another place")
    heard = footage.sound is None or draw.random() < 0.5
    count = end - first
    shifts = range(count, -1, -1) if heard else (count,)
    spans = tuple(Span(start_s=(first + shift) / footage.rate, end_s=(end + shift) / footage.rate) for shift in shifts)
    return PlantedStretches(
        repeat_span(footage, span, heard=heard), footage, (spans,), {"heard": heard, "pictures": count, "jump": jump}
    )


def plant_words(footage: Footage, sounds: Sequence[Sound], at: Span | None, draw: Random) -> PlantedStretches:
    """Put spoken sounds into pauses within `at`, one after the other: as many as find a pause, at most three."""
    if footage.sound is None:
        raise BadInput("words", f"'{footage.name}' has no sound to put them into")
    if not sounds:
        raise BadInput("words", "there is nothing to say", "give a sound")
    where = at or Span(start_s=0, end_s=footage.length_s)
    quiet = [span for pause in find_pauses(footage.sound) if (span := _intersect(pause, where)) is not None]
    words = [_match_loudness(sound, footage.sound) for sound in sounds]
    count = max(picture_count(word, footage.rate) for word in words)
    slots = _pause_slots(quiet, count, footage.rate)
    wanted = min(MOST_FILLERS, len(words))
    if len(slots) >= min(2, wanted):
        return _speak_over(footage, words, _draw_neighbours(slots, wanted, draw), count)
    middles = {round((span.start_s + span.end_s) / 2 * footage.rate) for span in quiet}
    places = sorted(middle for middle in middles if 0 < middle < footage.count)
    if not places:
        raise BadInput("words", f"nobody pauses in '{footage.name}' in {where}", "give another place")
    return _speak_between(footage, words, _draw_neighbours(places, wanted, draw))


def find_pauses(sound: Sound) -> list[Span]:
    """Return the stretches in which it is 20 dB quieter than where it is loud: the gaps between words."""
    size = sound.rate_hz * _BLOCK_S.numerator // _BLOCK_S.denominator
    level = _levels(sound.mono(), size)
    quiet = level <= _loudness(level) * 10 ** (-_PAUSE_DB / 20)
    least = ceil(_SHORTEST_PAUSE_S / _BLOCK_S)
    return [Span(start_s=first * _BLOCK_S, end_s=end * _BLOCK_S) for first, end in find_runs(quiet, least)]


def _speak_over(footage: Footage, words: Sequence[Sound], starts: Sequence[int], count: int) -> PlantedStretches:
    """Say the words in pauses, while the pictures go on; golden is the clip without these pauses."""
    spans = [Span(start_s=first / footage.rate, end_s=(first + count) / footage.rate) for first in starts]
    broken = footage
    for word, span in zip(words, spans, strict=False):
        broken = mix_sound(broken, word, at_s=span.start_s)
    strength: dict[str, JsonValue] = {"words": len(spans), "pictures": "go on"}
    return PlantedStretches(broken, cut_out(broken, spans), tuple((span,) for span in spans), strength)


def _speak_between(footage: Footage, words: Sequence[Sound], starts: Sequence[int]) -> PlantedStretches:
    """Say the words between two others, which makes the clip longer."""
    chosen = list(zip(starts, words, strict=False))
    broken = footage
    for first, word in reversed(chosen):  # from behind, so that places before stay where they are
        broken = insert_sound(broken, word, at_s=first / footage.rate)
    spans, earlier = [], 0
    for first, word in chosen:
        start = first + earlier
        earlier += picture_count(word, footage.rate)
        spans.append((Span(start_s=start / footage.rate, end_s=(first + earlier) / footage.rate),))
    return PlantedStretches(broken, footage, tuple(spans), {"words": len(spans), "pictures": "swing"})


def _pause_slots(quiet: Sequence[Span], count: int, rate: Fraction) -> list[int]:
    """Return numbers of pictures from which `count` pictures fit into a pause, apart from each other."""
    slots = []
    for span in quiet:
        first = ceil(span.start_s * rate)
        while first + count <= floor(span.end_s * rate):
            slots.append(first)
            first += count + ceil(_APART_S * rate)
    return slots


def _draw_neighbours(places: Sequence[int], wanted: int, draw: Random) -> Sequence[int]:
    """Draw some places that follow each other, so that one window holds them."""
    count = min(wanted, len(places))
    first = draw.randint(0, len(places) - count)
    return places[first : first + count]


def _intersect(pause: Span, where: Span) -> Span | None:
    start_s, end_s = max(pause.start_s, where.start_s), min(pause.end_s, where.end_s)
    return Span(start_s=start_s, end_s=end_s) if start_s < end_s else None


def _match_loudness(word: Sound, other: Sound) -> Sound:
    """Return a word as loud as what is heard in the clip."""
    size = word.rate_hz * _BLOCK_S.numerator // _BLOCK_S.denominator
    own, theirs = (_loudness(_levels(sound.mono(), size)) for sound in (word, other))
    peak = float(np.abs(word.samples).max())
    if not own or not theirs:
        raise BadInput("words", "are silent, or nothing is heard in the clip", "take a clip in which somebody speaks")
    gain = min(theirs / own, _LOUDEST / peak)
    return Sound((word.samples * np.float32(gain)).astype(np.float32), word.rate_hz)


def _levels(samples: npt.NDArray[np.float32], size: int) -> npt.NDArray[np.float64]:
    """Return the root mean square of each block; an unfinished last one is filled with silence."""
    filled = np.pad(samples.astype(np.float64), (0, -len(samples) % size))
    level: npt.NDArray[np.float64] = np.sqrt(np.square(filled).reshape(-1, size).mean(axis=1))
    return level


def _loudness(level: npt.NDArray[np.float64]) -> float:
    return float(np.percentile(level, 90))
