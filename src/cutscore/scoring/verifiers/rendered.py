"""In which order does a rendered film show the clips it was made of? Recovered from the pictures alone.

Each picture has a perceptual hash of 64 bits (`metrics.phash`), which survives scaling and compression. A picture of
the film costs as many bits as it is away from the nearest picture of a clip, or `FOREIGN_BITS` when it is taken to be
of none; each change from one clip to another costs `CHANGE_BITS`. The cheapest account of the whole film is the answer
(Viterbi), so a single picture that happens to look like another clip's does not become a shot of its own.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from cutscore.scoring.metrics.one_pass import one_pass
from cutscore.scoring.metrics.phash import Hashes, PerceptualHash, distances
from cutscore.scoring.verifiers.refusal import Refusal

# Copies differ by up to 4 bits at the worst quality that we tried, unrelated pictures by 32 ± 4.
NOISE_BITS = 4
FOREIGN_BITS = 12
CHANGE_BITS = 16
# Of a film and of one clip, so that three hours against twenty clips stay within 20 MB at a time.
_MOST_OF_FILM, _MOST_OF_CLIP = 20_000, 1_000
# A clip counts as shown when it lasts between half and one and a half times as long as it is, and a moment: where two
# clips are halves of one shot, nobody can tell the cut between them to the picture.
SHORTEST, LONGEST, MOMENT_S = Fraction(1, 2), Fraction(3, 2), Fraction(1, 4)
MOST_FOREIGN = Fraction(1, 10)
# A film of the right clips in the right order may still be a slide show, or run backwards within each clip. It is when
# that accounts better for its pictures: in eight staged films by 1.2 to 9.5 bits a picture, while honest films (other
# codec and rate, a fifth cut off, slower) are 0.5 to 9.6 bits nearer to the clips as they are.
PLAYED_BITS = 0.5
SLACK_S = 0.125
ALIKE = 0.5


@dataclass(frozen=True, eq=False)
class FilmHashes:
    """Hashes of a film's pictures, with the time at which each begins and the end of the last."""

    hashes: Hashes
    at_s: tuple[Fraction, ...]
    length_s: Fraction

    def thin(self, most: int) -> "FilmHashes":
        """Return every second, third, … picture, so that there are at most so many."""
        step = -(-len(self.at_s) // most)
        return FilmHashes(self.hashes[::step], self.at_s[::step], self.length_s)


class HasLength(Protocol):
    """A clip of which one needs to know how long it lasts."""

    @property
    def length_s(self) -> Fraction:
        """Seconds that it lasts."""


@dataclass(frozen=True)
class ClipRun:
    """A stretch of a film that shows one clip; None for pictures of no clip."""

    clip: str | None
    start_s: Fraction
    end_s: Fraction

    @property
    def length_s(self) -> Fraction:
        """Seconds that it lasts."""
        return self.end_s - self.start_s


def hash_film(path: Path) -> FilmHashes:
    """Look at a stranger's film, or at a clip in the same way; it is decoded in a limited child."""
    metric = PerceptualHash()
    # The first picture has no change before it; times count from it.
    at_s = (Fraction(0), *one_pass(path, [metric]).alone[0].at_s)
    last_s = at_s[-1] - at_s[-2] if len(at_s) > 1 else Fraction(0)
    return FilmHashes(metric.hashes, at_s, at_s[-1] + last_s)


def find_clip_runs(film: FilmHashes, clips: Mapping[str, FilmHashes]) -> tuple[ClipRun, ...]:
    """Return the stretches of a film, each with the clip that it shows; alike ones (`similarity`) may be mixed up."""
    seen = film.thin(_MOST_OF_FILM)
    names: list[str | None] = [*clips, None]
    away = [distances(seen.hashes, clip.thin(_MOST_OF_CLIP).hashes).min(axis=1) for clip in clips.values()]
    shown = _cheapest(np.stack([*away, np.full(len(seen.at_s), FOREIGN_BITS, np.uint8)], axis=1))
    starts = [next(group) for _, group in groupby(range(len(shown)), key=lambda number: shown[number])]
    ends = [seen.at_s[start] for start in starts[1:]] + [seen.length_s]
    return tuple(
        ClipRun(names[shown[start]], seen.at_s[start], end_s) for start, end_s in zip(starts, ends, strict=True)
    )


def _cheapest(bits: npt.NDArray[np.uint8]) -> list[int]:
    """Return the column of each row such that bits and changes of column cost least; of equals the first column."""
    cost = bits[0].astype(np.int64)
    before = np.empty(bits.shape, np.int64)
    stay = np.arange(bits.shape[1])
    for row in range(1, len(bits)):
        best = int(cost.argmin())
        changes = cost[best] + CHANGE_BITS < cost
        before[row] = np.where(changes, best, stay)
        cost = np.where(changes, cost[best] + CHANGE_BITS, cost) + bits[row]
    path = [int(cost.argmin())]
    for row in range(len(bits) - 1, 0, -1):
        path.append(int(before[row, path[-1]]))
    return path[::-1]


def order_mismatch(runs: Sequence[ClipRun], order: Sequence[str], clips: Mapping[str, HasLength]) -> Refusal | None:
    """Return why a film does not show these clips in this order, each for about as long as it is; None when it does.

    A clip may come several times in the order; twice in a row it is one that lasts longer.

    Returns:
        `foreign` (more than a tenth of it is of no clip), `other order` (also a clip twice or not at all), or `length`
        (of a clip: less than half or more than one and a half times its own and a quarter of a second).
    """
    length_s = runs[-1].end_s
    foreign_s = sum((run.length_s for run in runs if run.clip is None), Fraction(0))
    if foreign_s > MOST_FOREIGN * length_s:
        return Refusal("foreign", f"{float(foreign_s):.2f} of {float(length_s):.2f} s are of none of the clips")
    shown = [run for run in runs if run.clip is not None]
    # A picture of no clip in the middle of one, or a flash, does not make two of it.
    pieces = {name: [run for run in shown if run.clip == name] for name in order}
    found, wanted = [name for name, _ in groupby(run.clip for run in shown)], [name for name, _ in groupby(order)]
    for place, name in enumerate(wanted):
        if place >= len(found) or found[place] != name:
            instead = f"shows {found[place]}" if place < len(found) else "is over"
            return Refusal("other order", f"place {place + 1} of the film {instead}, solution.json says {name}")
    if len(found) > len(wanted):
        return Refusal("other order", f"after all {len(wanted)} clips the film shows {found[len(wanted)]} as well")
    for name, times in Counter(order).items():
        lasts_s, own_s = sum((run.length_s for run in pieces[name]), Fraction(0)), times * clips[name].length_s
        if not SHORTEST * own_s <= lasts_s <= LONGEST * own_s + MOMENT_S:
            return Refusal("length", f"{name} lasts {float(lasts_s):.2f} s in the film and {float(own_s):.2f} s itself")
    return None


def playback_mismatch(film: FilmHashes, runs: Sequence[ClipRun], clips: Mapping[str, FilmHashes]) -> Refusal | None:
    """Return why a film does not play its clips (backwards, still); None when it does, or nobody can tell.

    A clip may be shortened, or faster or slower: it is followed at its own pace and at that of the film. The film shows
    each clip once (`order_mismatch`).
    """
    seen = film.thin(_MOST_OF_FILM)
    times = np.array([float(at_s) for at_s in seen.at_s])
    away = {"played": 0.0, "backwards": 0.0, "still": 0.0}
    for name, own in clips.items():
        shown = [run for run in runs if run.clip == name]
        start_s, end_s = float(shown[0].start_s), float(shown[-1].end_s)
        inside = (times >= start_s) & (times < end_s)
        clip = own.thin(_MOST_OF_CLIP)
        bits = distances(seen.hashes[inside], clip.hashes)
        own_s = np.array([float(at_s) for at_s in clip.at_s])
        paces = (1.0, max(end_s - start_s, 1e-3) / float(clip.length_s or 1))
        ways = [np.minimum((times[inside] - start_s) / pace, own_s[-1]) for pace in paces]
        away["played"] += min(_bits_along(bits, own_s, at_s) for at_s in ways)
        away["backwards"] += min(_bits_along(bits, own_s, own_s[-1] - at_s) for at_s in ways)
        away["still"] += float(bits.sum(axis=0).min())
    other = min(("backwards", "still"), key=lambda way: away[way])
    if away["played"] <= away[other] + PLAYED_BITS * len(times):
        return None
    nearer = (away["played"] - away[other]) / len(times)
    return Refusal("not played", f"the clips are {other}: that is {nearer:.1f} bits a picture nearer to the film")


def _bits_along(bits: npt.NDArray[np.uint8], own_s: npt.NDArray[np.float64], at_s: npt.NDArray[np.float64]) -> float:
    """Return the bits between pictures of a film and those of a clip at about these times of the clip."""
    off_s = np.abs(own_s[None, :] - at_s[:, None])
    near = off_s <= np.maximum(off_s.min(axis=1), SLACK_S)[:, None]
    return float(np.where(near, bits, 64).min(axis=1).sum())


def similarity(one: FilmHashes, other: FilmHashes) -> float:
    """Return the share of pictures of the clip of which more look like some picture of the other, 0 to 1.

    Above `ALIKE` two clips are near duplicates: neither a viewer nor the check above can rely on telling them apart.
    """
    apart = distances(one.thin(_MOST_OF_CLIP).hashes, other.thin(_MOST_OF_CLIP).hashes) <= NOISE_BITS
    return max(float(apart.any(axis=1).mean()), float(apart.any(axis=0).mean()))
