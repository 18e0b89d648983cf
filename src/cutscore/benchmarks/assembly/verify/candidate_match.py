"""Which clip does each stretch of a film show, when clips differ in their framing alone?

`rendered` tells clips of different things apart by hashes that hold on to little of a picture. Here candidates show the
same, a little closer or through another lens, or they have the same pictures in another order (a pan to the left, and
one to the right). So pictures are compared by their grey levels, at 8 a second, and a clip has to be shown forwards:
the film is accounted for by walking through clips picture by picture, at most twice as fast as they are, and the
cheapest account of the whole film is the answer (Viterbi).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.media.plan import FramePlan
from cutscore.scoring.metrics.metric import Measurement, MetricFrame, Needs, frozen_array
from cutscore.scoring.metrics.one_pass import one_pass
from cutscore.scoring.verifiers.rendered import ClipRun

Levels = npt.NDArray[np.float32]

_SIZE = (64, 36)
_RATE = 8
_PLAN = FramePlan.parse(f"fps={_RATE},max=4000")  # eight minutes; what is longer is seen more seldom, and refused
# Costs are twice one minus the correlation of two pictures: 0 for equal ones, 2 for unrelated ones. Copies of the
# worst quality that we tried stay below 0.05; what correlates with no picture by more than 0.7 is of no clip.
_FOREIGN = 0.6
_CHANGE = 1.0
# For each picture of a clip that is left out at its beginning, shown again or jumped over.
_SKIPPED, _UNEVEN = 0.05, 0.02
# Grey levels: a picture with less contrast is not stretched further, or its noise would be compared.
_FLAT = 6.0
APART = 0.02
"""Mean cost below which two clips cannot be told apart."""


@dataclass(eq=False)
class _GreyPictureMetric:
    """Keeps small grey pictures, each with its mean taken out and its contrast set to one."""

    needs: Needs = field(default=Needs(kind="grey", size=_SIZE, plan=_PLAN), init=False)
    pictures: list[Levels] = field(default_factory=list, init=False)

    def see(self, frame: MetricFrame) -> None:
        """Keep a picture."""
        self.pictures.append(_normalise(frame.pixels))

    def result(self) -> Measurement:
        """Return an empty measurement: the pictures are the result."""
        return Measurement("glances", "glances.1", "", None, "", (), frozen_array(()))


def _normalise(grey: npt.NDArray[Any]) -> Levels:
    wide = grey.astype(np.float32).ravel()
    wide -= wide.mean()
    levelled: Levels = wide / max(_FLAT, float(wide.std())) / np.float32(np.sqrt(wide.size))
    return levelled


@dataclass(frozen=True, eq=False)
class GreyPictures:
    """A film or a clip as it is compared: a picture in each row, and how long it lasts."""

    pictures: Levels
    length_s: Fraction


def grey_pictures(path: Path) -> GreyPictures:
    """Look at a stranger's film, or at a clip in the same way; it is decoded in a limited child."""
    metric = _GreyPictureMetric()
    one_pass(path, [metric])
    return GreyPictures(np.stack(metric.pictures), Fraction(len(metric.pictures), _RATE))


def runs_of(film: GreyPictures, clips: Mapping[str, GreyPictures]) -> tuple[ClipRun, ...]:
    """Return which of these clips, if any, each stretch of a film shows, to within an eighth of a second."""
    names: list[str | None] = [*clips, None]
    lengths = [len(clip.pictures) for clip in clips.values()]
    owner = np.repeat(np.arange(len(lengths) + 1), [*lengths, 1])
    place = np.concatenate([*(np.arange(length) for length in lengths), [0]])
    known = np.concatenate([clip.pictures for clip in clips.values()])
    costs = np.full((len(film.pictures), len(owner)), _FOREIGN, np.float32)
    costs[:, :-1] = _cost(film.pictures, known)
    shown = owner[_cheapest_path(costs, owner, place)].tolist()
    starts = [next(group) for _, group in groupby(range(len(shown)), key=lambda number: shown[number])]
    ends = [*starts[1:], len(shown)]
    return tuple(
        ClipRun(names[shown[start]], Fraction(start, _RATE), Fraction(end, _RATE))
        for start, end in zip(starts, ends, strict=True)
    )


def _cost(one: Levels, other: Levels) -> Levels:
    """Return the squared distance between each picture of the one and each of the other."""
    squares = np.square(one).sum(axis=1)[:, None] + np.square(other).sum(axis=1)[None]
    found: Levels = np.maximum(squares - 2 * (one @ other.T), 0)
    return found


def _cheapest_path(costs: Levels, owner: npt.NDArray[np.int64], place: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the cheapest way through the states, one a row: on within a clip, or into the beginning of another."""
    states = np.arange(len(owner))
    entry = _CHANGE + _SKIPPED * place
    sources = []
    for step, price in ((0, _UNEVEN), (1, 0.0), (2, _UNEVEN)):
        # The last picture of a clip may be shown for long, and what is of no clip stays so.
        there = states - step
        able = (there >= 0) & (owner[np.maximum(there, 0)] == owner)
        sources.append((np.maximum(there, 0), np.where(able, price, np.inf)))
    stay = owner == owner[-1]
    cost: npt.NDArray[Any] = costs[0] + _SKIPPED * place
    before = np.empty(costs.shape, np.int64)
    for row in range(1, len(costs)):
        best = int(cost.argmin())
        reached, came = np.asarray(cost[best] + entry), np.full(len(owner), best)
        for source, prices in sources:
            tried = cost[source] + np.where(stay, 0, prices)
            nearer = tried < reached
            reached, came = np.where(nearer, tried, reached), np.where(nearer, source, came)
        before[row], cost = came, reached + costs[row]
    way = np.empty(len(costs), np.int64)
    way[-1] = int(cost.argmin())
    for row in range(len(costs) - 1, 0, -1):
        way[row - 1] = before[row, way[row]]
    return way


def distance(one: GreyPictures, other: GreyPictures) -> float:
    """Return how far two clips of one length are from each other, picture by picture: 0 for equal ones, up to 2.

    From `APART` on they can be told apart in a film.
    """
    count = min(len(one.pictures), len(other.pictures))
    return float(np.square(one.pictures[:count] - other.pictures[:count]).sum(axis=1).mean())
