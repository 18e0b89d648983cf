"""Does anything that a subject gets change when the truth changes?"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import Any

from pydantic import BaseModel

from cutscore.core.item import Item


def changes_with_truth(
    items: Sequence[Item], asked: Callable[[Item], bytes], *, told: Collection[str] = ()
) -> list[str]:
    """Replace every truth field of every item and name where the bytes that a subject gets move.

    Args:
        items: All items. A class of items without a truth field is a fault by itself: nothing says what to hide.
        asked: Gives the bytes of all that a subject gets.
        told: Truth fields that the subject is told here, so that they stay as they are.
    """
    problems = [
        f"{kind.__name__} marks no field as TRUTH, so nothing is known to be hidden"
        for kind in sorted({type(item) for item in items}, key=lambda kind: kind.__name__)
        if not kind.truth_fields()
    ]
    for number, item in enumerate(items):
        before = asked(item)
        for name, changed in _with_other_truth(item, [*items[number + 1 :], *items[:number]], told):
            try:
                moved = asked(changed) != before
            except Exception as error:  # noqa: BLE001  whatever it raises, it has looked
                problems.append(f"item '{item.id}': ask() fails when {name} changes ({type(error).__name__}: {error})")
                continue
            if moved:
                problems.append(f"item '{item.id}': what the subject gets changes with {name}")
    return problems


def _with_other_truth(item: Item, others: Sequence[Item], told: Collection[str]) -> Iterator[tuple[str, Item]]:
    """Return copies with another truth: a made-up one, another item's, and other items' in all fields at once.

    Copies are not validated, since a change of one field alone may well contradict the rest.
    """
    everything: dict[str, Any] = {}
    for name in (name for name in item.truth_fields() if name not in told):
        mine, made_up = getattr(item, name), otherwise(getattr(item, name))
        theirs = (getattr(other, name) for other in others if type(other) is type(item))
        everything[name] = next((value for value in theirs if value != mine), made_up)
        yield name, item.model_copy(update={name: made_up})
        yield name, item.model_copy(update={name: everything[name]})
    if everything:
        yield "the whole truth", item.model_copy(update=everything)


def otherwise(value: Any) -> Any:
    """Return another value of the same kind, in which as little as possible of the first one survives.

    What has no other value (None, an enum of one member) comes back as it is.

    >>> otherwise("blue"), otherwise(3), otherwise((1, 2)), otherwise({"a": True})
    ('eulb~', 4, (3, 2, 3), {'a': False})
    """
    other = value
    if isinstance(value, bool):
        other = not value
    elif isinstance(value, Enum):
        other = next((member for member in type(value) if member is not value), value)
    elif isinstance(value, int | float | Fraction):
        other = value + 1
    elif isinstance(value, str):
        other = value[::-1] + "~"
    elif isinstance(value, BaseModel):
        changed = {name: otherwise(getattr(value, name)) for name in type(value).model_fields}
        other = value.model_copy(update=changed)
    elif isinstance(value, Mapping):
        other = {key: otherwise(inner) for key, inner in value.items()}
    elif isinstance(value, set | frozenset):
        other = type(value)(otherwise(inner) for inner in value)
    elif isinstance(value, tuple | list):
        turned = [otherwise(inner) for inner in reversed(value)]
        other = type(value)([*turned, *turned[:1]])
    return other
