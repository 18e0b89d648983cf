"""SSIM, MSM, PSNR and motion fidelity as CoVEBench samples and computes them: pure functions over a few frames.

    ssim   10 frames of either video, grey, 224 × 224, 7 × 7 uniform windows; mean over pairs by rank, not by time
    psnr   the same pairs, in dB; equal pictures are 100
    msm    10 frames of the edited video, Farneback flow between neighbours; how alike are flows that follow each other
    mf_lk  16 frames, 384 × 384, a grid of 100 points; tracks are matched by place and direction. The paper's MF is by
           CoTracker; this one follows points by pyramidal Lucas–Kanade, so it has a name of its own.

Where text and released code differ, `msm` exists in both forms: `reference` mixes the angle between flows with their
lengths, `paper` has the length of their difference. The paper does not say which pixels move; both use the code's mask.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from cutscore.media.plan import Released
from cutscore.perception.points import track_points
from cutscore.scoring.metrics.flow import Field, flow
from cutscore.scoring.metrics.kept_features import keep_features
from cutscore.scoring.metrics.metric import MetricFrame, Needs
from cutscore.scoring.metrics.one_pass import collect_frames
from cutscore.scoring.metrics.psnr import decibels, mean_squared_difference
from cutscore.scoring.metrics.ssim import ssim_uniform7

STILLS, TRACKED = 10, 16  # frames of SSIM and MSM, and of motion fidelity
SIDE, TRACK_SIDE = 224, 384
GRID = 10  # points a side
MOVES_PX = 0.05
EPSILON = 1e-6
EQUAL_DB = 100.0  # of pictures without a difference, which has no end in decibels
KIND = "covebench pixels 1"  # of kept features; counts up when equal pictures give other numbers

Pixels = npt.NDArray[Any]
Tracks = tuple[Pixels, Pixels]  # mean place and mean step of each point

NEEDS = tuple(
    Needs(kind="grey_of_rgb", size=(side, side), plan=Released(count))
    for side, count in ((SIDE, STILLS), (TRACK_SIDE, TRACKED))
)


@dataclass(frozen=True, eq=False)
class VideoFeatures:
    """What the metrics know of a video.

    Args:
        stills: 10 grey pictures; fewer of a shorter video.
        tracks: Of 100 points through 16 pictures; None below two pictures.
        count, length_s: Of the whole video, by its packets.
        more: Frames that other metrics asked for, in the order of their needs.
    """

    stills: tuple[Pixels, ...]
    tracks: Tracks | None
    count: int
    length_s: Fraction
    more: tuple[tuple[MetricFrame, ...], ...] = ()

    @property
    def lost(self) -> int:
        """How many of the stills could not be decoded, though the packets promise them."""
        return len(Released(STILLS).numbers(self.count)) - len(self.stills)


def read_video(path: Path, more: Sequence[Needs] = ()) -> VideoFeatures:
    """Decode a video once for all metrics, those included that need `more` of it."""
    read = collect_frames(path, (*NEEDS, *more))
    stills, tracked = (tuple(frame.pixels for frame in frames) for frames in read.frames[: len(NEEDS)])
    extent = read.extent
    return VideoFeatures(
        stills, follow_grid(tracked), extent.frames, extent.end_s - extent.start_s, read.frames[len(NEEDS) :]
    )


def read_source(path: Path, sha256: str) -> VideoFeatures:
    """Return what is known of a source, decoded once for all editors; the hash says what the file is."""
    kept = keep_features(sha256, KIND, lambda: _pack(read_video(path)))
    count, over, under = kept["extent"].tolist()
    tracks = (kept["places"], kept["steps"]) if "places" in kept else None
    return VideoFeatures(tuple(kept["stills"]), tracks, count, Fraction(over, under))


def _pack(video: VideoFeatures) -> dict[str, Pixels]:
    length_s = video.length_s
    tracks = {} if video.tracks is None else dict(zip(("places", "steps"), video.tracks, strict=True))
    extent = np.array([video.count, length_s.numerator, length_s.denominator])
    return {"stills": np.array(video.stills, np.uint8), "extent": extent, **tracks}


def ssim(source: VideoFeatures, edited: VideoFeatures) -> float | None:
    """Return the mean SSIM of pairs by rank; None without a pair."""
    return _mean([ssim_uniform7(*pair) for pair in zip(source.stills, edited.stills, strict=False)])


def psnr(source: VideoFeatures, edited: VideoFeatures) -> float | None:
    """Return the mean PSNR of the same pairs, in dB."""
    pairs = zip(source.stills, edited.stills, strict=False)
    return _mean([min(EQUAL_DB, decibels(mean_squared_difference(*pair), 255)) for pair in pairs])


def flows(edited: VideoFeatures) -> list[Field]:
    """Return Farneback flow between neighbouring stills."""
    return [flow(*pair, method="farneback") for pair in pairwise(edited.stills)]


def msm(flows: Sequence[Field], *, paper: bool = False) -> float | None:
    """Return motion smoothness, as the released code has it or as the paper writes it; None below two flows."""
    alike = flow_agreement_in_text if paper else flow_agreement
    return _mean([alike(before, after) for before, after in pairwise(flows)])


def flow_agreement(before: Field, after: Field) -> float:
    """Return 0.7 · direction + 0.3 · length over pixels that move in either flow; 1 where none does."""
    (x, y), (u, v) = _moving(before, after)
    if not len(x):
        return 1.0
    lengths, others = np.sqrt(x * x + y * y), np.sqrt(u * u + v * v)
    cosine = np.clip((x * u + y * v) / (lengths * others + EPSILON), -1, 1)
    nearness = 1 - np.abs(lengths - others) / (lengths + others + EPSILON)
    return float(np.clip(0.7 * (cosine + 1) / 2 + 0.3 * nearness, 0, 1).mean())


def flow_agreement_in_text(before: Field, after: Field) -> float:
    """Return 1 − |f′ − f| / (|f′| + |f|) over the same pixels, F.2 of the paper; 1 where none moves."""
    (x, y), (u, v) = _moving(before, after)
    if not len(x):
        return 1.0
    jitter = np.sqrt((u - x) * (u - x) + (v - y) * (v - y))
    sums = np.sqrt(u * u + v * v) + np.sqrt(x * x + y * y) + EPSILON
    return float(1 - np.minimum(1, jitter / sums).mean())


def _moving(before: Field, after: Field) -> tuple[Pixels, Pixels]:
    """Return the flow of the pixels that move in either of two, to the right and down, as rows."""
    moves = (np.hypot(before[..., 0], before[..., 1]) > MOVES_PX) | (np.hypot(after[..., 0], after[..., 1]) > MOVES_PX)
    one, other = (np.ascontiguousarray(field[moves].T, np.float64) for field in (before, after))
    return one, other


def mf_lk(source: VideoFeatures, edited: VideoFeatures) -> float | None:
    """Return motion fidelity by tracks of Lucas and Kanade; None where a video has fewer than two frames."""
    if source.tracks is None or edited.tracks is None:
        return None
    return match_tracks(source.tracks, edited.tracks)


def follow_grid(pictures: Sequence[Pixels]) -> Tracks | None:
    """Follow a grid of points through pictures, and sum up their tracks; None below two pictures.

    A point that is lost stays where it was last seen.
    """
    if len(pictures) < 2:
        return None
    step = TRACK_SIDE / GRID
    middles = (np.arange(GRID) + 0.5) * step
    places = [np.stack(np.meshgrid(middles, middles), axis=-1).reshape(-1, 2).astype(np.float32)]
    seen = [np.ones(len(places[0]), bool)]
    for before, after in pairwise(pictures):
        there, found = track_points(before, after, places[-1])
        alive = found & seen[-1]
        places.append(np.where(alive[:, None], there, places[-1]))
        seen.append(alive)
    return summarise_tracks(np.stack(places).astype(np.float64), np.stack(seen))


def summarise_tracks(places: Pixels, seen: Pixels) -> Tracks:
    """Return the mean place of each track over the times at which it is seen, and its mean step from such times on.

    A track that is never seen, or at no time from which a step begins, goes by all times.
    """
    whole = np.where(seen.any(axis=0), seen, True)
    starts = np.where(seen[:-1].any(axis=0), seen[:-1], True)
    steps = np.diff(places, axis=0)
    mean_place = (places * whole[..., None]).sum(axis=0) / whole.sum(axis=0)[:, None]
    mean_step = (steps * starts[..., None]).sum(axis=0) / starts.sum(axis=0)[:, None]
    return mean_place, mean_step


def match_tracks(source: Tracks, edited: Tracks) -> float:
    """Return 1 − the mean cost of the best matching: half distance over the diagonal, half 1 − cosine of the steps.

    It is not clipped: opposite motion is below 0, and two clips without motion get 0.5, since no step has a direction.
    """
    (places, steps), (others, other_steps) = source, edited
    apart = np.linalg.norm(places[:, None] - others[None], axis=2) / (np.sqrt(2) * TRACK_SIDE)
    lengths = np.linalg.norm(steps, axis=1)[:, None] * np.linalg.norm(other_steps, axis=1)[None]
    cost = 0.5 * apart + 0.5 * (1 - steps @ other_steps.T / (lengths + EPSILON))
    return float(1 - cost[linear_sum_assignment(cost)].mean())


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
