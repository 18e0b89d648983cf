"""Look at a clip and listen to it, once, and report what is there.

Pictures are looked at as they are decoded, at most `frames_per_s` of them, scaled so that the longer side has at most
`max_side_px` pixels. A few are held at a time, so memory grows with what is reported and not with the pictures.
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
from cutscore.media.audio import has_sound, iter_sound
from cutscore.media.budget import DEFAULT_BUDGET, Budget
from cutscore.media.frames import Frame, check_pixels, iter_frames
from cutscore.media.opencv import opencv
from cutscore.media.plan import FramePlan
from cutscore.media.sound import Samples
from cutscore.media.transcript import Transcript
from cutscore.perception.camera import FrameMotion, Matrix, camera_motions, estimate_camera_step
from cutscore.perception.dominant_colour import DominantColourTracker
from cutscore.perception.events import detect_events
from cutscore.perception.object_tracks import build_tracks
from cutscore.perception.report import BlindSpot, Report
from cutscore.perception.segmentation import Labels, segment_picture
from cutscore.perception.shots import ClassifiedPicture, CutDetector, DissolveDetector, TimedPicture, build_shots
from cutscore.perception.sounds import RATE_HZ, detect_sounds
from cutscore.perception.speech import transcribe
from cutscore.perception.text import TextTracker, read_text
from cutscore.perception.tracking import ObjectTracker

FRAMES_PER_S = Fraction(30)
MAX_SIDE_PX = 480  # pixels: a thing of a fiftieth of the width still has an outline
# A picture smaller than this on either side shows nothing that has an outline.
_SMALLEST = 16
# Looks for which a camera that can no longer be followed goes on as before.
_LOST_LOOKS = 25


def analyze_clip(
    clip: Path | Iterable[Frame],
    *,
    trusted: bool = True,
    budget: Budget = DEFAULT_BUDGET,
    frames_per_s: Fraction = FRAMES_PER_S,
    max_side_px: int = MAX_SIDE_PX,
    text_every_s: Fraction | None = None,
    speech: bool = False,
) -> Report:
    """Report what a clip shows and, given a file, what is heard in it.

    Args:
        clip: A file, or frames in order of time.
        trusted: Whether we know who made the file; see `media.frames.iter_frames`. Whatever a subject handed in is
            decoded in a limited child.
        budget: What the file may cost.
        frames_per_s: How many pictures a second to look at, at most. Fewer are quicker; what lasts for less than a few
            pictures is then missed.
        max_side_px: Pixels to which the longer side of a picture is scaled down.
        text_every_s: Seconds from one reading of text on screen to the next, about a second of work each; None to
            leave it unread. Needs the extra `ocr`.
        speech: Whether to write down what is said. Needs the extra `speech`.
    """
    if frames_per_s <= 0 or max_side_px < 2 * _SMALLEST:
        raise BadInput(
            "clip analysis", f"cannot have {frames_per_s} frames a second at {max_side_px} pixels", "give more"
        )
    pictures, text = _FrameAnalysis(max_side_px), _TextReader(text_every_s)
    span = _look_through(_open(clip, trusted, budget), pictures, text, frames_per_s)
    seen = pictures.report(span)
    blocks, no_sound = _sound_blocks(clip, trusted, budget)
    transcript, no_speech = _transcribe_clip(clip, trusted, budget) if speech else (None, "nobody listened for it")
    reasons = {"text on screen": text.unread, "speech": no_speech, "sound": no_sound}
    missing = tuple(BlindSpot(what, because, span) for what, because in reasons.items() if because)
    return replace(
        seen,
        sounds=() if no_sound else detect_sounds(blocks),
        text=text.lines.result(span.end_s),
        transcript=transcript,
        blind_spots=(*seen.blind_spots, *missing),
    )


def _look_through(
    frames: Iterable[Frame], pictures: "_FrameAnalysis", text: "_TextReader", frames_per_s: Fraction
) -> Span:
    """Show frames to both as often as is wanted; return from the first frame to the end of the last."""
    lasts_s = due_s = Fraction(0)
    latest: Fraction | None = None
    for frame in _in_order(frames):
        lasts_s = frame.at_s - latest if latest is not None else lasts_s
        latest = frame.at_s
        # A look that falls due before the middle of a picture is taken at that picture, not at the next one.
        if frame.at_s + lasts_s / 2 >= due_s:
            due_s = max(due_s + 1 / frames_per_s, frame.at_s)
            pictures.see(frame)
        text.see(frame)
    if latest is None:
        raise BrokenData("clip", "has no frame to look at", "give at least one")
    return Span(start_s=pictures.times[0], end_s=latest + lasts_s)


def _open(clip: Path | Iterable[Frame], trusted: bool, budget: Budget) -> Iterable[Frame]:
    if not isinstance(clip, Path):
        return clip
    everything = FramePlan.parse(f"every@0-{budget.duration_s + 1}")
    return iter_frames(clip, everything, trusted=trusted, budget=budget)


def _in_order(frames: Iterable[Frame]) -> Iterator[Frame]:
    """Yield frames whose time grows; of two at one time the first."""
    latest: Fraction | None = None
    for frame in frames:
        if latest is not None and frame.at_s < latest:
            raise BadInput("clip", f"has a frame of {float(frame.at_s):g} s after one of {float(latest):g} s")
        if latest is None or frame.at_s > latest:
            yield frame
        latest = frame.at_s


@dataclass(eq=False)
class _TextReader:
    """Reads text on screen now and then; `unread` says why it does not, and is empty where it does."""

    every_s: Fraction | None
    lines: TextTracker = field(default_factory=TextTracker)
    unread: str = ""
    due_s: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if self.every_s is None:
            self.unread = "nobody asked for it"
        elif self.every_s <= 0:
            raise BadInput("clip analysis", f"cannot read text every {self.every_s} s", "give more")

    def see(self, frame: Frame) -> None:
        """Read a frame if it is time."""
        if self.every_s is None or self.unread or frame.at_s < self.due_s:
            return
        self.due_s = frame.at_s + self.every_s
        try:
            self.lines.see(frame.at_s, read_text(frame.pixels))
        except MissingExtra as error:
            self.unread = str(error)


@dataclass(eq=False)
class _FrameAnalysis:
    """Looks at pictures one by one; holds what was seen so far."""

    max_side_px: int
    cut_detector: CutDetector = field(default_factory=CutDetector)
    dissolve_detector: DissolveDetector = field(default_factory=DissolveDetector)
    colours: DominantColourTracker = field(default_factory=DominantColourTracker)
    cuts: list[tuple[Fraction, float]] = field(default_factory=list)
    size: tuple[int, int] = (0, 0)
    small_size: tuple[int, int] = (0, 0)
    times: list[Fraction] = field(default_factory=list)
    steps: list[list[FrameMotion]] = field(default_factory=lambda: [[]])
    rough: list[float] = field(default_factory=list)
    tracker: ObjectTracker | None = None
    before: tuple[npt.NDArray[Any], Labels] | None = None
    to_world: Matrix = field(default_factory=lambda: np.eye(3))

    def see(self, frame: Frame) -> None:
        """Look at one frame; frames come in order of time."""
        height, width = check_pixels(frame.pixels, "clip")
        if not self.times:
            if min(width, height) < _SMALLEST:
                raise BrokenData("clip", f"has pictures of {width}×{height}, too small to see anything in them")
            share = min(1.0, self.max_side_px / max(width, height))
            self.size, self.small_size = (width, height), (max(2, round(width * share)), max(2, round(height * share)))
            self.tracker = ObjectTracker(self.small_size[0])
        elif (width, height) != self.size:
            was = "×".join(map(str, self.size))
            raise BrokenData("clip", f"changes its size from {was} to {width}×{height} on the way")
        self.times.append(frame.at_s)
        pixels, cv2 = frame.pixels, opencv()
        if self.small_size != self.size:
            pixels = cv2.resize(pixels, self.small_size, interpolation=cv2.INTER_AREA)
        for judged in self.cut_detector.see(TimedPicture(frame.at_s, pixels)):
            self._analyze(judged)

    def _analyze(self, judged: ClassifiedPicture) -> None:
        """Look at a picture whose place in its shot is known."""
        at_s, pixels = judged.source.at_s, judged.source.pixels
        assert self.tracker is not None
        self.dissolve_detector.see(judged)
        self.colours.see(at_s, judged.picture)
        if judged.verdict == "flash":  # a moment of blindness
            return
        if judged.verdict == "cut":
            self.cuts.append((at_s, judged.confidence))
            self.tracker.cut()
            self.steps.append([])
            self.before, self.to_world = None, np.eye(3)
        cv2 = opencv()
        grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
        seen = segment_picture(pixels)
        self.rough.append(seen.edge)
        if self.before is not None:
            moved = estimate_camera_step(self.before[0], grey, self.before[1], at_s)
            known = [each.matrix for each in self.steps[-1][-_LOST_LOOKS:] if each.votes]
            if known and not moved.votes:  # a camera that is lost for a moment goes on as before
                moved = replace(moved, matrix=known[-1])
            self.steps[-1].append(moved)
            self.to_world = self.to_world @ np.linalg.inv(moved.matrix)
        self.before = grey, seen.foreground
        self.tracker.see(at_s, seen.regions, self.to_world)

    def report(self, span: Span) -> Report:
        """Return what was seen, when no more frames come."""
        for judged in self.cut_detector.rest():
            self._analyze(judged)
        assert self.tracker is not None
        self.tracker.cut()
        gaps = sorted(later - earlier for earlier, later in pairwise(self.times))
        lasts_s = gaps[len(gaps) // 2] if gaps else span.length_s
        enlarged = self.size[0] / self.small_size[0]
        camera = [move for shot in self.steps for move in camera_motions(shot, self.small_size, enlarged=enlarged)]
        # A pan over a gradient looks like a dissolve from afar.
        dissolves = [
            each for each in self.dissolve_detector.found if not any(each.overlap(move.span) for move in camera)
        ]
        shots = build_shots(span, self.cuts, dissolves)
        tracks = build_tracks(self.tracker.ended, enlarged=enlarged, lasts_s=lasts_s, hidden=dissolves)
        return Report(
            span=span,
            size=self.size,
            frames=len(self.times),
            shots=shots,
            camera=tuple(camera),
            tracks=tracks,
            events=detect_events(tracks, shots, self.size, blind=dissolves),
            colours=self.colours.result(span.end_s),
            sounds=(),
            text=(),
            transcript=None,
            blind_spots=tuple(self._blind_spots(span)),
        )

    def _blind_spots(self, span: Span) -> Iterator[BlindSpot]:
        steps = [each for shot in self.steps for each in shot]
        if not steps or np.mean([each.votes > 0 for each in steps]) < 0.5:
            yield BlindSpot("whether the camera moves", "too little stands still or goes along to follow", span)
        if np.median(self.rough) > 20:
            yield BlindSpot("things of low contrast", "the picture is mostly noise or texture", span)


def _transcribe_clip(clip: Path | Iterable[Frame], trusted: bool, budget: Budget) -> tuple[Transcript | None, str]:
    """Return what is said in a clip, or why it could not be written down."""
    blocks, why = _sound_blocks(clip, trusted, budget)
    try:
        return (None if why else transcribe(blocks)), why
    except MissingExtra as error:
        return None, str(error)


def _sound_blocks(clip: Path | Iterable[Frame], trusted: bool, budget: Budget) -> tuple[Iterable[Samples], str]:
    """Return the sound of a clip in blocks, or why there is none."""
    if not isinstance(clip, Path):
        return (), "only pictures were given"
    if not has_sound(clip, trusted=trusted, budget=budget):
        return (), "the clip is mute"
    return iter_sound(clip, rate_hz=RATE_HZ, channels="mono", trusted=trusted, budget=budget), ""
