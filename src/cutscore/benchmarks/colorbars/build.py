"""The clips: four colours one after the other over a faint test card, drawn from a seed."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from random import Random

import numpy as np
from numpy.typing import NDArray

from cutscore.core.timeline import Span

COLOURS = {
    "white": (255, 255, 255),
    "yellow": (255, 255, 0),
    "cyan": (0, 255, 255),
    "green": (0, 255, 0),
    "magenta": (255, 0, 255),
    "red": (255, 0, 0),
    "blue": (0, 0, 255),
}
RATE, FRAMES, WIDTH, HEIGHT = Fraction(25), 50, 160, 90  # two seconds
SHORTEST = 8  # frames (0.32 s) that a colour stays at least
MARGIN = 3  # frames (0.12 s) between a question and the nearest cut: being one frame off is no mistake
FAINT = 0.1  # share of the test card in the picture


class Segment(Span):
    """A stretch of one colour."""

    colour: str


def scene(draw: Random) -> tuple[Segment, ...]:
    """Draw up a clip: four different colours, two seconds in all, cuts on frame boundaries."""
    colours = draw.sample(list(COLOURS), 4)
    spare = sorted(draw.choices(range(FRAMES - 4 * SHORTEST + 1), k=3))
    cuts = [0, *(number * SHORTEST + extra for number, extra in enumerate(spare, start=1)), FRAMES]
    return tuple(
        Segment(colour=colour, start_s=start / RATE, end_s=end / RATE)
        for colour, (start, end) in zip(colours, pairwise(cuts), strict=True)
    )


def moments(draw: Random, segments: tuple[Segment, ...]) -> dict[str, Fraction]:
    """Pick a moment in each third of the clip, away from every cut and from both ends."""
    cuts = [0, *(int(segment.end_s * RATE) for segment in segments)]
    clear = [frame for frame in range(FRAMES) if all(abs(frame - cut) >= MARGIN for cut in cuts)]
    thirds = [[frame for frame in clear if frame * 3 // FRAMES == third] for third in range(3)]
    return {name: draw.choice(third) / RATE for name, third in zip(("early", "middle", "late"), thirds, strict=True)}


def frames(segments: tuple[Segment, ...]) -> Iterator[NDArray[np.uint8]]:
    """Paint the clip, one RGB picture a frame."""
    card = np.array(list(COLOURS.values()))[np.arange(WIDTH) * len(COLOURS) // WIDTH]
    for segment in segments:
        stripe = (1 - FAINT) * np.array(COLOURS[segment.colour]) + FAINT * card
        picture = np.broadcast_to(stripe.astype(np.uint8), (HEIGHT, WIDTH, 3))
        yield from [picture] * int(segment.length_s * RATE)
