"""Rows → the paper's tables: scores (3), types of edit (8, Figure 10), complexity (Figure 4), metrics (Figure 5)."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from cutscore.benchmarks.covebench.analysis.audit_tables import audit_tables
from cutscore.benchmarks.covebench.analysis.composition import composition_table, pairs_table
from cutscore.benchmarks.covebench.analysis.coverage_tables import coverage_table, modes_table
from cutscore.benchmarks.covebench.analysis.dimension_table import DIMENSIONS, dimension_table
from cutscore.benchmarks.covebench.analysis.duration_table import duration_table
from cutscore.benchmarks.covebench.analysis.efficiency_table import efficiency_table
from cutscore.benchmarks.covebench.analysis.error_table import errors_table
from cutscore.benchmarks.covebench.analysis.length_tables import length_tables
from cutscore.benchmarks.covebench.analysis.published_tables import published, published_tables
from cutscore.benchmarks.covebench.scores import SCORES
from cutscore.core.card import Card
from cutscore.core.estimate import Estimate
from cutscore.core.finding import score_key
from cutscore.core.row import Row
from cutscore.core.table import Table, TableCell
from cutscore.results.tables.lines import CellLine, cell_lines, plain_columns
from cutscore.results.tables.score_tables import group_table, scores_table
from cutscore.stats.correlation import spearman_rho

MODE = "reference"  # the mode of the published scores
PERCENT = (0.0, 100.0)
SCALES: Mapping[str, tuple[float, float]] = dict.fromkeys(SCORES, PERCENT)
TASKS = 626  # of the full file
RESAMPLES = 1_000  # of a rank correlation: sixteen scores of ten editors are 120 pairs of 6,260 tasks
FEWEST_SUBJECTS, FEWEST_TASKS = 4, 8  # from which on a rank correlation says anything


def tables(rows: Sequence[Row], card: Card) -> list[Table]:
    """Return the tables of the paper, ours and the published ones."""
    lines = cell_lines(rows, plan=card.frames)
    note = f"{MODE}; per cent, 95% by source video; what nobody answered is left out, as the released code does"
    types = published()["columns_8"]
    clip = {line.label: mean for line in lines if (mean := line.mean(score_key("clip", MODE))) is not None}
    return [
        scores_table("scores", "Scores", lines, SCORES, mode=MODE, compared=("ifs", "vrs"), note=note, scales=SCALES),
        dimension_table(lines, card, MODE),
        coverage_table(lines),
        modes_table(lines),
        *(_types_table(unit, about, lines, types) for unit, about in UNITS.items()),
        relative_types(lines, types),
        _complexity(lines, "edit_points", "By number of edit points", card),
        _complexity(lines, "words", "By words of the instruction", card),
        *length_tables(lines, MODE),
        duration_table(lines),
        metric_ranks(lines),
        errors_table(lines),
        *audit_tables(lines),
        composition_table(lines, MODE),
        pairs_table(lines, types),
        efficiency_table(rows),
        *published_tables(clip),
    ]


UNITS = {
    "entry": "an edit counts by the questions on its own type, which fits the published percentages",
    "union": "an edit counts by all questions of its point, realism included, as the paper's words say",
}


def _types_table(unit: str, about: str, lines: Sequence[CellLine], types: Sequence[str]) -> Table:
    there = {name for line in lines for mark in line.marks for name in mark.found}
    names = [name for name in (f"{unit}/{each}" for each in types) if name in there]
    scales, title = dict.fromkeys(names, PERCENT), f"By type of edit ({unit})"
    note = f"{about}; edits {describe_entries(lines, types)}" if unit == "entry" else about
    made = scores_table(f"types-{unit}", title, lines, names, mode="", compared=names, note=note, scales=scales)
    plain = tuple(each.model_copy(update={"name": each.name.removeprefix(f"{unit}/")}) for each in made.columns)
    drawn = made.plot and made.plot.model_copy(update={"values": tuple(each.name for each in plain[-len(names) :])})
    named = made.title.replace(f"{unit}/", "")
    return made.model_copy(update={"columns": plain, "plot": drawn, "title": named, "paper": "Table 8"})


def describe_entries(lines: Sequence[CellLine], types: Sequence[str]) -> str:
    """Write how many edits of each type were counted beside the full file, and whether all of its tasks fit it.

    The most that any subject has is what the checklist holds, where every question has an answer.
    """
    found = {name: max((_count_entries(line, name) for line in lines), default=0) for name in types}
    full = dict(zip(types, published()["entries_8"], strict=True))
    tasks = max((len({mark.item for mark in line.marks}) for line in lines), default=0)
    other = ", ".join(name for name in types if found[name] != full[name])
    remark = f"; other than in print: {other}" if tasks == TASKS and other else ""
    return f"counted: {'/'.join(map(str, found.values()))}; full file: {'/'.join(map(str, full.values()))}{remark}"


def _count_entries(line: CellLine, name: str) -> int:
    return round(sum((line.wholes(f"entry/{name}") or {}).values()))


def relative_types(lines: Sequence[CellLine], types: Sequence[str]) -> Table:
    """Return how subjects stand on each type of edit between the worst, 0, and the best, 1, of those measured."""
    who = [line for line in lines if line.competes]
    body: list[tuple[TableCell, ...]] = []
    for name in types:
        means = {line.label: mean for line in who if (mean := line.mean(f"entry/{name}")) is not None}
        if len(means) < 2 or max(means.values()) == min(means.values()):
            continue
        low, high = min(means.values()), max(means.values())
        body += [(name, label, (mean - low) / (high - low), mean) for label, mean in sorted(means.items())]
    return Table(
        id="relative-types",
        title="Strengths beside each other" if body else "Fewer than two subjects differ on any type of edit",
        columns=plain_columns("type", "subject", "relative", "per cent"),
        rows=tuple(body),
        note="0 is the worst and 1 the best of those who were measured, on each type by itself",
        paper="Figure 10",
    )


def _complexity(lines: Sequence[CellLine], group: str, title: str, card: Card) -> Table:
    order = sorted({mark.groups.get(group, "") for line in lines for mark in line.marks}, key=_first_number)
    made = group_table(group.replace("_", "-"), title, lines, group, order, score=score_key("acc", MODE), note="acc")
    return made.model_copy(update={"paper": "Figure 4"})


def _first_number(text: str) -> tuple[int, str]:
    digits = text.partition("–")[0]
    return (int(digits), text) if digits.isdecimal() else (-1, text)


def metric_ranks(lines: Sequence[CellLine]) -> Table:
    """Return how alike every two scores rank: over subjects, as the paper does, and over tasks of all subjects."""
    who = [line for line in lines if line.competes]
    body: list[tuple[TableCell, ...]] = []
    metrics = [name for each in DIMENSIONS.values() for name in each if name not in SCORES]
    measured = [name for name in metrics if any(line.mean(score_key(name, MODE)) is not None for line in who)]
    for one, other in combinations([*SCORES, *measured], 2):
        keys = score_key(one, MODE), score_key(other, MODE)
        subjects = [(line.label, line.mean(keys[0]), line.mean(keys[1])) for line in who]
        tasks = [triple for line in who for triple in _by_cluster(line, *keys)]
        body.append((one, other, _rho(subjects, FEWEST_SUBJECTS), _rho(tasks, FEWEST_TASKS)))
    return Table(
        id="ranks",
        title=f"How alike scores rank {len(who)} subjects and their tasks",
        columns=plain_columns("score", "other", "over subjects", "over tasks"),
        rows=tuple(body),
        note=f"Spearman's rho, 95% of {RESAMPLES:,} resamples by source video; blank over fewer than {FEWEST_SUBJECTS} "
        "subjects, and where a score is the same for all",
        paper="Figure 5",
    )


def _by_cluster(line: CellLine, one: str, other: str) -> list[tuple[str, float | None, float | None]]:
    first, second, clusters = line.by_item(one), line.by_item(other), line.clusters()
    return [(clusters[item], value, second.get(item)) for item, value in first.items()]


def _rho(triples: Sequence[tuple[str, float | None, float | None]], fewest: int) -> Estimate | None:
    """Return the rank correlation of what has both scores; None where that is too few, or all alike."""
    whole = [(cluster, one, other) for cluster, one, other in triples if one is not None and other is not None]
    if len(whole) < fewest:
        return None
    clusters, first, second = zip(*whole, strict=True)
    found = spearman_rho(first, second, clusters, resamples=RESAMPLES)
    return found if found.value is not None else None
