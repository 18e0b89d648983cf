"""Tables of differences, paired by item: part of the input against all, the best against the rest, how many more."""

from collections.abc import Mapping, Sequence

from cutscore.core.estimate import Difference
from cutscore.core.table import Plot, Table, TableCell
from cutscore.results.tables.lines import WHO, CellLine, plain_columns
from cutscore.results.verdict import PairVerdict, judge_pairs
from cutscore.results.wording import count
from cutscore.stats.paired import PairedScores, paired_differences
from cutscore.stats.power import POWER, detectable_difference, required_study_size
from cutscore.stats.resampling import RESAMPLES, SEED

# Called as the paper does, by the interval of a pair alone.
LEAVES_OUT_ZERO, HOLDS_ZERO = "p < 0.05", "ns"


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
    ('ns', 'p < 0.05', '–')
    """
    if low is None or high is None:
        return "–"
    return HOLDS_ZERO if low <= 0 <= high else LEAVES_OUT_ZERO


def significance_of(found: Difference) -> str:
    """Describe a paired difference; where no sample tells the two apart, no interval is needed to say `ns`."""
    return HOLDS_ZERO if found.leaves_out_zero is False else significance(found.estimate.low, found.estimate.high)


def ablation_table(
    lines: Sequence[CellLine], axes: Mapping[str, str], *, resamples: int = RESAMPLES, paper: str = ""
) -> Table:
    """Return arm minus whole for each cell with less or other input than the whole one of its subject and model.

    `axes` has the name of each axis's score with the name that is shown.
    """
    found = [
        (arm, shown, pair)
        for arm, whole in arm_pairs(lines)
        for axis, shown in axes.items()
        if (pair := pair_lines(arm, whole, axis)).shared
    ]
    pairs = [pair for *_, pair in found]
    verdicts = judge_pairs(pairs)
    body: list[tuple[TableCell, ...]] = []
    for (arm, shown, pair), difference, judged in zip(
        found, paired_differences(pairs, resamples=resamples), verdicts, strict=True
    ):
        part, of, other_part, other_of = (sum(column) for column in pair.columns)
        seen = (difference.estimate.n, part / of, other_part / other_of, difference.estimate)
        verdict = judged.say("the arm", "the whole", ahead=(difference.estimate.value or 0.0) > 0)
        told = (significance_of(difference), judged.test.p_value, judged.p_adjusted, verdict)
        body.append((*arm.who, shown, *seen, *told))
    return Table(
        id="ablation",
        title=_ablation_title(verdicts),
        columns=plain_columns(*WHO, "axis", "n", "arm", "whole", "arm − whole", "call", "p", "p (Holm)", "verdict"),
        rows=tuple(body),
        note=f"paired by question, 95% by clip, {resamples:,} resamples, seed {SEED}; above 0 the arm is better; call: "
        "the paper's, by the interval of each alone; verdict: by the test, p after Holm over the "
        f"{len(body)} comparisons of this table at most 5%",
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


def _ablation_title(verdicts: Sequence[PairVerdict]) -> str:
    """Describe in how many comparisons a difference is seen; where it could be in none, that clips are too few."""
    if not verdicts:
        return "No ablation: nobody was measured on the whole input and on a part of it"
    made = f"{count(len(verdicts), 'comparison')} with the whole input"
    kept, few = sum(each.separable is True for each in verdicts), [each for each in verdicts if each.lacking]
    if kept:
        return f"A difference is seen in {kept} of {made}"
    if not few:
        return f"No difference is seen in {made}"
    sizes = sorted({min(each.test.clusters for each in few), max(each.test.clusters for each in few)})
    there = f"{' to '.join(f'{size:,}' for size in sizes)}, needs {few[0].lacking:,}"
    return f"Too few clips to decide {len(few)} of {made}: {there}"


def arm_pairs(lines: Sequence[CellLine]) -> list[tuple[CellLine, CellLine]]:
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
        wanted = _items_wanted(more, gaps) if more else _clusters_wanted(pair) or _items_wanted(more, gaps)
        figures = (found.n, found, seen, needed, more, wanted)
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


def _clusters_wanted(pair: PairedScores[str]) -> str:
    """Describe how many clusters a test of this pair alone takes, where there are fewer; empty where there are not."""
    (judged,) = judge_pairs([pair])
    return judged.say(pair.first_label, pair.second_label, ahead=True) if judged.lacking else ""


def _power_title(body: Sequence[tuple[TableCell, ...]]) -> str:
    """Describe how many items more it takes to tell the best two apart on every axis."""
    if not body:
        return "Nobody to tell apart"
    wanting = [(more, axis) for axis, *_, more, _ in body if isinstance(more, int) and more]
    if not wanting:
        return "More items would change nothing"
    most, axis = max(wanting)
    return f"{len(wanting)} of {len(body)} axes need more items to tell the best two apart; {axis} {most:,} more"
