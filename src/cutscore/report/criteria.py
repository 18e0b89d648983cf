"""Findings of an item → one matrix: a line a criterion, a column a subject, failures first, measures apart."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from cutscore.core.card import Card
from cutscore.core.finding import Finding
from cutscore.core.timeline import Span
from cutscore.report.benchmark_site import BenchmarkSite
from cutscore.report.page_parts import PageClip, SeekLink, find_player, seek_link
from cutscore.report.review import PageFilms
from cutscore.results.wording import digits_for, number, tone

MEASURED = "measured"  # the tone of what is neither good nor bad
MOST_OPEN = 12  # lines with failures that stand open; who wants more unfolds them
# Findings of such a name speak of everything but the stretch that they name.
_OUTSIDE = "_out"
# Units ride in the names of measures.
_UNITS = {"s": "s", "ms": "ms", "db": "dB", "lufs": "LUFS", "lu": "LU", "hz": "Hz", "px": "px", "usd": "$", "pc": "%"}


@dataclass(frozen=True)
class FindingView:
    """A finding, ready to be read; `also` are the ids of findings that say the same in another scoring mode.

    Its share is 0 at the bottom of the scale and 1 at the top, None for a measure. Spans are where it leads.
    """

    id: str
    finding: Finding
    value: str
    tone: str
    share: float | None
    player: PageClip | None
    spans: tuple[Span, ...]
    also: tuple[str, ...] = ()

    @property
    def seeks(self) -> tuple[SeekLink, ...]:
        """Return the links to its seconds."""
        return tuple(seek_link(span, self.player) for span in self.spans)


@dataclass(frozen=True)
class SubjectColumn:
    """The findings of one subject, by sample; a reference has a role."""

    label: str
    role: str
    samples: tuple[tuple[int, tuple[FindingView, ...]], ...]


@dataclass(frozen=True)
class CriterionCell:
    """What was found of one subject by one criterion, in all its samples; of several the worst is shown."""

    label: str
    role: str
    found: tuple[tuple[int, FindingView], ...]

    @property
    def worst(self) -> FindingView:
        """Return the lowest grade; of measures the first."""
        return min((each for _, each in self.found), key=lambda each: 1.0 if each.share is None else each.share)

    @property
    def value(self) -> str:
        """Return the value of the worst; of measures that differ, how many there are."""
        values = {each.value for _, each in self.found}
        return f"{len(values)} values" if self.worst.share is None and len(values) > 1 else self.worst.value


@dataclass(frozen=True)
class CriterionRow:
    """One line of the matrix; `words` are what all reasons begin with, such as the question that was asked."""

    name: str
    label: str
    modes: tuple[str, ...]
    words: str
    unit: str
    cells: tuple[CriterionCell | None, ...]

    @property
    def measure(self) -> bool:
        """Return whether no value of it is a grade."""
        return all(each.worst.share is None for each in self.cells if each)

    def worst(self, roles: Collection[str]) -> float:
        """Return the lowest share of those who have one of these roles; contestants have none, which is empty."""
        cells = [each for each in self.cells if each and each.role in roles]
        return min((each.worst.share for each in cells if each.worst.share is not None), default=1.0)


@dataclass(frozen=True)
class CriteriaMatrix:
    """All criteria of an item: those that contestants failed stand open, the others are folded, with words to each."""

    columns: tuple[SubjectColumn, ...]
    open: tuple[CriterionRow, ...]
    folds: tuple[tuple[str, tuple[CriterionRow, ...]], ...]


def view_finding(
    bench: BenchmarkSite, id: str, found: Finding, *, reach: tuple[PageClip, ...], films: PageFilms
) -> FindingView:
    """Make one finding ready to be read, with links to where it can be seen."""
    scale, score = _scale(bench, found), found.score
    grade = bench.grades(found.name) and score is not None and scale is not None
    low, high = scale or (0.0, 1.0)
    player = find_player(found.file, reach)
    return FindingView(
        id=id,
        finding=found,
        value=number(found.value, digits_for((low, high))) if found.whole is None else found.amount,
        tone=tone(score, (low, high)) if grade and score is not None else MEASURED,
        share=min(1.0, max(0.0, (score - low) / (high - low))) if grade and score is not None else None,
        player=player,
        spans=_places(found, films.length_of(player) if player else None),
    )


def _scale(bench: BenchmarkSite, found: Finding) -> tuple[float, float] | None:
    """Return the scale of a finding: that of its score, else 0 to 1, else that of the headline; None beyond both."""
    card, score = bench.own_card, found.score
    if card and found.name in card.scores:
        return card.scores[found.name].scale
    fitting = (each for each in ((0.0, 1.0), bench.scale) if score is None or each[0] <= score <= each[1])
    return next(fitting, None)


def _places(found: Finding, length_s: Fraction | None) -> tuple[Span, ...]:
    """Return the stretches that a finding is about, which may be all but the one that it names."""
    if found.at is None:
        return ()
    if not found.name.endswith(_OUTSIDE):
        return (found.at,)
    ends = ((Fraction(0), found.at.start_s), (found.at.end_s, length_s or found.at.end_s))
    return tuple(Span(start_s=one, end_s=two) for one, two in ends if two > one) or (found.at,)


def criteria_matrix(columns: Sequence[SubjectColumn], *, card: Card, mode: str) -> CriteriaMatrix:
    """Sort findings into lines: the headline first, then what contestants failed, worst first; the rest is folded."""
    lines = _lines(columns, mode, card)
    # A log that was marked before there were modes, or in another one, has its own first.
    mode = (
        mode if any(mode in each.modes for each in lines) else next((each.modes[0] for each in lines if each.modes), "")
    )
    elsewhere = tuple(each for each in lines if each.modes and mode not in each.modes)
    grades = [each for each in lines if not each.measure and each not in elsewhere]
    first = [each for each in grades if each.name == card.headline][:1]
    others = [each for each in grades if each not in first]
    contested = any(not each.role for each in columns)
    roles = {""} if contested else {each.role for each in columns}
    failed = sorted((each for each in others if each.worst(roles) < 1), key=lambda each: each.worst(roles))
    passed = tuple(each for each in others if each.worst(roles) >= 1)
    measures = tuple(each for each in lines if each.measure and each not in elsewhere)
    more = tuple(failed[MOST_OPEN:])
    told = "that every contestant passed" if contested else "that all passed"
    folds = (
        (_counted(len(more), "more", "that somebody failed"), more),
        (_counted(len(passed), "more", told), passed),
        ("1 measure, which is no grade" if len(measures) == 1 else f"{len(measures)} measures, no grades", measures),
        (f"{len(elsewhere)} in other scoring modes", elsewhere),
    )
    return CriteriaMatrix(tuple(columns), (*first, *failed[:MOST_OPEN]), tuple(each for each in folds if each[1]))


def _counted(n: int, how: str, told: str) -> str:
    return f"{n} {how} {'criterion' if n == 1 else 'criteria'} {told}"


def _lines(columns: Sequence[SubjectColumn], mode: str, card: Card) -> list[CriterionRow]:
    """Return a line for each name; scoring modes that found the same of everybody share one."""
    by_name: dict[str, dict[str, None]] = {}
    for column in columns:
        for _, findings in column.samples:
            for each in findings:
                by_name.setdefault(each.finding.name, {}).setdefault(each.finding.mode)
    made: list[CriterionRow] = []
    for name, modes in by_name.items():
        same: dict[object, list[tuple[str, tuple[CriterionCell | None, ...]]]] = {}
        for own in sorted(modes, key=lambda one: one != mode):
            cells = tuple(_cell(column, name, own) for column in columns)
            same.setdefault(_signature(cells), []).append((own, cells))
        made += [_criterion(name, card.label(name), group) for group in same.values()]
    return made


def _cell(column: SubjectColumn, name: str, mode: str) -> CriterionCell | None:
    found = tuple(
        (epoch, each)
        for epoch, findings in column.samples
        for each in findings
        if (each.finding.name, each.finding.mode) == (name, mode)
    )
    return CriterionCell(column.label, column.role, found) if found else None


def _signature(cells: Iterable[CriterionCell | None]) -> object:
    return tuple(
        cell and tuple((epoch, each.value, each.finding.because, each.spans) for epoch, each in cell.found)
        for cell in cells
    )


def _criterion(name: str, label: str, group: Sequence[tuple[str, tuple[CriterionCell | None, ...]]]) -> CriterionRow:
    (_, cells), *others = group
    merged = tuple(
        cell
        and replace(
            cell, found=tuple(_also(each, [other[at] for _, other in others]) for each in enumerate(cell.found))
        )
        for at, cell in enumerate(cells)
    )
    reasons = [each.finding.because for cell in cells if cell for _, each in cell.found]
    unit = _UNITS.get(name.rpartition("_")[2], "") if "_" in name else ""
    modes = tuple(mode for mode, _ in group if mode)
    return CriterionRow(name, label, modes, shared_sentence(reasons), unit, merged)


def _also(
    placed: tuple[int, tuple[int, FindingView]], others: Sequence[CriterionCell | None]
) -> tuple[int, FindingView]:
    place, (epoch, view) = placed
    return epoch, replace(view, also=tuple(other.found[place][1].id for other in others if other))


def shared_sentence(reasons: Sequence[str]) -> str:
    """Return the sentence that several reasons begin with, where they go on: the question or the rule itself.

    >>> shared_sentence(["Is it red? Yes: it is", "Is it red? No: it is blue"])
    'Is it red?'
    >>> shared_sentence(["0.2 inside", "0.4 inside"])
    ''
    """
    first = re.match(r".{8,}?[.?!](?=\s)", reasons[0]) if len(reasons) > 1 else None
    if first is None or any(not each.startswith(first[0]) for each in reasons) or len(set(reasons)) == 1:
        return ""
    return first[0]
