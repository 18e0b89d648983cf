"""Where a file of a task comes from: a scene of the stage, or somebody's film, named without its folder."""

from pathlib import Path

import cutscore
from cutscore.authoring.footage import STAGE, STAGE_LICENCE, Clip
from cutscore.core.bundle import Provenance
from cutscore.stage.scene import RENDERER

UNKNOWN_LICENCE = "LicenseRef-unknown"


def origin_of(film: Clip, *, seed: int) -> Provenance:
    """Return the origin of what a recipe made of a film with that seed."""
    return Provenance(
        licence=film.licence or UNKNOWN_LICENCE,
        source=film.source if film.scene else Path(film.source).name,
        made_by=f"cutscore {cutscore.__version__}",
        seed=seed,
    )


def staged_origin(scene: str, *, seed: int) -> Provenance:
    """Return the origin of a clip of a starter pack: the scene's name, and the seed that it was staged with."""
    return Provenance(licence=STAGE_LICENCE, source=f"{STAGE}{scene}", made_by=f"stage {RENDERER}", seed=seed)


def is_staged(origin: Provenance) -> bool:
    """Return whether something was drawn by us."""
    return origin.source.startswith(STAGE)
