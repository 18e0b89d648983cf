"""Many tests at once: p-values adjusted so that the best of twenty chances does not look like a finding."""

from collections.abc import Sequence

from cutscore.core.errors import BadInput


def holm(p_values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Adjust for many tests so that a single false alarm among them stays below the level (Holm, 1979).

    None, a test that could not be made, stays None and does not count.

    >>> holm([0.01, 0.04, None, 0.03])
    (0.03, 0.06, None, 0.06)
    """
    found = [value for value in p_values if value is not None]
    for value in found:
        if not 0 <= value <= 1:
            raise BadInput("p-values", f"{value} is no probability", "give None for a test that could not be made")
    order = sorted(range(len(found)), key=lambda each: found[each])
    adjusted, highest = [0.0] * len(found), 0.0
    for position, each in enumerate(order):
        highest = max(highest, min(1.0, (len(found) - position) * found[each]))
        adjusted[each] = highest
    remaining = iter(adjusted)
    return tuple(None if value is None else next(remaining) for value in p_values)
