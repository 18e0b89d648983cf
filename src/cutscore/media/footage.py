"""Footage: pictures at one rate with the sound that belongs to them, exactly as long as they are.

Pictures are decoded when they are written, one at a time, so that edits (`edit.py`) can be
chained without a file between them and without losing quality. Sound is held in memory, an hour at most.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from math import ceil
from pathlib import Path

from cutscore.core.errors import BadInput
from cutscore.core.timeline import Span
from cutscore.media.audio import Channels, has_sound, read_sound
from cutscore.media.frames import iter_frames
from cutscore.media.orientation import Pixels
from cutscore.media.plan import Times
from cutscore.media.probe import probe
from cutscore.media.render import write_clip
from cutscore.media.sound import Samples, Sound, sample_at

SOUND_RATE_HZ = 48_000
# Containers that count milliseconds stamp frames up to half of one late; a frame that near counts as shown.
_COARSE_S = Fraction(1, 1000)


@dataclass(frozen=True, eq=False)
class Footage:
    """Pictures, given from the first on each time that they are called for, and sound exactly as long, or None.

    There are `rate` pictures a second; picture n is shown from n ÷ rate seconds on.
    """

    pictures: Callable[[], Iterator[Pixels]]
    count: int
    rate: Fraction
    sound: Sound | None
    name: str = "footage"

    @property
    def length_s(self) -> Fraction:
        """Seconds that the pictures take."""
        return self.count / self.rate

    def first_at(self, time_s: Fraction) -> int:
        """Return the number of the first picture that begins at a time or after it."""
        return ceil(time_s * self.rate)

    def check_span(self, span: Span) -> Span:
        """Return the span back if it holds a picture and lies inside, else refuse it."""
        if span.start_s < 0 or span.end_s > self.length_s or self.first_at(span.start_s) >= self.first_at(span.end_s):
            raise BadInput(f"span {span}", f"has no picture inside '{self.name}' (0 to {float(self.length_s):g} s)")
        return span


def load_footage(
    path: Path,
    *,
    span: Span | None = None,
    rate: Fraction | None = None,
    rate_hz: int = SOUND_RATE_HZ,
    channels: Channels = "stereo",
    sound: bool = True,
    trusted: bool = True,
) -> Footage:
    """Take a clip, or a span of it.

    Args:
        path: The clip.
        span: Seconds to take, within the clip; its length is rounded to whole pictures.
        rate: Pictures a second of the footage; the clip's own average by default. Picture n is what the clip shows
            n ÷ rate seconds after the start, so a clip with a variable rate gets a constant one here.
        rate_hz: Samples a second of the sound.
        channels: How the sound is mixed (`audio.read_sound`).
        sound: False leaves it out.
        trusted: False for a stranger's clip: it is decoded in a limited child.
    """
    facts = probe(path, trusted=trusted)
    chosen = rate or facts.rate
    if chosen is None or chosen <= 0 or facts.duration_s is None:
        raise BadInput(f"clip '{path.name}'", "does not tell its frames a second", "give a rate above 0")
    whole = Span(start_s=0, end_s=facts.duration_s)
    wanted = whole if span is None else span
    count = round(wanted.length_s * chosen)
    # The last picture of a variable rate may end before its place in the constant one does.
    end_s = max(whole.end_s, round(whole.length_s * chosen) / chosen)
    if wanted.start_s < 0 or wanted.end_s > end_s or count < 1:
        raise BadInput(f"span {wanted}", f"has no picture inside '{path.name}' ({whole})")
    slack_s = min(_COARSE_S, 1 / (4 * chosen))
    plan = Times(tuple(wanted.start_s + number / chosen + slack_s for number in range(count)))
    samples = None
    if sound and has_sound(path, trusted=trusted):
        heard = Span(start_s=wanted.start_s, end_s=wanted.start_s + count / chosen)
        samples = read_sound(path, rate_hz=rate_hz, channels=channels, span=heard, trusted=trusted)

    def pictures() -> Iterator[Pixels]:
        return (frame.pixels for frame in iter_frames(path, plan, trusted=trusted))

    return Footage(pictures, count, chosen, samples, path.name)


def load_whole_clip(path: Path, *, trusted: bool = True) -> Footage:
    """Take a clip as it is: at its own rate, and its sound with its own samples a second, mono or stereo."""
    heard = probe(path, trusted=trusted).sound
    if heard is None:
        return load_footage(path, trusted=trusted)
    return load_footage(
        path, rate_hz=heard.rate_hz, channels="mono" if heard.channels == 1 else "stereo", trusted=trusted
    )


def hold_picture(pixels: Pixels, *, count: int, rate: Fraction) -> Footage:
    """Return one picture, shown for a number of frames, without sound."""
    return Footage(lambda: iter([pixels] * count), count, rate, None, "still")


def write_footage(
    footage: Footage,
    path: Path,
    *,
    crf: int = 18,
    preset: str = "medium",
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Write footage as an MP4 that appears whole or not at all (`render.write_clip`).

    The file may be the one that the footage was taken from. `progress` is told the pictures that are done and those
    that there are, after each.
    """

    def counted() -> Iterator[Pixels]:
        done = 0
        for done, pixels in enumerate(footage.pictures(), 1):
            yield pixels
            if progress is not None:
                progress(done, footage.count)
        if done != footage.count:
            raise BadInput(f"clip '{path.name}'", f"'{footage.name}' gave {done} pictures of {footage.count}")

    write_clip(path, counted(), rate=footage.rate, crf=crf, preset=preset, sound=footage.sound)


def change_pictures(
    footage: Footage, change: Callable[[Iterator[Pixels]], Iterator[Pixels]], span: Span | None = None
) -> Footage:
    """Replace the pictures that begin within a span (all by default) by what becomes of them, one for one."""
    first, end = 0, footage.count
    if span is not None:
        footage.check_span(span)
        first, end = footage.first_at(span.start_s), footage.first_at(span.end_s)

    def pictures() -> Iterator[Pixels]:
        source = footage.pictures()
        yield from islice(source, first)
        yield from change(islice(source, end - first))
        yield from source

    return replace(footage, pictures=pictures)


def change_sound(footage: Footage, change: Callable[[Sound], Samples], span: Span | None = None) -> Footage:
    """Replace the samples of a span (all by default) by what becomes of them, cut or filled to the same length."""
    if footage.sound is None:
        raise BadInput(f"'{footage.name}'", "has no sound to change")
    where = Span(start_s=0, end_s=footage.length_s) if span is None else footage.check_span(span)
    rate_hz = footage.sound.rate_hz
    first, end = sample_at(where.start_s, rate_hz), sample_at(where.end_s, rate_hz)
    samples = footage.sound.samples.copy()
    new = change(footage.sound.part(where))[: end - first]
    samples[first:end] = 0
    samples[first : first + len(new)] = new
    return replace(footage, sound=Sound(samples, rate_hz))
