"""Tables that say what a mean hides: readiness to flag, coins, thresholds, length, ways to fail, missing samples.

They read findings by name, whatever the benchmark: `suspicion` and `verdict …` with `error …` and `twin …`; `pair …`
and `always_before`; `step_f1_at_…` and `template`; `negation_differs`, `pasted_transcript`, `stuffed_terms` and
`said_in_transcript`.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from cutscore.benchmarks._lines import Line, Mark, board, headed
from cutscore.core.estimate import Estimate
from cutscore.core.table import Cell, Table
from cutscore.stats.correlation import spearman_rho
from cutscore.stats.detection import auc, detection
from cutscore.stats.intervals import estimate

NOT_FLAGGED = ("accepted", "hedged", "none")
RHO_RESAMPLES = 1_000  # ranks are made anew in each
WRONG = 0.5  # an answer in words below this F1 counts as wrong in the table of failures


def described(mark: Mark) -> tuple[str, str, float] | None:
    """Give what a mark about a description is of: `error` or `twin`, the kind of error, and the value."""
    for name, value in mark.found.items():
        kind, _, part = name.partition(" ")
        if kind in ("error", "twin"):
            return kind, part, value
    return None


def twins(lines: Sequence[Line]) -> Table:
    """Tell detection from readiness to flag, where wrong descriptions have correct twins.

    Hedges and silence are not flags in hits, false alarms, d′ and criterion, and are wrong in balanced accuracy. For
    AUC they lie between a flag and an acceptance.
    """
    body: list[tuple[Cell, ...]] = []
    for line in lines:
        marks = [(of[0] == "error", mark) for mark in line.marks if (of := described(mark))]
        truth = [wrong for wrong, _ in marks]
        if not any(truth) or all(truth):
            continue
        clusters, said = [mark.cluster for _, mark in marks], [mark.found["suspicion"] for _, mark in marks]
        found = detection(truth, [each == 1.0 for each in said], clusters, name=line.label)
        balanced = board([line], ("error", "twin"), _half, composite=True).composites.get(0)
        counts = (line.subject, line.model, sum(truth), len(truth) - sum(truth))
        told = (found.hits, found.false_alarms, balanced, found.d_prime, found.criterion, auc(truth, said, clusters))
        body.append((*counts, *told))
    return Table(
        id="twins",
        title="Detection, apart from readiness to flag" if body else "No correct twins: detection may be mere flagging",
        columns=headed(
            *("subject", "model", "n wrong", "n correct", "hits", "false alarms", "balanced accuracy"),
            *("d′", "criterion", "AUC"),
        ),
        rows=tuple(body),
        note="d′ 0 and AUC 0.5 are chance; criterion below 0 flags too readily; 95% by clip, log-linear correction",
    )


def _half(mark: Mark) -> tuple[str, float] | None:
    found = described(mark)
    return found and (found[0], found[2])


def orders(lines: Sequence[Line], axis: str) -> Table:
    """Show answers to before-or-after questions beside a coin, and whether both ways of asking get one answer."""
    body: list[tuple[Cell, ...]] = []
    for line in lines:
        marks = [mark for mark in line.marks if axis in mark.scores]
        if not marks:
            continue
        clusters = [mark.cluster for mark in marks]
        right = estimate([mark.scores[axis] for mark in marks], clusters, name=axis)
        golds = [mark.found["always_before"] for mark in marks if "always_before" in mark.found]
        claims: dict[tuple[str, int], list[float]] = defaultdict(list)
        where: dict[tuple[str, int], str] = {}
        for mark in marks:
            for name in (name for name in mark.found if name.startswith("pair ")):
                claims[name, mark.epoch].append(mark.found[name])
                where[name, mark.epoch] = mark.cluster
        asked = [key for key, said in claims.items() if len(said) > 1]
        agree = [float(set(claims[key]) in ({1.0}, {-1.0})) for key in asked]
        same = estimate(agree, [where[key] for key in asked], name="consistency")
        before = sum(golds) / len(golds) if golds else None
        body.append((line.subject, line.model, right, 0.5, before, same if agree else None))
    return Table(
        id="order",
        title="Order questions beside a coin",
        columns=headed("subject", "model", "accuracy", "chance", "gold is before", "consistency"),
        rows=tuple(body),
        note="consistency: share of pairs asked both ways that got one and the same order; 95% by clip",
    )


def thresholds(lines: Sequence[Line], axis: str) -> Table:
    """Show F1 of steps at other thresholds than the chosen one, and whose rank that would change."""
    prefix = "step_f1_at_"
    names = sorted({name for line in lines for mark in line.marks for name in mark.found if name.startswith(prefix)})
    asked = [line for line in lines if any(axis in mark.scores and prefix + "0.5" in mark.found for mark in line.marks)]
    body: list[tuple[Cell, ...]] = []
    means = {name: [line.mean(name) or 0.0 for line in asked] for name in names}
    ranks = {name: [1 + sum(other > mine for other in values) for mine in values] for name, values in means.items()}
    moved = 0
    for number, line in enumerate(asked):
        mine = [ranks[name][number] for name in names]
        moved += len(set(mine)) > 1
        shown = "–".join(map(str, dict.fromkeys((min(mine), max(mine)))))
        body.append((line.subject, line.model, *(means[name][number] for name in names), shown))
    return Table(
        id="step-thresholds",
        title=f"The threshold of step matching changes the rank of {moved} of {len(asked)}",
        columns=headed("subject", "model", *(name.removeprefix(prefix) for name in names), "ranks"),
        rows=tuple(body),
        note="mean F1 if steps match from this similarity on; scores use 0.5",
    )


def lengths(lines: Sequence[Line], axes: Sequence[str], *, robust: str) -> Table:
    """Show whether long answers lose by their length: both scores of answers in words, and how they go with length.

    Controls are lines of their own: what the pasted transcript and its sorted words would get.
    """
    body: list[tuple[Cell, ...]] = []
    controls: dict[str, list[tuple[str, float, float]]] = {"pasted_transcript": [], "stuffed_terms": []}
    for line in lines:
        marks = [mark for mark in line.marks if robust in mark.scores and mark.groups.get("axis") in axes]
        if not marks or line.computed:
            continue
        clusters, said = [mark.cluster for mark in marks], [float(mark.length) for mark in marks]
        paper, other = ([mark.scores[key] for mark in marks if key in mark.scores] for key in ("score", robust))
        both = [estimate(values, clusters, name=name) for values, name in ((paper, "paper"), (other, "robust"))]
        rho = [spearman_rho(values, said, clusters, resamples=RHO_RESAMPLES) for values in (paper, other)]
        negated = sum(mark.found.get("negation_differs", 0.0) for mark in marks) / len(marks)
        body.append((line.subject, line.model, sum(said) / len(said), *both, *rho, negated))
        for name, got in controls.items():
            if not got:
                got.extend(
                    (mark.cluster, mark.found[name], mark.found[f"{name}_robust"])
                    for mark in marks
                    if name in mark.found
                )
    for name, got in controls.items():
        if got:
            clusters, whole, best = map(list, zip(*got, strict=True))
            both = [estimate(values, clusters, name=name) for values in (whole, best)]
            body.append((f"control: {name.replace('_', ' ')}", "", None, *both, None, None, None))
    return Table(
        id="length",
        title="Key terms over the whole answer and over its best stretch",
        columns=headed(
            "subject", "model", "words", "paper", "robust", "paper × length", "robust × length", "negation differs"
        ),
        rows=tuple(body),
        note="× length: Spearman's rho of score and number of words; negation differs: share of answers; 95% by clip",
    )


def failures(lines: Sequence[Line]) -> Table:
    """Show how answers fail: by the usual template, by repeating what was said, by accepting, hedging or silence."""
    body: list[tuple[Cell, ...]] = []
    for line in lines:
        usual = [(mark.found["template"], mark.cluster) for mark in line.marks if "template" in mark.found]
        copied = [
            (mark.found["said_in_transcript"], mark.cluster)
            for mark in line.marks
            if "said_in_transcript" in mark.found and mark.scores.get("cross_modal_grounding", 1.0) < WRONG
        ]
        wrong = [mark for mark in line.marks if (of := described(mark)) and of[0] == "error"]
        kinds = [[(float(f"verdict {kind}" in mark.found), mark.cluster) for mark in wrong] for kind in NOT_FLAGGED]
        if usual or copied or wrong:
            body.append((line.subject, line.model, *map(_share, (usual, copied, *kinds))))
    return Table(
        id="failures",
        title="How answers fail",
        columns=headed(
            *("subject", "model", "steps from the template", "wrong answers' words from the transcript"),
            *(f"wrong descriptions: {kind}" for kind in NOT_FLAGGED),
        ),
        rows=tuple(body),
        note=f"an answer about what is seen is wrong below an F1 of {WRONG:g}; 95% by clip",
    )


def _share(values: Sequence[tuple[float, str]]) -> Estimate | None:
    shares, clusters = [value for value, _ in values], [cluster for _, cluster in values]
    return estimate(shares, clusters, name="share") if values else None


def coverage(lines: Sequence[Line], axes: Sequence[str]) -> Table:
    """Count marked and unscored samples by axis, with the most frequent cause."""
    body: list[tuple[Cell, ...]] = []
    for line in lines:
        for axis in axes:
            marks = [mark for mark in line.marks if mark.groups.get("axis") == axis]
            causes = Counter(mark.because for mark in marks if mark.because)
            cause = causes.most_common(1)[0][0] if causes else ""
            body.append(
                (line.subject, line.model, axis, len(marks), len(marks) - causes.total(), causes.total(), cause)
            )
    lost = sum(bool(mark.because) for line in lines for mark in line.marks)
    return Table(
        id="coverage",
        title=f"{lost} samples are unscored" if lost else "Every sample is marked",
        columns=headed("subject", "model", "axis", "asked", "marked", "unscored", "most frequent cause"),
        rows=tuple(body),
    )
