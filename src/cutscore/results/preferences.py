"""Scores beside what people prefer: labels of pairs and rows → how far each score agrees, and who is ranked where.

What people said about one score is held against that score, and what they said on the whole against every score.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cutscore.core.card import Card
from cutscore.core.errors import BadInput
from cutscore.core.finding import score_key
from cutscore.core.label import Label
from cutscore.core.table import Table, TableCell
from cutscore.labels.pairs import PairLabel, ShownPair, pair_labels, person_against_rest
from cutscore.results.tables.lines import CellLine, cell_lines, plain_columns, score_reader
from cutscore.results.wording import count
from cutscore.stats.correlation import kendall_tau, spearman_rho
from cutscore.stats.preferences import NEITHER, agrees, preference_agreement, preference_shares, tie_threshold

if TYPE_CHECKING:
    from cutscore.results.benchmark import BenchmarkResult

OVERALL = "on the whole"
NOTE = (
    "tau: the percentile of differences that is the share of 'neither' among all judgements; "
    "chance: what people said, dealt at random; leave one out: without any one person; "
    "people: how often one says what most others say; 95% by item"
)
FEWEST_SUBJECTS = 3  # from which on a rank correlation says anything


class PublishedAgreement(NamedTuple):
    """What a paper prints: in which of its tables, and the agreement of each score, as a share."""

    paper: str
    shares: Mapping[str, float]


NOTHING = PublishedAgreement("", {})


@dataclass(frozen=True)
class PreferenceTables:
    """Two tables of one benchmark, and what a reader should know of the labels."""

    title: str
    tables: tuple[Table, ...]
    remarks: tuple[str, ...]


def compare_with_people(labels: Iterable[Label], results: Sequence["BenchmarkResult"]) -> list[PreferenceTables]:
    """Return the tables of every benchmark that labels of pairs and a run have in common.

    What a paper prints is `published_agreement()` of the benchmark's `preferences.py`, where it has one.
    """
    from cutscore.registry import benchmark

    said, made = list(labels), []
    for result in results:
        mine = pair_labels(said, result.card.name)
        if not mine:
            continue
        found = benchmark(result.card.name)
        printed = found.part("preferences").published_agreement() if found.has_part("preferences") else NOTHING
        lines = cell_lines(result.rows, plan=result.card.frames)
        tables = preference_tables(mine, lines, result.card, result.mode, published=printed)
        unknown = sorted({label.score for label in mine} - {"", *result.card.scores})
        remarks = tuple(f"labels ask about '{name}', which is no score of {result.card.name}" for name in unknown)
        made.append(PreferenceTables(result.title, tuple(tables), remarks))
    if not made:
        has = ", ".join(sorted({label.benchmark for label in said if label.kind == "pairwise"})) or "none"
        ran = ", ".join(result.card.name for result in results)
        raise BadInput("labels", f"pairs are labelled of {has}, the run has {ran}", "give labels of kind pairwise")
    return made


def preference_tables(
    labels: Sequence[PairLabel],
    lines: Sequence[CellLine],
    card: Card,
    mode: str,
    *,
    published: PublishedAgreement = NOTHING,
) -> list[Table]:
    """Return how far each score agrees with people, and how both rank the subjects."""
    by_name = _named_lines(labels, lines)
    asked = [(score, name) for score in dict.fromkeys(label.score for label in labels) for name in _scores(score, card)]
    every = [_ScoreColumn(score, name, labels, by_name, mode) for score, name in asked]
    columns = [column for column in every if column.about or column.differences()]
    return [_agreement_table(columns, labels, published), _rank_table(columns)]


@dataclass(frozen=True)
class _ScoreColumn:
    """One score beside the labels that it is held against."""

    about: str
    score: str
    every: Sequence[PairLabel]
    lines: Mapping[str, CellLine]
    mode: str

    @property
    def key(self) -> str:
        return score_key(self.score, self.mode)

    @property
    def labels(self) -> list[PairLabel]:
        return [label for label in self.every if label.score == self.about]

    @property
    def tie_share(self) -> float:
        """Of everything that people said, as G.2 has it, and not of this score alone."""
        return sum(label.said == NEITHER for label in self.every) / len(self.every)

    def differences(self) -> dict[ShownPair, float]:
        """Return the score of the first less that of the second, by pair; only where both have one."""
        read = score_reader(self.key)
        values = {
            (name, mark.item, mark.epoch): value
            for name, line in self.lines.items()
            for mark in line.marks
            if (value := read(mark)) is not None
        }
        found = {}
        for pair in dict.fromkeys(label.pair for label in self.labels):
            one, two = (values.get((name, pair.item, pair.epoch)) for name in (pair.first, pair.second))
            if one is not None and two is not None:
                found[pair] = one - two
        return found


def _agreement_table(
    columns: Sequence[_ScoreColumn], labels: Sequence[PairLabel], published: PublishedAgreement
) -> Table:
    rows = [_agreement_row(column, published.shares.get(column.score)) for column in columns]
    ties = sum(label.said == NEITHER for label in labels)
    people = count(len({label.person for label in labels}), "person").replace("persons", "people")
    told = f"{count(len(labels), 'judgement')} of {people}, {ties} of them 'neither'"
    return Table(
        id="preferences",
        title=f"How far scores prefer what people prefer: {told}",
        columns=plain_columns(
            *("score", "asked about", "judgements", "tau", "agreement", "chance", "kappa"),
            *("leave one out", "people", "published"),
        ),
        rows=tuple(rows),
        note=NOTE,
        paper=published.paper,
    )


def _agreement_row(column: _ScoreColumn, printed: float | None) -> tuple[TableCell, ...]:
    gaps = column.differences()
    kept = [label for label in column.labels if label.pair in gaps]
    about = column.about or OVERALL
    if not kept:
        return (column.score, about, 0, *[None] * 6, printed)
    threshold = tie_threshold(list(gaps.values()), column.tie_share)
    # As each person saw it: with the sides as they were shown.
    side = [-gaps[label.pair] if label.swapped else gaps[label.pair] for label in kept]
    said, items = [label.said for label in kept], [label.item for label in kept]
    found = preference_agreement(said, side, items, threshold=threshold)
    right = [(label.person, agrees(label.said, gap, threshold)) for label, gap in zip(kept, side, strict=True)]
    return (
        *(column.score, about, len(kept), threshold, found.rate, found.chance, found.kappa),
        *(_leave_one_out(right), person_against_rest(kept), printed),
    )


def _leave_one_out(right: Sequence[tuple[str, bool]]) -> str | None:
    """Return between what the agreement lies when any one person is left out; None of one person alone."""
    people = {person for person, _ in right}
    if len(people) < 2:
        return None
    rest = [[same for person, same in right if person != left] for left in people]
    rates = [sum(each) / len(each) for each in rest]
    return f"{min(rates):.3f} to {max(rates):.3f}"


def _rank_table(columns: Sequence[_ScoreColumn]) -> Table:
    rows: list[tuple[TableCell, ...]] = []
    for column in columns:
        met: dict[tuple[str, str], list[str]] = defaultdict(list)
        for label in column.labels:
            met[label.pair.first, label.pair.second].append(label.of_pair)
        shares = preference_shares(met)
        means = {name: mean for name in shares if (mean := column.lines[name].mean(column.key)) is not None}
        who = sorted(means)
        both = [shares[name] for name in who], [means[name] for name in who]
        enough = len(who) >= FEWEST_SUBJECTS
        rows.append(
            (
                *(column.score, column.about or OVERALL, len(who)),
                *(_order(shares, "{:.2f}"), _order(means, "{:.3g}")),
                spearman_rho(*both, who) if enough else None,
                kendall_tau(*both, who) if enough else None,
            )
        )
    return Table(
        id="preference-ranks",
        title="How people and scores rank the subjects",
        columns=plain_columns(
            "score", "asked about", "subjects", "by people", "by score", "Spearman rho", "Kendall tau"
        ),
        rows=tuple(rows),
        note="people: how often one is preferred, 'neither' being half, mean over its opponents; score: over the run; "
        f"correlations from {FEWEST_SUBJECTS} subjects on",
    )


def _order(values: Mapping[str, float], form: str) -> str:
    ranked = sorted(values, key=lambda name: (-values[name], name))
    return " > ".join(f"{name} {form.format(values[name])}" for name in ranked)


def _scores(about: str, card: Card) -> list[str]:
    """Return the scores that are held against what people said about one of them, or on the whole."""
    if not about:
        return list(card.scores)
    return [about] if about in card.scores else []


def _named_lines(labels: Sequence[PairLabel], lines: Sequence[CellLine]) -> dict[str, CellLine]:
    """Return the line of every subject that labels name: by its whole name, else by subject or model alone."""
    found: dict[str, CellLine] = {}
    for name in sorted({each for label in labels for each in (label.first, label.second)}):
        exact = [line for line in lines if line.label == name]
        loose = exact or [line for line in lines if line.whole and name in (line.subject, line.model)]
        if len(loose) != 1:
            known = ", ".join(line.label for line in lines)
            fact = f"is {'no subject' if not loose else 'several subjects'} of the run, which has {known}"
            raise BadInput(f"label of subject '{name}'", fact, "name it as the run does")
        found[name] = loose[0]
    return found
