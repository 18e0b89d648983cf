"""Gaps between families of models: all models of one maker's line against all of another's, item by item."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from cutscore.core.estimate import Estimate
from cutscore.core.table import Plot, Table, TableCell
from cutscore.results.tables.lines import CellLine, plain_columns
from cutscore.results.tables.pooled_lines import pair_pooled, pooled_difference
from cutscore.stats.paired import PairedScores
from cutscore.stats.resampling import bootstrap_estimate, divide_or_nan, sums_by_cluster

COMPOSITE = "composite"
Families = Mapping[str, Sequence[CellLine]]


def model_family(model: str) -> str:
    """Return the family of a model: the letters with which its name begins, without whoever serves it.

    >>> [model_family(name) for name in ("anthropic/claude-opus-4-5", "gpt-4o-mini", "openrouter/qwen/Qwen3-VL-235B")]
    ['claude', 'gpt', 'qwen']
    """
    name = model.rsplit("/", 1)[-1].lower()
    letters = re.match(r"[a-z]+", name)
    return letters[0] if letters else name


def family_lines(lines: Sequence[CellLine]) -> dict[str, list[CellLine]]:
    """Return the lines that compete by family of their model, in the order of their names."""
    found: dict[str, list[CellLine]] = defaultdict(list)
    for line in lines:
        if line.competes and line.model:
            found[model_family(line.model)].append(line)
    return dict(sorted(found.items()))


def family_gap_table(lines: Sequence[CellLine], axes: Mapping[str, str], parts: Mapping[str, str]) -> Table:
    """Return, for every two families, the gap of their means on each axis, on all axes, and on parts of an axis.

    A family's mark of an item is the mean over its models, and only items that all of them have count. Beside the gap
    stand the smallest and the largest between a model of the one and a model of the other: the range that papers give.
    Both mappings have the name of a score or finding with the name that is shown.
    """
    families, body = family_lines(lines), list[tuple[TableCell, ...]]()
    for one, other in combinations(families, 2):
        first, second = sorted((one, other), key=lambda name: -_mean(families[name], axes))
        body += _gap_rows(first, second, families, axes, parts)
    clear = sum(row[-1] == "yes" for row in body)
    return Table(
        id="family-gaps",
        title=f"Families of models: {clear} of {len(body)} intervals of gaps leave out 0"
        if body
        else "No gap between families: models of fewer than two were measured",
        columns=plain_columns(
            *("first", "second", "axis", "n", "first mean", "second mean", "first − second"),
            *("smallest", "largest", "leaves out 0"),
        ),
        rows=tuple(body),
        note="mean over the models of a family, paired by item; smallest and largest: between two models; 95% by clip,"
        f" of each alone; {COMPOSITE}: unweighted mean of the axes",
        plot=Plot(
            values=("first − second",),
            labels=("axis", "first", "second"),
            level=0.0,
            level_name="no difference",
            tight=True,
        ),
    )


def _gap_rows(
    first: str, second: str, families: Families, axes: Mapping[str, str], parts: Mapping[str, str]
) -> list[tuple[TableCell, ...]]:
    sides, labels = (families[first], families[second]), (first, second)
    pairs = {name: pair_pooled(*sides, name, labels=labels) for name in (*axes, *parts)}
    body: list[tuple[TableCell, ...]] = []
    for name, shown in {**axes, **parts}.items():
        found = pooled_difference(pairs[name])
        if found is not None:
            gap, clear = found.estimate, found.leaves_out_zero
            body.append((*labels, shown, gap.n, *_side_means([pairs[name]]), gap, *_range(*sides, [name]), _say(clear)))
    if all(pairs[name].shared for name in axes):
        of_axes = [pairs[name] for name in axes]
        gap = _composite_gap(of_axes)
        clear = None if gap.low is None or gap.high is None else not gap.low <= 0 <= gap.high
        means, ends = _side_means(of_axes), _range(*sides, list(axes))
        body.insert(0, (*labels, COMPOSITE, gap.n, *means, gap, *ends, _say(clear)))
    return body


def _say(clear: bool | None) -> str:
    return "cannot be told" if clear is None else "yes" if clear else "no"


def _mean(lines: Sequence[CellLine], axes: Mapping[str, str]) -> float:
    found = [value for line in lines for axis in axes if (value := line.mean(axis)) is not None]
    return sum(found) / len(found) if found else 0.0


def _side_means(pairs: Sequence[PairedScores[str]]) -> tuple[float, float]:
    """Return the mean of either side over the shared items of each pair, and of these the mean over pairs."""
    means = [[sum(side[item] for item in pair.shared) / len(pair.shared) for side in pair.sides] for pair in pairs]
    first, second = (sum(column) / len(pairs) for column in zip(*means, strict=True))
    return first, second


def _range(first: Sequence[CellLine], second: Sequence[CellLine], names: Sequence[str]) -> tuple[float, float]:
    """Return the smallest and the largest gap of a model of the one and a model of the other, over these axes."""
    gaps = []
    for one in first:
        for other in second:
            pairs = [pair_pooled([one], [other], name, labels=(one.label, other.label)) for name in names]
            mine, theirs = _side_means(pairs)
            gaps.append(mine - theirs)
    return min(gaps), max(gaps)


def _composite_gap(pairs: Sequence[PairedScores[str]]) -> Estimate:
    """Return the unweighted mean of several differences; clips are drawn once for all of them."""
    samples = [
        (cluster, axis, gap)
        for axis, pair in enumerate(pairs)
        for cluster, gap in zip(pair.clusters, pair.differences, strict=True)
    ]
    columns = np.zeros((len(samples), 2 * len(pairs)))
    for number, (_, axis, gap) in enumerate(samples):
        columns[number, axis], columns[number, len(pairs) + axis] = gap, 1.0
    clusters = [cluster for cluster, _, _ in samples]
    sums = sums_by_cluster(columns, clusters)

    def statistic(times: np.ndarray) -> np.ndarray:
        totals = times @ sums
        means: np.ndarray = divide_or_nan(totals[:, : len(pairs)], totals[:, len(pairs) :]).mean(axis=1)
        return means

    return bootstrap_estimate(
        statistic,
        clusters,
        name=COMPOSITE,
        scale=(-1.0, 1.0),
        undefined="an axis has no item",
        columns=2 * len(pairs),
    )
