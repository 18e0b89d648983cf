"""What the camera does, told apart from what things do.

Points are followed from picture to picture. Those on one thing have one vote together, those on the background one
for each part of the picture; the camera moved as the majority did. So one thing that moves before a plain background
is never a pan, and a pan over many things that rest is one. Without three votes one cannot tell.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.core.timeline import Span
from cutscore.media.levels import find_runs
from cutscore.media.opencv import opencv
from cutscore.perception.points import find_corners, track_points
from cutscore.perception.report import CameraMotion, CameraMotionKind, Direction
from cutscore.perception.segmentation import Labels

Matrix = npt.NDArray[np.float64]

_POINTS = 160
# Votes of the background: one for each cell of this grid that has points.
_GRID = (6, 4)
_VOTES, _ZOOM_VOTES, _MAJORITY, _MAJORITY_OF_THINGS = 3, 6, 0.55, 0.6
# Those who agree reach over this share of what can be followed: one thing that nobody noticed does not.
_APART = 0.5
# Pixels, and the share of the way, that a point may be off and still go along; pixels below which nobody moved.
_ALONG_PX, _ALONG_SHARE, _STILL_PX = 0.3, 0.08, 0.06
# Pixels around a thing whose points are its own: compression leaves its traces that far from an outline.
_MARGIN = 10
# A move has at least this speed, in shares of the picture's width a second, or for a zoom in factors a second, on an
# average over _OVER_S seconds, for at least _LEAST_S seconds.
_SPEED, _ZOOM, _OVER_S, _LEAST_S = 0.025, 0.04, 0.24, 0.3
# Mean share of the votes below which there are too many moments at which nobody could tell.
_CONFIDENT = 0.3


@dataclass(frozen=True, eq=False)
class FrameMotion:
    """How the background went from one picture to the next.

    The matrix is 3×3, from places in the earlier picture to places in the later one. `votes` is the share of the votes
    that went so; 0 when it could not be told, and then the camera is taken to rest.
    """

    at_s: Fraction
    matrix: Matrix
    votes: float


def estimate_camera_step(
    before: npt.NDArray[Any], after: npt.NDArray[Any], things: Labels, at_s: Fraction
) -> FrameMotion:
    """Compare two grey pictures.

    `things` is the number of the thing at each pixel of the earlier picture, 0 for the background.
    """
    unknown = FrameMotion(at_s, np.eye(3), 0.0)
    points = find_corners(before, _POINTS, avoid=np.empty((0, 2), np.float32))
    if len(points) < _VOTES:
        return unknown
    there, kept = track_points(before, after, points)
    points, there = points[kept], there[kept]
    voters = _voters(points, things)
    if len(set(voters.tolist())) < _VOTES:
        return unknown
    best, support = _majority(points, there, voters)
    # Things alone may move alike by chance; parts of the background do not.
    if support < (_MAJORITY if (np.unique(voters) < 0).sum() >= _VOTES else _MAJORITY_OF_THINGS):
        return unknown
    middle = np.array([before.shape[1] / 2, before.shape[0] / 2, 1])
    if np.linalg.norm(best @ middle - middle) < _STILL_PX and abs(_scale(best) - 1) < 1e-3:
        best = np.eye(3)
    return FrameMotion(at_s, best, support)


def _voters(points: npt.NDArray[np.float32], things: Labels) -> npt.NDArray[np.int64]:
    """Return each point the number of its vote: positive for things, negative for parts of the background."""
    cv2 = opencv()
    height, width = things.shape
    side = 2 * _MARGIN + 1
    wider = cv2.dilate(things.astype(np.float32), np.ones((side, side), np.uint8)).astype(np.int64)
    x, y = np.clip(points[:, 0].astype(int), 0, width - 1), np.clip(points[:, 1].astype(int), 0, height - 1)
    cell = (x * _GRID[0] // width) + _GRID[0] * (y * _GRID[1] // height)
    found: npt.NDArray[np.int64] = np.where(wider[y, x] > 0, wider[y, x], -1 - cell)
    return found


def _majority(
    points: npt.NDArray[np.float32], there: npt.NDArray[np.float32], voters: npt.NDArray[np.int64]
) -> tuple[Matrix, float]:
    """Find the motion that most voters share: none, a shift, or with many voters a shift with zoom and turn."""
    cv2 = opencv()
    shifts = there - points
    support, _ = _support(np.linalg.norm(shifts, axis=1) < _ALONG_PX, voters)
    best = np.eye(3)
    for voter in np.unique(voters).tolist():
        shift = np.median(shifts[voters == voter], axis=0)
        agree = np.linalg.norm(shifts - shift, axis=1) < _along_px(shift)
        along, count = _support(agree, voters)
        if along > support and count >= _VOTES and _spread(points[agree]) > _APART * _spread(points):
            best, support = np.eye(3), along
            best[:2, 2] = np.median(shifts[agree], axis=0)
    # Two voters suffice to bring about any zoom and turn, so many more than two must agree with it.
    found, _ = cv2.estimateAffinePartial2D(points, there, method=cv2.RANSAC, ransacReprojThreshold=2 * _ALONG_PX)
    if found is not None:
        off = np.linalg.norm(points @ found[:, :2].T + found[:, 2] - there, axis=1)
        along, count = _support(off < _along_px(np.median(shifts, axis=0)), voters)
        if along > support and count >= _ZOOM_VOTES:
            best, support = np.vstack([found, [0, 0, 1]]), along
    return best, support


def _spread(points: npt.NDArray[np.float32]) -> float:
    return float(np.ptp(points, axis=0).max())


def _along_px(shift: npt.NDArray[Any]) -> float:
    return _ALONG_PX + _ALONG_SHARE * float(np.linalg.norm(shift))


def _support(along: npt.NDArray[np.bool_], voters: npt.NDArray[np.int64]) -> tuple[float, int]:
    """Return the share and the number of voters of whose points more than half go along."""
    _, number = np.unique(voters, return_inverse=True)
    agree = np.bincount(number, weights=along) / np.bincount(number) > 0.5
    return float(agree.mean()), int(agree.sum())


def _scale(matrix: Matrix) -> float:
    return float(np.sqrt(abs(np.linalg.det(matrix[:2, :2]))))


def camera_motions(steps: Sequence[FrameMotion], size: tuple[int, int], *, enlarged: float = 1.0) -> list[CameraMotion]:
    """Put the steps of one shot together to moves.

    `size` is that of the pictures that were compared, `enlarged` the pixels of the clip to one of theirs.
    """
    if len(steps) < 2:
        return []
    at = np.array([float(each.at_s) for each in steps])
    gaps = np.diff(at, prepend=2 * at[0] - at[1])
    middle = np.array([size[0] / 2, size[1] / 2, 1])
    shifts = np.array([(each.matrix @ middle - middle)[:2] for each in steps])
    zooms = np.log([_scale(each.matrix) for each in steps])
    # What goes to the right makes a camera that turns to the left.
    wanted: list[tuple[CameraMotionKind, npt.NDArray[Any], float, tuple[Direction, Direction]]] = [
        ("pan", shifts[:, 0], _SPEED * size[0], ("left", "right")),
        ("tilt", shifts[:, 1], _SPEED * size[0], ("up", "down")),
        ("zoom", zooms, _ZOOM, ("in", "out")),
    ]
    found: list[CameraMotion] = []
    for kind, amounts, least, directions in wanted:
        rates = _average_rates(amounts, gaps)
        for sign, direction in zip((1, -1), directions, strict=True):
            for first, end in find_runs(sign * rates > least):
                votes = float(np.mean([each.votes for each in steps[first:end]]))
                if gaps[first:end].sum() < _LEAST_S or votes < _CONFIDENT:
                    continue
                start_s = steps[first - 1].at_s if first else steps[0].at_s
                total = float(amounts[first:end].sum())
                amount = float(np.exp(total)) if kind == "zoom" else abs(total) * enlarged
                span = Span(start_s=start_s, end_s=steps[end - 1].at_s)
                found.append(CameraMotion(span, kind, direction, round(amount, 3), round(votes, 3)))
    return sorted(found, key=lambda move: move.span.start_s)


def _average_rates(amounts: npt.NDArray[Any], gaps: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return the rate around each step, over a quarter of a second."""
    count = max(1, round(_OVER_S / float(np.median(gaps))))
    window = np.ones(count | 1)
    return np.convolve(amounts, window, "same") / np.convolve(gaps, window, "same")
