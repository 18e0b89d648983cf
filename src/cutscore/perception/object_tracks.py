"""Things: what was followed long enough, with its usual colour and shape, and what it is a part of."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from cutscore.core.timeline import Span
from cutscore.perception.colours import NamedColour, name_colour
from cutscore.perception.report import ObjectTrack
from cutscore.perception.shapes import UNKNOWN_SHAPE, OutlineShape
from cutscore.perception.tracking import HIDDEN_S, OTHER_COLOUR, RawTrack, Sighting

# A thing was seen at least this often and this long, and in this share of the pictures in between.
_LOOKS, _LEAST_S, _STEADY = 4, 0.15, 0.5
# Ratio of areas up to which what broke off and what went on may be one thing.
_REJOIN_SIZE = 1.5
# Seconds for which a thing may be seen in two pieces.
_PIECES_S = 0.25
# Contrast of something that is seen as clearly as can be.
_CLEAR = 40.0
# Share of the looks that a colour must have to be the usual one.
_OFTEN = 0.3
# A part has at most this share of the area of what it lies on and moves with, or rests on.
_PART, _PART_AT_REST = 0.25, 0.04


def build_tracks(
    shots: Sequence[Sequence[RawTrack]], *, enlarged: float, lasts_s: Fraction, hidden: Sequence[Span] = ()
) -> tuple[ObjectTrack, ...]:
    """Make things of what was followed long enough, numbered in order of appearance.

    `enlarged` is the pixels of the clip to one of the pictures that were looked at, `lasts_s` how long each is shown.
    What was seen in `hidden` spans, in which two shots lie over each other, is not counted.
    """
    found: list[ObjectTrack] = []
    for shot in shots:
        for followed in _rejoin(shot):
            found += [
                track
                for part in _split_at(followed.sightings, hidden)
                if (track := _build_track(part, enlarged, lasts_s)) is not None
            ]
    ordered = sorted(found, key=lambda track: (track.span.start_s, *track.centres[0].tolist()))
    numbered = [replace(track, id=number) for number, track in enumerate(ordered)]
    return tuple(replace(track, part_of=_parent_track(track, numbered)) for track in numbered)


def _rejoin(shot: Sequence[RawTrack]) -> list[RawTrack]:
    """Put together what broke off and went on near by, such as a thing that turned while it was hidden."""
    found: list[RawTrack] = []
    for later in sorted((each for each in shot if len(each.sightings) > 1), key=lambda each: each.sightings[0].at_s):
        fit = [(gap, number) for number, each in enumerate(found) if (gap := _break(each, later)) is not None]
        if not fit:
            found.append(later)
            continue
        earlier = found[min(fit)[1]]
        before = [each for each in earlier.sightings if each.at_s < later.sightings[0].at_s]
        found[min(fit)[1]] = replace(later, sightings=before + later.sightings)
    return found


def _break(earlier: RawTrack, later: RawTrack) -> float | None:
    """Return how far two ways lie apart, relative to the size of the thing; None when they are not of one thing."""
    one, other = earlier.last, later.sightings[0]
    gap_s = float(other.at_s - one.at_s)
    # For a moment both may be there: what covers a thing can leave a piece of it on either side.
    if not -_PIECES_S <= gap_s <= HIDDEN_S or earlier.sightings[0].at_s >= other.at_s:
        return None
    if np.linalg.norm(one.region.lab - other.region.lab) > OTHER_COLOUR / 2:
        return None
    areas = [np.median([each.region.area * each.zoom**2 for each in way.sightings]) for way in (earlier, later)]
    shapes = {_usual_shape(way.sightings).name for way in (earlier, later)}
    whole = not (one.region.covered or other.region.covered)
    if max(areas) > _REJOIN_SIZE * min(areas) or (whole and len(shapes) > 1):
        return None
    size = float(np.sqrt(max(areas)))
    reach = 0.7 * size + float(np.linalg.norm(earlier.velocity)) * abs(gap_s)
    off = float(np.linalg.norm(one.world - other.world))
    return off / reach if off <= reach else None


def _split_at(sightings: list[Sighting], hidden: Sequence[Span]) -> list[list[Sighting]]:
    """Cut what was followed at the spans that do not count."""
    parts = [sightings]
    for span in hidden:
        cut = []
        for part in parts:
            cut.append([each for each in part if each.at_s <= span.start_s])
            cut.append([each for each in part if each.at_s >= span.end_s])
        parts = [part for part in cut if part]
    return parts


def _build_track(sightings: Sequence[Sighting], enlarged: float, lasts_s: Fraction) -> ObjectTrack | None:
    first, last = sightings[0], sightings[-1]
    steady = min(1.0, len(sightings) * float(lasts_s) / float(last.at_s - first.at_s + lasts_s))
    if len(sightings) < _LOOKS or last.at_s - first.at_s < _LEAST_S or steady < _STEADY:
        return None
    regions = [each.region for each in sightings]
    labs = np.array([region.lab for region in regions], np.float32)
    contrast = float(np.median([region.contrast for region in regions]))
    zooms = np.array([each.zoom for each in sightings])
    areas = np.array([region.area for region in regions]) * zooms**2 * enlarged**2
    # A pixel's place is its middle.
    centres = (np.array([region.centre for region in regions]) + 0.5) * enlarged - 0.5
    whole = np.array([not (region.cut_off or region.covered) for region in regions])
    clear = labs[whole] if whole.sum() >= _LOOKS else labs
    length = min(1.0, len(sightings) / (3 * _LOOKS))
    return ObjectTrack(
        id=-1,
        span=Span(start_s=first.at_s, end_s=last.at_s + lasts_s),
        confidence=round(min(1.0, contrast / _CLEAR) * steady * length, 3),
        colour=_usual_colour(clear),
        shape=_usual_shape(sightings),
        at_s=tuple(each.at_s for each in sightings),
        boxes=np.array([region.box for region in regions], np.float32) * np.float32(enlarged),
        centres=centres.astype(np.float32),
        world=(np.array([each.world for each in sightings]) * enlarged).astype(np.float32),
        areas=areas.astype(np.float32),
        labs=labs,
        whole=whole,
    )


def _usual_colour(labs: npt.NDArray[np.float32]) -> NamedColour:
    """Return the colour that it has most often: the middle of two colours may be a third one."""
    names = [name_colour(lab).name for lab in labs]
    often = Counter(name for name in names if name is not None).most_common(1)
    if not often or often[0][1] < _OFTEN * len(names):
        return name_colour(np.median(labs, 0))
    return name_colour(np.median(labs[[name == often[0][0] for name in names]], 0))


def _usual_shape(sightings: Sequence[Sighting]) -> OutlineShape:
    """Let the looks vote with their confidence; a look at a half hidden thing has a tenth of a vote."""
    votes: dict[str, float] = defaultdict(float)
    for each in sightings:
        if each.shape.name is not None:
            votes[each.shape.name] += each.shape.confidence * (0.1 if each.region.covered else 1.0)
    if not votes or (total := sum(votes.values())) < 1e-9:
        return UNKNOWN_SHAPE
    name, most = max(votes.items(), key=lambda vote: vote[1])
    # More than half of all votes, or one could not tell.
    return OutlineShape(name, round(most / total, 3)) if most > total / 2 else UNKNOWN_SHAPE


def _parent_track(track: ObjectTrack, others: Sequence[ObjectTrack]) -> int | None:
    """Return the number of the thing that this one is a part of."""
    for other in others:
        # Moving together is what shows that two belong together; what rests on another thing may just lie there.
        moved = float(np.ptp(other.world, axis=0).max()) > 0.25 * float(np.sqrt(np.median(other.areas)))
        most = _PART if moved else _PART_AT_REST
        if other.id != track.id and np.median(track.areas) <= most * np.median(other.areas) and _lies_on(track, other):
            return other.id
    return None


def _lies_on(track: ObjectTrack, other: ObjectTrack) -> bool:
    """Return whether a thing lies inside of another's box whenever both are seen, and keeps its place in it."""
    mine, theirs = dict(zip(track.at_s, track.boxes, strict=True)), dict(zip(other.at_s, other.boxes, strict=True))
    common = [at_s for at_s in track.at_s if at_s in theirs]
    if len(common) < 0.8 * len(track.at_s):
        return False
    one, whole = (np.array([boxes[at_s] for at_s in common]) for boxes in (mine, theirs))
    inside = (one[:, :2] >= whole[:, :2] - 2) & (one[:, 2:] <= whole[:, 2:] + 2)
    if float(inside.all(1).mean()) < 0.95:
        return False
    offsets = (one[:, :2] + one[:, 2:] - whole[:, :2] - whole[:, 2:]) / 2
    return bool(np.ptp(offsets, axis=0).max() <= 0.1 * np.sqrt(float(np.median(other.areas))))
