"""Maximum bipartite matching, with a fixed choice among equally large ones: by augmenting paths, or the likest."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def maximum_matching(partners: Sequence[Sequence[int]]) -> tuple[tuple[int, int], ...]:
    """Pair as many of the first side as can be paired (Kuhn), always the same of equally many.

    Partners are tried in the order in which they are given, the best first; one that is taken is tried too, and whoever
    has it looks for another.

    Args:
        partners: For each of the first side, numbered from 0, those of the second that it may be paired with.

    Returns:
        (Number of the first side, number of the second), in order of the first.

    >>> maximum_matching([[0, 1], [0]])
    ((0, 1), (1, 0))
    """
    taken: dict[int, int] = {}
    for start in range(len(partners)):
        _augment(start, partners, taken)
    return tuple(sorted((one, other) for other, one in taken.items()))


def _augment(start: int, partners: Sequence[Sequence[int]], taken: dict[int, int]) -> None:
    """Find a partner for one more of the first side; `taken` says who has each of the second side.

    The path is a list, not a recursion: it may be thousands long.
    """
    tried: set[int] = set()
    path = [(start, iter(partners[start]))]
    candidates: list[int] = []  # of each on the path; the last one may have none yet
    while path:
        candidate = next((other for other in path[-1][1] if other not in tried), None)
        if candidate is None:
            path.pop()
            del candidates[len(path) - 1 :]
            continue
        tried.add(candidate)
        candidates.append(candidate)
        if candidate not in taken:
            taken.update({other: one for other, (one, _) in zip(candidates, path, strict=True)})
            return
        path.append((taken[candidate], iter(partners[taken[candidate]])))


def best_assignment(likeness: Floats, *, at_least: float) -> tuple[tuple[int, int], ...]:
    """Pair as many rows with columns as are at least so like, one to one, and of equally many pairs the likest.

    Args:
        likeness: Of every row to every column, from -1 to 1; minus infinity for a pair that cannot be.
        at_least: Below it a pair is not formed.

    >>> best_assignment(np.array([[0.9, 0.8], [0.7, 0.1]]), at_least=0.5)
    ((0, 1), (1, 0))
    """
    from scipy.optimize import linear_sum_assignment  # slow to import

    allowed = likeness >= at_least
    if not allowed.any():
        return ()
    # One more pair outweighs all that likeness can bring.
    worth = np.where(allowed, 2.0 * min(likeness.shape) + 1.0 + np.where(allowed, likeness, 0.0), 0.0)
    rows, columns = linear_sum_assignment(worth, maximize=True)
    return tuple((int(row), int(column)) for row, column in zip(rows, columns, strict=True) if allowed[row, column])
