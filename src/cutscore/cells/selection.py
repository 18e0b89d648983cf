"""Which items of a benchmark are asked: the extent of a run, and no part of a cell's identity."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from shlex import quote
from typing import Any

from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.item import Item


@dataclass(frozen=True)
class ItemSelection:
    """Items that are picked, in published order; all of them when nothing is said.

    Args:
        items: Ids.
        where: Group and value that an item must have, all of them.
        limit: Only the first items of those that were picked.
        draw: Seed; of those that were picked, one of each unit is drawn, as the benchmark's people did them.
    """

    items: tuple[str, ...] = ()
    where: Mapping[str, str] = field(default_factory=dict)
    limit: int | None = None
    draw: int | None = None

    def choose(self, items: Sequence[Item], *, bench: str, data: str = "") -> list[Item]:
        """Return the items that are picked, out of a benchmark's own or of those in a folder.

        Raises:
            BadInput: An id, a group or a value is unknown, or no item is left.
        """
        named = {find_item(items, name, bench=bench, data=data).id for name in self.items}
        for group, value in self.where.items():
            _check_group(items, group, value, bench=bench)
        picked = [
            item for item in items if (not named or item.id in named) and self.where.items() <= item.groups.items()
        ]
        if items and not picked:
            raise BadInput(f"benchmark '{bench}'", f"no item is left: {self.describe()}", "leave one of these out")
        return (picked if self.draw is None else draw_units(picked, self.draw, bench=bench))[: self.limit]

    def describe(self) -> str:
        """Return what was picked, in words; nothing where nothing was, since counts tell of a limit.

        >>> ItemSelection(items=("a", "b"), where={"site": "map"}, limit=3, draw=7).describe()
        'items a, b; where site=map; one of each unit, drawn with seed 7; the first 3'
        """
        where = ", ".join(f"{name}={value}" for name, value in self.where.items())
        parts = [f"items {', '.join(self.items)}"] if self.items else []
        parts += [f"where {where}"] if where else []
        parts += [f"one of each unit, drawn with seed {self.draw}"] if self.draw is not None else []
        return "; ".join([*parts, f"the first {self.limit:,}"] if parts and self.limit is not None else parts)

    def as_json(self) -> dict[str, Any]:
        """Return what was picked, as `--dry-run --json` prints it; nothing where nothing was."""
        plain = {"items": list(self.items), "where": dict(self.where), "limit": self.limit, "draw": self.draw}
        return {name: value for name, value in plain.items() if value not in ([], {}, None)} if self.describe() else {}


EVERY_ITEM = ItemSelection()


def draw_units(items: Sequence[Item], seed: int, *, bench: str) -> list[Item]:
    """Return one item of each unit, in published order; which one hangs on the seed and on that unit alone."""
    units: dict[str, list[str]] = {}
    for item in items:
        units.setdefault(item.draw_unit, []).append(item.id)
    if all(item.draw_unit == item.id for item in items):
        raise BadInput("--draw", f"items of '{bench}' do not stand for each other", "take --limit or --where")
    drawn = {Random(f"{seed}/{unit}").choice(sorted(ids)) for unit, ids in units.items()}
    return [item for item in items if item.id in drawn]


def find_item(items: Sequence[Item], name: str, *, bench: str, data: str = "") -> Item:
    """Return the item of that id, or offer near ones; `data` is the folder that they are from, where there is one."""
    for item in items:
        if item.id == name:
            return item
    unknown = UnknownName.among("item", name, (item.id for item in items))
    listed = f"cutscore show {bench}" + (f" --data {quote(data)}" if data else "")
    hint = unknown.next if unknown.next.startswith("did") else f"see '{listed}'"
    raise UnknownName(unknown.what, f"not among the {len(items):,} of '{bench}'", hint)


def _check_group(items: Sequence[Item], group: str, value: str, *, bench: str) -> None:
    groups = {name for item in items for name in item.groups}
    values = {item.groups[group] for item in items if group in item.groups}
    if value not in values:
        unknown = UnknownName.among(group, value, values) if values else UnknownName.among("group", group, groups)
        raise UnknownName(unknown.what, f"no item of '{bench}' has it", unknown.next)
