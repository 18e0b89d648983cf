"""Rows, results, contrasts and tables → one `Bench` for each benchmark version, with every name and path settled.

Two versions of a benchmark never share a table. Whatever order the rows came in, the same rows give the same site.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from cutscore.core.card import Card
from cutscore.core.condition import describe_condition
from cutscore.core.finding import score_key
from cutscore.core.frozen import SAFE_NAME, canonical_json, digest_of
from cutscore.core.inert_text import Clean
from cutscore.core.row import Row
from cutscore.report.headline import Marks, Standing, ranked
from cutscore.results.report_data import Contrast, Duel, JudgeTold, Result, TableSet, Who, who_is_who

_RESERVED = ("static", "media", "index", "items")


@dataclass(frozen=True)
class Entry:
    """One item: its page and everybody's rows in the order of the page."""

    item: str
    stem: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Bench:
    """One version of one benchmark.

    Args:
        card: None when no benchmark of that name is installed here.
        folder: Name of its folder in the site.
        whos: Who was measured, best headline first.
        entries: Items in natural order of their ids.
        tables: Its tables, by scoring mode.
        duels: Its cells in pairs.
        judges: What is known of who judged.
    """

    name: str
    version: str
    card: Card | None
    folder: str
    whos: tuple[Who, ...]
    results: tuple[Result, ...]
    contrasts: tuple[Contrast, ...]
    entries: tuple[Entry, ...]
    tables: tuple[TableSet, ...] = ()
    duels: tuple[Duel, ...] = ()
    judges: tuple[JudgeTold, ...] = ()

    @property
    def rows(self) -> list[Row]:
        return [row for entry in self.entries for row in entry.rows]

    @cached_property
    def standings(self) -> list[Standing]:
        """Return the headline of each cell that has one, best first."""
        who = {each.cell: each for each in self.whos}
        return ranked([Standing(who[each.cell], each.headline) for each in self.results if each.headline])

    @property
    def own_card(self) -> Card | None:
        """Return the card only if it speaks of this version: levels and scales of another one may differ."""
        return self.card if self.card and self.card.version == self.version else None

    @property
    def headline_name(self) -> str:
        if self.standings:
            return self.standings[0].estimate.name
        return self.card.headline if self.card else ""

    @property
    def scale(self) -> tuple[float, float]:
        if self.standings:
            return self.standings[0].estimate.scale
        score = self.card.scores.get(self.headline_name) if self.card else None
        return score.scale if score else (0.0, 1.0)

    @property
    def marks(self) -> Marks:
        score = self.own_card.scores.get(self.headline_name) if self.own_card else None
        return Marks(floor=score.floor, chance=score.chance) if score else Marks()

    @cached_property
    def _modes(self) -> dict[str, str]:
        return {result.cell: result.mode for result in self.results}

    def grades(self, finding: str) -> bool:
        """Return whether the value of a finding is a grade: 1 is good, 0 is bad."""
        return self.own_card is None or self.own_card.grades(finding)

    def score(self, row: Row) -> float | None:
        """Return the headline value of one row; None unless it was marked."""
        scores = row.ending.scores
        for key in (score_key(self.headline_name, self._modes.get(row.cell, "")), self.headline_name):
            if key in scores:
                return scores[key]
        return next(iter(scores.values()), None)


def anchor(bench: Bench, entry: Entry, row: Row) -> str:
    """Name a row on its item's page, or its lowest grade that names a place in a clip, if there is one."""
    base = f"r{next(index for index, each in enumerate(entry.rows, start=1) if each is row)}"
    placed = [
        (found.value, index)
        for index, found in enumerate(row.ending.findings, start=1)
        if found.at and bench.grades(found.name)
    ]
    return f"{base}-f{min(placed)[1]}" if placed else base


