"""Results of one version of a benchmark → what its pages share: names of cells, items with their rows, safe file names.

Two versions of a benchmark never share a table. Whatever order the rows came in, the same rows give the same site.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from cutscore.bridge.rows import read_prices
from cutscore.core.card import Card
from cutscore.core.files import FileStore
from cutscore.core.frozen import SAFE_NAME, digest_of
from cutscore.core.inert_text import Clean
from cutscore.core.row import Row
from cutscore.core.subject import ReferenceRole
from cutscore.ledger.prices import Prices
from cutscore.results.benchmark import BenchmarkResult
from cutscore.results.cells import CellName, CellResult, name_cells
from cutscore.results.headline import CellHeadline, ScoreLevels, describe_finding, rank_headlines
from cutscore.results.pairs import CellComparison
from cutscore.results.references import ROLES

_RESERVED = ("static", "media", "data", "index", "items", "across")

# What a score is read against, in the order in which it is drawn.
MARKS: tuple[ReferenceRole, ...] = ("floor", "guess", "people", "ceiling")


@dataclass(frozen=True)
class SiteItem:
    """One item: its id, the stem of its page's file name, and everybody's rows in the order of the page."""

    id: str
    stem: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class BenchmarkSite:
    """One version of one benchmark: its results by scoring mode, at least one, and its folder in the site.

    Names are those of the cells, best headline first; items are in natural order of their ids.
    """

    results: tuple[BenchmarkResult, ...]
    folder: str
    names: tuple[CellName, ...]
    items: tuple[SiteItem, ...]

    @property
    def card(self) -> Card:
        """Return the card of the benchmark that is installed here."""
        return self.results[0].card

    @property
    def name(self) -> str:
        """Return the name of the benchmark."""
        return self.card.name

    @property
    def version(self) -> str:
        """Return the version that was run."""
        return self.results[0].version

    @cached_property
    def cells(self) -> dict[str, tuple[BenchmarkResult, CellResult]]:
        """Return every cell with the results that it belongs to, by its id."""
        return {each.id: (result, each) for result in self.results for each in result.cells}

    @cached_property
    def labels(self) -> dict[str, str]:
        """Return the name of every cell in one line, by its id."""
        return {each.cell: each.label for each in self.names}

    @property
    def rows(self) -> list[Row]:
        """Return all samples, by item."""
        return [row for item in self.items for row in item.rows]

    @cached_property
    def headlines(self) -> list[CellHeadline]:
        """Return the headline of each cell that has one, best first."""
        return _headlines(self.results, {each.cell: each for each in self.names})

    def role(self, cell: str) -> ReferenceRole:
        """Return what a cell shows beside those that compete; empty for one that competes."""
        result, found = self.cells[cell]
        return "" if result.with_references else result.role(found)

    @cached_property
    def contestants(self) -> list[CellHeadline]:
        """Return the headlines of those that compete, best first."""
        return [each for each in self.headlines if not each.role]

    @cached_property
    def references(self) -> list[CellHeadline]:
        """Return the headlines of what they are read against: floor, guess, people, ceiling, planted faults."""
        order = (*MARKS, "planted")
        return sorted((each for each in self.headlines if each.role), key=lambda each: order.index(each.role))

    @cached_property
    def marks(self) -> dict[str, float]:
        """Return the levels that scores are read against, by role: as measured here, else as the card says."""
        known: dict[ReferenceRole, float | None] = {}
        for result in self.results:
            for role in ROLES:
                if (level := result.level(role).value) is not None:
                    known.setdefault(role, level)
            known.setdefault("people", next((each.value for each in result.human[:1]), None))
        return {role: value for role in MARKS if (value := known.get(role)) is not None}

    @property
    def comparisons(self) -> list[CellComparison]:
        """Return all pairs of cells."""
        return [each for result in self.results for each in result.comparisons]

    @property
    def differences(self) -> list[CellComparison]:
        """Return the pairs that the front page shows."""
        return [each for result in self.results for each in result.differences]

    @cached_property
    def finding(self) -> str:
        """Return what was found of those that compete, in one sentence."""
        return describe_finding(self.headlines, self.comparisons, self.levels)

    @property
    def own_card(self) -> Card | None:
        """Return the card only if it speaks of this version: levels and scales of another one may differ."""
        return self.card if self.card.version == self.version else None

    @property
    def headline_name(self) -> str:
        """Return the score that is shown first."""
        return self.headlines[0].estimate.name if self.headlines else self.card.headline

    @property
    def score_label(self) -> str:
        """Return what people call that score."""
        return self.card.label(self.headline_name)

    @property
    def scale(self) -> tuple[float, float]:
        """Return bottom and top of that score."""
        if self.headlines:
            return self.headlines[0].estimate.scale
        return self.card.scores[self.card.headline].scale

    @property
    def is_ratio(self) -> bool:
        """Return whether that score is a ratio of sums, not a mean over samples."""
        score = self.card.scores.get(self.headline_name)
        return score is not None and score.ratio

    @property
    def levels(self) -> ScoreLevels:
        """Return floor, guess and ceiling of that score."""
        return ScoreLevels(self.marks.get("floor"), self.marks.get("guess"), ceiling=self.marks.get("ceiling"))

    @cached_property
    def prices(self) -> dict[str, Prices | None]:
        """Return the prices of the day on which each cell first ran, by its id; None when nobody knows."""
        return {cell: read_prices(each.record.folder) for cell, (_, each) in self.cells.items()}

    @cached_property
    def stores(self) -> dict[str, FileStore]:
        """Return where the files of each cell are, by its id."""
        return {cell: each.record.store for cell, (_, each) in self.cells.items()}

    def grades(self, finding: str) -> bool:
        """Return whether the value of a finding is a grade: 1 is good, 0 is bad."""
        return self.own_card is None or self.own_card.is_grade(finding)

    def score(self, row: Row) -> float | None:
        """Return the headline value of one row; None unless it was marked."""
        return self.cells[row.cell][0].row_score(row)

    def status(self, row: Row) -> str:
        """Return how the headline of one row ended: `marked`, `unscored`, `stopped` or `excluded`."""
        return self.cells[row.cell][0].row_status(row)


def row_anchor(site: BenchmarkSite, item: SiteItem, row: Row) -> str:
    """Name a row on its item's page, or its lowest grade that names a place in a clip, if there is one."""
    base = f"r{next(index for index, each in enumerate(item.rows, start=1) if each is row)}"
    placed = [
        (found.value, index)
        for index, found in enumerate(row.ending.findings, start=1)
        if found.at and site.grades(found.name)
    ]
    return f"{base}-f{min(placed)[1]}" if placed else base


