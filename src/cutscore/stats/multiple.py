"""Many tests at once: p-values adjusted so that the best of twenty chances does not look like a finding."""

from collections.abc import Sequence

from cutscore.core.errors import BadInput


def holm(p_values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Adjust for many tests so that a single false alarm among them stays below the level (Holm, 1979).

    None, a test that could not be made, stays None and does not count.

    >>> holm([0.01, 0.04, None, 0.03])
    (0.03, 0.06, None, 0.06)
    """
    found = _checked(p_values)
    order = sorted(range(len(found)), key=lambda each: found[each])
    adjusted, highest = [0.0] * len(found), 0.0
    for position, each in enumerate(order):
        highest = max(highest, min(1.0, (len(found) - position) * found[each]))
        adjusted[each] = highest
    return _put_back(p_values, adjusted)


def benjamini_hochberg(p_values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Adjust for many tests so that false alarms stay below the level as a share of alarms (Benjamini, Hochberg 1995).

    Holds for independent or positively dependent tests. None stays None and does not count.

    >>> benjamini_hochberg([0.01, 0.04, None, 0.03])
    (0.03, 0.04, None, 0.04)
    """
    found = _checked(p_values)
    order = sorted(range(len(found)), key=lambda each: found[each])
    adjusted, lowest = [0.0] * len(found), 1.0
    for position, each in reversed(list(enumerate(order))):
        lowest = min(lowest, len(found) * found[each] / (position + 1))
        adjusted[each] = lowest
    return _put_back(p_values, adjusted)


def _checked(p_values: Sequence[float | None]) -> list[float]:
    found = [value for value in p_values if value is not None]
    for value in found:
        if not 0 <= value <= 1:
            raise BadInput("p-values", f"{value} is no probability", "give None for a test that could not be made")
    return found


def _put_back(p_values: Sequence[float | None], adjusted: Sequence[float]) -> tuple[float | None, ...]:
    each = iter(adjusted)
    return tuple(None if value is None else next(each) for value in p_values)
