"""Rows → the paper's eight tables: clips (2), models (3), leaderboard (4), error types (6), domains (7), durations (8).

Table 1 comes from `related_benchmarks`, tables of differences (5 among them) from `results.tables`, those without a
counterpart in the paper (twins, order …) from `response_audits`, and the paper's own sums from `published_figures`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from cutscore.benchmarks.vidwork.answers.verdict import SUSPICION, Verdict
from cutscore.benchmarks.vidwork.dataset import AXES, BUCKETS, DOMAINS, ERROR_TYPES, UNKNOWN, empty_cells
from cutscore.benchmarks.vidwork.paper_ablation import ablation_by_item
from cutscore.benchmarks.vidwork.published_figures import published_figures
from cutscore.benchmarks.vidwork.related_benchmarks import related_benchmarks
from cutscore.benchmarks.vidwork.response_audits import (
    coverage,
    description_outcome,
    failures,
    lengths,
    orders,
    thresholds,
    twins,
)
from cutscore.core.arm import most_frames
from cutscore.core.card import Card
from cutscore.core.estimate import Estimate
from cutscore.core.row import Row
from cutscore.core.table import Plot, Table
from cutscore.results.tables.differences import ablation_table, best_gap_table, power_table
from cutscore.results.tables.lines import WHO, CellLine, SampleMark, cell_lines, constant_line, plain_columns
from cutscore.results.tables.means import describe_easiest, item_mean_table, mean_table
from cutscore.results.tables.model_families import family_gap_table, model_family

TOO_FEW = 3  # items of an error type up to which it is shown and not ranked
ALL = "weighted mean"
TWINS = "none: correct twins"
WITHOUT_ERRORS = AXES[:-1]

SHORT = dict(zip(AXES, ("step", "temporal", "causal", "cross-modal", "error"), strict=True))
KINDS = {f"error {kind}": f"error: {kind}" for kind in ERROR_TYPES}


def tables(rows: Sequence[Row], card: Card, *, min_coverage: float = 1.0) -> list[Table]:
    """Return all tables; a composite needs at least this share of marked samples on each axis, and its note says so."""
    measured = cell_lines(rows, plan=card.frames)
    rivals, lines = [line for line in measured if line.competes], [*measured, *constant_lines(measured)]
    return [
        clips(measured),
        leaderboard(lines, min_coverage=min_coverage),
        leaderboard(lines, min_coverage=min_coverage, by_item=True),
        ablation_table(measured, SHORT, paper="Table 5"),
        ablation_by_item(measured, SHORT),
        error_types(lines),
        best_gap_table(rivals, "error_detection", ERROR_TYPES),
        family_gap_table(rivals, SHORT, KINDS),
        by_group(lines, "domain", DOMAINS, paper="Table 7"),
        by_group(lines, "duration", (*BUCKETS, UNKNOWN), paper="Table 8"),
        twins(lines),
        orders(lines, "temporal_ordering"),
        thresholds(lines, "step_recognition"),
        lengths(lines, ("causal_reasoning", "cross_modal_grounding"), robust="key_terms_robust"),
        failures(lines),
        power_table(rivals, SHORT),
        coverage(measured, AXES),
        matrix(lines),
        models(measured),
        related_benchmarks(measured),
        published_figures(),
    ]


def constant_lines(measured: Sequence[CellLine]) -> list[CellLine]:
    """Return the lines of those who flag every description, and who say `before` to every question of order."""
    return [
        constant_line("always-flag", measured, lambda mark: _constant_mark(mark, "always_flag", verdict="flagged")),
        constant_line("always-before", measured, lambda mark: _constant_mark(mark, "always_before", verdict="none")),
    ]


def _constant_mark(mark: SampleMark, name: str, *, verdict: Verdict) -> SampleMark:
    """Return the mark of a fixed answer to the same item; where it is about a description, with that verdict."""
    value, of = mark.found.get(name, 0.0), description_outcome(mark)
    found = {name: value for name, value in mark.found.items() if name == "always_before"}
    if of is not None:
        found |= {f"{of[0]} {of[1]}": value, f"verdict {verdict}": 1.0, "suspicion": SUSPICION[verdict]}
    return replace(mark, scores=dict.fromkeys(mark.scores, value), found=found)


def axis_score(mark: SampleMark) -> tuple[str, float] | None:
    """Return the axis of a mark with its score; None for a correct twin, which is on no axis of the paper's."""
    axis = _axis(mark)
    return (axis, mark.scores[axis]) if axis in mark.scores else None


def _axis(mark: SampleMark) -> str:
    return mark.groups.get("axis", "")


