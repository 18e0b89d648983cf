"""Who needs no key: `blind` shuffles once more; the reader joins what looks alike at the ends."""

from collections.abc import Sequence
from random import Random

import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.clips import spliced
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileRef, Shelf
from cutscore.core.noun import canonical_json
from cutscore.core.subject import Desk
from cutscore.media.frames import manifest
from cutscore.media.kept import kept_frames
from cutscore.media.plan import FramePlan
from cutscore.perception.shots import far, thumb

ORDER, FILM = "solution.json", "solution.mp4"  # as the brief names them


def blind(ask: Ask, seed: int, shelf: Shelf) -> Deliverable:
    """Give the clips in an order that the seed draws, and no film."""
    return Deliverable(files=(_order(Random(seed).sample(ask.files, len(ask.files)), shelf),))


def reader(ask: Ask, desk: Desk) -> Deliverable:
    """Put next to each other what looks alike: a clip's last frame of the plan, and the next clip's first.

    It follows movement through a cut and does not understand a story. Without clips it has nothing to hand over.
    """
    if len(ask.files) < 2:
        return Deliverable()
    plan, ends = FramePlan.parse(desk.frames), []
    for clip in ask.files:
        frames = kept_frames(desk.shelf.path(clip), plan, sha256=clip.sha256)
        desk.tally.saw(manifest(clip, plan, frames))
        ends.append((thumb(frames[0].pixels), thumb(frames[-1].pixels)))
    apart = np.array([[float(far(last, first).mean()) for first, _ in ends] for _, last in ends])
    clips = [ask.files[number] for number in shortest_path(apart)]
    return Deliverable(files=(_order(clips, desk.shelf), spliced(desk.shelf, FILM, clips)))


def shortest_path(apart: npt.NDArray[np.float64]) -> list[int]:
    """Go from each place to the nearest that is left, beginning anywhere; of all these ways the shortest.

    Args:
        apart: From row to column; of equals the lower number goes first.
    """

    def way(start: int) -> tuple[float, list[int]]:
        path, length = [start], 0.0
        while left := [number for number in range(len(apart)) if number not in path]:
            nearest = min(left, key=lambda number: apart[path[-1], number])
            length += apart[path[-1], nearest]
            path.append(nearest)
        return length, path

    return min(way(start) for start in range(len(apart)))[1]


def _order(clips: Sequence[FileRef], shelf: Shelf) -> FileRef:
    order = canonical_json([ref.name for ref in clips])
    return shelf.put_bytes(order, name=ORDER, media_type="application/json")
