"""Small questions to a report, from which benchmarks put their answers together.

Where a report cannot answer, the answer is None, never a guess: the caller decides what a guess is worth.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from cutscore.core.errors import UnknownName
from cutscore.perception.colours import NamedColour, check_colour_name, name_colour
from cutscore.perception.lexicon import parse_description
from cutscore.perception.report import EventKind, ObjectTrack, Report, TrackEvent, TrackPoint
from cutscore.perception.shapes import SHAPES

Relation = Literal["left of", "right of", "above", "below", "inside", "touching"]

# Seconds from a moment to the nearest sighting that still speaks for it.
_NEAR_S = Fraction(1, 5)
# Shares of the picture's width: what is farther to the left than this is left of; what is nearer than that touches.
_ASIDE, _TOUCHING = 0.01, 0.012


def colour_at(report: Report, at_s: Fraction) -> NamedColour | None:
    """Return the colour that fills most of the picture at a moment; None outside of the clip."""
    return next((each.colour for each in report.colours if each.span.holds(at_s)), None)


def text_at(report: Report, at_s: Fraction) -> tuple[str, ...]:
    """Return the lines that are on screen at a moment, from top to bottom; what could not be made out is left out."""
    return tuple(line.text for line in report.text if line.text is not None and line.span.holds(at_s))


def find_tracks(
    report: Report,
    *,
    colour: str | None = None,
    shape: str | None = None,
    at: Fraction | None = None,
    parts: bool = False,
) -> tuple[ObjectTrack, ...]:
    """Return the objects that are as asked for, in order of appearance.

    A thing has the colour at the moment `at` if one is given, else at any time. One whose shape could not be told is
    not among those of a shape. With `parts`, parts of other things count, such as the eyes of a face.
    """
    if colour is not None:
        check_colour_name(colour)
    if shape is not None and shape not in SHAPES:
        raise UnknownName.among("shape", shape, SHAPES)
    return tuple(
        track
        for track in report.tracks
        if (parts or track.part_of is None)
        and (at is None or track.span.holds(at))
        and (shape is None or track.shape.name == shape)
        and (colour is None or colour in colours_of(report, track, at=at))
    )


def count(report: Report, *, colour: str | None = None, shape: str | None = None, at: Fraction) -> int:
    """Return how many objects are there at a moment; parts of objects do not count."""
    return len(find_tracks(report, colour=colour, shape=shape, at=at))


def colours_of(report: Report, track: ObjectTrack, *, at: Fraction | None = None) -> tuple[str, ...]:
    """Return the colours that an object has, or the one that it has at a moment; empty when one could not tell."""
    if at is not None:
        seen = track_point(track, at)
        return () if seen is None or seen.colour.name is None else (seen.colour.name,)
    events = [each for each in report.events if each.track == track.id and each.kind == "changes colour"]
    names = [track.colour.name, *(name for each in events for name in (each.before, each.after))]
    return tuple(dict.fromkeys(name for name in names if name is not None))


def track_point(track: ObjectTrack, at_s: Fraction) -> TrackPoint | None:
    """Return an object as it was seen nearest to a moment; None when that is more than 0.2 s away."""
    number = min(range(len(track.at_s)), key=lambda each: abs(track.at_s[each] - at_s))
    if abs(track.at_s[number] - at_s) > _NEAR_S:
        return None
    left, top, right, bottom = track.boxes[number].tolist()
    x, y = track.centres[number].tolist()
    # The colour of a few neighbours together: a single look may lie between two names.
    around = track.labs[max(0, number - 1) : number + 2]
    return TrackPoint(
        at_s=track.at_s[number],
        box=(left, top, right, bottom),
        centre=(x, y),
        area=float(track.areas[number]),
        colour=name_colour(np.median(around, 0)),
        whole=bool(track.whole[number]),
    )


def relations(report: Report, one: ObjectTrack, other: ObjectTrack, at_s: Fraction) -> frozenset[Relation] | None:
    """Return where one object is as seen from another; None when either was not seen then."""
    mine, theirs = track_point(one, at_s), track_point(other, at_s)
    if mine is None or theirs is None:
        return None
    found: set[Relation] = set()
    aside = _ASIDE * report.size[0]
    across, down = mine.centre[0] - theirs.centre[0], mine.centre[1] - theirs.centre[1]
    if abs(across) > aside:
        found.add("left of" if across < 0 else "right of")
    if abs(down) > aside:
        found.add("above" if down < 0 else "below")
    left, top, right, bottom = (m - t for m, t in zip(mine.box, theirs.box, strict=True))
    if left >= 0 and top >= 0 and right <= 0 and bottom <= 0:
        found.add("inside")
    gaps = (
        max(theirs.box[0] - mine.box[2], mine.box[0] - theirs.box[2], 0.0),
        max(theirs.box[1] - mine.box[3], mine.box[1] - theirs.box[3], 0.0),
    )
    if max(gaps) <= _TOUCHING * report.size[0]:
        found.add("touching")
    return frozenset(found)


@dataclass(frozen=True)
class ObservedEvent:
    """An event together with the objects that it is about."""

    event: TrackEvent
    track: ObjectTrack
    other: ObjectTrack | None

    @property
    def at_s(self) -> Fraction:
        """Return when it begins."""
        return self.event.span.start_s

    def __str__(self) -> str:
        also = f" with {self.other.name}" if self.other is not None else ""
        turns = f" from {self.event.before} to {self.event.after}" if self.event.after is not None else ""
        return f"{self.track.name} {self.event.kind}{turns}{also} at {float(self.at_s):.2f} s"


def order_of_events(report: Report, kinds: Iterable[EventKind] | None = None) -> tuple[ObservedEvent, ...]:
    """Return what happens in order of time, all of it or certain kinds."""
    wanted = None if kinds is None else frozenset(kinds)
    by_id = {track.id: track for track in report.tracks}
    return tuple(
        ObservedEvent(each, by_id[each.track], None if each.other is None else by_id[each.other])
        for each in report.events
        if wanted is None or each.kind in wanted
    )


def match_events(report: Report, description: str) -> tuple[ObservedEvent, ...]:
    """Return the events that fit a description in words, the clearest first and of equals the earliest.

    `red ball bounces` fits the bounces of red circles. A thing whose shape could not be told fits any shape, after
    those that fit by name; likewise with colours. A description without a word that the reader knows fits nothing.
    """
    words = parse_description(description)
    if not (words.colours or words.shapes or words.kinds):
        return ()
    fits = []
    for each in order_of_events(report, words.kinds or None):
        tracks = [each.track] if each.other is None else [each.track, each.other]
        clear = [_fits(report, track, words.colours, words.shapes, each) for track in tracks]
        best = max(value for value in clear)
        if best > 0:
            fits.append((-best * each.event.confidence, each.at_s, each.event.track, each))
    return tuple(each for *_, each in sorted(fits, key=lambda row: row[:3]))


def _fits(
    report: Report, track: ObjectTrack, colours: tuple[str, ...], shapes: tuple[str, ...], each: ObservedEvent
) -> float:
    """Return 1 where all that is named agrees, less where it could not be told, 0 where it contradicts."""
    own = {*colours_of(report, track), each.event.before, each.event.after} - {None}
    colour = 1.0 if not colours or own & set(colours) else 0.0 if own else 0.5
    shape = 1.0 if not shapes or track.shape.name in shapes else 0.0 if track.shape.name else 0.5
    return colour * shape


def when(report: Report, event: str) -> Fraction | None:
    """Return the time at which a described event begins, or None when nothing fits."""
    found = match_events(report, event)
    return found[0].at_s if found else None
