"""Tables of differences, paired by item: part of the input against all, the best against the rest, how many more."""

from collections.abc import Mapping, Sequence

from cutscore.core.estimate import Difference
from cutscore.core.table import Plot, Table, TableCell
from cutscore.results.tables.lines import WHO, CellLine, plain_columns
from cutscore.stats.multiple import holm
from cutscore.stats.paired import PairedScores, paired_differences
from cutscore.stats.power import POWER, detectable_difference, required_study_size
from cutscore.stats.resampling import RESAMPLES, SEED
from cutscore.stats.significance import sign_flips

# Called as the paper does, by the interval of a pair alone.
LEAVES_OUT_ZERO, HOLDS_ZERO = "p < 0.05", "ns"
LEVEL = 0.05  # of an adjusted p


def line_difference(first: CellLine, second: CellLine, name: str, *, resamples: int = RESAMPLES) -> Difference:
    """Return first minus second on the items that both have, by means over epochs, with an interval by cluster."""
    return paired_differences([pair_lines(first, second, name)], resamples=resamples)[0]


def pair_lines(first: CellLine, second: CellLine, name: str) -> PairedScores[str]:
    """Put two lines side by side, to be compared on the items that both have."""
    wholes = first.wholes(name), second.wholes(name)
    return PairedScores(
        first.by_item(name),
        second.by_item(name),
        {**first.clusters(), **second.clusters()},
        name,
        first.label,
        second.label,
        wholes=None if wholes == (None, None) else (wholes[0] or {}, wholes[1] or {}),
    )


def significance(low: float | None, high: float | None) -> str:
    """Describe a difference by its 95% interval: `ns` when it holds 0.

    >>> significance(-0.106, 0.065), significance(0.002, 0.026), significance(None, None)
    ('ns', 'p < 0.05', 'undefined')
    """
    if low is None or high is None:
        return "undefined"
    return HOLDS_ZERO if low <= 0 <= high else LEAVES_OUT_ZERO


def significance_of(found: Difference) -> str:
    """Describe a paired difference; where no sample tells the two apart, no interval is needed to say `ns`."""
    return HOLDS_ZERO if found.leaves_out_zero is False else significance(found.estimate.low, found.estimate.high)


def ablation_table(lines: Sequence[CellLine], axes: Mapping[str, str], *, resamples: int, paper: str = "") -> Table:
    """Return arm minus whole for each cell with less or other input than the whole one of its subject and model.

    `axes` has the name of each axis's score with the name that is shown.
    """
    body: list[tuple[TableCell, ...]] = []
    p_values: list[float | None] = []
    for arm, whole in _arms(lines):
        for axis, shown in axes.items():
            pair = pair_lines(arm, whole, axis)
            if not pair.shared:
                continue
            found = paired_differences([pair], resamples=resamples)[0]
            part, of, other_part, other_of = (sum(column) for column in pair.columns)
            means = (part / of, other_part / other_of)
            p_values.append(sign_flips([pair], resamples=resamples)[0].p_value)
            body.append((*arm.who, shown, found.estimate.n, *means, found.estimate, significance_of(found)))
    adjusted = holm(p_values)
    return Table(
        id="ablation",
        title=_ablation_title(adjusted),
        columns=plain_columns(*WHO, "axis", "n", "arm", "whole", "arm − whole", "call", "p", "p (Holm)"),
        rows=tuple((*row, p, after) for row, p, after in zip(body, p_values, adjusted, strict=True)),
        note=f"paired by question, 95% by clip, {resamples:,} resamples, seed {SEED}; above 0 the arm is better; call: "
        "by the interval of each alone; separable: p after Holm is at most 5%; p: sign flips of clips, Holm over the "
        f"{len(body)} comparisons of this table",
        paper=paper,
        plot=Plot(
            values=("arm − whole",),
            labels=("axis", "subject", "model"),
            by="input",
            level=0.0,
            level_name="no difference",
            tight=True,
        ),
    )


def _ablation_title(adjusted: Sequence[float | None]) -> str:
    if not adjusted:
        return "No ablation: nobody was measured on the whole input and on a part of it"
    kept = sum(p is not None and p <= LEVEL for p in adjusted)
    if not kept:
        return f"None of {len(adjusted)} comparisons with the whole input is separable"
    return f"{kept} of {len(adjusted)} comparisons with the whole input are separable"


