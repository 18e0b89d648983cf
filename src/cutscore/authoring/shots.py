"""Where a film cuts: its shots as frames, each from its first to before the next one's first."""

from fractions import Fraction
from itertools import pairwise
from math import ceil

from cutscore.authoring.footage import Clip
from cutscore.media.footage import take
from cutscore.scoring.metrics.one_pass import one_pass
from cutscore.scoring.metrics.shots import Shots
from cutscore.stage.camera import takes
from cutscore.stage.scene import Scene


def scene_shots(scene: Scene) -> list[tuple[int, int]]:
    """Return the shots of a scene as frames: the first, and the one after the last."""
    starts = [ceil(take.shot.start_s * scene.rate) for take in takes(scene)[1:]]
    return list(pairwise([0, *starts, scene.frames]))


def film_shots(film: Clip) -> tuple[Fraction, list[tuple[int, int]]]:
    """Return the rate of a film and its shots as frames; a film that we staged says them itself."""
    if film.scene is not None:
        return film.scene.rate, scene_shots(film.scene)
    whole = take(film.path, trusted=False)
    starts = {whole.first_at(span.start_s) for span in one_pass(film.path, [Shots()]).alone[0].spans}
    return whole.rate, list(pairwise([0, *sorted(starts - {0}), whole.count]))
