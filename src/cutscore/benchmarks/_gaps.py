"""Tables of differences, paired by item: fewer frames against more, the best against the rest, what could be seen."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from cutscore.benchmarks._lines import Line, headed
from cutscore.core.estimate import Difference
from cutscore.core.table import Cell, Table
from cutscore.stats.multiple import holm
from cutscore.stats.paired import paired_difference
from cutscore.stats.power import POWER, detectable_difference, study_needed
from cutscore.stats.resampling import RESAMPLES
from cutscore.stats.significance import sign_flip

SEPARABLE, NOT_SEPARABLE = "p < 0.05", "ns"


def gap(first: Line, second: Line, name: str, *, resamples: int = RESAMPLES) -> Difference:
    """Give first minus second on the items that both have, by their means over epochs, with an interval by cluster."""
    return paired_difference(
        first.by_item(name),
        second.by_item(name),
        {**first.clusters(), **second.clusters()},
        name=name,
        first_label=first.label,
        second_label=second.label,
        resamples=resamples,
    )


def significance(low: float | None, high: float | None) -> str:
    """Call a difference by its 95% interval: `ns` when it holds 0.

    >>> significance(-0.106, 0.065), significance(0.002, 0.026), significance(None, None)
    ('ns', 'p < 0.05', 'undefined')
    """
    if low is None or high is None:
        return "undefined"
    return NOT_SEPARABLE if low <= 0 <= high else SEPARABLE


def ablation(lines: Sequence[Line], axes: Mapping[str, str], *, resamples: int, paper: str = "") -> Table:
    """Give fewer frames minus more for each two cells of one subject and model that saw different numbers of them.

    Args:
        lines: Measured lines.
        axes: Name of each axis's score, with the name that is shown.
        resamples: Bootstrap resamples and sign flips.
        paper: Which table of the paper it repeats.
    """
    body: list[tuple[Cell, ...]] = []
    p_values: list[float | None] = []
    for few, many in _arms(lines):
        for axis, shown in axes.items():
            found = gap(few, many, axis, resamples=resamples).estimate
            if not found.n:
                continue
            first, second = few.by_item(axis), many.by_item(axis)
            means = [sum(side[item] for item in first.keys() & second.keys()) / found.n for side in (first, second)]
            clusters = {**few.clusters(), **many.clusters()}
            p_values.append(sign_flip(first, second, clusters, resamples=resamples).p_value)
            call = significance(found.low, found.high)
            body.append((few.subject, few.model, shown, found.n, few.frames, many.frames, *means, found, call))
    parted = sum(row[-1] == SEPARABLE for row in body)
    return Table(
        id="ablation",
        title=f"{parted} of {len(body)} comparisons of fewer with more frames are separable" if body else "No ablation",
        columns=headed(
            *("subject", "model", "axis", "n", "few", "many", "score (few)", "score (many)", "few − many", "call"),
            *("p", "p (Holm)"),
        ),
        rows=tuple((*row, p, adjusted) for row, p, adjusted in zip(body, p_values, holm(p_values), strict=True)),
        note=f"paired by question, 95% by clip, {resamples:,} resamples; p by sign flips of clips",
        paper=paper,
    )


def _arms(lines: Sequence[Line]) -> list[tuple[Line, Line]]:
    """Give the pairs of lines that differ in frames alone, the one with fewer first."""
    shown = sorted((line for line in lines if line.frames is not None), key=lambda line: line.frames or 0)
    return [
        (few, many)
        for few, many in combinations(shown, 2)
        if (few.subject, few.model) == (many.subject, many.model) and few.frames != many.frames
    ]


def against_the_best(lines: Sequence[Line], score: str, parts: Sequence[str]) -> Table:
    """Give, for each kind of error, the gap between the line that flags most and every other.

    Args:
        lines: Measured lines.
        score: Score that says who is best.
        parts: Kinds of errors; a finding `error KIND` has the value.
    """
    ranked = sorted(lines, key=lambda line: -(line.mean(score) or 0.0))
    body: list[tuple[Cell, ...]] = []
    for other in ranked[1:]:
        for part in parts:
            found = gap(ranked[0], other, f"error {part}").estimate
            if found.n:
                call = significance(found.low, found.high)
                body.append((ranked[0].label, other.label, part, found.n, found, call))
    return Table(
        id="error-gaps",
        title="Who flags most, against everybody else, by kind of error",
        columns=headed("first", "second", "error type", "n", "first − second", "call"),
        rows=tuple(body),
        note="paired by description, 95% by clip",
    )


def power(lines: Sequence[Line], axes: Sequence[str]) -> Table:
    """Say for each axis how small a difference of the best two could be seen, and how many items theirs would need."""
    body: list[tuple[Cell, ...]] = []
    for axis in axes:
        ranked = sorted((line for line in lines if line.by_item(axis)), key=lambda line: -(line.mean(axis) or 0.0))
        if len(ranked) < 2:
            continue
        first, second = ranked[:2]
        mine, theirs = first.by_item(axis), second.by_item(axis)
        shared = [item for item in mine if item in theirs]
        if not shared:
            continue
        gaps, clusters = [mine[item] - theirs[item] for item in shared], [first.clusters()[item] for item in shared]
        mean, seen = sum(gaps) / len(gaps), detectable_difference(gaps, clusters)
        needed = study_needed(gaps, clusters, difference=mean).samples
        more = None if needed is None else max(0, needed - len(gaps))
        body.append((axis, first.label, second.label, len(gaps), mean, seen.difference, needed, more))
    return Table(
        id="power",
        title="What differences this many items can show",
        columns=headed(
            *("axis", "first", "second", "n", "first − second", "smallest visible", "items needed", "items more")
        ),
        rows=tuple(body),
        note=f"paired, two-sided 5%, found {POWER:.0%} of the time; blank where the two do not differ",
    )
