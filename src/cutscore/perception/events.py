"""What happens to things: they come and go, start and stop, bounce, collide, change colour and size."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt

from cutscore.core.timeline import Span
from cutscore.media.levels import find_runs
from cutscore.perception.colours import name_colour
from cutscore.perception.motion import Bend, MotionPath, motion_path
from cutscore.perception.report import DetectedShot, EventKind, ObjectTrack, TrackEvent

# Seconds after the start and before the end of a shot in which nothing comes or goes: it is just found, or lost.
_MARGIN_S = Fraction(3, 25)
# Pixels at a width of 480 between a thing and a side of the picture or another thing that it touches.
_TOUCH = 4 / 480
# Confidence below which a thing is too faint to say what happens to it.
_CLEAR = 0.25
# A bounce turns the way by at least this angle, in degrees.
_TURN = 24.0
# Cosine between a push and the line through both centres.
_PUSH = 0.6
# Seconds around a meeting in which boxes that share this much belong to things that pass each other.
_PASSING_S, _OVER = 0.2, 0.2
# Seconds within which a bend and a touch belong together.
_TOGETHER_S = 0.13
# Colour: looks that a new one lasts, ΔE that these may lie apart, and ΔE that it is away from the one before.
_COLOUR_LOOKS, _COLOUR_STEADY, _COLOUR_FAR = 4, 5.0, 18.0
# Size: relative growth a second that counts, and in all.
_GROWTH_RATE, _GROWTH = 0.1, 1.2
# Pixels at a width of 480 that the resting sides of a level may seem to move.
_FIXED = 3 / 480


def detect_events(
    tracks: Sequence[ObjectTrack], shots: Sequence[DetectedShot], size: tuple[int, int], *, blind: Sequence[Span] = ()
) -> tuple[TrackEvent, ...]:
    """Find what happens, in order of time.

    Nothing can be judged in `blind` spans (dissolves), and a cut is no reason to say that things appear.
    """
    ways = {track.id: motion_path(track, size[0]) for track in tracks}
    bends = {track.id: ways[track.id].bends() for track in tracks}
    found: list[TrackEvent] = []
    for track in tracks:
        if track.part_of is None:
            found += _comes_and_goes(track, shots, size)
            # The middle of a level goes up when the level does, and nothing moves.
            found += [] if _is_level(track, size) else _starts_and_stops(track, ways[track.id])
        found += _colours(track)
        found += _sizes(track, size)
    hits = list(_collisions([track for track in tracks if track.part_of is None], ways, bends, size))
    found += hits
    found += _bounces(tracks, ways, bends, hits)
    clear = {track.id for track in tracks if track.confidence >= _CLEAR}
    seen = [each for each in found if each.track in clear and not any(_near(each.span.start_s, span) for span in blind)]
    return tuple(sorted(seen, key=lambda each: (each.span.start_s, each.track, each.kind)))


def _near(at_s: Fraction, span: Span) -> bool:
    return span.start_s - _MARGIN_S <= at_s <= span.end_s + _MARGIN_S


def _at(at_s: Fraction) -> Span:
    return Span(start_s=at_s, end_s=at_s)


def _comes_and_goes(track: ObjectTrack, shots: Sequence[DetectedShot], size: tuple[int, int]) -> Iterator[TrackEvent]:
    shot = next((each.span for each in reversed(shots) if each.span.start_s <= track.span.start_s), shots[0].span)
    if track.span.start_s > shot.start_s + _MARGIN_S:
        kind: EventKind = "enters" if _at_side(track.boxes[0], size) else "appears"
        yield TrackEvent(kind, _at(track.span.start_s), track.id, track.confidence)
    if track.span.end_s < shot.end_s - _MARGIN_S:
        kind = "leaves" if _at_side(track.boxes[-1], size) else "disappears"
        yield TrackEvent(kind, _at(track.span.end_s), track.id, track.confidence)


def _at_side(box: npt.NDArray[np.float32], size: tuple[int, int]) -> bool:
    touch = _TOUCH * size[0]
    return bool((box[:2] <= touch).any() or (box[2:] >= np.array(size) - touch).any())


def _starts_and_stops(track: ObjectTrack, way: MotionPath) -> Iterator[TrackEvent]:
    for first, last in way.motions():
        if first > 1:
            yield TrackEvent("starts", _at(way.at_s[first]), track.id, track.confidence)
        if last < len(way.at) - 2:
            yield TrackEvent("stops", _at(way.at_s[last]), track.id, track.confidence)


def _bounces(
    tracks: Sequence[ObjectTrack],
    ways: Mapping[int, MotionPath],
    bends: Mapping[int, Sequence[Bend]],
    hits: Sequence[TrackEvent],
) -> Iterator[TrackEvent]:
    for track in tracks:
        if track.part_of is not None:
            continue
        way = ways[track.id]
        for bend in bends[track.id]:
            at_s = way.at_s[bend.number]
            hit = any(
                track.id in (each.track, each.other) and abs(each.span.start_s - at_s) <= _TOGETHER_S for each in hits
            )
            if not hit and _turns(bend, way.width):
                yield TrackEvent("bounces", _at(at_s), track.id, track.confidence)


def _turns(bend: Bend, width: int) -> bool:
    before, after = np.array(bend.before), np.array(bend.after)
    speeds = float(np.linalg.norm(before)), float(np.linalg.norm(after))
    if min(speeds) < 0.04 * width:
        return False
    cosine = float(before @ after) / (speeds[0] * speeds[1])
    return bool(np.degrees(np.arccos(np.clip(cosine, -1, 1))) >= _TURN)


def _collisions(
    tracks: Sequence[ObjectTrack],
    ways: Mapping[int, MotionPath],
    bends: Mapping[int, Sequence[Bend]],
    size: tuple[int, int],
) -> Iterator[TrackEvent]:
    """Yield where two objects come together and at least one of them changes its way; the faster one comes first."""
    for one, other in combinations(tracks, 2):
        for at_s, gap, closing in _meetings(one, other, ways):
            if gap > _TOUCH * size[0] + closing * 0.05 or closing < 0.04 * size[0] or _cross(one, other, at_s):
                continue
            sudden = [
                each.id
                for each, from_ in ((one, other), (other, one))
                if any(
                    abs(ways[each.id].at_s[bend.number] - at_s) <= _TOGETHER_S
                    and _is_push_from(bend, each, from_, at_s)
                    for bend in bends[each.id]
                )
            ]
            if sudden:
                first, second = sorted((one, other), key=lambda each: -_speed_before(ways[each.id], at_s))
                confidence = min(one.confidence, other.confidence) * (1.0 if len(sudden) == 2 else 0.8)
                yield TrackEvent("collides", _at(at_s), first.id, round(confidence, 3), other=second.id)


def _is_push_from(bend: Bend, track: ObjectTrack, other: ObjectTrack, at_s: Fraction) -> bool:
    """Return whether a change of velocity points away from the other thing, as a push from it does."""
    away = track.centres[track.at_s.index(at_s)] - other.centres[other.at_s.index(at_s)]
    push = np.array(bend.after) - np.array(bend.before)
    return float(push @ away) > _PUSH * float(np.linalg.norm(push) * np.linalg.norm(away))


def _meetings(
    one: ObjectTrack, other: ObjectTrack, ways: Mapping[int, MotionPath]
) -> Iterator[tuple[Fraction, float, float]]:
    """Return the moments at which two things are nearest, with the gap and the speed at which they came together."""
    mine, theirs = dict(zip(one.at_s, one.boxes, strict=True)), dict(zip(other.at_s, other.boxes, strict=True))
    common = [at_s for at_s in one.at_s if at_s in theirs]
    if len(common) < 5:
        return
    gaps = np.array([_gap(mine[at_s], theirs[at_s]) for at_s in common])
    for number in range(2, len(common) - 2):
        near = gaps[max(0, number - 3) : number + 4]
        if gaps[number] > near.min() or gaps[number] == gaps[number - 1]:
            continue
        back = max(0, number - 4)
        closing = float(gaps[back] - gaps[number]) / float(common[number] - common[back])
        yield common[number], float(gaps[number]), closing


def _cross(one: ObjectTrack, other: ObjectTrack, at_s: Fraction) -> bool:
    """Return whether two things lie over each other just before or after a moment: they pass, or belong together."""
    mine, theirs = dict(zip(one.at_s, one.boxes, strict=True)), dict(zip(other.at_s, other.boxes, strict=True))
    near = [each for each in mine if each in theirs and abs(each - at_s) <= _PASSING_S]
    shared = [_overlap_share(mine[each], theirs[each]) for each in near]
    return max(shared, default=0.0) > _OVER


def _overlap_share(one: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> float:
    """Return the overlap of two boxes as a share of the smaller one."""
    sides = np.minimum(one[2:], other[2:]) - np.maximum(one[:2], other[:2])
    smaller = min(float(np.prod(box[2:] - box[:2])) for box in (one, other))
    return float(np.prod(np.maximum(sides, 0))) / max(1.0, smaller)


def _gap(one: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> float:
    across = max(other[0] - one[2], one[0] - other[2], 0.0)
    down = max(other[1] - one[3], one[1] - other[3], 0.0)
    return float(np.hypot(across, down))


def _speed_before(way: MotionPath, at_s: Fraction) -> float:
    before = [number for number, each in enumerate(way.at_s) if each < at_s]
    return float(way.speed[before[-5:]].max()) if before else 0.0


def _colours(track: ObjectTrack) -> Iterator[TrackEvent]:
    """Find when one colour turns into another; a fade spans the time between the two.

    A change of light leaves the name as it is and is no change of colour; a colour without a name may become one.
    """
    looks = np.flatnonzero(track.whole) if track.whole.sum() >= 2 * _COLOUR_LOOKS else np.arange(len(track.at_s))
    for (_, end, before), (start, _, after) in pairwise(_plateaus(track.labs[looks])):
        names = name_colour(before).name, name_colour(after).name
        if names[0] == names[1]:
            continue
        begins = track.at_s[looks[start]] if start - end <= 2 else track.at_s[looks[end]]
        span = Span(start_s=begins, end_s=track.at_s[looks[start]])
        yield TrackEvent("changes colour", span, track.id, track.confidence, before=names[0], after=names[1])


def _plateaus(labs: npt.NDArray[np.float32]) -> list[tuple[int, int, npt.NDArray[np.float32]]]:
    """Return the stretches of one colour: first look, first look after it, colour."""
    found: list[tuple[int, int, npt.NDArray[np.float32]]] = []
    for number in range(len(labs) - _COLOUR_LOOKS + 1):
        ahead = labs[number : number + _COLOUR_LOOKS]
        colour = np.median(ahead, axis=0)
        if float(np.linalg.norm(ahead - colour, axis=1).max()) > _COLOUR_STEADY:
            continue
        if found and float(np.linalg.norm(found[-1][2] - colour)) < _COLOUR_FAR:
            found[-1] = (found[-1][0], number + _COLOUR_LOOKS, found[-1][2])
        else:
            found.append((number, number + _COLOUR_LOOKS, colour))
    return found


def _sizes(track: ObjectTrack, size: tuple[int, int]) -> Iterator[TrackEvent]:
    """Find when a thing grows or shrinks; a level rises or falls when its other three sides stay."""
    level = _is_level(track, size)
    # What is half hidden seems to grow and shrink; a level stands in something and is never seen whole.
    looks = np.arange(len(track.at_s)) if level else np.flatnonzero(track.whole)
    at = np.array([float(track.at_s[number]) for number in looks])
    if len(at) < 6:
        return
    logs = np.log(track.areas[looks].astype(np.float64))
    rates = np.zeros(len(at))
    for number in range(len(at)):
        first, end = np.searchsorted(at, [at[number] - 0.161, at[number] + 0.161])
        times = at[first:end] - at[first:end].mean()
        rates[number] = times @ (logs[first:end] - logs[first:end].mean()) / max(1e-9, float(times @ times))
    for sign, plain, of_level in ((1, "grows", "rises"), (-1, "shrinks", "falls")):
        for first, end in find_runs(sign * rates > _GROWTH_RATE):
            ratio = float(np.exp(sign * (np.median(logs[end - 1 :][:3]) - np.median(logs[: first + 1][-3:]))))
            if ratio >= _GROWTH and at[end - 1] - at[first] >= 0.2:
                kind: EventKind = of_level if level else plain  # type: ignore[assignment]
                span = Span(start_s=track.at_s[looks[first]], end_s=track.at_s[looks[end - 1]])
                yield TrackEvent(kind, span, track.id, track.confidence)


def _is_level(track: ObjectTrack, size: tuple[int, int]) -> bool:
    fixed = _FIXED * size[0]
    left, top, right, bottom = (np.quantile(side, [0.05, 0.95]) for side in track.boxes.T)
    rests = all(float(np.ptp(side)) <= fixed for side in (left, right, bottom))
    return rests and float(np.ptp(top)) > 2 * fixed