def leaderboard(lines: Sequence[CellLine], *, min_coverage: float = 1.0, by_item: bool = False) -> Table:
    """Return axes and their unweighted mean, blank for a line that does not cover all five (Table 4).

    Whole lines come first, the best on top; below them lines of other input, then fixed answers. Neither competes.
    """
    if by_item:
        found = item_mean_table(lines, AXES, axis_score, asked=_axis)
    else:
        found = mean_table(lines, AXES, axis_score, composite=True, asked=_axis)
    covered = {
        number: each for number, each in found.composites.items() if _least_coverage(lines[number]) >= min_coverage
    }
    means = {number: each.value for number, each in covered.items() if each.value is not None}

    def place(number: int) -> tuple[bool, bool, float, str]:
        line = lines[number]
        return line.computed, not line.whole, -means.get(number, -1.0), line.label

    order = sorted(range(len(lines)), key=place)
    body = [
        (
            *lines[number].who,
            *(found.cells.get((number, axis)) for axis in AXES),
            covered.get(number),
            lines[number].remark,
        )
        for number in order
    ]
    best = next((number for number in order if lines[number].competes and number in means), None)
    led = f"{lines[best].label} has the highest composite, {means[best]:.3f}" if best is not None else ""
    drawn = "item, plain percentiles of 10,000 resamples, seed 42, as in the paper" if by_item else "clip"
    return Table(
        id="leaderboard-by-item" if by_item else "leaderboard",
        title=led or "Nobody covers all five axes",
        columns=plain_columns(*WHO, *SHORT.values(), "composite", "remark"),
        rows=tuple(body),
        note=f"95% by {drawn}; composite: unweighted mean of the axes, from a coverage of {min_coverage:g} on",
        paper="Table 4",
        plot=None if by_item else Plot(values=("composite", *SHORT.values()), labels=WHO),
    )


def _least_coverage(line: CellLine) -> float:
    """Return the smallest share of marked samples on an axis."""
    asked = Counter(map(_axis, line.marks))
    scored = Counter(_axis(mark) for mark in line.marks if mark.scores)
    return min((scored[axis] / asked[axis] if asked[axis] else 0.0) for axis in AXES)


def error_types(lines: Sequence[CellLine]) -> Table:
    """Return the share of flagged wrong descriptions by what is wrong in them (Table 6), and of flagged correct twins.

    To flag most is no merit by itself, so nobody is called the best, and the title has both shares.
    """
    asked = [line for line in lines if any(map(_flag, line.marks))]
    asked.sort(key=lambda line: (line.computed, not line.whole, -(line.mean("error_detection") or 0.0)))
    found = mean_table(asked, ERROR_TYPES, _flag)
    whole = mean_table(asked, (ALL,), lambda mark: (flag := _flag(mark)) and (ALL, flag[1]))
    body = []
    for name in ERROR_TYPES:
        cells = [found.cells.get((number, name)) for number in range(len(asked))]
        n = max((cell.n for cell in cells if cell), default=0)
        body.append((name, n, *cells, _most_flags(asked, cells) if n > TOO_FEW else "not ranked" if n else ""))
    means = [whole.cells.get((number, ALL)) for number in range(len(asked))]
    most = _most_flags(asked, means)
    body.append((ALL, max((cell.n for cell in means if cell), default=0), *means, most))
    flagged = mean_table(asked, (TWINS,), _twin_flag)
    alarms = [flagged.cells.get((number, TWINS)) for number in range(len(asked))]
    if any(alarms):
        body.append((TWINS, max(cell.n for cell in alarms if cell), *alarms, ""))
    return Table(
        id="error-types",
        title=_flags_title(most, {line.label: both for line, *both in zip(asked, means, alarms, strict=True)}),
        columns=plain_columns("error type", "n", *(line.label for line in asked), "flags most"),
        rows=tuple(body),
        note=f"types with n ≤ {TOO_FEW} are not ranked; flagging everything gets 1: see the table of twins",
        paper="Table 6",
        plot=Plot(values=tuple(line.label for line in asked), labels=("error type",)) if asked else None,
    )


def _flags_title(most: str, shares: Mapping[str, Sequence[Estimate | None]]) -> str:
    """Describe who flags most wrong descriptions, and how many correct ones, which tells finding from mere flagging."""
    if not most:
        return "No wrong description was shown"
    alarms = shares[most][1] if most in shares else None
    also = f", and {alarms.value:.0%} of the correct ones" if alarms and alarms.value is not None else ""
    return f"{most} flags most wrong descriptions{also}"


def _most_flags(lines: Sequence[CellLine], cells: Sequence[Estimate | None]) -> str:
    """Name who flags most, all of them when several do, among those who compete."""
    values = {line.label: cell.value for line, cell in zip(lines, cells, strict=True) if cell and line.competes}
    top = max((value for value in values.values() if value is not None), default=None)
    return ", ".join(label for label, value in values.items() if value is not None and value == top)


