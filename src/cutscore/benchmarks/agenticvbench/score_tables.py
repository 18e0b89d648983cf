"""Who stands where: Figure 2 with people, Figure 4 at a fixed model, section 3.4, and what scores vary by."""

from collections.abc import Mapping, Sequence

from cutscore.benchmarks.agenticvbench.families import (
    FAMILY,
    HUMAN,
    SCORE,
    Family,
    in_family,
    merge_people,
    merge_stacks,
)
from cutscore.core.estimate import Estimate
from cutscore.core.table import Column, Plot, Table, TableCell
from cutscore.results.tables.differences import line_difference
from cutscore.results.tables.lifts import lift_table
from cutscore.results.tables.lines import CellLine, SampleMark, plain_columns
from cutscore.results.tables.means import mean_table
from cutscore.results.tables.pooled_lines import in_points
from cutscore.results.wording import number
from cutscore.stats.variance import COMPONENTS, RepeatedScore, split_variance

NOTE = "headline of each family in the paper's mode; 95% by clusters of each family"
TASK_MEAN, FAMILY_MEAN, GAP = "task mean", "family mean", "gap"
TOP = 5  # stacks of each family that section 3.4 looks at
RESAMPLES = 2_000  # of the split of variance, which takes long


def overall_table(families: Sequence[Family]) -> Table:
    """Return the score of each stack by family and overall, people below, and each stack's gap to them in points.

    Overall is given twice, since the paper does not say how: over tasks, and over families, each of which weighs the
    same. Who lacks a family has neither. The gap is paired by task, on the tasks that people did, too.
    """
    people = merge_people(families)
    lines = [*merge_stacks(families), *([people] if people else [])]
    names = [family.name for family in families]
    by_family = mean_table(lines, names, _by_family, composite=True, asked=lambda mark: mark.groups[FAMILY])
    by_task = mean_table(lines, [TASK_MEAN], _together, asked=lambda _: TASK_MEAN)
    body: list[tuple[TableCell, ...]] = []
    for place, line in enumerate(lines):
        whole = by_family.composites.get(place)
        gap = None if people is None or line is people else line_difference(line, people, SCORE).estimate
        cells = [by_family.cells.get((place, name)) for name in names]
        over = by_task.cells.get((place, TASK_MEAN)) if whole else None
        body.append((line.subject, line.model, *cells, over, whole, gap if gap is None else in_points(gap)))
    return Table(
        id="overall",
        title=_overall_title(body),
        columns=(
            *plain_columns("subject", "model", *names, TASK_MEAN, FAMILY_MEAN),
            Column(name=GAP, digits=1, unit="points"),
        ),
        rows=tuple(body),
        note=f"{NOTE}; {TASK_MEAN}: every task weighs the same; {FAMILY_MEAN}: every family does; {GAP}: stack minus"
        " people, paired by task, on the tasks that both did",
        paper="Figure 2",
        plot=Plot(values=(*names, FAMILY_MEAN), labels=("subject", "model"), reference=HUMAN),
    )


def _by_family(mark: SampleMark) -> tuple[str, float] | None:
    return (mark.groups[FAMILY], mark.scores[SCORE]) if mark.scores else None


def _together(mark: SampleMark) -> tuple[str, float] | None:
    return (TASK_MEAN, mark.scores[SCORE]) if mark.scores else None


def _overall_title(body: Sequence[tuple[TableCell, ...]]) -> str:
    best: list[str] = []
    rivals: set[str] = set()
    for place in (-3, -2):
        found = [(each.value, f"{row[0]} {row[1]}".strip()) for row in body if isinstance(each := row[place], Estimate)]
        ranked = [(value, who) for value, who in found if value is not None and not who.startswith("human")]
        best += [max(ranked)[1]] if ranked else []
        rivals |= {who for _, who in ranked}
    if not best:
        return "No stack was measured on every family"
    if len(rivals) == 1:
        return f"{best[0]} alone was measured on every family"
    if len(set(best)) == 1:
        return f"{best[0]} is the best overall, by tasks and by families"
    return f"Overall {best[0]} is the best by tasks, and {best[1]} by families"


def harness_spread_table(families: Sequence[Family]) -> Table:
    """Return, for each model that several harnesses ran, its score with each, and best minus worst in points."""
    lines = merge_stacks(families)
    subjects = sorted({line.subject for line in lines})
    body: list[tuple[TableCell, ...]] = []
    for model in sorted({line.model for line in lines if line.model}):
        for family in families:
            own = {line.subject: in_family(line, family.name) for line in lines if line.model == model}
            scored = {name: line for name, line in own.items() if line.mean(SCORE) is not None}
            body += _spread_row(model, family, scored, subjects)
    return Table(
        id="harness-spread",
        title=_spread_title(body),
        columns=(
            *plain_columns("model", FAMILY, *subjects, "best", "worst"),
            Column(name="spread", digits=1, unit="points"),
        ),
        rows=tuple(body),
        note=f"{NOTE}; spread: best minus worst harness of the model, paired by task; both were chosen by these scores,"
        " so it is above 0 by chance, too",
        paper="Figure 4",
        plot=Plot(values=("spread",), labels=("model", FAMILY), level=0.0, level_name="no difference", tight=True)
        if body
        else None,
    )


