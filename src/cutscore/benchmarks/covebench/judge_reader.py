"""The judge `reader`: answers a checklist by pixels and words alone, and says where it cannot tell.

It knows no thing by its name. What it can answer about is

    colour, count, place   `a blue ball`, `three red cups`, `the yellow car on the left`: patches of a named colour
    direction, stillness   where to the one thing moves that does; what the camera does
    light and tint         night, daylight, black and white, sepia; darker or brighter than before
    speed                  slower or faster than before
    steadiness             flicker and jumps: a film without any has none at the thing that is asked about either
    nothing differs        of two films with the same pictures: nothing has changed, everything is kept

Each option of a choice is read as a statement of its own, so that options in another order get the same answer.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from cutscore.benchmarks.covebench.video_names import EDITED, VIDEO_A
from cutscore.core.evidence import Evidence
from cutscore.core.judgement import Judgement, Question
from cutscore.media import deliverable as door
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.media.plan import FramePlan
from cutscore.perception.analysis import analyze_clip
from cutscore.perception.colours import NAMES, nearest_names, rgb_to_lab
from cutscore.perception.report import Report

CLIPS = 32  # whose sight is kept
PLAN = FramePlan.parse("fps=10,max=120")
WIDTH = 160  # pixels to which pictures are made small before they are compared
LOOKS = 8  # moments at which two films are compared, and at which patches of colour are looked for

# Shares of the picture: a patch of colour that is a thing, and what has to differ for two pictures to differ.
SMALLEST, LARGEST, DIFFERS = 0.002, 0.2, 0.002
LEVELS = 20.0  # of 255, by which a pixel of two films differs
OFTEN = 0.5  # share of the looks in which a patch has to be there
# Mean lightness (CIELAB) of a night and of a day; mean chroma below which a picture is grey; spread of its hue, in
# radians, below which it is tinted.
NIGHT, DAY, GREY, TINTED = 35.0, 60.0, 4.0, 0.35
LIGHTER, AS_LIGHT = 8.0, 3.0  # change of mean lightness that anybody sees, and one that nobody does
MOVES = 0.08  # of the width, from the first to the last look
STILL = 0.2  # mean levels by which pictures of a film in which nothing moves differ at most
MAJORITY = 0.8  # of what moves, by area and distance, has to go one way
JUMP, CALM = 3.0, 2.0  # a step between pictures over the usual one, and mean levels below which none is a jump


@dataclass(frozen=True)
class StatementSight:
    """What the reader says of a statement: whether it holds, and what it saw. Where it cannot tell there is none."""

    holds: bool
    because: str


@dataclass(frozen=True, eq=False)
class ClipSight:
    """One clip as the reader sees it: its report, and small pictures at even moments."""

    report: Report
    looks: tuple[Pixels, ...]
    steps: tuple[float, ...]  # mean levels by which each picture differs from the one before
    lightness: float
    chroma: float
    hue_spread: float

    @property
    def way(self) -> str | None:
        """Return where to what moves goes: `left`, `right`, `nowhere`; None where one cannot tell."""
        if max(self.steps, default=0.0) <= STILL:
            return "nowhere"
        sums = {"left": 0.0, "right": 0.0, "else": 0.0}
        for track in self.report.tracks:
            across, down = ((track.world[-1] - track.world[0]) / self.report.size[0]).tolist()
            if track.part_of is None and max(abs(across), abs(down)) >= MOVES:
                way = "else" if abs(down) >= abs(across) else "right" if across > 0 else "left"
                sums[way] += float(np.median(track.areas)) * max(abs(across), abs(down))
        most = max(sums, key=lambda each: sums[each])
        return most if most != "else" and sums[most] >= MAJORITY * sum(sums.values()) > 0 else None

    @property
    def shows_true_colours(self) -> bool:
        """Return whether light and tint leave colours their names."""
        return self.lightness >= DAY - 10 and self.chroma > 2 * GREY and self.hue_spread > TINTED

    @property
    def jumps(self) -> bool:
        """Return whether a picture is far from the one before, beside what is usual in the film."""
        usual = float(np.median(self.steps)) if self.steps else 0.0
        return max(self.steps, default=0.0) > max(CALM, JUMP * usual) or len(self.report.shots) > 1


def judge_by_reading(questions: Sequence[Question], evidence: Evidence) -> list[Judgement]:
    """Answer what can be told from the pictures; the rest is left without an answer, with a reason."""
    return [_judge(question, evidence) for question in questions]


def _judge(question: Question, evidence: Evidence) -> Judgement:
    edited = _see(evidence, EDITED)
    compares = question.kind == "scale" or "video a" in question.text.lower()
    source = _see(evidence, VIDEO_A) if compares else None
    if edited is None or (compares and source is None):
        return _left(question, "it was shown no video")
    if question.kind == "scale":
        same = source is not None and not films_differ(source, edited)
        return _said(question, 10, "no picture differs from the source") if same else _left(question)
    if question.kind == "choice":
        return _choose(question, edited)
    seen = read_comparison(question.text, source, edited) if source else read_statement(question.text, edited)
    return _left(question) if seen is None else _said(question, "yes" if seen.holds else "no", seen.because)


def _choose(question: Question, edited: ClipSight) -> Judgement:
    """Take the option that holds, or the other one of an option that does not."""
    stem, first, second = split_options(question.text)
    one, other = (read_statement(option, edited, stem=stem) for option in (first, second))
    votes = {"A": one, "B": other}
    held = [name for name, seen in votes.items() if seen and seen.holds]
    failed = [name for name, seen in votes.items() if seen and not seen.holds]
    if len(held) != 1 and (held or len(failed) != 1):
        return _left(question)
    decides = (held or failed)[0]
    answer = decides if held else {"A": "B", "B": "A"}[decides]
    seen = votes[decides]
    return _said(question, answer, seen.because if seen else "")


def _said(question: Question, answer: str | int, because: str) -> Judgement:
    return Judgement(question=question.id, judge="reader", answer=answer, because=because)


def _left(question: Question, why: str = "it cannot tell") -> Judgement:
    return Judgement(question=question.id, judge="reader", because=why)


def split_options(text: str) -> tuple[str, str, str]:
    """Return the question before its options, and the options.

    >>> split_options("What colour is it? A: It is red B: It is blue")
    ('What colour is it?', 'It is red', 'It is blue')
    """
    stem, _, rest = text.partition(" A: ")
    first, _, second = rest.partition(" B: ")
    return stem, first, second


COLOUR = "|".join([*NAMES, "gray"])
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
THING = re.compile(
    rf"\b(?P<count>an?|the|any|{'|'.join(NUMBERS)}) (?P<colour>{COLOUR})(?! (?:and|or)\b) (?P<noun>[a-z]+)", re.I
)
IS_COLOUR = re.compile(rf"\bis (?P<colour>{COLOUR})\b", re.I)
PLACE = re.compile(r"\bon the (?P<place>left|right|middle)\b|\bin the (?P<centre>middle|cent(?:re|er))\b", re.I)
DENIES = re.compile(
    r"\b(?:no|not|without|avoid\w*|rather than|instead of|any ?more|longer|gone|missing|removed)\b", re.I
)
FLAWED = re.compile(r"\b(?:flicker|jumps? (?:from|between)|view jump|appear or vanish|pop up|stop and start)\b", re.I)
STEADY = re.compile(
    r"\b(?:keep (?:one colour|its form)|throughout the video|from the first to the last|motion (?:of [\w ]+ )?even|"
    r"rise evenly|without jolts|remain stable|consistent throughout)\b",
    re.I,
)
LIGHTS: dict[str, Callable[[ClipSight], bool | None]] = {
    r"\b(?:night|dimly lit|in the dark)\b": lambda seen: True if seen.lightness < NIGHT else _unless_day(seen),
    r"\b(?:daylight|bright(?:ly lit)?|sunlit)\b": lambda seen: (
        True if seen.lightness > DAY else False if seen.lightness < NIGHT else None
    ),
    r"\b(?:black[ -]and[ -]white|black, grey and white|gr[ea]yscale|monochrome)\b": lambda seen: seen.chroma < GREY,
    r"\b(?:sepia|shades of brown)\b": lambda seen: seen.hue_spread < TINTED and seen.chroma >= GREY,
}
SAYS_CHANGE = re.compile(
    r"\b(?:another|otherwise|changed|missing|removed|that video a lacks|not in video a|none in video a|slower|faster|"
    r"darker|brighter|stand in video b where|differ\w*)\b",
    re.I,
)
SAYS_SAME = re.compile(r"\b(?:the same|identical|unchanged|preserved|as in video a)\b", re.I)


def _unless_day(seen: ClipSight) -> bool | None:
    return False if seen.lightness > DAY else None


def read_statement(words: str, seen: ClipSight, *, stem: str = "") -> StatementSight | None:
    """Return whether a statement holds of a clip; None where the reader cannot tell."""
    if FLAWED.search(words):
        return None if seen.jumps else StatementSight(False, "no picture is far from the one before")
    if STEADY.search(words):
        return None if seen.jumps else StatementSight(True, "no picture is far from the one before")
    if re.search(r"\bcamera\b", f"{stem} {words}", re.I):
        return _read_camera(words, seen)
    for pattern, test in LIGHTS.items():
        if re.search(pattern, words, re.I) and not DENIES.search(words):
            holds = test(seen)
            told = f"mean lightness {seen.lightness:.0f}, chroma {seen.chroma:.0f}"
            return None if holds is None else StatementSight(holds, told)
    return _read_motion(words, seen) or _read_colours(words, seen)


def _read_camera(words: str, seen: ClipSight) -> StatementSight | None:
    moves = {f"{move.kind}s {move.direction}" for move in seen.report.camera}
    told = f"the camera {' and '.join(sorted(moves))}" if moves else "the camera rests"
    if match := re.search(r"\b(?P<kind>pan|tilt)s?\b[\w ]*?\b(?P<way>left|right|up|down)\b", words, re.I):
        return StatementSight(f"{match['kind'].lower()}s {match['way'].lower()}" in moves, told)
    if re.search(r"\b(?:stands still|static)\b", words, re.I) and not DENIES.search(words):
        # What it says besides (`and shows the whole place`) is not looked at: so it can be refuted, not confirmed.
        return None if not moves and re.search(r"\band\b", words) else StatementSight(not moves, told)
    return None


def _read_motion(words: str, seen: ClipSight) -> StatementSight | None:
    """Read where the thing moves: as almost all does that moves, and not at all where nothing moves."""
    way = re.search(r"\bmoves? to the (?P<way>left|right)\b", words, re.I)
    rests = re.search(r"\b(?:stands? still|motionless|at rest)\b", words, re.I)
    anyhow = re.fullmatch(r"It moves\.?", words, re.I)
    if not (way or rests or anyhow) or seen.report.camera or seen.way is None:
        return None
    holds = seen.way == way["way"].lower() if way else (seen.way == "nowhere") == bool(rests)
    return StatementSight(holds, "nothing moves" if seen.way == "nowhere" else f"what moves goes to the {seen.way}")


def _read_colours(words: str, seen: ClipSight) -> StatementSight | None:
    """Read whether something of a colour is there, how many, and on which side."""
    match = THING.search(words) or IS_COLOUR.search(words)
    if match is None or DENIES.search(words) or not seen.shows_true_colours:
        return None
    name = match["colour"].lower().replace("gray", "grey")
    there = [places for picture in seen.looks if (places := find_patches(picture, name))]
    if not there:
        return StatementSight(False, f"nothing is {name}")
    counted = sorted(map(len, there))[len(there) // 2]
    wanted = NUMBERS.get(match.groupdict().get("count", "").lower())
    place = PLACE.search(words)
    if len(there) < OFTEN * len(seen.looks) or (place and not wanted and counted != 1):
        return None
    if wanted or not place:
        return StatementSight(counted == (wanted or counted), f"patches of {name}: {counted}")
    x = float(np.median([places[0] for places in there]))
    side = "left" if x < 0.4 else "right" if x > 0.6 else "middle"
    return StatementSight(side == (place["place"] or "middle").lower(), f"what is {name} is on the {side}")


def read_comparison(words: str, source: ClipSight, edited: ClipSight) -> StatementSight | None:
    """Return whether a statement about two clips holds; None where the reader cannot tell."""
    says_change, says_same = bool(SAYS_CHANGE.search(words)), bool(SAYS_SAME.search(words))
    if says_change == says_same:
        return None
    if not films_differ(source, edited):
        return StatementSight(says_same, "no picture differs from the source")
    if re.search(r"\b(?:slower|faster)\b", words, re.I):
        return _compare_speed(words, source, edited)
    if re.search(r"\bmoves? otherwise\b", words, re.I):
        return _compare_motion(source, edited)
    return _compare_light(words, source, edited) if says_change else None


def _compare_light(words: str, source: ClipSight, edited: ClipSight) -> StatementSight | None:
    brighter = edited.lightness - source.lightness
    told = f"mean lightness goes from {source.lightness:.0f} to {edited.lightness:.0f}"
    if match := re.search(r"\b(?:darker|brighter)\b", words, re.I):
        wanted = brighter if match[0].lower() == "brighter" else -brighter
        return None if AS_LIGHT < abs(brighter) < LIGHTER else StatementSight(wanted >= LIGHTER, told)
    tinted = abs(edited.chroma - source.chroma) >= LIGHTER
    asks = re.search(r"\bthe (?:light(?:ing)?|look of the whole picture)\b", words, re.I)
    return StatementSight(True, told) if asks and (tinted or abs(brighter) >= LIGHTER) else None


def _compare_speed(words: str, source: ClipSight, edited: ClipSight) -> StatementSight | None:
    lasts = [float(seen.report.span.length_s) for seen in (source, edited)]
    ratio = lasts[1] / max(1e-6, lasts[0])
    way = ratio if "slower" in words.lower() else 1 / max(1e-6, ratio)
    told = f"it lasts {lasts[1]:.1f} s, the source {lasts[0]:.1f} s"
    return StatementSight(way > 1.25, told) if way > 1.25 or way < 1.05 else None


def _compare_motion(source: ClipSight, edited: ClipSight) -> StatementSight | None:
    ways = source.way, edited.way
    if None in ways or source.report.camera or edited.report.camera:
        return None
    return StatementSight(ways[0] != ways[1], f"what moves goes {ways[0]} in the source, and {ways[1]} in the edit")


def _see(evidence: Evidence, name: str) -> ClipSight | None:
    ref = evidence.file(name)
    return see_clip(evidence.path(name), ref.sha256) if ref else None


@lru_cache(maxsize=CLIPS)
def see_clip(path: Path, sha256: str) -> ClipSight:
    """Look at a clip once for all questions about it, decoded as a stranger's."""
    small: list[Pixels] = []

    def watched() -> Iterator[Any]:
        for frame in door.iter_frames(path, PLAN):
            height = max(1, round(WIDTH * frame.pixels.shape[0] / frame.pixels.shape[1]))
            small.append(opencv().resize(frame.pixels, (WIDTH, height), interpolation=opencv().INTER_AREA))
            yield frame

    report = analyze_clip(watched(), frames_per_s=Fraction(10))
    steps = [float(np.abs(one.astype(np.int16) - two).mean()) for one, two in pairwise(small)]
    looks = tuple(small[round(place)] for place in np.linspace(0, len(small) - 1, LOOKS))
    lab = np.stack([rgb_to_lab(picture) for picture in looks]).reshape(-1, 3)
    chroma = np.hypot(lab[:, 1], lab[:, 2])
    hue = np.arctan2(lab[:, 2], lab[:, 1])[chroma > GREY]
    length = float(abs(np.exp(1j * hue).mean())) if len(hue) else 1.0
    spread = float(np.sqrt(-2 * np.log(max(length, 1e-9))))  # of angles, as a standard deviation
    return ClipSight(report, looks, tuple(steps), float(lab[:, 0].mean()), float(chroma.mean()), spread)


