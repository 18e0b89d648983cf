"""Letting things move: the thing of a picture along a way, what moves in a clip on, a sound where something hits."""

import re
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.clvg.reading.given import RATE, GivenContext, film
from cutscore.media.audio import read_sound
from cutscore.media.edit import replace_sound
from cutscore.media.footage import Footage
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.media.sound import Sound, sample_at
from cutscore.perception.analysis import analyze_clip
from cutscore.perception.report import ObjectTrack, Report
from cutscore.perception.subject_match import CutOut, cut_out

Places = npt.NDArray[np.float64]

SIZE = (320, 180)
PAPER = (196, 200, 206)  # the background of what is made from nothing
HIGH = 0.36  # of the picture's height that a thing gets
MARGIN = 0.18  # of the width that a thing keeps from the sides
CROSSES = re.compile(r"\bfrom (?P<start>left|right) to (?P<end>left|right)\b", re.I)
MOVES = 0.08  # of the width: what goes less far rests
BLOCKED = 30.0  # levels by which something stands out from the background before a thing
SAME_HEIGHT = 0.01  # of the height within which a thing is as low as before


def move_subject(given: GivenContext) -> Footage | None:
    """Let the thing of a picture go along the way of the clip, or from one side to the other."""
    if given.has(motion="video"):
        report = analyze_clip(given.paths["motion"], frames_per_s=RATE)
        way = follow_mover(report, given.count)
    elif found := CROSSES.search(given.words):
        across = np.linspace(MARGIN, 1 - MARGIN, given.count)
        way = np.stack(
            [across if found["start"].lower() == "left" else across[::-1], np.full(given.count, 0.55)], axis=1
        )
    else:
        return None
    if way is None:
        return None
    subject = cut_out(given.picture("subject"))
    scale = HIGH * SIZE[1] / subject.mask.shape[0]
    paper = np.full((SIZE[1], SIZE[0], 3), PAPER, np.uint8)
    return film([paste(paper, subject, x * SIZE[0], y * SIZE[1], scale=scale) for x, y in way])


def follow_mover(report: Report, count: int) -> Places | None:
    """Return where the thing that moves is at even moments, as shares of width and height; None where nothing does."""
    track = find_mover(report)
    if track is None:
        return None
    times = np.array([float(each) for each in track.at_s])
    wanted = np.linspace(0, float(report.span.length_s), count, endpoint=False)
    size = np.array(report.size, float)
    # Before it is first seen and after it is last seen it goes on as it was going.
    return np.stack([_extend(wanted, times, track.centres[:, axis] / size[axis]) for axis in (0, 1)], axis=1)


def _extend(wanted: Places, times: Places, values: Places) -> Places:
    made = np.interp(wanted, times, values)
    if len(times) >= 4:
        for late, ends in ((wanted > times[-1], slice(-4, None)), (wanted < times[0], slice(None, 4))):
            line = np.polyfit(times[ends], values[ends], 1)
            made[late] = np.polyval(line, wanted[late])
    return made


def find_mover(report: Report) -> ObjectTrack | None:
    """Return the track that goes farthest, if any goes far."""

    def reach(track: ObjectTrack) -> float:
        return float(np.ptp(track.world, axis=0).max()) * len(track.at_s)

    moving = [track for track in report.tracks if float(np.ptp(track.world, axis=0).max()) >= MOVES * report.size[0]]
    return max(moving, key=reach) if moving else None


def paste(picture: Pixels, thing: CutOut, x: float, y: float, *, scale: float = 1.0) -> Pixels:
    """Return a picture with a thing whose middle is at a place, cut off at the sides."""
    cv2 = opencv()
    height, width = picture.shape[:2]
    high, wide = (max(1, round(side * scale)) for side in thing.mask.shape)
    matrix = np.array([[scale, 0, x - wide / 2], [0, scale, y - high / 2]], np.float32)
    size = (width, height)
    shown = cv2.warpAffine(thing.pixels, matrix, size, flags=cv2.INTER_AREA)
    cover = cv2.warpAffine(thing.mask.astype(np.float32), matrix, size, flags=cv2.INTER_LINEAR)[..., None]
    made: Pixels = np.rint(picture * (1 - cover) + shown * cover).astype(np.uint8)
    return made