def _spread_row(
    model: str, family: Family, lines: Mapping[str, CellLine], subjects: Sequence[str]
) -> list[tuple[TableCell, ...]]:
    if len(lines) < 2:
        return []
    ranked = sorted(lines, key=lambda name: (-(lines[name].mean(SCORE) or 0.0), name))
    scores = mean_table(list(lines.values()), [family.name], _by_family, asked=lambda mark: mark.groups[FAMILY])
    cells = dict(zip(lines, (scores.cells.get((place, family.name)) for place in range(len(lines))), strict=True))
    spread = in_points(line_difference(lines[ranked[0]], lines[ranked[-1]], SCORE).estimate)
    ends = (ranked[0], ranked[-1]) if spread.value else ("", "")  # nobody is the best of equals
    return [(model, family.name, *(cells.get(name) for name in subjects), *ends, spread)]


def _spread_title(body: Sequence[tuple[TableCell, ...]]) -> str:
    found = [
        (each.value, row[0], row[1]) for row in body if isinstance(each := row[-1], Estimate) and each.value is not None
    ]
    if not found:
        return "No spread of harnesses: no model was measured with two of them"
    widest, model, family = max(found, key=lambda each: each[0])
    return f"The harness moves {model} most on {family}: by {number(widest, 1)} points"


def top_stacks(family: Family) -> list[CellLine]:
    """Return the best stacks of a family on the whole task, the best first."""
    ranked = sorted(family.stacks, key=lambda line: -(line.mean(family.key) or 0.0))
    return [line for line in ranked if line.mean(family.key) is not None][:TOP]


def top_lift_table(families: Sequence[Family]) -> Table:
    """Return what each variant of the task does to the best stacks of a family, mean over them in points."""
    body: list[tuple[TableCell, ...]] = []
    for family in families:
        best = {(line.subject, line.model) for line in top_stacks(family)}
        own = [line for line in family.lines if (line.subject, line.model) in best]
        lifts = lift_table(own, family.key, scale=family.scale)
        body += [(family.name, row[0], f"{row[1]} of {len(best)}", row[-1]) for row in lifts.rows]
    found = [(each.value, row[0], row[1]) for row in body if isinstance(each := row[-1], Estimate) and each.value]
    largest = max(found, key=lambda each: abs(each[0]), default=None)
    said = (
        ""
        if largest is None
        else f"'{largest[2]}' of {largest[1]} moves the best stacks most: {_signed(largest[0])} points"
    )
    return Table(
        id="top-lift",
        title=said or "No lift: none of the best stacks was measured on a variant of the task",
        columns=(*plain_columns(FAMILY, "arm", "stacks"), Column(name="mean lift", digits=1, unit="points")),
        rows=tuple(body),
        note=f"arm minus whole task, paired by item, mean over those of the {TOP} best stacks of the family that have"
        " the arm, on the items that all of them have; 95% by cluster",
        paper="§3.4",
    )


def _signed(value: float) -> str:
    return ("+" if value > 0 else "") + number(value, 1)


def variance_table(families: Sequence[Family]) -> Table:
    """Return by what the scores of a family vary: the share of each component in the variance of one score."""
    body: list[tuple[TableCell, ...]] = []
    for family in families:
        scores = [
            RepeatedScore(line.model, line.subject, mark.item, mark.cluster, mark.scores[family.key])
            for line in family.stacks
            if line.model
            for mark in line.marks
            if family.key in mark.scores
        ]
        split = split_variance(scores, resamples=RESAMPLES)
        if split.variance is not None:
            body.append((family.name, split.variance, *(split.shares.get(name) for name in COMPONENTS)))
    largest = [max(_known(row), key=lambda each: each[0])[1] for row in body]
    told = ", ".join(f"{what} on {row[0]}" for what, row in zip(largest, body, strict=True))
    return Table(
        id="variance",
        title=f"Most of the variance goes with {told}"
        if told
        else "No split of variance: it takes stacks with several tasks of a family, and scores that differ",
        columns=plain_columns(FAMILY, "variance", *COMPONENTS),
        rows=tuple(body),
        note="shares of the variance of one score, by Henderson's method 3; blank: not told apart from another; 95% by"
        f" clusters of tasks, {RESAMPLES:,} resamples, with models and harnesses as they are",
        plot=Plot(values=COMPONENTS, labels=(FAMILY,)) if body else None,
    )


def _known(row: tuple[TableCell, ...]) -> list[tuple[float, str]]:
    found = zip(row[2:], COMPONENTS, strict=True)
    return [(each.value, name) for each, name in found if isinstance(each, Estimate) and each.value is not None]