def benchmark_sites(results: Sequence[BenchmarkResult], *, clean: Clean) -> list[BenchmarkSite]:
    """Put the modes of each version of a benchmark together, in order of their names."""
    by_version: dict[tuple[str, str], list[BenchmarkResult]] = {}
    for result in results:
        by_version.setdefault((result.card.name, result.version), []).append(result)
    keys = sorted(by_version)
    versions = [name for name, _ in keys]
    titles = {key: key[0] if versions.count(key[0]) == 1 else f"{key[0]}-v{key[1]}" for key in keys}
    folders = file_stems(titles.values(), clean=clean)
    return [_site(tuple(by_version[key]), folder=folders[titles[key]], clean=clean) for key in keys]


def _site(results: tuple[BenchmarkResult, ...], *, folder: str, clean: Clean) -> BenchmarkSite:
    named = name_cells(
        (each.id, each.label, each.record.cell.model, result.arm(each)) for result in results for each in result.cells
    )
    best = _headlines(results, named)
    order = list(dict.fromkeys([each.name.cell for each in best] + list(named)))
    by_item: dict[str, list[Row]] = {}
    for result in results:
        for row in result.rows:
            by_item.setdefault(row.item, []).append(row)
    stems = file_stems(by_item, clean=clean)

    def rank(row: Row) -> tuple[int, int]:
        return order.index(row.cell), row.epoch

    items = tuple(
        SiteItem(item, stems[item], tuple(sorted(by_item[item], key=rank))) for item in sorted(by_item, key=natural_key)
    )
    return BenchmarkSite(results, folder, tuple(named[cell] for cell in order), items)


def _headlines(results: Iterable[BenchmarkResult], names: dict[str, CellName]) -> list[CellHeadline]:
    return rank_headlines(
        CellHeadline(names[each.id], estimate, "" if result.with_references else result.role(each))
        for result in results
        for each in result.cells
        if (estimate := next((made for made in result.estimates[each.id] if not made.group), None))
    )


def natural_key(name: str) -> tuple[tuple[int, int | str], ...]:
    """Return a sort key in which `bars-9` comes before `bars-10`."""
    parts = re.split(r"([0-9]+)", name)
    return tuple((0, int(part)) if part.isdecimal() else (1, part) for part in parts if part)


def file_stems(names: Iterable[str], *, clean: Clean) -> dict[str, str]:
    """Return a file name of its own for each name: the name where it is safe, else its digest.

    Names that differ in case only are one file on half of the world's disks; the later one gets a digest.
    """
    taken = set(_RESERVED)
    given: dict[str, str] = {}
    for name in sorted(set(names)):
        safe = re.fullmatch(SAFE_NAME, name) and clean(name) == name and not name.endswith(".")
        stem = name if safe and name.casefold() not in taken else f"x-{digest_of(name)[:20]}"
        taken.add(stem.casefold())
        given[name] = stem
    return given
