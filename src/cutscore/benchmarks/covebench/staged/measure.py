"""Pixels of a delivered video → which edits are done, how steadily, and how well the rest was kept.

A task with n edits has 2^n films: every choice of edits can be rendered. For an edit we look at the pixels that it can
change, and ask whether the delivered picture is nearer to the films that have it or to those that lack it. So any
editor's video is measured, whatever else it did or left. What is like none of the films shows no edit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.covebench.staged.script import StagedTask
from cutscore.core.timeline import Span
from cutscore.media import deliverable as door
from cutscore.media.plan import FramePlan
from cutscore.stage.edits import Remove, apply
from cutscore.stage.render import FrameRenderer

MOMENTS = 6  # at which films are compared
SHOWS = 24  # levels of 255 by which an edit must change a pixel to show there
FEWEST = 12  # pixels that an edit must change in a picture to be looked for there
UNLIKE = 45.0  # mean difference in levels above which a picture shows none of the films
NEARER = 0.8  # a film counts as nearer when it is at most this much of the other's distance
STEADY = 0.99  # share of the pictures that must agree
# Mean difference in levels of what was to stay → points; encoders of every quality stay below the first.
BANDS = ((8.0, 10), (12.0, 9), (18.0, 8), (26.0, 7), (36.0, 6), (50.0, 5), (70.0, 4), (90.0, 3), (120.0, 2))

PLAN = FramePlan.parse(f"uniform={MOMENTS}")
TASKS = 16  # whose pictures are kept

Pixels = npt.NDArray[Any]
Done = frozenset[int]


@dataclass(frozen=True)
class EditSeen:
    """What the pictures show of one edit.

    Args:
        done: In how many of the pictures where it can show it is done.
        looked: How many such pictures there are.
        first: From when to when the first picture is shown that decides it.
    """

    done: int
    looked: int
    first: Span | None

    @property
    def is_done(self) -> bool:
        """Whether most pictures show it."""
        return self.looked > 0 and 2 * self.done > self.looked

    @property
    def is_steady(self) -> bool:
        """Whether all pictures agree."""
        share = self.done / self.looked if self.looked else 1.0
        return max(share, 1 - share) >= STEADY


@dataclass(frozen=True)
class VideoSeen:
    """What was measured: each edit, and the points of each thing that was to stay, with the mean difference."""

    edits: tuple[EditSeen, ...]
    kept: Mapping[str, tuple[int, float]]


def measure_video(video: Path, task: StagedTask) -> VideoSeen:
    """Look at a delivered video."""
    films = _films(task)
    seen: list[list[tuple[bool, Span]]] = [[] for _ in task.edits]
    lost: dict[str, list[float]] = {name: [] for name, _ in task.kept}
    for picture in door.iter_frames(video, PLAN):
        moment = films.at(picture.at_s)
        pixels = _fit(picture.pixels, films.size)
        far = {done: difference(pixels, film) for done, film in moment.pictures.items()}
        for number, verdicts in enumerate(seen):
            if (verdict := shows_edit(far, moment.shows[number], number)) is not None:
                verdicts.append((verdict, Span(start_s=picture.at_s, end_s=picture.at_s)))
        nearest = min(far, key=lambda done: far[done].mean())
        for name, levels in lost.items():
            where = films.place_of(name, nearest, picture.at_s)
            if where.sum() >= FEWEST:
                levels.append(float(far[nearest][where].mean()))
    kept = {name: sum(levels) / len(levels) for name, levels in lost.items() if levels}
    return VideoSeen(tuple(_fold(each) for each in seen), {name: (points(far), far) for name, far in kept.items()})


def shows_edit(far: Mapping[Done, Pixels], where: Pixels, number: int) -> bool | None:
    """Return whether a picture shows an edit; None where the edit changes nothing that could be seen in it.

    Args:
        far: By how much each pixel differs from each film, by the edits that the film has.
        where: The pixels that the edit changes in some film.
        number: The edit.
    """
    if where.sum() < FEWEST:
        return None
    means = {done: float(levels[where].mean()) for done, levels in far.items()}
    done, left = (min(mean for has, mean in means.items() if (number in has) == side) for side in (True, False))
    return done <= NEARER * left and done <= UNLIKE


def points(far: float) -> int:
    """Return the points of preservation for a mean difference in levels.

    >>> points(2.5), points(30.0), points(200.0)
    (10, 6, 1)
    """
    return next((given for limit, given in BANDS if far <= limit), 1)


def _fold(verdicts: Sequence[tuple[bool, Span]]) -> EditSeen:
    done = sum(verdict for verdict, _ in verdicts)
    most = 2 * done > len(verdicts)
    first = next((at for verdict, at in verdicts if verdict == most), None)
    return EditSeen(done, len(verdicts), first)


@dataclass(frozen=True, eq=False)
class _Moment:
    """The picture of every film at a moment, and for each edit the pixels that it changes in some of them."""

    pictures: Mapping[Done, Pixels]
    shows: tuple[Pixels, ...]


class _Films:
    """All films of a task, rendered at a moment when they are asked for; the last picture of each stays."""

    def __init__(self, task: StagedTask) -> None:
        every = chain.from_iterable(combinations(task.everything, n) for n in range(len(task.edits) + 1))
        self._task = task
        self._scenes = {frozenset(done): task.film(done) for done in every}
        self._renderers = {done: FrameRenderer(scene) for done, scene in self._scenes.items()}
        self._moments: dict[Fraction, _Moment] = {}
        self._lacking: dict[tuple[str, Done], FrameRenderer | None] = {}
        self._places: dict[tuple[str, Done, Fraction], Pixels] = {}
        self.size = (task.scene.width, task.scene.height)

    def at(self, moment_s: Fraction) -> _Moment:
        """Return all films at a moment."""
        if moment_s not in self._moments:
            pictures = {done: self._frame(done, film, moment_s) for done, film in self._renderers.items()}
            shows = [
                np.logical_or.reduce(
                    [_changed(pictures[has], pictures[has - {edit}]) for has in pictures if edit in has]
                )
                for edit in self._task.everything
            ]
            self._moments[moment_s] = _Moment(pictures, tuple(shows))
        return self._moments[moment_s]

    def place_of(self, name: str, done: Done, moment_s: Fraction) -> Pixels:
        """Return the pixels of a film that would be others without a thing."""
        key = (name, done, moment_s)
        if key not in self._places:
            picture, film = self.at(moment_s).pictures[done], self._without(name, done)
            self._places[key] = _changed(picture, picture if film is None else self._frame(done, film, moment_s))
        return self._places[key]

    def _without(self, name: str, done: Done) -> FrameRenderer | None:
        if (name, done) not in self._lacking:
            scene = self._scenes[done]
            there = any(thing.id == name for thing in scene.things)
            self._lacking[name, done] = FrameRenderer(apply(scene, Remove(thing=name))) if there else None
        return self._lacking[name, done]

    def _frame(self, done: Done, film: FrameRenderer, moment_s: Fraction) -> Pixels:
        scene = self._scenes[done]
        return film.frame(min(int(moment_s * scene.rate), scene.frames - 1))


@lru_cache(maxsize=TASKS)
def _films(task: StagedTask) -> _Films:
    return _Films(task)


def _fit(pixels: Pixels, size: tuple[int, int]) -> Pixels:
    if (pixels.shape[1], pixels.shape[0]) == size:
        return pixels
    return cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)


def difference(one: Pixels, other: Pixels) -> Pixels:
    """Return by how many levels each pixel differs, the mean of its three colours."""
    red, green, blue = cv2.split(cv2.absdiff(one, other))  # a mean over the last axis takes six times as long
    levels: Pixels = (np.add(red, green, dtype=np.uint16) + blue).astype(np.float32) / np.float32(3)
    return levels


def _changed(one: Pixels, other: Pixels) -> Pixels:
    return difference(one, other) >= SHOWS