def gather(
    rows: Iterable[Row],
    results: Sequence[Result],
    contrasts: Sequence[Contrast],
    tables: Sequence[TableSet] = (),
    duels: Sequence[Duel] = (),
    *,
    judges: Sequence[JudgeTold] = (),
    cards: Mapping[str, Card],
    clean: Clean,
) -> list[Bench]:
    """Sort everything into benchmarks, in order of their names."""
    by_bench: dict[tuple[str, str], list[Row]] = {}
    for row in _once(rows):
        by_bench.setdefault((row.benchmark, row.version), []).append(row)
    keys = sorted({*by_bench, *((each.benchmark, each.version) for each in results)})
    versions = [name for name, _ in keys]
    titles = {key: key[0] if versions.count(key[0]) == 1 else f"{key[0]}-v{key[1]}" for key in keys}
    folders = stems(titles.values(), clean=clean)
    told = _Told(tuple(results), tuple(contrasts), tuple(tables), tuple(duels), tuple(judges))
    return [
        _bench(
            key, by_bench.get(key, []), told.of(key), card=cards.get(key[0]), folder=folders[titles[key]], clean=clean
        )
        for key in keys
    ]


@dataclass(frozen=True)
class _Told:
    """Everything besides rows."""

    results: tuple[Result, ...]
    contrasts: tuple[Contrast, ...]
    tables: tuple[TableSet, ...]
    duels: tuple[Duel, ...]
    judges: tuple[JudgeTold, ...]

    def of(self, key: tuple[str, str]) -> "_Told":
        """Keep what is about one version of one benchmark."""

        def own(each: Result | Contrast | TableSet | Duel | JudgeTold) -> bool:
            return (each.benchmark, each.version) == key

        return _Told(
            tuple(filter(own, self.results)),
            tuple(filter(own, self.contrasts)),
            tuple(filter(own, self.tables)),
            tuple(filter(own, self.duels)),
            tuple(filter(own, self.judges)),
        )


def _bench(
    key: tuple[str, str], rows: list[Row], told: _Told, *, card: Card | None, folder: str, clean: Clean
) -> Bench:
    usual = card.frames if card else ""
    cells = {(row.cell, row.subject, row.model, _arm(row, usual)) for row in rows}
    named = who_is_who([*sorted(cells), *((each.cell, each.subject, each.model, each.arm) for each in told.results)])
    best = ranked([Standing(named[each.cell], each.headline) for each in told.results if each.headline])
    order = list(dict.fromkeys([each.who.cell for each in best] + list(named)))
    by_item: dict[str, list[Row]] = {}
    for row in rows:
        by_item.setdefault(row.item, []).append(row)
    names = stems(by_item, clean=clean)
    entries = tuple(
        Entry(item, names[item], tuple(sorted(by_item[item], key=lambda row: (order.index(row.cell), row.epoch))))
        for item in sorted(by_item, key=natural)
    )
    whos = tuple(named[cell] for cell in order)
    return Bench(*key, card, folder, whos, told.results, told.contrasts, entries, told.tables, told.duels, told.judges)


def _arm(row: Row, usual: str) -> str:
    return describe_condition(row.frames, row.input, usual, subject=row.subject)


def _once(rows: Iterable[Row]) -> list[Row]:
    """Leave out rows that were handed in twice (a run folder and a cell inside it), and sort the rest."""
    kept: dict[tuple[tuple[str, str, str, str, int], bytes], Row] = {}
    for row in rows:
        kept.setdefault((row.key, canonical_json(row)), row)
    return [kept[key] for key in sorted(kept)]


def natural(name: str) -> tuple[tuple[int, int | str], ...]:
    """Return a sort key in which `bars-9` comes before `bars-10`."""
    parts = re.split(r"([0-9]+)", name)
    return tuple((0, int(part)) if part.isdecimal() else (1, part) for part in parts if part)


def stems(names: Iterable[str], *, clean: Clean) -> dict[str, str]:
    """Return each name a file name of its own: the name where it is safe, else its digest.

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
