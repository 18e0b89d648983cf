"""A picture that is held is told from a source that stands still itself."""

from fractions import Fraction

import numpy as np
import pytest

from cutscore.benchmarks.repurpose.source_map.holds import split_holds
from cutscore.benchmarks.repurpose.source_map.runs import Reel, SourceRun
from cutscore.benchmarks.repurpose.source_map.views import Views

RATE = 10


def reel(places: list[int]) -> Reel:
    """Return a reel at 10 pictures a second with one bright patch, at one of 256 places in each picture."""
    views = Views()
    views.at_s.extend(Fraction(number, RATE) for number in range(len(places)))
    views.blank.extend([False] * len(places))
    levels = np.full((len(places), 1, 256), 100, np.uint8)
    for number, place in enumerate(places):
        levels[number, 0, place : place + 4] = 250  # 2.3 levels in the mean
    small = levels.astype(np.float32) - 100
    small /= np.linalg.norm(small, axis=2, keepdims=True)
    return Reel("reel", views, levels, small, np.arange(len(places)) / RATE)


def stretches(film: list[int], source: list[int]) -> list[tuple[int, int, int]]:
    """Return first and last picture, and speed, where the account says that the film goes on with the source."""
    shown = reel(film)
    runs = split_holds([SourceRun(0, len(film), reel(source))], shown)
    return [(run.first, run.end, int(run.speed)) for run in runs]


MOVING = [8 * number for number in range(30)]


@pytest.mark.parametrize(
    ("film", "source", "expected"),
    [
        (MOVING, MOVING, [(0, 30, 1)]),
        (MOVING[:10] + [MOVING[10]] * 10 + MOVING[20:], MOVING, [(0, 10, 1), (10, 20, 0), (20, 30, 1)]),
        ([MOVING[0]] * 30, MOVING, [(0, 30, 0)]),
        ([0] * 30, [0] * 30, [(0, 30, 1)]),  # a source that stands still is shown
        (MOVING[:10] + [MOVING[10]] * 4 + MOVING[14:], MOVING, [(0, 30, 1)]),  # 0.4 s
    ],
    ids=["moving", "held", "held throughout", "still source", "a moment"],
)
def test_what_is_held_becomes_a_run_of_its_own(
    film: list[int], source: list[int], expected: list[tuple[int, int, int]]
) -> None:
    assert stretches(film, source) == expected
