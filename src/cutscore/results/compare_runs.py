"""Runs → which cells are compared with which, under which letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from string import ascii_lowercase
from typing import TYPE_CHECKING

from cutscore.core.errors import BadInput
from cutscore.results.benchmark import BenchmarkResult, benchmark_results, outdated_versions
from cutscore.results.cells import CellResult
from cutscore.results.pairs import MOST_CROSSED, choose_pairs, rank_rivals
from cutscore.results.run_comparison import BenchmarkComparison, ComparedCell, RunComparison

if TYPE_CHECKING:
    from pathlib import Path

_NOBODY = "no two of its cells compete, and no contestant has a guess to be compared with"
_MANY = f"of more than {MOST_CROSSED} cells each is compared with the best alone; name two to compare these"


def compare_runs(
    runs: Sequence[Sequence[CellResult]],
    *,
    names: Sequence[str],
    everything: bool = False,
    with_references: bool = False,
) -> RunComparison:
    """Compare cells of the same benchmark and version: the headline, or every score, mode and group.

    Of two runs each contestant of the first is compared with each of the second, then contestants with the guess; a run
    that is one cell takes part whoever it is. Else cells of one benchmark are compared as everywhere (`choose_pairs`);
    never with itself, and no two of them twice. Names are what errors call the runs.

    Raises:
        BadInput: Nothing can be compared.
    """
    found = _merge_cells(runs)
    by_version: dict[tuple[str, str], list[tuple[CellResult, frozenset[int]]]] = {}
    for cell, held in found:
        if cell.rows:
            by_version.setdefault((cell.record.cell.benchmark, cell.record.cell.version), []).append((cell, held))
    warnings = [f"cell '{cell.record.cell.id}' has no rows yet and is left out" for cell, _ in found if not cell.rows]
    across, parts = len(runs) == 2, list[BenchmarkComparison]()
    single = frozenset(number for number, run in enumerate(runs) if len(run) == 1)
    for (name, version), cells in by_version.items():
        if len(cells) > 1 and (not across or {number for _, held in cells for number in held} == {0, 1}):
            # Cells of one version stand together, whatever their modes: rows hold the scores of every mode.
            alone = [cell for cell, _ in cells]
            card = benchmark_results(alone)[0].card
            result = BenchmarkResult(card, tuple(alone), with_references=with_references)
            part = _compared(result, cells, across=across, taken=sum(len(part.cells) for part in parts), single=single)
            if not part.pairs:
                warnings.append(f"{result.title}: {_NOBODY}; add --with-references to compare what is there")
                continue
            parts.append(part)
            if not across and len(rank_rivals(result)) > MOST_CROSSED:
                warnings.append(f"{result.title}: {_MANY}")
        else:
            warnings.append(f"{name} v{version}: there is nothing to compare it with")
    if not parts:
        raise _nothing_to_compare([cell for cell, _ in found], names, lonely=any(_NOBODY in each for each in warnings))
    views = tuple(view for part in parts for view in part.compare_views(everything=everything))
    old = outdated_versions([part.result for part in parts])
    cautions = [caution for part in parts for caution in part.cautions]
    return RunComparison(tuple(parts), views, (*warnings, *old, *cautions))


def _merge_cells(runs: Sequence[Sequence[CellResult]]) -> list[tuple[CellResult, frozenset[int]]]:
    """Return every cell once, with the numbers of the runs that hold it."""
    kept: dict[tuple[Path, str], tuple[CellResult, frozenset[int]]] = {}
    for number, each in ((number, each) for number, cells in enumerate(runs) for each in cells):
        key = each.record.folder.resolve(), each.record.cell.id
        kept[key] = (each, kept.get(key, (each, frozenset()))[1] | {number})
    return list(kept.values())


def _compared(
    result: BenchmarkResult,
    cells: Sequence[tuple[CellResult, frozenset[int]]],
    *,
    across: bool,
    taken: int,
    single: frozenset[int],
) -> BenchmarkComparison:
    """Name the cells and choose their pairs; `single` are the runs that are one cell: it was asked for by name."""
    from cutscore.results.estimates import mean_score

    def rank(each: tuple[CellResult, frozenset[int]]) -> tuple[int, bool, float, str]:
        # The best first, so that a difference is what the better one is ahead; but what was named first stays first,
        # and those that do not compete come last.
        cell, held = each
        place, value = min(held) if across else 0, -mean_score(result.scores[id(cell)])
        return place, bool(result.role(cell)) and not result.with_references, value, _label(cell, result)

    named = tuple(
        ComparedCell(column_letters(taken + place), _label(cell, result), held, cell)
        for place, (cell, held) in enumerate(sorted(cells, key=rank))
    )
    by_cell = {id(each.cell): each for each in named}
    chosen = () if across else choose_pairs(result)
    pairs = tuple((by_cell[id(one)], by_cell[id(two)]) for one, two in chosen)
    if across:
        asked = {each.key for each in named if result.with_references or each.runs & single}
        roles = {each.key: "" if each.key in asked else result.role(each.cell) for each in named}
        pairs = _pairs_across(named, roles)
    return BenchmarkComparison(result, named, pairs)


def _pairs_across(
    cells: Sequence[ComparedCell], roles: Mapping[str, str]
) -> tuple[tuple[ComparedCell, ComparedCell], ...]:
    """Pair the cells of two runs: those without a role with each other, then with the guess."""
    first, second = ([each for each in cells if run in each.runs] for run in (0, 1))
    kept: dict[frozenset[str], tuple[ComparedCell, ComparedCell]] = {}
    for wanted in ({""}, {"", "guess"}):
        for one, two in product(first, second):
            if one.key != two.key and {roles[one.key], roles[two.key]} == wanted:
                kept.setdefault(frozenset({one.key, two.key}), (one, two))
    return tuple(kept.values())


def _label(cell: CellResult, result: BenchmarkResult) -> str:
    """Name a cell as the report does; one cell in two run folders is told apart by its folder."""
    twice = sum(other.record.cell.id == cell.record.cell.id for other in result.cells) > 1
    return result.labels[cell.id] + (f" in {cell.record.folder}" if twice else "")


def column_letters(place: int) -> str:
    """Return the name of a column of a spreadsheet, in small letters.

    >>> column_letters(0), column_letters(25), column_letters(26), column_letters(52)
    ('a', 'z', 'aa', 'ba')
    """
    rest, last = divmod(place, len(ascii_lowercase))
    return (column_letters(rest - 1) if rest else "") + ascii_lowercase[last]


def _nothing_to_compare(found: Sequence[CellResult], names: Sequence[str], *, lonely: bool) -> BadInput:
    what = ("runs " if len(names) > 1 else "run ") + " and ".join(f"'{name}'" for name in names)
    if lonely:
        return BadInput(what, _NOBODY, "add --with-references to compare what is there")
    if len(found) == 1:
        fact = "are one and the same cell" if len(names) > 1 else "holds a single cell"
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
    listed = " and ".join(sorted(versions))
    fact = "have no benchmark in common" if len(names) > 1 else "holds one cell of each benchmark"
    return BadInput(what, f"{fact} ({listed})", "compare runs of the same benchmark")