def find_patches(picture: Pixels, name: str) -> list[float]:
    """Return where things of a colour are, from 0 on the left to 1; what is large or reaches over a side is none."""
    mask = (nearest_names(rgb_to_lab(picture)) == NAMES.index(name)).astype(np.uint8)
    cv2 = opencv()
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2)))
    total, _, stats, centres = cv2.connectedComponentsWithStats(opened)
    found = []
    for number in range(1, total):
        left, _, wide, _, area = stats[number].tolist()
        at_side = left == 0 or left + wide == picture.shape[1]
        if SMALLEST * mask.size <= area <= LARGEST * mask.size and not at_side:
            found.append(float(centres[number][0]) / picture.shape[1])
    return found


def films_differ(one: ClipSight, other: ClipSight) -> bool:
    """Return whether two films differ at any of some even moments, or in length."""
    lasts = [float(seen.report.span.length_s) for seen in (one, other)]
    if max(lasts) > 1.1 * min(lasts):
        return True
    cv2 = opencv()
    for first, second in zip(one.looks, other.looks, strict=True):
        fitted = second if second.shape == first.shape else cv2.resize(second, (first.shape[1], first.shape[0]))
        far = cv2.absdiff(first, fitted).mean(axis=2)
        if float((far > LEVELS).mean()) > DIFFERS:
            return True
    return False
