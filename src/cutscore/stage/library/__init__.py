"""Scenes to start from: procedures in four domains, stories for cutting, programmes, puzzles, collisions and pours.

Each is a script that a seed fills in: colours, places, counts, order and people differ from seed to seed.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from cutscore.core.errors import BadInput, UnknownName
from cutscore.stage.library import (
    first_aid,
    forces,
    kitchen,
    laboratory,
    outings,
    programmes,
    puzzles,
    visits,
    workshop,
)
from cutscore.stage.scene import Scene
from cutscore.stage.things import exact

Script = Callable[[int, Fraction], Scene]

_SCRIPTS: dict[str, tuple[Script, int]] = {
    **kitchen.SCENES,
    **workshop.SCENES,
    **laboratory.SCENES,
    **first_aid.SCENES,
    **outings.SCENES,
    **visits.SCENES,
    **programmes.SCENES,
    **puzzles.SCENES,
    **forces.SCENES,
}
# In less than that the camera would cut faster than an eye can follow.
_SHORTEST_S = 4


def names(*tags: str) -> tuple[str, ...]:
    """Name the scenes of the library, or those that have all of some tags."""
    return tuple(name for name in _SCRIPTS if not tags or set(tags) <= _tags(name))


@cache
def _tags(name: str) -> frozenset[str]:
    return frozenset(scene(name).tags)


def scene(name: str, *, seed: int = 0, length_s: Fraction | float | None = None) -> Scene:
    """Return a scene of the library.

    It lasts as long as suits it unless `length_s` says otherwise: what takes longer is done more often, or waits.
    """
    if name not in _SCRIPTS:
        raise UnknownName.among("scene", name, _SCRIPTS)
    script, usual_s = _SCRIPTS[name]
    wanted = Fraction(usual_s) if length_s is None else exact(length_s)
    if wanted < _SHORTEST_S:
        raise BadInput(f"scene '{name}'", f"cannot be told in {float(wanted):g} s", f"give at least {_SHORTEST_S}")
    return script(seed, wanted)
