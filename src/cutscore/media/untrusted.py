"""Strangers' files are decoded in a child: what crashes, hangs or swells there is one refused clip here.

    us ── socket: the open file and a request; frames, planes, sound, an ending ── decoder_worker.py

Each function here is one request, gives what `trusted` decoding gives, bit for bit, and holds the child to what was
asked for: an answer of another shape or size ends it. `decoder_pool.py` keeps the children, and tries again once.

All of them raise:
    BrokenData: The file is refused, passed a limit, or made the decoder crash or hang, twice at the same place.
    Unscored: It could not be decoded, which is no fault of the file.
    Stopped: No child can be started.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, cast

import numpy as np

from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.timeline import Span
from cutscore.media.budget import Budget
from cutscore.media.colour import Luma, Plane
from cutscore.media.decoder_child import DEFAULT_LIMITS, DecodeLimits, DecodeRequest
from cutscore.media.decoder_pool import decode_in_child
from cutscore.media.decoder_protocol import ArrayShape, Numbers, parse_time
from cutscore.media.orientation import Pixels
from cutscore.media.packets import Extent
from cutscore.media.sound import Samples
from cutscore.media.source import Source

Form = Literal["luma", "rgb", "thumbnail"]

MOST_SAMPLES = 1 << 20  # of sound in one message; audio.py gives blocks of some ten thousand


@dataclass(frozen=True, eq=False)
class SentPicture:
    """One picture that a child decoded: times, luma and RGB as in `planes.Picture`, as far as they were asked for."""

    at_s: Fraction
    clock_s: Fraction
    bits: int
    full_range: bool
    sent: Mapping[Form, Numbers]

    @cached_property
    def luma(self) -> Luma:
        """The brightness plane; raises when it was not asked for."""
        return Luma(cast(Plane, self._form("luma")), self.bits, self.full_range)

    @property
    def rgb(self) -> Pixels:
        """The picture as shown; raises when it was not asked for."""
        return cast(Pixels, self._form("rgb"))

    @property
    def thumbnail(self) -> Pixels:
        """The picture in small; raises when it was not asked for."""
        return cast(Pixels, self._form("thumbnail"))

    def _form(self, form: Form) -> Numbers:
        if form not in self.sent:
            raise BadInput("picture", f"has no {form}, because it was not asked for", f"name '{form}' among the forms")
        return self.sent[form]


def frames(
    source: Source, plan: str, *, budget: Budget, limits: DecodeLimits = DEFAULT_LIMITS
) -> Iterator[tuple[Fraction, Pixels]]:
    """Return times and pixels exactly as `media.frames` gives them."""

    def fits(head: dict[str, Any], arrays: Sequence[ArrayShape]) -> bool:
        parse_time(head.get("at_s"))
        return _are_forms(arrays, ("rgb",), budget)

    with closing(decode_in_child(source, DecodeRequest("frame", {"plan": plan}, fits), budget, limits)) as answers:
        for head, (pixels,) in answers:
            yield parse_time(head["at_s"]), cast(Pixels, pixels)


def pictures(
    source: Source,
    forms: Sequence[Form],
    *,
    numbers: Sequence[int] | None = None,
    budget: Budget,
    limits: DecodeLimits = DEFAULT_LIMITS,
) -> Iterator[SentPicture]:
    """Return every picture, or those with some numbers, in the forms that are wanted and no other.

    Sending costs: RGB is three times as much as luma, and converting and sending all of it dearer than decoding.
    """

    def fits(head: dict[str, Any], arrays: Sequence[ArrayShape]) -> bool:
        parse_time(head.get("at_s"))
        parse_time(head.get("clock_s"))
        bits, full_range = head.get("bits"), head.get("full_range")
        if type(bits) is not int or not 1 <= bits <= 16 or type(full_range) is not bool:
            return False
        return _are_forms(arrays, forms, budget)

    wanted = None if numbers is None else list(numbers)
    request = DecodeRequest("picture", {"forms": list(forms), "numbers": wanted}, fits)
    with closing(decode_in_child(source, request, budget, limits)) as answers:
        for head, arrays in answers:
            times = parse_time(head["at_s"]), parse_time(head["clock_s"])
            yield SentPicture(*times, head["bits"], head["full_range"], dict(zip(forms, arrays, strict=True)))


def still(source: Source, *, budget: Budget, limits: DecodeLimits = DEFAULT_LIMITS) -> Pixels:
    """Return a still picture as `stills.decode_still` gives it."""
    request = DecodeRequest("still", {}, lambda _, arrays: _are_forms(arrays, ("rgb",), budget))
    found = [pixels for _, (pixels,) in decode_in_child(source, request, budget, limits)]
    if len(found) != 1:
        raise BrokenData(source.clip, "made the decoder send a malformed answer: not one picture")
    return cast(Pixels, found[0])


def sound(
    source: Source,
    *,
    rate_hz: int,
    channels: str,
    span: Span | None,
    budget: Budget,
    limits: DecodeLimits = DEFAULT_LIMITS,
) -> Iterator[Samples]:
    """Return blocks of samples as `audio.iter_sound` gives them."""

    def fits(_: dict[str, Any], arrays: Sequence[ArrayShape]) -> bool:
        match arrays:
            case [ArrayShape("float32", (count, *sides))]:
                return sides == ([] if channels == "mono" else [2]) and count <= MOST_SAMPLES
        return False

    ends = None if span is None else [str(span.start_s), str(span.end_s)]
    request = DecodeRequest("sound", {"rate_hz": rate_hz, "channels": channels, "span": ends}, fits)
    with closing(decode_in_child(source, request, budget, limits)) as answers:
        for _, (samples,) in answers:
            if not np.isfinite(samples).all():
                raise BrokenData(source.clip, "made the decoder send a malformed answer: samples are not finite")
            yield cast(Samples, samples)


def has_sound(source: Source, *, budget: Budget, limits: DecodeLimits = DEFAULT_LIMITS) -> bool:
    """Return whether a file has an audio stream."""
    return _answer(source, {"about": "has_sound"}, lambda answer: answer in ("yes", "no"), budget, limits) == "yes"


def probe(source: Source, *, scan: bool, budget: Budget, limits: DecodeLimits = DEFAULT_LIMITS) -> str:
    """Look at a file; give the JSON of its `Probe`, unread."""
    return _answer(source, {"about": "probe", "scan": scan}, lambda _: True, budget, limits)


def extent(source: Source, *, budget: Budget, limits: DecodeLimits = DEFAULT_LIMITS) -> Extent:
    """Return how far a video reaches, as `probe.extent_of` does."""

    def read(answer: str) -> list[Fraction]:
        return [parse_time(part) for part in answer.split(" ")]

    answer = _answer(source, {"about": "extent"}, lambda answer: len(read(answer)) == 4, budget, limits)
    frames, start_s, end_s, key_frames = read(answer)
    return Extent(int(frames), start_s, end_s, int(key_frames))


def _answer(
    source: Source, question: dict[str, Any], is_one: Callable[[str], bool], budget: Budget, limits: DecodeLimits
) -> str:
    """Ask what is answered with one text."""

    def fits(head: dict[str, Any], arrays: Sequence[ArrayShape]) -> bool:
        return not arrays and isinstance(head.get("answer"), str) and is_one(head["answer"])

    found = [
        head["answer"] for head, _ in decode_in_child(source, DecodeRequest("answer", question, fits), budget, limits)
    ]
    if not found:
        raise BrokenData(source.clip, "made the decoder send a malformed answer: no answer")
    return str(found[0])


def _are_forms(arrays: Sequence[ArrayShape], forms: Sequence[Form], budget: Budget) -> bool:
    """Return whether arrays are these forms of one picture that the budget allows."""
    if len(arrays) != len(forms):
        return False
    sizes = {array.sides[:2] for array in arrays}
    types = {"luma": ("uint8", "uint16"), "rgb": ("uint8",), "thumbnail": ("uint8",)}
    right = all(
        array.type in types[form] and len(array.sides) >= 2 and array.sides[2:] == (() if form == "luma" else (3,))
        for array, form in zip(arrays, forms, strict=True)
    )
    return right and len(sizes) == 1 and all(height * width <= budget.pixels for height, width in sizes)
