"""Films → clips in a drawn order, under names that tell nothing; the starter pack, which is staged."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil
from random import Random

from cutscore.benchmarks.clips import staged_part
from cutscore.benchmarks.sequencing.dataset import Shuffled, deliveries, stratum
from cutscore.builders.footage import STAGE_LICENCE
from cutscore.core.bundle import Provenance
from cutscore.core.files import FileRef, Shelf
from cutscore.stage import library
from cutscore.stage.camera import takes
from cutscore.stage.scene import RENDERER, Scene

SECONDS, WIDTH, HEIGHT, RATE = 10, 192, 108, Fraction(10)


@dataclass(frozen=True)
class Told:
    """A film of the starter pack: which scene, how many clips, and what it tells."""

    scene: str
    seed: int
    clips: int
    synopsis: str


# Scenes in which a place comes back unchanged are not taken: nobody could tell their clips apart.
STARTER = (
    Told("lost-kite", 1, 9, "A child loses a toy to the wind, is unhappy about it, and gets it back with some help."),
    Told("treasure", 1, 9, "A journey by sea ends with a find: what was locked away is opened at last."),
    Told("birthday", 1, 7, "A guest comes to a birthday with a gift, and there is cake for everybody in the end."),
    Told("lantern", 1, 7, "On a walk through the snow somebody finds a cold bird, and all ends well in a warm room."),
)


def starter(shelf: Shelf, *, seed: int = 0) -> list[Shuffled]:
    """Stage the starter pack: clips with their sound on the shelf, and the items; another seed shuffles otherwise."""
    return [_staged(shelf, f"film-{number}", told, seed=seed) for number, told in enumerate(STARTER, 1)]


def starter_scene(told: Told) -> Scene:
    """Give a scene of the starter pack, small enough to be rendered at every first start."""
    size = {"width": WIDTH, "height": HEIGHT, "rate": RATE}
    return library.scene(told.scene, seed=told.seed, length_s=SECONDS).model_copy(update=size)


def _staged(shelf: Shelf, id: str, told: Told, *, seed: int) -> Shuffled:
    scene = starter_scene(told)
    parts = split(scene_shots(scene), told.clips)
    names = drawn_names(id, len(parts), seed)
    files = [staged_part(shelf, name, scene, *part) for name, part in zip(names, parts, strict=True)]
    origin = Provenance(
        licence=STAGE_LICENCE, source=f"stage:{told.scene}", made_by=f"stage {RENDERER}", seed=told.seed
    )
    return shuffled(id, files, brief=told.synopsis, length_s=scene.frames / scene.rate, origin=origin)


def scene_shots(scene: Scene) -> list[tuple[int, int]]:
    """Give the shots of a scene as frames: the first, and the one after the last."""
    starts = [ceil(take.shot.start_s * scene.rate) for take in takes(scene)[1:]]
    return list(pairwise([0, *starts, scene.frames]))


def split(shots: Sequence[tuple[int, int]], clips: int) -> list[tuple[int, int]]:
    """Make so many clips of a film's shots: short neighbours are put together, or long shots halved.

    Args:
        shots: First frame and the one after the last of each, without gaps.
        clips: How many are wanted; at most as many as there are frames.

    >>> split([(0, 10), (10, 14)], 3), split([(0, 10), (10, 14), (14, 20)], 2)
    ([(0, 5), (5, 10), (10, 14)], [(0, 10), (10, 20)])
    """
    parts = list(shots)
    while len(parts) > clips:
        # The two neighbours that are shortest together: no clip then outgrows the others.
        at = min(range(len(parts) - 1), key=lambda number: parts[number + 1][1] - parts[number][0])
        parts[at : at + 2] = [(parts[at][0], parts[at + 1][1])]
    while len(parts) < clips:
        at = max(range(len(parts)), key=lambda number: parts[number][1] - parts[number][0])
        first, end = parts[at]
        parts[at : at + 1] = [(first, (first + end) // 2), ((first + end) // 2, end)]
    return parts


def drawn_names(id: str, clips: int, seed: int) -> list[str]:
    """Draw a name for each clip of a film, in the film's order; never the order of the names themselves.

    >>> sorted(drawn_names("film-1", 3, 0))
    ['film-1/clip-01.mp4', 'film-1/clip-02.mp4', 'film-1/clip-03.mp4']
    """
    names = [f"{id}/clip-{number:02d}.mp4" for number in range(1, clips + 1)]
    draw = Random(f"sequencing {id} {seed}")
    drawn = draw.sample(names, clips)
    while drawn == names:
        drawn = draw.sample(names, clips)
    return drawn


def shuffled(id: str, clips: Sequence[FileRef], *, brief: str, length_s: Fraction, origin: Provenance) -> Shuffled:
    """Give the item of a film whose clips, in its order, bear drawn names."""
    return Shuffled(
        id=id,
        cluster=id,
        groups={"clips": stratum(len(clips))},
        brief=brief,
        materials=tuple(sorted(clips, key=lambda ref: ref.name)),
        deliveries=deliveries(length_s),
        licence=origin.licence,
        media_type="animation" if origin.source.startswith("stage:") else "",
        modalities=("picture", "sound"),
        provenance={ref.name: origin for ref in clips},
        order=tuple(ref.name for ref in clips),
    )
