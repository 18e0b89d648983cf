"""Look at a clip and listen to it, once, and report what is there.

Pictures are looked at as they are decoded, at most `looks_per_s` of them, scaled so that the longer side has at most
`longest` pixels. A few are held at a time, so memory grows with what is reported and not with the pictures.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.core.errors import BadInput, BrokenData, MissingExtra
from cutscore.core.timeline import Span
from cutscore.media.budget import PLAIN, Budget
from cutscore.media.frames import Frame, check_pixels, iter_frames
from cutscore.media.listen import has_sound, iter_sound
from cutscore.media.opencv import opencv
from cutscore.media.plan import FramePlan
from cutscore.media.transcript import Transcript
from cutscore.perception.camera import Matrix, Step, moves, step
from cutscore.perception.changes import changes_of
from cutscore.perception.following import Follower
from cutscore.perception.hearing import RATE_HZ, hear
from cutscore.perception.patches import Labels, take_apart
from cutscore.perception.report import Heard, Report, Unseen
from cutscore.perception.shots import Dissolves, Glance, Judged, Jumps, shots_of
from cutscore.perception.speech import transcribe
from cutscore.perception.text import read_text
from cutscore.perception.things import things_of
from cutscore.perception.tints import Tints
from cutscore.perception.writing import Lines

LOOKS_PER_S = Fraction(30)
LONGEST = 480  # pixels: a thing of a fiftieth of the width still has an outline
# A picture smaller than this on either side shows nothing that has an outline.
_SMALLEST = 16
# Looks for which a camera that can no longer be followed goes on as before.
_LOST_LOOKS = 25


def look(
    clip: Path | Iterable[Frame],
    *,
    trusted: bool = True,
    budget: Budget = PLAIN,
    looks_per_s: Fraction = LOOKS_PER_S,
    longest: int = LONGEST,
    text_every_s: Fraction | None = None,
    speech: bool = False,
) -> Report:
    """Report what a clip shows and, given a file, what it lets hear.

    Args:
        clip: A file, or frames in order of time.
        trusted: Whether we know who made the file; see `media.frames.iter_frames`. Whatever a subject handed in is
            decoded in a limited child.
        budget: What the file may cost.
        looks_per_s: How many pictures a second to look at, at most. Fewer are quicker; what lasts for less than a few
            looks is then missed.
        longest: Pixels to which the longer side of a picture is scaled down.
        text_every_s: Seconds from one reading of text on screen to the next, about a second of work each; None to
            leave it unread. Needs the extra `ocr`.
        speech: Whether to write down what is said. Needs the extra `speech`.
    """
    if looks_per_s <= 0 or longest < 2 * _SMALLEST:
        raise BadInput("look", f"cannot have {looks_per_s} looks a second at {longest} pixels", "give more")
    if isinstance(clip, Path):
        everything = FramePlan.parse(f"every@0-{budget.duration_s + 1}")
        frames = iter_frames(clip, everything, trusted=trusted, budget=budget)
    else:
        frames = iter(clip)
    eye = _Eye(longest)
    reader = _Reader(text_every_s)
    lasts_s = due_s = Fraction(0)
    latest: Fraction | None = None
    for frame in frames:
        if latest is not None and frame.at_s <= latest:
            if frame.at_s < latest:
                raise BadInput("clip", f"has a frame of {float(frame.at_s):g} s after one of {float(latest):g} s")
            continue  # of two at one time the first is looked at
        lasts_s = frame.at_s - latest if latest is not None else lasts_s
        latest = frame.at_s
        # A look that falls due before the middle of a picture is taken at that picture, not at the next one.
        if frame.at_s + lasts_s / 2 >= due_s:
            due_s = max(due_s + 1 / looks_per_s, frame.at_s)
            eye.see(frame)
        reader.see(frame)
    if latest is None:
        raise BrokenData("clip", "has no frame to look at", "give at least one")
    span = Span(start_s=eye.times[0], end_s=latest + lasts_s)
    seen = eye.report(span)
    sounds, unheard = _listen(clip, span, trusted, budget)
    said, unsaid = _transcribed(clip, trusted, budget) if speech else (None, "nobody listened for it")
    unread = () if reader.unread is None else (Unseen("text on screen", reader.unread, span),)
    unknown = () if said is not None else (Unseen("speech", unsaid, span),)
    return replace(
        seen,
        sounds=sounds,
        written=reader.lines.result(span.end_s),
        said=said,
        unseen=(*seen.unseen, *unread, *unknown, *unheard),
    )


@dataclass(eq=False)
class _Reader:
    """Reads text on screen now and then; `unread` says why it does not."""

    every_s: Fraction | None
    lines: Lines = field(default_factory=Lines)
    unread: str | None = None
    due_s: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if self.every_s is None:
            self.unread = "nobody asked for it"
        elif self.every_s <= 0:
            raise BadInput("look", f"cannot read text every {self.every_s} s", "give more")

    def see(self, frame: Frame) -> None:
        if self.every_s is None or self.unread is not None or frame.at_s < self.due_s:
            return
        self.due_s = frame.at_s + self.every_s
        try:
            self.lines.see(frame.at_s, read_text(frame.pixels))
        except MissingExtra as error:
            self.unread = str(error)


@dataclass(eq=False)
class _Eye:
    """All that looks, and what it has seen so far."""

    longest: int
    jumps: Jumps = field(default_factory=Jumps)
    dissolves: Dissolves = field(default_factory=Dissolves)
    tints: Tints = field(default_factory=Tints)
    cuts: list[tuple[Fraction, float]] = field(default_factory=list)
    size: tuple[int, int] = (0, 0)
    scaled: tuple[int, int] = (0, 0)
    times: list[Fraction] = field(default_factory=list)
    steps: list[list[Step]] = field(default_factory=lambda: [[]])
    rough: list[float] = field(default_factory=list)
    follower: Follower | None = None
    before: tuple[npt.NDArray[Any], Labels] | None = None
    to_world: Matrix = field(default_factory=lambda: np.eye(3))

    def see(self, frame: Frame) -> None:
        height, width = check_pixels(frame.pixels, "clip")
        if not self.times:
            if min(width, height) < _SMALLEST:
                raise BrokenData("clip", f"has pictures of {width}×{height}, too small to see anything in them")
            share = min(1.0, self.longest / max(width, height))
            self.size, self.scaled = (width, height), (max(2, round(width * share)), max(2, round(height * share)))
            self.follower = Follower(self.scaled[0])
        elif (width, height) != self.size:
            was = "×".join(map(str, self.size))
            raise BrokenData("clip", f"changes its size from {was} to {width}×{height} on the way")
        self.times.append(frame.at_s)
        for judged in self.jumps.see(Glance(frame.at_s, self._scaled(frame.pixels))):
            self._take(judged)

    def _scaled(self, pixels: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        if self.scaled == self.size:
            return pixels
        cv2 = opencv()
        found: npt.NDArray[np.uint8] = cv2.resize(pixels, self.scaled, interpolation=cv2.INTER_AREA)
        return found

    def _take(self, judged: Judged) -> None:
        """Look at a picture whose place in its shot is known."""
        at_s, pixels = judged.glance.at_s, judged.glance.pixels
        assert self.follower is not None
        self.dissolves.see(judged)
        self.tints.see(at_s, judged.picture)
        if judged.verdict == "flash":  # a moment of blindness
            return
        if judged.verdict == "cut":
            self.cuts.append((at_s, judged.confidence))
            self.follower.cut()
            self.steps.append([])
            self.before, self.to_world = None, np.eye(3)
        cv2 = opencv()
        grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
        seen = take_apart(pixels)
        self.rough.append(seen.edge)
        if self.before is not None:
            moved = self._going_on(step(self.before[0], grey, self.before[1], at_s))
            self.steps[-1].append(moved)
            self.to_world = self.to_world @ np.linalg.inv(moved.matrix)
        self.before = grey, seen.foreground
        self.follower.see(at_s, seen.patches, self.to_world)

    def _going_on(self, moved: Step) -> Step:
        """Take a camera that was lost for a moment to go on as before, without a vote for it."""
        known = [each.matrix for each in self.steps[-1][-_LOST_LOOKS:] if each.votes]
        return moved if moved.votes or not known else replace(moved, matrix=known[-1])

    def report(self, span: Span) -> Report:
        for judged in self.jumps.rest():
            self._take(judged)
        assert self.follower is not None
        self.follower.cut()
        gaps = sorted(later - earlier for earlier, later in pairwise(self.times))
        lasts_s = gaps[len(gaps) // 2] if gaps else span.length_s
        enlarged = self.size[0] / self.scaled[0]
        camera = [move for shot in self.steps for move in moves(shot, self.scaled, enlarged=enlarged)]
        # A pan over a gradient looks like a dissolve from afar.
        dissolves = [each for each in self.dissolves.found if not any(each.overlap(move.span) for move in camera)]
        shots = shots_of(span, self.cuts, dissolves)
        things = things_of(self.follower.ended, enlarged=enlarged, lasts_s=lasts_s, hidden=dissolves)
        return Report(
            span=span,
            size=self.size,
            looks=len(self.times),
            shots=shots,
            camera=tuple(camera),
            things=things,
            changes=changes_of(things, shots, self.size, blind=dissolves),
            tints=self.tints.result(span.end_s),
            sounds=(),
            written=(),
            said=None,
            unseen=tuple(self._unseen(span)),
        )

    def _unseen(self, span: Span) -> Iterator[Unseen]:
        steps = [each for shot in self.steps for each in shot]
        if not steps or np.mean([each.votes > 0 for each in steps]) < 0.5:
            yield Unseen("whether the camera moves", "too little stands still or goes along to follow", span)
        if np.median(self.rough) > 20:
            yield Unseen("things of low contrast", "the picture is mostly noise or texture", span)


def _listen(
    clip: Path | Iterable[Frame], span: Span, trusted: bool, budget: Budget
) -> tuple[tuple[Heard, ...], tuple[Unseen, ...]]:
    if not isinstance(clip, Path):
        return (), (Unseen("sound", "only pictures were given", span),)
    if not has_sound(clip, trusted=trusted, budget=budget):
        return (), (Unseen("sound", "the clip is mute", span),)
    blocks = iter_sound(clip, rate_hz=RATE_HZ, channels="mono", trusted=trusted, budget=budget)
    return hear(blocks), ()


def _transcribed(clip: Path | Iterable[Frame], trusted: bool, budget: Budget) -> tuple[Transcript | None, str]:
    if not isinstance(clip, Path):
        return None, "only pictures were given"
    if not has_sound(clip, trusted=trusted, budget=budget):
        return None, "the clip is mute"
    try:
        return transcribe(iter_sound(clip, rate_hz=RATE_HZ, channels="mono", trusted=trusted, budget=budget)), ""
    except MissingExtra as error:
        return None, str(error)
