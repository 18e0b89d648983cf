"""Which kinds of staged cases there are: the modules of `staged/kinds/`, and which subcategories nobody can stage."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from cutscore.benchmarks.clvg.staged.kind import StagedCase, StagedKind

# Named one by one: the digest of a judge holds what it imports, and code that is found by looking into a folder is not
# in it. A test compares this list with the folder.
from cutscore.benchmarks.clvg.staged.kinds import (
    bounces,
    camera_motion,
    collisions,
    continuation,
    cups,
    edge_drawing,
    element_edits,
    enhancement,
    inpainting,
    keypoints,
    maze,
    ordering,
    pouring,
    segmentation,
    shadows,
    sound_effects,
    style_reference,
    subject_motion,
    tictactoe,
)
from cutscore.core.errors import UnknownName

KINDS: Mapping[str, StagedKind] = {
    "bounces": bounces.KIND,
    "camera_motion": camera_motion.KIND,
    "collisions": collisions.KIND,
    "continuation": continuation.KIND,
    "cups": cups.KIND,
    "edge_drawing": edge_drawing.KIND,
    "element_edits": element_edits.KIND,
    "enhancement": enhancement.KIND,
    "inpainting": inpainting.KIND,
    "keypoints": keypoints.KIND,
    "maze": maze.KIND,
    "ordering": ordering.KIND,
    "pouring": pouring.KIND,
    "segmentation": segmentation.KIND,
    "shadows": shadows.KIND,
    "sound_effects": sound_effects.KIND,
    "style_reference": style_reference.KIND,
    "subject_motion": subject_motion.KIND,
    "tictactoe": tictactoe.KIND,
}


def find_kind(name: str) -> StagedKind:
    """Return a kind by its name; UnknownName with the nearest where there is none."""
    if name not in KINDS:
        raise UnknownName.among("kind of staged case", name, KINDS)
    return KINDS[name]


def list_cases() -> list[StagedCase]:
    """Return the cases of all kinds, in order of kind."""
    return [case for kind in KINDS.values() for case in kind.cases]


@cache
def read_not_staged() -> Mapping[str, str]:
    """Return why a subcategory has no staged case, by its code."""
    with (Path(__file__).parent / "not_staged.toml").open("rb") as stream:
        plain: Mapping[str, str] = tomllib.load(stream)
    return plain