def _flag(mark: SampleMark) -> tuple[str, float] | None:
    """Return the kind of error of a wrong description, and whether it was flagged."""
    found = description_outcome(mark)
    return (found[1], found[2]) if found and found[0] == "error" else None


def _twin_flag(mark: SampleMark) -> tuple[str, float] | None:
    """Return whether a correct description was flagged."""
    found = description_outcome(mark)
    return (TWINS, float(mark.found.get("suspicion") == SUSPICION["flagged"])) if found and found[0] == "twin" else None


def by_group(lines: Sequence[CellLine], group: str, names: Sequence[str], *, paper: str) -> Table:
    """Return the mean over items of all axes but error detection, by stratum (Tables 7 and 8: weighted by items)."""

    def value(mark: SampleMark) -> tuple[str, float] | None:
        scored = axis_score(mark)
        return (mark.groups.get(group, ""), scored[1]) if scored and scored[0] in WITHOUT_ERRORS else None

    found = mean_table(lines, names, value)
    shown = [name for name in names if any((number, name) in found.cells for number in range(len(lines)))]
    rows = [(*line.who, *(found.cells.get((number, name)) for name in shown)) for number, line in enumerate(lines)]
    return Table(
        id=f"by-{group}",
        title=f"By {group}, without error detection: {describe_easiest(found, lines, shown)}",
        columns=plain_columns(*WHO, *shown),
        rows=tuple(rows),
        note="mean over items, whatever their axis; 95% by clip",
        paper=paper,
    )


def clips(lines: Sequence[CellLine]) -> Table:
    """Count the clips of each domain and duration (Table 2); a cell without any is named."""
    places = {
        (mark.cluster, mark.groups.get("domain", ""), mark.groups.get("duration", ""))
        for line in lines
        for mark in line.marks
    }
    counts: Mapping[tuple[str, str], int] = Counter((domain, length) for _, domain, length in places)
    empty = [f"{domain} × {length}" for domain, length in empty_cells(counts)]
    lengths = (*BUCKETS, UNKNOWN)
    return Table(
        id="clips",
        title=f"{len(empty)} of {len(DOMAINS) * len(BUCKETS)} cells have no clip" if empty else "Every cell has a clip",
        columns=plain_columns("domain", *lengths),
        rows=tuple((domain, *(counts[domain, length] for length in lengths)) for domain in DOMAINS),
        note="empty: " + ", ".join(empty) if empty else "a clip lies in the bucket with the nearest centre",
        paper="Table 2",
    )


def models(lines: Sequence[CellLine]) -> Table:
    """Return who was measured with how many frames, and on which axes (Table 3)."""
    body = []
    for line in lines:
        if line.computed:
            continue
        marked = [mark for mark in line.marks if mark.scores]
        axes = [short for axis, short in SHORT.items() if any(_axis(mark) == axis for mark in marked)]
        covered = "all five" if len(axes) == len(AXES) else ", ".join(axes) or "none"
        family = model_family(line.model) if line.model else ""
        items = {mark.item for mark in marked}
        counts = len(items), len({mark.item for mark in line.marks} - items)
        body.append((*line.who, family, most_frames(line.plan), covered, *counts, line.remark))
    counted = Counter(row[4] for row in body if row[1])
    even = "all with the same number of frames" if len(counted) < 2 else "not all with the same number of frames"
    names = {(row[0], row[1]) for row in body if row[1]}
    return Table(
        id="models",
        title=f"{len(names)} model{'' if len(names) == 1 else 's'} measured, {even}" if names else "No model measured",
        columns=plain_columns(*WHO, "family", "most frames", "axes", "items", "unscored", "remark"),
        rows=tuple(body),
        note="most frames: of one sample, by the frame plan; items: marked at least once; unscored: never",
        paper="Table 3",
    )


def matrix(lines: Sequence[CellLine]) -> Table:
    """Return every cell of line × domain × duration × axis, for export."""
    keys = [f"{domain}|{length}|{axis}" for domain in DOMAINS for length in (*BUCKETS, UNKNOWN) for axis in AXES]

    def value(mark: SampleMark) -> tuple[str, float] | None:
        scored = axis_score(mark)
        where = f"{mark.groups.get('domain')}|{mark.groups.get('duration')}"
        return (f"{where}|{scored[0]}", scored[1]) if scored else None

    found = mean_table(lines, keys, value)
    return Table(
        id="matrix",
        title="Every cell",
        columns=plain_columns(*WHO, "domain", "duration", "axis", "score"),
        rows=tuple((*lines[at].who, *key.split("|"), cell) for (at, key), cell in found.cells.items()),
        note="cells without items are left out; 95% by clip",
    )