def continue_motion(given: GivenContext) -> Footage | None:
    """Let what moves in the clip go on as it went at its end, before the background that it has uncovered."""
    clip = given.clip()
    pictures = list(clip.pictures())
    background = np.median(np.stack(pictures), axis=0).astype(np.uint8)
    report = analyze_clip(given.paths["source"], frames_per_s=clip.rate)
    track = find_mover(report)
    if track is None or len(track.at_s) < 4:
        return None
    times = np.array([float(each) for each in track.at_s])
    late = times >= times[-1] - 0.5
    lines = [np.polyfit(times[late], track.centres[late, axis], 1) for axis in (0, 1)]
    count = max(2, round(given.length_s * clip.rate))
    thing, (x, y) = _cut_mover(pictures[-1], background, track)
    speeds = [float(line[0] / clip.rate) for line in lines]  # pixels from picture to picture
    made = []
    for _ in range(count):
        if not _is_blocked(background, thing, (x, y), speeds):
            x, y = x + speeds[0], y + speeds[1]
        made.append(paste(background, thing, x, y))
    return film(made, clip.rate)


def _is_blocked(background: Pixels, thing: CutOut, at: tuple[float, float], speeds: Sequence[float]) -> bool:
    """Return whether something stands right before a thing: what it comes to is unlike what is behind it."""
    wide = thing.mask.shape[1]
    x, y = round(at[0] + np.sign(speeds[0]) * (wide / 2 + abs(speeds[0]))), round(at[1])
    height, width = background.shape[:2]
    if not 2 <= x < width - 2 or not 2 <= y < height - 2:
        return True
    ahead, here = (background[y - 2 : y + 3, column - 2 : column + 3].mean(axis=(0, 1)) for column in (x, round(at[0])))
    return float(np.abs(ahead - here).max()) > BLOCKED


def _cut_mover(picture: Pixels, background: Pixels, track: ObjectTrack) -> tuple[CutOut, tuple[float, float]]:
    """Return what differs from the background around the track's last box, and where its middle is."""
    left, top, right, bottom = (round(float(each)) for each in track.boxes[-1])
    pad = 6
    left, top = max(0, left - pad), max(0, top - pad)
    box = np.s_[top : bottom + pad, left : right + pad]
    far = np.abs(picture[box].astype(np.int16) - background[box]).max(axis=2) > 18
    mask = opencv().morphologyEx(far.astype(np.uint8), opencv().MORPH_CLOSE, np.ones((5, 5))) > 0
    high, wide = mask.shape
    return CutOut(np.ascontiguousarray(picture[box]), mask), (left + wide / 2, top + high / 2)


def add_sounds(given: GivenContext) -> Footage | None:
    """Lay the given sound under each moment at which what moves has come down as far as it goes."""
    clip = given.clip()
    track = find_mover(analyze_clip(given.paths["source"], frames_per_s=clip.rate))
    if track is None:
        return None
    effect = read_sound(given.paths["sound"], rate_hz=48_000, channels="mono")
    heard = np.zeros(sample_at(clip.length_s, effect.rate_hz), np.float32)
    for at_s in lowest_moments(track):
        first = sample_at(at_s, effect.rate_hz)
        part = effect.samples[: max(0, len(heard) - first)]
        heard[first : first + len(part)] += part
    return replace_sound(clip, Sound(np.clip(heard, -1, 1), effect.rate_hz))


def lowest_moments(track: ObjectTrack) -> list[Fraction]:
    """Return when a thing stops going down."""
    y = track.centres[:, 1]
    near = SAME_HEIGHT * max(1.0, float(np.ptp(y))) * 5
    return [
        track.at_s[number]
        for number in range(1, len(y))
        if y[number] - y[number - 1] > near and (number + 1 == len(y) or y[number + 1] - y[number] <= near)
    ]
