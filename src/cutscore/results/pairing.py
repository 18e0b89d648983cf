"""RUN arguments → which cells are compared with which, and under which names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING

from cutscore.core.errors import BadInput
from cutscore.results.reading import read_run
from cutscore.results.sections import CellResult, Section, sections
from cutscore.results.verdicts import MOST_CROSSED, pairs_of, rivals

if TYPE_CHECKING:
    from cutscore.core.card import Card

_MANY = f"of more than {MOST_CROSSED} cells each is compared with the best alone; name two to compare these"


@dataclass(frozen=True)
class Held:
    """A cell, and which of the RUN arguments hold it, from 0."""

    cell: CellResult
    runs: frozenset[int]


@dataclass(frozen=True)
class Side:
    """A cell that is compared.

    Args:
        key: Letter that stands for it in tables.
        label: Its name.
    """

    key: str
    label: str
    runs: frozenset[int]
    cell: CellResult


@dataclass(frozen=True)
class Field:
    """All that is compared in one version of one benchmark.

    Args:
        mode: Scoring mode; that of its first cell.
        pairs: Who is subtracted from whom.
    """

    card: Card
    version: str
    mode: str
    sides: tuple[Side, ...]
    pairs: tuple[tuple[Side, Side], ...]

    @property
    def title(self) -> str:
        return f"{self.card.name} v{self.version}"


@dataclass(frozen=True)
class Pairing:
    """Everything that is compared, and what a reader should know of what is not."""

    fields: tuple[Field, ...]
    warnings: tuple[str, ...]


def pairing(runs: Sequence[Path]) -> Pairing:
    """Pair cells of the same benchmark and version.

    With two RUNs each cell of the first is compared with each of the second, else cells of one benchmark as everywhere
    (`pairs_of`); never with itself, and no two of them twice.
    """
    found = _cells(runs)
    by_version: dict[tuple[str, str], list[Held]] = {}
    for held in found:
        if held.cell.rows:
            of = held.cell.record.cell
            by_version.setdefault((of.benchmark, of.version), []).append(held)
    warnings = [
        f"cell '{held.cell.record.cell.id}' has no rows yet and is left out" for held in found if not held.cell.rows
    ]
    fields: list[Field] = []
    for (name, version), cells in by_version.items():
        if _some_pair(cells, across=len(runs) == 2):
            part, taken = _section([held.cell for held in cells]), sum(len(field.sides) for field in fields)
            fields.append(_field(part, cells, across=len(runs) == 2, taken=taken))
            if len(runs) != 2 and len(rivals(part)) > MOST_CROSSED:
                warnings.append(f"{fields[-1].title}: {_MANY}")
        else:
            warnings.append(f"{name} v{version}: there is nothing to compare it with")
    if not fields:
        raise _nothing([held.cell for held in found], runs)
    return Pairing(tuple(fields), tuple(warnings))


def _cells(runs: Sequence[Path]) -> list[Held]:
    """Read every cell once."""
    kept: dict[tuple[Path, str], Held] = {}
    for number, run in enumerate(runs):
        for each in read_run(run):
            key = each.record.folder.resolve(), each.record.cell.id
            before = kept[key].runs if key in kept else frozenset()
            kept[key] = Held(each, before | {number})
    return list(kept.values())


def _some_pair(cells: Sequence[Held], *, across: bool) -> bool:
    return len(cells) > 1 and (not across or len(frozenset[int]().union(*(held.runs for held in cells))) == 2)


def _field(part: Section, cells: Sequence[Held], *, across: bool, taken: int) -> Field:
    from cutscore.results.estimates import mean

    def rank(held: Held) -> tuple[int, float, str]:
        # The best first, so that a difference is what the better one is ahead; but what was named first stays first.
        return min(held.runs) if across else 0, -mean(part.scores[id(held.cell)]), _label(held.cell, part)

    sides = tuple(
        Side(letters(taken + place), _label(held.cell, part), held.runs, held.cell)
        for place, held in enumerate(sorted(cells, key=rank))
    )
    side = {id(each.cell): each for each in sides}
    pairs = _across(sides) if across else tuple((side[id(one)], side[id(two)]) for one, two in pairs_of(part))
    return Field(part.card, cells[0].cell.record.cell.version, part.mode, sides, pairs)


def _across(sides: Sequence[Side]) -> tuple[tuple[Side, Side], ...]:
    first, second = ([side for side in sides if run in side.runs] for run in (0, 1))
    kept: dict[frozenset[str], tuple[Side, Side]] = {}
    for one, two in product(first, second):
        if one.key != two.key:
            kept.setdefault(frozenset({one.key, two.key}), (one, two))
    return tuple(kept.values())


def _section(cells: Sequence[CellResult]) -> Section:
    """Put cells of one version together, whatever their modes: rows hold the scores of every mode."""
    checked = sections(cells)
    return Section(checked[0].card, tuple(cells))


def _label(cell: CellResult, part: Section) -> str:
    """Name a cell as the report does; one cell in two run folders is told apart by its folder."""
    own = cell.record.cell.id
    twice = sum(other.record.cell.id == own for other in part.cells) > 1
    return part.labels[own] + (f" in {cell.record.folder}" if twice else "")


def letters(place: int) -> str:
    """Return the name of a column of a spreadsheet, in small letters.

    >>> letters(0), letters(25), letters(26), letters(52)
    ('a', 'z', 'aa', 'ba')
    """
    rest, last = divmod(place, len(ascii_lowercase))
    return (letters(rest - 1) if rest else "") + ascii_lowercase[last]


def _nothing(found: Sequence[CellResult], runs: Sequence[Path]) -> BadInput:
    what = ("runs " if len(runs) > 1 else "run ") + " and ".join(f"'{run}'" for run in runs)
    if len(found) == 1:
        fact = "are one and the same cell" if len(runs) > 1 else "holds a single cell"
        return BadInput(what, fact, "name two cells, or a run folder that holds several")
    empty = [each.record.cell.id for each in found if not each.rows]
    if empty:
        return BadInput(f"cell '{empty[0]}'", "has no rows yet", "finish its run first")
    versions: dict[str, set[str]] = {}
    for each in found:
        versions.setdefault(each.record.cell.benchmark, set()).add(each.record.cell.version)
    for name, of in versions.items():
        if len(of) > 1:
            fact = f"its cells are of versions {' and '.join(sorted(of))}; scores may have moved between them"
            return BadInput(f"benchmark '{name}'", fact, "run the older one again")
    names = " and ".join(sorted(versions))
    fact = f"have no benchmark in common ({names})" if len(runs) > 1 else f"holds one cell of each benchmark ({names})"
    return BadInput(what, fact, "compare runs of the same benchmark")
