"""Two cells → the items on which they differ most, with the reason and the second of video for each."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from cutscore.core.finding import Finding
from cutscore.core.row import Row
from cutscore.results.estimates import ItemScores, ScoreView


@dataclass(frozen=True)
class FlipSide:
    """One side of a flip: the mean over epochs, and the finding of one repeat that says why; None where none does."""

    value: float
    epoch: int
    finding: Finding | None

    def as_json(self) -> dict[str, Any]:
        """Return this side as `compare` prints it."""
        finding = None if self.finding is None else self.finding.as_json()
        return {"value": self.value, "epoch": self.epoch, "finding": finding}


@dataclass(frozen=True)
class Flip:
    """An item that two cells did not get alike."""

    item: str
    cluster: str
    first: FlipSide
    second: FlipSide

    def as_json(self) -> dict[str, Any]:
        """Return the item with both sides as `compare` prints it."""
        sides = {"first": self.first.as_json(), "second": self.second.as_json()}
        return {"item": self.item, "cluster": self.cluster, **sides}


def differing_items(first: ItemScores, second: ItemScores) -> list[str]:
    """Return the items that have two different scores, those that differ most first."""
    gaps = {item: value - second.values[item] for item, value in first.values.items() if item in second.values}
    return sorted((item for item in gaps if gaps[item]), key=lambda item: (-abs(gaps[item]), item))


def item_flips(
    items: Sequence[str],
    first: ItemScores,
    second: ItemScores,
    *,
    rows: tuple[Sequence[Row], Sequence[Row]],
    view: ScoreView,
) -> tuple[Flip, ...]:
    """Return these items, of which both sides have a score, with both scores and the reason of each.

    Of several repeats each side shows the one that is furthest from the other side, since that is what made the gap.
    """
    mine, theirs = (_scored(each, view, items) for each in rows)
    made = []
    for item in items:
        one, two = first.values[item], second.values[item]
        sides = (_side(mine[item], view, one, up=one > two), _side(theirs[item], view, two, up=two > one))
        made.append(Flip(item, first.cluster_of[item], *sides))
    return tuple(made)


def _scored(rows: Iterable[Row], view: ScoreView, items: Iterable[str]) -> dict[str, list[Row]]:
    wanted, found = set(items), defaultdict[str, list[Row]](list)
    for row in rows:
        if row.item in wanted and view.key in row.ending.scores:
            found[row.item].append(row)
    return found


def _side(rows: Sequence[Row], view: ScoreView, value: float, *, up: bool) -> FlipSide:
    scores = [row.ending.scores[view.key] for row in rows]
    row = rows[scores.index(max(scores) if up else min(scores))]
    return FlipSide(value, row.epoch, _reason(row, view))


def _reason(row: Row, view: ScoreView) -> Finding | None:
    """Find what was said of a score: in its mode, else for all modes, else the first thing that was found at all."""
    of_score = [finding for finding in row.ending.findings if finding.name == view.name]
    by_mode = {finding.mode: finding for finding in of_score}
    return by_mode.get(view.mode) or by_mode.get("") or next(iter(row.ending.findings), None)