def _arms(lines: Sequence[CellLine]) -> list[tuple[CellLine, CellLine]]:
    """Pair every line of other input with the whole line of the same subject and model.

    A subject of another name that is a model with less input (`transcript`) has that model's own line for its whole.
    """
    whole = [line for line in lines if line.whole]
    made = []
    for arm in (line for line in lines if line.arm):
        own = [line for line in whole if (line.subject, line.model) == (arm.subject, arm.model)]
        plain = [line for line in whole if arm.model and (line.subject, line.model) == ("model", arm.model)]
        made += [(arm, line) for line in own or plain]
    return made


def best_gap_table(lines: Sequence[CellLine], score: str, parts: Sequence[str]) -> Table:
    """Return, for each kind of error (a finding `error KIND`), the gap between who flags most and the others."""
    ranked = sorted(lines, key=lambda line: -(line.mean(score) or 0.0))
    body: list[tuple[TableCell, ...]] = []
    for other in ranked[1:]:
        for part in parts:
            found = line_difference(ranked[0], other, f"error {part}")
            if found.estimate.n:
                body.append(
                    (ranked[0].label, other.label, part, found.estimate.n, found.estimate, significance_of(found))
                )
    clear = sum(row[-1] == LEAVES_OUT_ZERO for row in body)
    finding = (
        f"{ranked[0].label} flags most; {clear} of {len(body)} intervals of gaps to others leave out 0" if body else ""
    )
    return Table(
        id="error-gaps",
        title=finding or "Nobody to set against the one who flags most",
        columns=plain_columns("first", "second", "error type", "n", "first − second", "call"),
        rows=tuple(body),
        note="paired by description, 95% by clip; call: by the interval of each alone, not adjusted for their number",
    )


def power_table(lines: Sequence[CellLine], axes: Mapping[str, str]) -> Table:
    """Return for each axis how small a difference of the best two shows, and how many items more theirs needs."""
    body: list[tuple[TableCell, ...]] = []
    for axis, shown in axes.items():
        ranked = sorted((line for line in lines if line.by_item(axis)), key=lambda line: -(line.mean(axis) or 0.0))
        if len(ranked) < 2:
            continue
        first, second = ranked[:2]
        pair = pair_lines(first, second, axis)
        found = paired_differences([pair])[0].estimate
        if not found.n or found.value is None:
            continue
        gaps, clusters = pair.differences, pair.clusters
        seen = detectable_difference(gaps, clusters).difference
        needed = required_study_size(gaps, clusters, difference=found.value).samples
        more = None if needed is None else max(0, needed - found.n)
        figures = (found.n, found, seen, needed, more, _items_wanted(more, gaps))
        body.append((shown, first.label, second.label, *figures))
    return Table(
        id="power",
        title=_power_title(body),
        columns=plain_columns(
            *("axis", "first", "second", "n", "first − second", "smallest visible", "items needed", "items more"),
            "verdict",
        ),
        rows=tuple(body),
        note=f"the best two of each axis, paired, two-sided 5%, found {POWER:.0%} of the time; 95% by clip",
        plot=Plot(
            values=("first − second",),
            labels=("axis", "verdict"),
            level=0.0,
            level_name="no difference",
            tight=True,
        ),
    )


def _items_wanted(more: int | None, gaps: Sequence[float]) -> str:
    if more is None:
        return "cannot be told" if any(gaps) else "no item tells them apart"
    return f"{more:,} item{'s' if more > 1 else ''} more" if more else "enough items"


def _power_title(body: Sequence[tuple[TableCell, ...]]) -> str:
    """Describe how many items more it takes to tell the best two apart on every axis."""
    if not body:
        return "Nobody to tell apart"
    wanting = [(more, axis) for axis, *_, more, _ in body if isinstance(more, int) and more]
    if not wanting:
        return "More items would change nothing"
    most, axis = max(wanting)
    return f"{len(wanting)} of {len(body)} axes need more items to tell the best two apart; {axis} {most:,} more"
