"""One to one: as many pairs as can be formed, each side in at most one (Kuhn's augmenting paths)."""

from collections.abc import Sequence


def most_pairs(partners: Sequence[Sequence[int]]) -> tuple[tuple[int, int], ...]:
    """Pair as many of the first side as can be paired; which of equally many pairs are formed is always the same.

    Partners are tried in the order in which they are given, the best first; one that is taken is tried too, and whoever
    has it looks for another.

    Args:
        partners: For each of the first side, numbered from 0, those of the second that it may be paired with.

    Returns:
        (Number of the first side, number of the second), in order of the first.

    >>> most_pairs([[0, 1], [0]])
    ((0, 1), (1, 0))
    """
    taken: dict[int, int] = {}
    for start in range(len(partners)):
        _pair(start, partners, taken)
    return tuple(sorted((one, other) for other, one in taken.items()))


def _pair(start: int, partners: Sequence[Sequence[int]], taken: dict[int, int]) -> None:
    """Find a partner for one more; `taken` says who has each of the second side.

    The way is a list, not a recursion: strangers may name thousands.
    """
    tried: set[int] = set()
    way = [(start, iter(partners[start]))]
    wishes: list[int] = []  # what each on the way asks for; the last one may have no wish yet
    while way:
        wish = next((other for other in way[-1][1] if other not in tried), None)
        if wish is None:
            way.pop()
            del wishes[len(way) - 1 :]
            continue
        tried.add(wish)
        wishes.append(wish)
        if wish not in taken:
            taken.update({other: one for other, (one, _) in zip(wishes, way, strict=True)})
            return
        way.append((taken[wish], iter(partners[taken[wish]])))
