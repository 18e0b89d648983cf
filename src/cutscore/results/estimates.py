"""Rows → estimates, and scores by item that can be paired; every number with its company."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
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


def count_unscored(rows: Sequence[Row], card: Card, view: ScoreView) -> Counter[str]:
    """Count samples that should have a score and have none, by status: `unscored` and `stopped`."""
    ended = Counter(_status(row, card, view, judged=_is_judged(rows, card, view.name)) for row in rows)
    return Counter({status: ended[status] for status in ("unscored", "stopped")})


def _status(row: Row, card: Card, view: ScoreView, *, judged: bool) -> str:
    """Return how a score of a sample ended; one that its item does not have is excluded, however the sample ended."""
    if view.key not in row.ending.scores and not card.scores[view.name].has_item(row.groups):
        return "excluded"
    return row.ending.status_of(view.key, judged=judged)


def estimate_views(wanted: Sequence[tuple[Sequence[Row], ScoreView]], card: Card) -> tuple[Estimate, ...]:
    """Estimate each view of a cell's rows; cells of one benchmark may come together, since they share draws."""
    shown = [(view.of(rows), view) for rows, view in wanted]
    found = estimate_columns([_column(rows, card, view) for rows, view in shown])
    return tuple(
        estimate.model_copy(
            update={
                "failed": sum(row.failed and view.key in row.ending.scores for row in rows),
                "stopped": count_unscored(rows, card, view)["stopped"],
            }
        )
        for estimate, (rows, view) in zip(found, shown, strict=True)
    )


def _column(rows: Sequence[Row], card: Card, view: ScoreView) -> ScoreColumn:
    scored = [row for row in rows if view.key in row.ending.scores]
    return ScoreColumn(
        [row.ending.scores[view.key] for row in scored],
        [row.cluster for row in scored],
        view.name,
        scale=card.scores[view.name].scale,
        unscored=count_unscored(rows, card, view).total(),
        mode=view.mode,
        group=view.strata,
        wholes=[_whole(row, view.key) for row in scored],
        unscored_whole=_unscored_whole(rows, card, view),
    )


def _whole(row: Row, key: str) -> float:
    """Return what a sample weighs: the whole of a score that is a ratio, else 1; 0 where there is nothing to count."""
    return row.ending.wholes.get(key, float(key in row.ending.scores))


def _unscored_whole(rows: Sequence[Row], card: Card, view: ScoreView) -> float:
    """Return the most that samples without a score may weigh: what their item weighs elsewhere, or the largest does."""
    judged = _is_judged(rows, card, view.name)
    known: dict[str, float] = defaultdict(float)
    for row in rows:
        known[row.item] = max(known[row.item], _whole(row, view.key))
    largest = max(known.values(), default=0.0) or 1.0
    missing = [row for row in rows if _status(row, card, view, judged=judged) in ("unscored", "stopped")]
    return fsum(known[row.item] or largest for row in missing)


@dataclass(frozen=True)
class ItemScores:
    """The scores of one cell by item, each the mean over epochs, and the cluster of every item that was asked.

    Args:
        wholes: Of a score that is a ratio, the mean whole of each item, of which its value is the share. An item with
            nothing to count has a whole of 0 and no value. None for other scores.
        excluded: Items that have no such score by a rule of the benchmark.
    """

    label: str
    values: dict[str, float]
    cluster_of: dict[str, str]
    wholes: dict[str, float] | None = None
    excluded: frozenset[str] = frozenset()

    def mean(self, items: Collection[str] | None = None) -> float | None:
        """Return the mean over items, or over some of them: of a ratio that of the sums; None without any."""
        wanted = [item for item in self.values if items is None or item in items]
        weights = [1.0 if self.wholes is None else self.wholes[item] for item in wanted]
        parts = (self.values[item] * weight for item, weight in zip(wanted, weights, strict=True))
        return sum(parts) / sum(weights) if wanted else None


def item_scores(rows: Sequence[Row], card: Card, view: ScoreView, *, label: str = "") -> ItemScores:
    """Return the scores of one cell in a view; items that do not have such a score are not among them."""
    samples: dict[str, list[tuple[float, float]]] = defaultdict(list)
    key, judged = view.key, _is_judged(rows, card, view.name)
    seen = [
        row for row in view.of(rows) if row.ending.gap(key) or _status(row, card, view, judged=judged) != "excluded"
    ]
    for row in seen:
        gap = row.ending.gap(key)
        if key in row.ending.scores or (gap and gap.status == "excluded"):
            samples[row.item].append((row.ending.scores.get(key, 0.0), _whole(row, key)))
    cluster_of = {row.item: row.cluster for row in seen}
    counted = {item: found for item, each in sorted(samples.items()) if (found := [one for one in each if one[1]])}
    excluded = frozenset(samples.keys() - counted.keys())
    means = {item: weighted_mean(each) for item, each in counted.items()}
    if not any(key in row.ending.wholes for row in seen):
        return ItemScores(label, means, cluster_of, excluded=excluded)
    wholes = {item: fsum(whole for _, whole in each) / len(each) for item, each in sorted(samples.items())}
    return ItemScores(label, means, cluster_of, wholes, excluded)


def pair_items(first: ItemScores, second: ItemScores, card: Card, view: ScoreView) -> PairedScores[str]:
    """Put two cells side by side, to be compared on the items that both have."""
    plain = first.wholes is None and second.wholes is None
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
        wholes=None if plain else (first.wholes or {}, second.wholes or {}),
    )


def weighted_mean(samples: Sequence[tuple[float, float]]) -> float:
    """Return the mean of values that weigh as much as their wholes, given as (value, whole).

    Rounding never moves it out of the values, so that equal ones are their own mean.

    >>> weighted_mean([(0.1, 1), (0.1, 1), (0.1, 1)]), weighted_mean([(0.5, 2), (1.0, 6)])
    (0.1, 0.875)
    """
    values = [value for value, _ in samples]
    mean = fsum(value * whole for value, whole in samples) / fsum(whole for _, whole in samples)
    return min(max(mean, min(values)), max(values))


def mean_score(scores: ItemScores) -> float:
    """Return the mean over items by which cells are ranked; nothing to average comes last."""
    mean = scores.mean()
    return float("-inf") if mean is None else mean
