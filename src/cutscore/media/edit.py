"""Edits: trim, join, mux, change speed, filter. Each makes new footage out of footage and touches no file."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, islice

import numpy as np

from cutscore.core.errors import BadInput
from cutscore.core.timeline import Span
from cutscore.media.filter_graph import (
    PICTURE_FILTERS,
    SOUND_FILTERS,
    FilterStep,
    filter_pictures,
    filter_sound,
    parse_filter_chain,
)
from cutscore.media.footage import Footage, change_pictures, change_sound
from cutscore.media.orientation import Pixels
from cutscore.media.sound import Sound, sample_at

_SPEEDS = (Fraction(1, 2), Fraction(100))  # what FFmpeg's atempo can do
_BLOCK = 65_536  # samples


def trim(footage: Footage, span: Span) -> Footage:
    """Keep the pictures that begin within a span, and the sound under them."""
    footage.check_span(span)
    first, end = footage.first_at(span.start_s), footage.first_at(span.end_s)
    under = Span(start_s=first / footage.rate, end_s=end / footage.rate)
    sound = footage.sound and footage.sound.part(under)
    return replace(footage, pictures=lambda: islice(footage.pictures(), first, end), count=end - first, sound=sound)


def join_footage(parts: Sequence[Footage]) -> Footage:
    """Put footage one after the other; a part without sound is silent if another has some.

    Pictures must have one rate and, when written, one size; sounds must have one rate and number of channels.
    """
    if not parts:
        raise BadInput("join", "has no parts", "give at least one")
    if len({part.rate for part in parts}) > 1:
        rates = ", ".join(sorted({str(part.rate) for part in parts}))
        raise BadInput("join", f"parts have {rates} pictures a second", "take them at one rate")
    count = sum(part.count for part in parts)
    rate, name = parts[0].rate, parts[0].name
    return Footage(
        lambda: chain.from_iterable(part.pictures() for part in parts), count, rate, _join_sounds(parts), name
    )


def _join_sounds(parts: Sequence[Footage]) -> Sound | None:
    sounds = [part.sound for part in parts if part.sound is not None]
    if not sounds:
        return None
    kinds = {(sound.rate_hz, sound.channels) for sound in sounds}
    if len(kinds) > 1:
        raise BadInput("join", f"sounds differ in rate or channels: {sorted(kinds)}", "take them alike")
    rate_hz, shape = sounds[0].rate_hz, sounds[0].samples.shape[1:]
    pieces, frames = [], 0
    for part in parts:
        # Boundaries count from the beginning, so that rounding to samples does not add up over many parts.
        start = sample_at(frames / part.rate, rate_hz)
        frames += part.count
        length = sample_at(frames / part.rate, rate_hz) - start
        piece = np.zeros((length, *shape), np.float32)
        heard = piece[:0] if part.sound is None else part.sound.samples[:length]
        piece[: len(heard)] = heard
        pieces.append(piece)
    return Sound(np.concatenate(pieces), rate_hz)


def replace_sound(footage: Footage, sound: Sound | None, *, late_s: Fraction = Fraction(0)) -> Footage:
    """Return the pictures with another sound, or none: cut or filled with silence to their length.

    It begins `late_s` seconds after the first picture; below 0, that much of it is lost.
    """
    if sound is None:
        return replace(footage, sound=None)
    return replace(footage, sound=sound.part(Span(start_s=-late_s, end_s=footage.length_s - late_s)))


def change_speed(footage: Footage, factor: Fraction) -> Footage:
    """Make footage faster (above 1) or slower; the rate of pictures and the pitch of the sound stay.

    Picture n becomes the one that was shown at n·factor ÷ rate; so what happened at t happens at t ÷ factor, in
    pictures to within one of them, in sound to within some 10 ms (FFmpeg's atempo moves whole waves).
    """
    low, high = _SPEEDS
    if not low <= factor <= high:
        raise BadInput("speed", f"factor is {factor}", f"give {low} to {high}")
    count = max(1, round(footage.count / factor))

    def pictures() -> Iterator[Pixels]:
        left = (min(footage.count - 1, int(number * factor)) for number in range(count))
        due = next(left, None)
        for number, pixels in enumerate(footage.pictures()):
            while due == number:
                yield pixels
                due = next(left, None)

    fast = replace(footage, pictures=pictures, count=count)
    if footage.sound is None or factor == 1:
        return fast
    return replace_sound(fast, apply_sound_filters(footage.sound, (FilterStep("atempo", str(float(factor))),)))


def apply_filters(footage: Footage, *, pictures: str = "", sound: str = "", span: Span | None = None) -> Footage:
    """Send pictures, sound or both through a chain of the filters that `filter_graph` allows.

    Args:
        footage: What to change.
        pictures: Such as `hue=s=0,gblur=sigma=2`; it must not change the number of pictures.
        sound: Such as `lowpass=f=800`; what it makes longer or shorter is cut or filled with silence.
        span: Where; everywhere by default. Outside of it pictures and samples stay as they are.
    """
    changed = footage
    if pictures:
        steps = parse_filter_chain(pictures, PICTURE_FILTERS)
        what = f"filter chain '{pictures}'"
        changed = change_pictures(changed, lambda f: filter_pictures(f, steps, rate=footage.rate, what=what), span)
    if sound:
        heard = parse_filter_chain(sound, SOUND_FILTERS)
        what_sound = f"filter chain '{sound}'"
        changed = change_sound(changed, lambda part: apply_sound_filters(part, heard, what=what_sound).samples, span)
    return changed


def apply_sound_filters(sound: Sound, steps: Sequence[FilterStep], *, what: str = "filter chain") -> Sound:
    """Send a sound through filters; it comes back with its own rate and channels, as long as the filters make it."""
    table = sound.samples.reshape(len(sound.samples), -1)
    layout = "mono" if sound.channels == 1 else "stereo"
    blocks = (table[start : start + _BLOCK] for start in range(0, len(table), _BLOCK))
    end = FilterStep("aformat", f"sample_rates={sound.rate_hz}:channel_layouts={layout}")
    out = list(filter_sound(blocks, [*steps, end], rate_hz=sound.rate_hz, layout=layout, what=what))
    if not out:
        raise BadInput(what, "leaves no sound")
    samples = np.concatenate(out)
    return Sound(samples[:, 0].copy() if sound.channels == 1 else samples, sound.rate_hz)
