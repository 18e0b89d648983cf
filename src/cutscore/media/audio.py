"""The sound of a clip or of a sound file, exact by presentation time.

Second 0 is the first picture, as it is for frames: sound that a container starts earlier is cut off there, sound
that starts later is preceded by silence. In a file of sound alone (WAV, FLAC, MP3, M4A, Ogg) second 0 is the first
sample. Blocks are placed by their time stamps; where the stamps leave a gap there is silence, and of two blocks that
claim one instant the first is heard. Stamps that are merely as coarse as the container's clock (Matroska counts
milliseconds) are not gaps. What an encoder puts in front (the priming of AAC, MP3 or Opus) is cut off by the decoder
wherever the file says how much of it there is.

Sample n is heard at n ÷ rate seconds, and a span [a, b) is the samples from round(a·rate) up to round(b·rate). So
spans that touch share no sample and miss none, and a span equals the same part of the whole. For that a clip is
always decoded from its start, in blocks: memory does not grow with it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Literal

import numpy as np
from av.audio.frame import AudioFrame

from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.timeline import Span
from cutscore.media import untrusted
from cutscore.media.budget import DEFAULT_BUDGET, Budget
from cutscore.media.container import DEMUXERS, as_video, open_media, open_sound
from cutscore.media.filter_graph import FilterStep, filter_sound
from cutscore.media.kept_decodes import decode_or_recall
from cutscore.media.sound import Samples, Sound, sample_at
from cutscore.media.source import Source, open_source

Channels = Literal["mono", "stereo"]

MOST_AT_ONCE_S = 3600  # of sound in one array; more is read span by span or streamed
_SILENCE = 65_536  # samples of silence in one block
_GATHERED = 16_384  # samples that are handled at a time: codecs give a thousand, and each handful costs a call
_RESAMPLED = 524_288  # samples that resampling may make at a time
_TAIL = 8192  # samples kept back until the end is known; the resampler's tail is far shorter
# Whole numbers become floats as everywhere: the lowest is -1.
_FULL_SCALE = {"u8": 2.0**7, "s16": 2.0**15, "s32": 2.0**31, "flt": 1.0, "dbl": 1.0}


def has_sound(path: Path | Source, *, trusted: bool = True, budget: Budget = DEFAULT_BUDGET) -> bool:
    """Return whether a file has an audio stream."""
    with open_source(path) as source:
        if not trusted:
            return untrusted.has_sound(source, budget=budget)
        with open_media(source, budget=budget) as media:
            return bool(media.container.streams.audio)


def read_sound(
    path: Path | Source,
    *,
    rate_hz: int,
    channels: Channels,
    span: Span | None = None,
    trusted: bool = True,
    budget: Budget = DEFAULT_BUDGET,
) -> Sound:
    """Return the sound of a clip, or of one span of it, as one array.

    Args:
        path: A clip with sound, or sound alone; one without is `BrokenData`.
        rate_hz: Samples a second to resample to (by swresample); at the stream's own rate they stay untouched.
        channels: `mono` is the mean of left and right; `stereo` has a mono sound on both sides. More channels
            are first mixed to two with FFmpeg's weights, scaled so that the mix cannot clip.
        span: Seconds from second 0, an hour at most. The array is exactly as long as that, and silent
            where the clip has no sound. Without a span: from 0 to the last sample, which need not be where the
            last picture is.
        trusted: False for whatever a subject handed in: it is decoded in a limited child, with equal samples.
        budget: What the file may cost; sound that is said to come later than its seconds is refused.
    """
    too_long = BadInput(
        f"sound of '{path.name}'", f"is longer than {MOST_AT_ONCE_S} s", "read it in spans or stream it"
    )
    if span is not None and span.length_s > MOST_AT_ONCE_S:
        raise too_long
    blocks: list[Samples] = []
    left = MOST_AT_ONCE_S * rate_hz
    for block in iter_sound(path, rate_hz=rate_hz, channels=channels, span=span, trusted=trusted, budget=budget):
        blocks.append(block)
        left -= len(block)
        if left < 0:
            raise too_long
    if not blocks:
        raise BrokenData(f"clip '{path.name}'", "has no sound there", "ask for a span of at least one sample")
    return Sound(np.concatenate(blocks), rate_hz)


def iter_sound(
    path: Path | Source,
    *,
    rate_hz: int,
    channels: Channels,
    span: Span | None = None,
    trusted: bool = True,
    budget: Budget = DEFAULT_BUDGET,
) -> Iterator[Samples]:
    """Return what `read_sound` gives in blocks, float32 of shape (n,) or (n, 2), however long the clip is."""
    if rate_hz < 1:
        raise BadInput(f"sound of '{path.name}'", f"cannot have {rate_hz} samples a second", "give a rate in Hz")
    if channels not in ("mono", "stereo"):
        raise BadInput(f"sound of '{path.name}'", f"cannot be '{channels}'", "ask for mono or stereo")
    if not trusted:
        what: tuple[object, ...] = ("sent sound", rate_hz, channels, span, budget)
        return decode_or_recall(path, what, lambda: _from_child(path, rate_hz, channels, span, budget), _weigh_bytes)
    what = ("sound", rate_hz, channels, budget)
    blocks = decode_or_recall(path, what, lambda: _from_zero(path, rate_hz, channels, budget), _weigh_bytes)
    return blocks if span is None else _cut_span(blocks, span, rate_hz, channels)


def _weigh_bytes(block: Samples) -> int:
    return block.nbytes


def _from_child(
    path: Path | Source, rate_hz: int, channels: Channels, span: Span | None, budget: Budget
) -> Iterator[Samples]:
    with open_source(path) as source:
        yield from untrusted.sound(source, rate_hz=rate_hz, channels=channels, span=span, budget=budget)


def _cut_span(blocks: Iterator[Samples], span: Span, rate_hz: int, channels: Channels) -> Iterator[Samples]:
    """Keep the samples of a span, with silence where there are none."""
    at, end = sample_at(span.start_s, rate_hz), sample_at(span.end_s, rate_hz)
    yield from _silence(min(end, 0) - at, channels)
    at, start = max(at, 0), 0
    for block in blocks:
        if start >= end:
            break
        piece = block[max(0, at - start) : max(0, end - start)]
        if len(piece):
            yield piece
            at += len(piece)
        start += len(block)
    yield from _silence(end - at, channels)


def _silence(samples: int, channels: Channels) -> Iterator[Samples]:
    for start in range(0, samples, _SILENCE):
        length = min(_SILENCE, samples - start)
        yield np.zeros(length if channels == "mono" else (length, 2), np.float32)


def _from_zero(path: Path | Source, rate_hz: int, channels: Channels, budget: Budget) -> Iterator[Samples]:
    """Return all sound from second 0 on, in the wanted rate and channels."""
    with open_source(path) as source:
        for block in _mix_channels(_decode_blocks(source, budget), rate_hz, channels):
            yield np.ascontiguousarray(block[:, 0] if channels == "mono" else block)


def _mix_channels(heard: Iterator["_DecodedBlock"], rate_hz: int, channels: Channels) -> Iterator[Samples]:
    first = next(heard, None)
    if first is None:
        return iter(())
    own_hz, layout = first.rate_hz, first.layout
    planes: Iterator[Samples] = _gather_blocks(_place_blocks(chain([first], heard)))
    if first.samples.shape[1] > 2:
        mix = f"out_chlayout=stereo:rematrix_maxval=1:out_sample_rate={own_hz}"
        planes = filter_sound(planes, [FilterStep("aresample", mix)], rate_hz=own_hz, layout=layout)
    sides: Iterator[Samples] = (_to_channels(block, channels) for block in planes)
    return sides if own_hz == rate_hz else _resample(sides, own_hz, rate_hz)


def _to_channels(block: Samples, channels: Channels) -> Samples:
    if channels == "mono":
        mean: Samples = block.mean(axis=1, keepdims=True, dtype=np.float32)
        return mean
    return block if block.shape[1] == 2 else block.repeat(2, axis=1)


def _resample(blocks: Iterator[Samples], from_hz: int, to_hz: int) -> Iterator[Samples]:
    """Resample; n samples become n·to ÷ from, rounded, by cutting off or filling up the tail of the filter."""
    given = taken = 0

    def counted(block: Samples) -> Samples:
        nonlocal given
        given += len(block)
        return block

    blocks = _split_blocks(blocks, max(1, _RESAMPLED * from_hz // to_hz))
    first = next(blocks, None)
    if first is None:
        return
    # Dither would be noise in a measurement.
    steps = [FilterStep("aresample", f"{to_hz}:dither_method=none")]
    layout = "mono" if first.shape[1] == 1 else "stereo"
    held = first[:0]
    for block in filter_sound(map(counted, chain([first], blocks)), steps, rate_hz=from_hz, layout=layout):
        held = np.concatenate([held, block])
        ready = max(0, len(held) - _TAIL)
        if ready:
            yield held[:ready]
        taken, held = taken + ready, held[ready:]
    due = sample_at(Fraction(given, from_hz), to_hz) - taken
    yield np.pad(held[:due], ((0, max(0, due - len(held))), (0, 0)))


def _split_blocks(blocks: Iterator[Samples], most: int) -> Iterator[Samples]:
    """Cut what is longer: a sound of one sample a second becomes 48,000 times as long at 48 kHz."""
    for block in blocks:
        for start in range(0, len(block), most):
            yield block[start : start + most]


@dataclass(frozen=True, eq=False)
class _DecodedBlock:
    """Decoded samples of shape (n, channels), with the time of the first from second 0 on."""

    samples: Samples
    at_s: Fraction | None
    coarse_s: Fraction  # how far a stamp may be off without meaning a gap
    rate_hz: int
    layout: str


def _place_blocks(blocks: Iterator[_DecodedBlock]) -> Iterator[Samples]:
    """Put blocks where their stamps say, from 0 on, without gaps and overlaps."""
    end = 0  # samples that were given, which may be none while the sound still lies before 0
    at: int | None = None  # where the next block begins if it follows the last one
    for block in blocks:
        due = None if block.at_s is None else sample_at(block.at_s, block.rate_hz)
        slack = 1 + sample_at(block.coarse_s, block.rate_hz)
        if at is None or (due is not None and abs(due - at) > slack):
            at = due or 0
        for start in range(end, at, _SILENCE):
            yield np.zeros((min(_SILENCE, at - start), block.samples.shape[1]), np.float32)
        end = max(end, at)
        fresh = block.samples[end - at :]
        at += len(block.samples)
        if len(fresh):
            yield fresh
            end = at


def _gather_blocks(blocks: Iterator[Samples]) -> Iterator[Samples]:
    """Put small blocks together."""
    held_back: list[Samples] = []
    count = 0
    for block in blocks:
        held_back.append(block)
        count += len(block)
        if count >= _GATHERED:
            yield np.concatenate(held_back)
            held_back, count = [], 0
    if held_back:
        yield np.concatenate(held_back)


def _decode_blocks(source: Source, budget: Budget) -> Iterator[_DecodedBlock]:
    """Decode the first audio stream."""
    start_s = _first_picture_s(source, budget)
    with open_sound(source, budget=budget) as sound:
        clip = sound.clip
        first: tuple[int, str, int] | None = None
        samples = 0
        for frame in sound.container.decode(sound.stream):
            kind = (frame.sample_rate, frame.layout.name, frame.layout.nb_channels)
            if first is None:
                first = kind
                budget.check_sound(clip, frame.sample_rate, frame.layout.nb_channels)
            if kind != first:
                raise BrokenData(clip, f"changes its sound from {first[:2]} to {kind[:2]}")
            if frame.samples:
                unit = frame.time_base or Fraction(1, frame.sample_rate)
                stamp_s = None if frame.pts is None else frame.pts * unit
                start_s = (stamp_s or Fraction(0)) if start_s is None else start_s
                at_s = None if stamp_s is None else stamp_s - start_s
                samples += frame.samples
                # By its stamp, since silence would have to be made up to there, and by what was heard.
                budget.check_duration(clip, max(at_s or Fraction(0), Fraction(samples, frame.sample_rate)))
                yield _DecodedBlock(_to_floats(frame, clip), at_s, unit, frame.sample_rate, frame.layout.name)


def _first_picture_s(source: Source, budget: Budget) -> Fraction | None:
    """Return the time of the first picture on the file's own clock; None for sound alone."""
    with open_media(source, budget=budget) as media:
        if not media.pictures or media.kind not in DEMUXERS:
            return None
        video = as_video(media, budget)
        for picture in video.container.decode(video.stream):
            if picture.pts is not None and picture.time_base is not None:
                return Fraction(picture.pts * picture.time_base)
    raise BrokenData(source.clip, "has no frame that can be shown")


def _to_floats(frame: AudioFrame, clip: str) -> Samples:
    name = frame.format.packed.name
    if name not in _FULL_SCALE:
        raise BrokenData(clip, f"has samples of type {name}, which we do not read")
    raw = frame.to_ndarray()
    table = raw.T if frame.format.is_planar else raw.reshape(-1, frame.layout.nb_channels)
    zero = 128 if name == "u8" else 0
    samples = ((table.astype(np.float64) - zero) / _FULL_SCALE[name]).astype(np.float32)
    if not np.isfinite(samples).all():
        raise BrokenData(clip, "has samples that are not finite numbers")
    return samples
