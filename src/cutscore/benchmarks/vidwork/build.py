"""The starter pack, which is staged, and packs from footage."""

from fractions import Fraction

from cutscore.authoring.starter import put_scene
from cutscore.benchmarks.vidwork.dataset import AnyQuestion
from cutscore.benchmarks.vidwork.packs.question_writer import questions
from cutscore.benchmarks.vidwork.packs.recipe import OPTIONS, ROLES, WRITERS, build
from cutscore.benchmarks.vidwork.procedures.scene_records import narrate_with_gaps, record_scene
from cutscore.core.files import FileStore
from cutscore.stage import library
from cutscore.stage.scene import Scene

__all__ = ["OPTIONS", "ROLES", "WRITERS", "build", "staging", "starter", "starter_scenes"]

staging = narrate_with_gaps  # scenes of somebody's footage are told with gaps, too, before they are rendered

# Scene, seeds of the scene and of what is told, length in seconds: two clips of each domain, of two duration buckets.
STARTER = (
    ("pancakes", 1, 0, 28),
    ("soup", 1, 0, 48),
    ("chair", 1, 0, 28),
    ("birdhouse", 1, 0, 48),
    ("treat-cut", 1, 0, 28),
    ("small-fire", 1, 4, 48),
)
WIDTH, HEIGHT, RATE = 426, 240, Fraction(5)


def starter(store: FileStore, *, seed: int = 0) -> list[AnyQuestion]:
    """Stage the starter pack: put its clips into the store, and return the questions about them."""
    scenes = starter_scenes(seed)
    procedures = [record_scene(scene) for scene in scenes]
    return [
        item
        for scene, procedure in zip(scenes, procedures, strict=True)
        for item in questions(
            procedure,
            clip=put_scene(store, f"{procedure.name}.mp4", scene),
            others=[other for other in procedures if other is not procedure],
            seed=seed,
        )
    ]


def starter_scenes(seed: int = 0) -> list[Scene]:
    """Return the scenes of the starter pack; another seed gives other versions of them, told otherwise."""
    size = {"width": WIDTH, "height": HEIGHT, "rate": RATE}
    return [
        narrate_with_gaps(
            library.scene(name, seed=acted + 100 * seed, length_s=length_s), seed=told + 100 * seed
        ).model_copy(update=size)
        for name, acted, told, length_s in STARTER
    ]
