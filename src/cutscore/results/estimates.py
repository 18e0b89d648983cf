"""Rows → estimates, and scores by item that can be paired; every number with its company."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum

from cutscore.core.card import Card
from cutscore.core.estimate import Estimate
from cutscore.core.finding import score_key
from cutscore.core.row import Row
from cutscore.stats.intervals import ScoreColumn, estimate_columns
from cutscore.stats.paired import PairedScores


@dataclass(frozen=True)
class ScoreView:
    """What a number is about: a score in one mode, over all items or those of one group (name, value)."""

    name: str
    mode: str = ""
    group: tuple[str, str] | None = None

    @property
    def key(self) -> str:
        """Name the score as rows do."""
        return score_key(self.name, self.mode)

    @property
    def strata(self) -> dict[str, str]:
        """Return the group as an estimate has it."""
        return dict([self.group]) if self.group else {}

    def of(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Return the rows of its items."""
        return rows if self.group is None else [row for row in rows if self.group in row.groups.items()]


def headline(card: Card, mode: str = "") -> ScoreView:
    """Return the view that is printed first."""
    return ScoreView(card.headline, card.mode(mode or None))


def all_views(rows: Iterable[Row], card: Card, mode: str = "") -> tuple[ScoreView, ...]:
    """Return every view: the headline first, its other modes and all scores, then the headline by group."""
    first = headline(card, mode)
    modes = [first.mode, *(other for other in card.modes if other != first.mode)]
    names = [card.headline, *(name for name in card.scores if name != card.headline)]
    strata = sorted({group for row in rows for group in row.groups.items()})
    return (
        *(ScoreView(name, each) for name in names for each in modes),
        *(ScoreView(first.name, first.mode, group) for group in strata),
    )


def estimates(rows: Sequence[Row], card: Card, mode: str = "") -> tuple[Estimate, ...]:
    """Estimate every score of one cell: the headline first, other modes and scores, then the headline by group."""
    first, *others = estimate_views([(rows, view) for view in all_views(rows, card, mode)], card)
    return (first, *(each for each in others if each.n or each.group or _is_judged(rows, card, each.name)))


def _is_judged(rows: Sequence[Row], card: Card, name: str) -> bool:
    """Return whether a judge was asked for a score; it is shown even if no answer could be read."""
    return card.scores[name].judged and any(row.judge for row in rows)


def count_unscored(rows: Sequence[Row], card: Card, view: ScoreView) -> int:
    """Count samples that should have a score and have none.

    An opinion may be missing although everything else about a sample is marked; then that score alone is unscored.
    """
    if _is_judged(rows, card, view.name):
        return sum(view.key not in row.ending.scores for row in rows)
    return sum(row.ending.status != "marked" for row in rows)


def estimate_views(wanted: Sequence[tuple[Sequence[Row], ScoreView]], card: Card) -> tuple[Estimate, ...]:
    """Estimate each view of a cell's rows; cells of one benchmark may come together, since they share draws."""
    return estimate_columns([_column(view.of(rows), card, view) for rows, view in wanted])


def _column(rows: Sequence[Row], card: Card, view: ScoreView) -> ScoreColumn:
    scored = [row for row in rows if view.key in row.ending.scores]
    return ScoreColumn(
        [row.ending.scores[view.key] for row in scored],
        [row.cluster for row in scored],
        view.name,
        scale=card.scores[view.name].scale,
        unscored=count_unscored(rows, card, view),
        mode=view.mode,
        group=view.strata,
    )


@dataclass(frozen=True)
class ItemScores:
    """The scores of one cell by item, each the mean over epochs, and the cluster of every item that was asked."""

    label: str
    values: dict[str, float]
    cluster_of: dict[str, str]


def item_scores(rows: Sequence[Row], view: ScoreView, *, label: str = "") -> ItemScores:
    """Return the scores of one cell in a view."""
    values: dict[str, list[float]] = defaultdict(list)
    seen = view.of(rows)
    for row in seen:
        if view.key in row.ending.scores:
            values[row.item].append(row.ending.scores[view.key])
    means = {item: mean_of(each) for item, each in sorted(values.items())}
    return ItemScores(label, means, {row.item: row.cluster for row in seen})


def pair_items(first: ItemScores, second: ItemScores, card: Card, view: ScoreView) -> PairedScores[str]:
    """Put two cells side by side, to be compared on the items that both have."""
    return PairedScores(
        first.values,
        second.values,
        first.cluster_of | second.cluster_of,
        view.name,
        first.label,
        second.label,
        scale=card.scores[view.name].scale,
        mode=view.mode,
        group=view.strata,
    )


def mean_of(values: Sequence[float]) -> float:
    """Return the mean of some values; rounding never moves it out of them, so that equal ones are their own mean.

    >>> mean_of([0.1, 0.1, 0.1])
    0.1
    """
    return min(max(fsum(values) / len(values), min(values)), max(values))


def mean_score(scores: ItemScores) -> float:
    """Return the mean over items by which cells are ranked; nothing to average comes last."""
    return sum(scores.values.values()) / len(scores.values) if scores.values else float("-inf")
