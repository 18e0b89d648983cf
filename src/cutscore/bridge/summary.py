"""Rows → estimates and paired differences, with every number's company."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from cutscore.core.card import Card
from cutscore.core.estimate import Difference, Estimate
from cutscore.core.finding import score_key
from cutscore.core.row import Row
from cutscore.stats.intervals import estimate
from cutscore.stats.paired import paired_difference


def estimates(rows: Sequence[Row], card: Card, mode: str = "") -> tuple[Estimate, ...]:
    """Estimate every score of one cell: the headline first, other modes and scores, then the headline by group."""
    mode = card.mode(mode or None)
    modes = [mode, *(other for other in card.modes if other != mode)]
    names = [card.headline, *(name for name in card.scores if name != card.headline)]
    whole = [_estimate(rows, card, name, each) for name in names for each in modes]
    strata = sorted({(group, value) for row in rows for group, value in row.groups.items()})
    parts = [
        _estimate([row for row in rows if row.groups.get(group) == value], card, card.headline, mode, {group: value})
        for group, value in strata
    ]
    return (whole[0], *(each for each in whole[1:] if each.n), *parts)


def _estimate(rows: Sequence[Row], card: Card, name: str, mode: str, group: dict[str, str] | None = None) -> Estimate:
    key = score_key(name, mode)
    scored = [row for row in rows if key in row.ending.scores]
    return estimate(
        [row.ending.scores[key] for row in scored],
        [row.cluster for row in scored],
        name=name,
        scale=card.scores[name].scale,
        unscored=sum(row.ending.status != "marked" for row in rows),
        mode=mode,
        group=group,
    )


def difference(first: Sequence[Row], second: Sequence[Row], card: Card, mode: str = "") -> Difference:
    """Compare two cells on the items that both have, each item by its mean over epochs."""
    key = score_key(card.headline, card.mode(mode or None))
    mine, theirs = _by_item(first, key), _by_item(second, key)
    clusters = {row.item: row.cluster for row in (*first, *second)}
    return paired_difference(
        mine,
        theirs,
        clusters,
        name=card.headline,
        first_label=_label(first),
        second_label=_label(second),
        scale=card.scores[card.headline].scale,
        mode=card.mode(mode or None),
    )


def differences(cells: Sequence[Sequence[Row]], card: Card, mode: str = "") -> tuple[Difference, ...]:
    """Compare every cell with the best one, which answers the question that people ask first."""
    key = score_key(card.headline, card.mode(mode or None))
    ranked = sorted((rows for rows in cells if rows), key=lambda rows: -_mean(_by_item(rows, key).values()))
    return tuple(difference(ranked[0], rows, card, mode) for rows in ranked[1:])


def _by_item(rows: Iterable[Row], key: str) -> dict[str, float]:
    values: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if key in row.ending.scores:
            values[row.item].append(row.ending.scores[key])
    return {item: sum(each) / len(each) for item, each in sorted(values.items())}


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers) if numbers else float("-inf")


def _label(rows: Sequence[Row]) -> str:
    row = rows[0]
    return f"{row.subject} {row.model}".strip()
