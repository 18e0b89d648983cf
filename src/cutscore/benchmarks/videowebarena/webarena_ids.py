"""The number that a task of `wa/` has in WebArena: VideoWebArena left 67 of 812 tasks out and renumbered the rest.

The table was made by walking both files in order and joining equal intents and sites: 743 tasks match so, in fifteen
runs. Two were reworded (a spelling); they stand where 240 and 353 stood, and are not joined. With these numbers
corrections that others publish by WebArena's ids can be looked up. The table holds for the released file alone.
"""

from collections.abc import Sequence

from cutscore.benchmarks.videowebarena.released import WebTask
from cutscore.core.frozen import digest_of

# First and last task of a run, and by how much WebArena's numbers are higher.
RUNS = (
    *((0, 6, 0), (7, 27, 4), (28, 48, 8), (49, 84, 13), (85, 150, 17), (151, 195, 22), (196, 205, 30), (206, 207, 32)),
    *((209, 215, 32), (216, 310, 42), (312, 325, 42), (326, 328, 48), (329, 368, 55), (369, 700, 62), (701, 744, 67)),
)
# Of intents and sites of the released file.
RELEASED = "51f9dd884224256afcc56f134c950d2a7789eeae6f5b1c522d6dd436ad9318ef"


def is_released_file(tasks: Sequence[WebTask]) -> bool:
    """Return whether these are the tasks that the table was made of."""
    return digest_of([[task.intent, list(task.sites)] for task in tasks]) == RELEASED


def find_webarena_id(task_id: int) -> int | None:
    """Return the number in WebArena of a task that matches by intent and sites; None where none does.

    >>> find_webarena_id(0), find_webarena_id(225), find_webarena_id(744), find_webarena_id(208)
    (0, 267, 811, None)
    """
    return next((task_id + higher for first, last, higher in RUNS if first <= task_id <= last), None)
