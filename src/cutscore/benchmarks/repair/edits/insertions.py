"""Edits of the timeline: cut stretches out, show one again, or put a sound into a pause or between two pictures.

Whoever cuts out what was put in has the clip as it was.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from math import ceil

import numpy as np

from cutscore.core.errors import BadInput
from cutscore.core.timeline import Span
from cutscore.media.edit import join_footage, trim
from cutscore.media.footage import Footage
from cutscore.media.orientation import Pixels
from cutscore.media.sound import Samples, Sound, sample_at

# Pictures that are kept in memory while they swing; at 25 a second half a second of movement.
SWING = 12


def cut_out(footage: Footage, spans: list[Span]) -> Footage:
    """Leave out stretches, sorted and apart from each other, with the sound under them."""
    starts = [Fraction(0), *(span.end_s for span in spans)]
    ends = [*(span.start_s for span in spans), footage.length_s]
    return join_footage(take_stretches(footage, zip(starts, ends, strict=True)))


def take_stretches(footage: Footage, stretches: Iterable[tuple[Fraction, Fraction]]) -> list[Footage]:
    """Return stretches of footage from second to second, without those in which no picture begins."""
    return [
        trim(footage, Span(start_s=start_s, end_s=end_s))
        for start_s, end_s in stretches
        if footage.first_at(start_s) < footage.first_at(end_s)
    ]


def repeat_span(footage: Footage, span: Span, *, heard: bool) -> Footage:
    """Show a stretch once more right after its end, heard again or silent, and go on."""
    again = trim(footage, span)
    if not heard and again.sound is not None:
        again = replace(again, sound=Sound(np.zeros_like(again.sound.samples), again.sound.rate_hz))
    return _insert_footage(footage, span.end_s, again)


def insert_sound(footage: Footage, sound: Sound, *, at_s: Fraction) -> Footage:
    """Put a sound between what comes before a time and what comes after it, for as many whole pictures as it lasts.

    There are no pictures of what was not filmed. Those before the time swing back and forth meanwhile, so that neither
    a jump nor a still picture tells where the sound was put.
    """
    first = footage.first_at(at_s)
    if not 0 < first <= footage.count:
        raise BadInput(f"time {float(at_s):g} s", f"lies outside of '{footage.name}'")
    count = picture_count(sound, footage.rate)

    def swinging() -> Iterator[Pixels]:
        held = list(islice(footage.pictures(), max(0, first - SWING), first))
        return (held[-1 - min(back, len(held) - 1)] for back in _swing(count))

    swing = Footage(swinging, count, footage.rate, _match_channels(footage, sound), footage.name)
    return _insert_footage(footage, at_s, swing)


def mix_sound(footage: Footage, sound: Sound, *, at_s: Fraction) -> Footage:
    """Add a sound to that of the footage from a time on; pictures and length stay as they are."""
    if footage.sound is None:
        raise BadInput(f"'{footage.name}'", "has no sound to add to")
    samples, added = footage.sound.samples.copy(), _match_channels(footage, sound).samples
    first = sample_at(at_s, footage.sound.rate_hz)
    room = samples[first : first + len(added)]
    room += added[: len(room)]
    return replace(footage, sound=Sound(samples, footage.sound.rate_hz))


def picture_count(sound: Sound, rate: Fraction) -> int:
    """Return how many pictures are shown until a sound is over.

    >>> picture_count(Sound(np.zeros(4801, np.float32), 48_000), Fraction(10))
    2
    """
    return ceil(sound.length_s * rate)


def _swing(count: int) -> list[int]:
    """Return how far back each picture lies: away and back again, evenly, once or several times.

    >>> _swing(8)
    [1, 2, 3, 4, 3, 2, 1, 0]
    """
    times = ceil(Fraction(count, 2 * SWING))
    turns = (Fraction(number * times, count) % 1 for number in range(1, count + 1))
    return [int(Fraction(count, 2 * times) * (1 - abs(2 * turn - 1))) for turn in turns]


def _insert_footage(footage: Footage, at_s: Fraction, part: Footage) -> Footage:
    before = take_stretches(footage, [(Fraction(0), at_s)])
    return join_footage([*before, part, *take_stretches(footage, [(at_s, footage.length_s)])])


def _match_channels(footage: Footage, sound: Sound) -> Sound:
    """Return a sound with the channels of the footage; its rate must be the same."""
    if footage.sound is not None and footage.sound.rate_hz != sound.rate_hz:
        raise BadInput("sound", f"has {sound.rate_hz} Hz, '{footage.name}' {footage.sound.rate_hz} Hz", "resample it")
    if footage.sound is None or footage.sound.channels == sound.channels:
        return sound
    sides: Samples = sound.mono() if sound.channels == 2 else np.repeat(sound.samples[:, None], 2, axis=1)
    return Sound(sides, sound.rate_hz)
