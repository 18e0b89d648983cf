"""Distractors: clips that differ from the right one in exactly one cinematic dimension, made and then measured.

A dimension has ladders of three terms, and a framing for each. The right clip stands on one of the
three steps, and its distractors on the other two. Each step is drawn equally often, so that in two thirds of the slots
both distractors differ the same way, and the right clip is the middle one in a third: whoever compares the three
without reading the storyboard, whatever he looks at, is right in a third of the slots.

Whoever made a distractor (we, a program, a person), it is compared with the right clip picture by picture
(`framing_estimate`). It is taken when its own dimension changed and the others did not.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.assembly.dataset import DIMENSIONS
from cutscore.benchmarks.assembly.framing import Reframing
from cutscore.benchmarks.assembly.framing_estimate import FramingDifference, compare_framing

PER_SLOT: Final = 2
"""Distractors of a slot, as in the paper."""

SIZES: Final = (
    "extreme wide shot",
    "wide shot",
    "medium wide shot",
    "medium shot",
    "medium close-up",
    "close-up",
    "extreme close-up",
)
LEVEL, NORMAL, STATIC = "eye level", "normal lens", "static"
CLOSER = 1.45  # times from one shot size to the next
AS_IS, LONG_LENS = Reframing(), Reframing(bend=-0.15, blur=12)


@dataclass(frozen=True)
class Ladder:
    """Three terms of a dimension in order, and how to film each."""

    dimension: str
    terms: tuple[str, str, str]
    framings: tuple[Reframing, Reframing, Reframing]

    @property
    def own_step(self) -> int:
        """Return the step on which footage stands as it is."""
        return self.framings.index(AS_IS)


def _size_ladder(first: int) -> Ladder:
    low, middle, high = SIZES[first : first + 3]
    return Ladder("shot_size", (low, middle, high), (AS_IS, Reframing(zoom=CLOSER), Reframing(zoom=CLOSER**2)))


LADDERS: Final = (
    *(_size_ladder(first) for first in range(len(SIZES) - 2)),
    Ladder("camera_angle", ("low angle", LEVEL, "high angle"), (Reframing(tilt=0.16), AS_IS, Reframing(tilt=-0.16))),
    Ladder(
        "camera_angle",
        ("Dutch angle to the left", LEVEL, "Dutch angle to the right"),
        (Reframing(roll=-8), AS_IS, Reframing(roll=8)),
    ),
    Ladder("lens", ("wide-angle lens", NORMAL, "long lens"), (Reframing(bend=0.2), AS_IS, LONG_LENS)),
    Ladder("camera_movement", ("pan left", STATIC, "pan right"), (Reframing(pan=-0.2), AS_IS, Reframing(pan=0.2))),
    Ladder(
        "camera_movement", ("dolly out", STATIC, "dolly in"), (Reframing(push=1 / 1.35), AS_IS, Reframing(push=1.35))
    ),
)


def ladders(camera: Mapping[str, str]) -> list[Ladder]:
    """Return the ladders on which footage can be filmed anew, that was filmed with these terms by dimension.

    A term that is missing or not ours is left as it is: from what is a close-up already, or pans, nobody can make its
    opposite.
    """
    return [
        ladder
        for ladder in LADDERS
        if camera.get(ladder.dimension) == ladder.terms[0 if ladder.dimension == "shot_size" else 1]
    ]


def draw_steps(slots: int, draw: Random) -> list[int]:
    """Draw on which step the right clip of each slot stands: each step once in every three slots.

    >>> sorted(draw_steps(3, Random(1)))
    [0, 1, 2]
    """
    steps: list[int] = []
    while len(steps) < slots:
        steps += draw.sample(range(3), 3)
    return steps[:slots]


def order_ladders(able: Sequence[Ladder], used: Counter[str], draw: Random) -> list[Ladder]:
    """Put the ladders of a slot in the order in which they are tried: dimensions that are used least come first."""
    shuffled = draw.sample(list(able), len(able))
    return sorted(shuffled, key=lambda ladder: used[ladder.dimension])


def ready_distractors(folder: Path, film: str, slot: int) -> Iterator[tuple[str, Path]]:
    """Return ready distractors of a slot, from 1: `FILM.slot1.lens.mp4`, a second one `FILM.slot1.lens.2.mp4`."""
    for dimension in DIMENSIONS:
        for ending in ("", *(f".{number}" for number in range(2, PER_SLOT + 1))):
            path = folder / f"{film}.slot{slot}.{dimension}{ending}.mp4"
            if path.is_file():
                yield dimension, path


# What belongs to a dimension, and how far it may seem to change in a clip in which it does not. The estimator errs by a
# tenth of these on staged footage; encoding, small pictures and flat places need the rest.
QUANTITIES: Final = {
    "shot_size": {"closer": 0.08},
    "camera_angle": {"tilt": 0.05, "roll": 2.0},
    "lens": {"bend": 0.05, "softer": 0.5},
    "camera_movement": {"moves_right": 0.04, "moves_down": 0.04, "moves_closer": 0.06},
}
# A shift of the whole picture belongs to none of them and is not wanted.
_PLACE: Final = {"right": 0.05, "down": 0.05}
CHANGED: Final = 2.0
"""Tolerances from which a dimension counts as changed; up to one it counts as the same."""
_MATCH: Final = 0.5


@dataclass(frozen=True)
class DistractorCheck:
    """What a distractor changes by dimension, in tolerances, and why it cannot be taken; empty when it can.

    Beyond ± `CHANGED` a dimension is changed, within ± 1 it is not.
    """

    amounts: Mapping[str, float]
    fault: str = ""


def check_distractor(
    right: Sequence[npt.NDArray[np.uint8]], other: Sequence[npt.NDArray[np.uint8]], dimension: str
) -> DistractorCheck:
    """Compare a distractor with the right clip by pictures of the same moments, evenly spread from first to last."""
    found = compare_framing(right, other)
    amounts = {name: _amount(found, quantities) for name, quantities in QUANTITIES.items()}
    changed, shifted = abs(amounts[dimension]), abs(_amount(found, _PLACE))
    moved = next((name for name, amount in amounts.items() if name != dimension and abs(amount) > 1), None)
    fault = ""
    if found.match < _MATCH:
        fault = f"cannot be compared with the right clip (correlation {found.match:.2f})"
    elif changed < CHANGED:
        fault = f"{dimension} changed by {changed:.1f} tolerances, {CHANGED:g} are wanted"
    elif moved is not None:
        fault = f"{moved} changed, too, by {abs(amounts[moved]):.1f} tolerances"
    elif shifted > 1 and dimension != "camera_movement":
        fault = f"the picture is shifted, too, by {shifted:.1f} tolerances"
    return DistractorCheck({name: round(amount, 2) for name, amount in amounts.items()}, fault)


def _amount(found: FramingDifference, quantities: Mapping[str, float]) -> float:
    """Return the quantity that changed most, in tolerances, with its sign."""
    # A picture that is twice as close has a quarter of what the other shows: the rest cannot be compared.
    loose = exp(abs(found.closer))
    scaled = [
        float(getattr(found, name)) / (tolerance if name == "closer" else tolerance * loose)
        for name, tolerance in quantities.items()
    ]
    return max(scaled, key=abs)
