"""Tables that say what a mean hides: readiness to flag, coins, thresholds, length, ways to fail, missing samples.

They read findings by name, whatever the benchmark: `suspicion` and `verdict …` with `error …` and `twin …`; `pair …`
and `always_before`; `step_f1_at_…` and `template`; `negation_differs`, `pasted_transcript`, `stuffed_terms` and
`said_in_transcript`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from cutscore.core.estimate import Estimate
from cutscore.core.table import Column, Table, TableCell
from cutscore.results.tables.lines import WHO, CellLine, MarkValue, SampleMark, item_means, plain_columns, score_reader
from cutscore.results.tables.means import mean_table
from cutscore.stats.correlation import spearman_rho
from cutscore.stats.detection import auc, detection
from cutscore.stats.intervals import estimate

NOT_FLAGGED = ("accepted", "hedged", "none")
RHO_RESAMPLES = 1_000  # ranks are made anew in each
COIN = 0.5
CONTROLS = ("pasted_transcript", "stuffed_terms")
WRONG = 0.5  # an answer in words below this F1 counts as wrong in the table of failures


def description_outcome(mark: SampleMark) -> tuple[str, str, float] | None:
    """Return what a mark about a description is of: `error` or `twin`, the kind of error, and the value."""
    for name, value in mark.found.items():
        kind, _, part = name.partition(" ")
        if kind in ("error", "twin"):
            return kind, part, value
    return None


def twins(lines: Sequence[CellLine]) -> Table:
    """Tell detection from readiness to flag, where wrong descriptions have correct twins.

    Hedges and silence are not flags in hits, false alarms, d′ and criterion, and are wrong in balanced accuracy. For
    AUC they lie between a flag and an acceptance.
    """
    body: list[tuple[TableCell, ...]] = []
    competing: list[Estimate | None] = []
    for line in lines:
        marks = [mark for mark in line.marks if description_outcome(mark)]
        wrong = {mark.item for mark in marks if _is_wrong(mark)}
        said = item_means(marks, score_reader("suspicion"))
        if not wrong or len(wrong) == len(said):
            continue
        truth, clusters = [item in wrong for item in said], [cluster for _, cluster in said.values()]
        flags = _values(marks, lambda mark: float(mark.found["suspicion"] == 1.0))
        found = detection(truth, flags, clusters, name=line.label)
        balanced = mean_table([line], ("error", "twin"), _half, composite=True).composites.get(0)
        apart = auc(truth, _values(marks, score_reader("suspicion")), clusters)
        told = (found.hits, found.false_alarms, balanced, found.d_prime, found.criterion, apart)
        body.append((*line.who, sum(truth), len(truth) - sum(truth), *told))
        competing += [found.d_prime] if line.competes else []
    finding = f"{_above(competing, 0.0)} of {len(competing)} tell wrong descriptions from correct ones"
    return Table(
        id="twins",
        title=finding if body else "No correct twins: detection may be mere flagging",
        columns=plain_columns(
            *(*WHO, "n wrong", "n correct", "hits", "false alarms", "balanced accuracy", "d′", "criterion", "AUC"),
        ),
        rows=tuple(body),
        note="d′ 0 and AUC 0.5 are chance; criterion below 0 flags too readily; 95% by clip, log-linear correction",
    )


def _above(found: Sequence[Estimate | None], level: float) -> int:
    """Count the estimates whose whole interval lies above a level."""
    return sum(each is not None and each.low is not None and each.low > level for each in found)


def _half(mark: SampleMark) -> tuple[str, float] | None:
    found = description_outcome(mark)
    return found and (found[0], found[2])


def _is_wrong(mark: SampleMark) -> bool:
    """Return whether the description that a mark is about is a wrong one."""
    return any(name.startswith("error ") for name in mark.found)


def orders(lines: Sequence[CellLine], axis: str) -> Table:
    """Show answers to before-or-after questions beside a coin, and whether both ways of asking get one answer."""
    body: list[tuple[TableCell, ...]] = []
    competing: list[Estimate | None] = []
    for line in lines:
        right = item_means(line.marks, score_reader(axis))
        if not right:
            continue
        golds = line.by_item("always_before").values()
        before = sum(golds) / len(golds) if golds else None
        agree = _agreement(line.marks)
        same = _share(agree.values(), "consistency")
        body.append((*line.who, accuracy := _share(right.values(), axis), COIN, before, same))
        competing += [accuracy] if line.competes else []
    return Table(
        id="order",
        title=f"{_above(competing, COIN)} of {len(competing)} tell order better than a coin",
        columns=plain_columns(*WHO, "accuracy", "chance", "gold is before", "consistency"),
        rows=tuple(body),
        note="consistency: share of pairs asked both ways that got one and the same order; 95% by clip",
    )


def _agreement(marks: Sequence[SampleMark]) -> dict[str, tuple[float, str]]:
    """Return for every pair that was asked both ways how often, over epochs, both got one and the same order."""
    claims: dict[tuple[str, int], list[float]] = defaultdict(list)
    clusters: dict[str, str] = {}
    for mark in marks:
        for name in (name for name in mark.found if name.startswith("pair ")):
            claims[name, mark.epoch].append(mark.found[name])
            clusters[name] = mark.cluster
    agree = [
        SampleMark(name, epoch, clusters[name], {}, {"same": float(set(said) in ({1.0}, {-1.0}))}, {})
        for (name, epoch), said in claims.items()
        if len(said) > 1
    ]
    return item_means(agree, score_reader("same"))


def thresholds(lines: Sequence[CellLine], axis: str) -> Table:
    """Show F1 of steps at other thresholds than the chosen one, and whose rank that would change."""
    prefix = "step_f1_at_"
    names = sorted({name for line in lines for mark in line.marks for name in mark.found if name.startswith(prefix)})
    asked = [line for line in lines if any(axis in mark.scores and prefix + "0.5" in mark.found for mark in line.marks)]
    body: list[tuple[TableCell, ...]] = []
    means = {name: [line.mean(name) or 0.0 for line in asked] for name in names}
    ranks = {name: [1 + sum(other > mine for other in values) for mine in values] for name, values in means.items()}
    moved = 0
    for number, line in enumerate(asked):
        mine = [ranks[name][number] for name in names]
        moved += len(set(mine)) > 1
        shown = "–".join(map(str, dict.fromkeys((min(mine), max(mine)))))
        body.append((*line.who, *(means[name][number] for name in names), shown))
    return Table(
        id="step-thresholds",
        title=f"The threshold of step matching changes the rank of {moved} of {len(asked)}",
        columns=plain_columns(*WHO, *(name.removeprefix(prefix) for name in names), "ranks"),
        rows=tuple(body),
        note="mean F1 if steps match from this similarity on; scores use 0.5",
    )


def lengths(lines: Sequence[CellLine], axes: Sequence[str], *, robust: str) -> Table:
    """Show whether long answers lose by their length: both scores of answers in words, and how they go with length.

    Controls are lines of their own: what the pasted transcript and its sorted words would get.
    """
    asked = [
        (line, [mark for mark in line.marks if robust in mark.scores and mark.groups.get("axis") in axes])
        for line in lines
        if not line.computed
    ]
    asked = [(line, marks) for line, marks in asked if marks]
    body = [(*line.who, *_length_cells(marks, robust)) for line, marks in asked]
    rivals = [cells for (line, _), cells in zip(asked, body, strict=True) if line.competes]
    paper, other = (sum(_is_below_zero(cells[place]) for cells in rivals) for place in (-3, -2))
    for name in CONTROLS:
        body += _control_row(name, [marks for _, marks in asked])
    return Table(
        id="length",
        title=f"Longer answers score lower for {paper} of {len(rivals)} by the paper's score, "
        f"for {other} by their best stretch",
        columns=(
            *plain_columns(*WHO),
            Column(name="words", digits=1),
            *plain_columns("paper", "robust", "paper × length", "robust × length", "negation differs"),
        ),
        rows=tuple(body),
        note="× length: Spearman's rho of score and number of words; negation differs: share of answers; 95% by clip",
    )


def _length_cells(marks: Sequence[SampleMark], robust: str) -> tuple[TableCell, ...]:
    """Return words, both scores, how each goes with length, and how often negation differs."""
    scores = [_values(marks, score_reader(key)) for key in ("score", robust)]
    said = _values(marks, lambda mark: float(mark.length))
    negated = _values(marks, score_reader("negation_differs"))
    clusters = [cluster for _, cluster in item_means(marks, score_reader(robust)).values()]
    both = [estimate(values, clusters, name=name) for values, name in zip(scores, ("paper", "robust"), strict=True)]
    rho = [spearman_rho(values, said, clusters, resamples=RHO_RESAMPLES) for values in scores]
    return sum(said) / len(said), *both, *rho, sum(negated) / len(negated) if negated else None


def _is_below_zero(cell: TableCell) -> bool:
    return isinstance(cell, Estimate) and cell.high is not None and cell.high < 0


def _control_row(name: str, asked: Sequence[Sequence[SampleMark]]) -> Iterator[tuple[TableCell, ...]]:
    """Return the row of a fixed answer, from the first line whose marks tell what it gets."""
    for marks in asked:
        paper, best = (item_means(marks, score_reader(key)) for key in (name, f"{name}_robust"))
        if paper:
            clusters = [cluster for _, cluster in paper.values()]
            scores = [value for value, _ in paper.values()], [best[item][0] for item in paper]
            both = [estimate(values, clusters, name=name) for values in scores]
            yield (f"control: {name.replace('_', ' ')}", "", "", None, *both, None, None, None)
            return


def _values(marks: Sequence[SampleMark], value: MarkValue) -> list[float]:
    return [mean for mean, _ in item_means(marks, value).values()]


def failures(lines: Sequence[CellLine]) -> Table:
    """Show how answers fail: by the usual template, by repeating what was said, by accepting, hedging or silence."""
    body: list[tuple[TableCell, ...]] = []
    accepted: dict[str, float] = {}
    for line in lines:
        usual = item_means(line.marks, score_reader("template"))
        copied = item_means(line.marks, _copied_share)
        wrong = [mark for mark in line.marks if _is_wrong(mark)]
        kinds = [item_means(wrong, _was(kind)) for kind in NOT_FLAGGED]
        if usual or copied or wrong:
            shares = [_share(each.values(), "share") for each in (usual, copied, *kinds)]
            body.append((*line.who, *shares))
            if line.competes and shares[2] and shares[2].value:
                accepted[line.label] = shares[2].value
    ready = max(accepted, key=lambda label: accepted[label], default="")
    return Table(
        id="failures",
        title=f"{ready} accepts most wrong descriptions" if ready else "Nobody accepts a wrong description",
        columns=plain_columns(
            *(*WHO, "steps from the template", "wrong answers' words from the transcript"),
            *(f"wrong descriptions: {kind}" for kind in NOT_FLAGGED),
        ),
        rows=tuple(body),
        note=f"an answer about what is seen is wrong below an F1 of {WRONG:g}; 95% by clip",
    )


def _was(kind: str) -> MarkValue:
    return lambda mark: float(f"verdict {kind}" in mark.found)


def _copied_share(mark: SampleMark) -> float | None:
    """Return the share of words that were said in the clip, of a wrong answer about what is only seen."""
    wrong = mark.scores.get("cross_modal_grounding", 1.0) < WRONG
    return mark.found.get("said_in_transcript") if wrong else None


def _share(values: Iterable[tuple[float, str]], name: str) -> Estimate | None:
    shares = list(values)
    return estimate([value for value, _ in shares], [cluster for _, cluster in shares], name=name) if shares else None


def coverage(lines: Sequence[CellLine], axes: Sequence[str]) -> Table:
    """Count marked and unscored samples by axis, with the most frequent cause."""
    body: list[tuple[TableCell, ...]] = []
    for line in lines:
        for axis in axes:
            marks = [mark for mark in line.marks if mark.groups.get("axis") == axis]
            causes = Counter(mark.because for mark in marks if mark.because)
            cause = causes.most_common(1)[0][0] if causes else ""
            body.append((*line.who, axis, len(marks), len(marks) - causes.total(), causes.total(), cause))
    lost = sum(bool(mark.because) for line in lines for mark in line.marks)
    return Table(
        id="coverage",
        title=f"{lost} samples are unscored" if lost else "Every sample is marked",
        columns=plain_columns(*WHO, "axis", "asked", "marked", "unscored", "most frequent cause"),
        rows=tuple(body),
        note="samples: each item as often as it was asked",
    )
