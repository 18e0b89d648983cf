"""Rows → the lines of a table: who was measured, on which input, with all scores at hand.

A benchmark with several axes prints many tables of the same lines. Here rows become lines once; `means` averages
them. However often a subject was asked (epochs), an item counts once, with the mean of its marks.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cutscore.core.arm import describe_arm, unusual_settings
from cutscore.core.deliverable import FailureClass
from cutscore.core.ending import ScoreGap
from cutscore.core.row import Row, short_cell_id
from cutscore.core.subject import SubjectSpec, reference_role
from cutscore.core.table import Column
from cutscore.results.estimates import weighted_mean
from cutscore.results.people import CELL as PEOPLE
from cutscore.results.people import human_reference

COMPUTED = "computed: nobody was asked"
MEDIAN = "computed: of each task the median over people"
REFERENCE = "knows the answers"
ORACLE = "oracle"  # hands over the reference; it shows the ceiling, and is the best only where nobody else is
WHO = ("subject", "model", "input")  # the columns of `CellLine.who`


@dataclass(frozen=True)
class SampleMark:
    """One sample, as tables see it.

    Args:
        scores: Scores by key; empty unless marked.
        found: Values of all findings by name.
        length: Words of the answer.
        because: Why it is not marked; empty when it is.
        wholes: Of scores and other findings that are ratios, what they are shares of, by key.
        gaps: Scores of a marked sample that we failed to give.
        failure_class: How the subject failed, where it did.
    """

    item: str
    epoch: int
    cluster: str
    groups: Mapping[str, str]
    scores: Mapping[str, float]
    found: Mapping[str, float]
    length: int = 0
    because: str = ""
    wholes: Mapping[str, float] = field(default_factory=dict)
    gaps: Sequence[ScoreGap] = ()
    failure_class: FailureClass | None = None

    def lacks(self, score: str) -> bool:
        """Return whether we failed to give a score, by its key: with the whole sample, or by itself."""
        return bool(self.because) or any(gap.concerns(score) for gap in self.gaps)


MarkValue = Callable[[SampleMark], float | None]


@dataclass(frozen=True)
class CellLine:
    """One cell of a run, or a fixed answer whose marks are known.

    Args:
        subject, model: Who.
        plan: Frame plan, or `frames=N` where only the number of frames is known; empty when nothing is.
        input: What of its input it was shown, as rows have it; empty for all of it.
        conditions: Conditions of work that are not the card's defaults.
        arm: What makes it unlike the usual whole one, in words (`1 frame`, `transcript only`, `temperature 0`); empty
            for a whole line.
        tail: Of its cell (`short_cell_id`), where nothing else tells two lines apart.
        remark: What a reader must know before comparing this line.
        reference: It is there to read others against, and there are others.
    """

    subject: str
    model: str
    marks: Sequence[SampleMark]
    plan: str = ""
    input: str = ""
    conditions: Mapping[str, str] = field(default_factory=dict)
    arm: str = ""
    tail: str = ""
    remark: str = ""
    reference: bool = False

    @property
    def who(self) -> tuple[str, str, str]:
        """Return subject, model, and what was shown of the input where that is not the usual."""
        return self.subject, self.model, " · ".join(filter(None, (self.arm, self.tail)))

    @property
    def label(self) -> str:
        """Name the line as titles and columns do."""
        *names, shown = self.who
        return " ".join(filter(None, names)) + (f" ({shown})" if shown else "")

    @property
    def computed(self) -> bool:
        """Return whether nobody was asked: the marks are computed."""
        return self.remark in (COMPUTED, MEDIAN)

    @property
    def whole(self) -> bool:
        """Return whether it was measured on the whole input and the usual frames."""
        return not self.arm and not self.computed

    @property
    def competes(self) -> bool:
        """Return whether it may be named as the best: it is whole, and no reference."""
        return self.whole and not self.reference and REFERENCE not in self.remark

    def by_item(self, name: str) -> dict[str, float]:
        """Return a score, or another finding's value, by item: the mean over epochs of those marks that have it."""
        return {
            item: value for item, (value, _) in item_means(self.marks, score_reader(name), whole_reader(name)).items()
        }

    def wholes(self, name: str) -> dict[str, float] | None:
        """Return the mean whole of every item, of a score that is a ratio; None of others."""
        if not any(name in mark.wholes for mark in self.marks):
            return None
        marked = [mark for mark in self.marks if not mark.because]
        return {item: value for item, (value, _) in item_means(marked, lambda mark: mark.wholes.get(name, 0.0)).items()}

    def mean(self, name: str) -> float | None:
        """Return the mean over items of a score or of another finding's value; of a ratio that of the sums."""
        values, wholes = self.by_item(name), self.wholes(name)
        if wholes is not None:
            return sum(values[item] * wholes[item] for item in values) / sum(wholes.values())
        return sum(values.values()) / len(values) if values else None

    def clusters(self) -> dict[str, str]:
        """Return the cluster of each item."""
        return {mark.item: mark.cluster for mark in self.marks}


def score_reader(name: str) -> MarkValue:
    """Return what reads a score, or another finding's value, from a mark."""
    return lambda mark: mark.scores.get(name, mark.found.get(name))


def whole_reader(name: str) -> Callable[[SampleMark], float]:
    """Return what reads from a mark how much a score weighs: its whole, or 1."""
    return lambda mark: mark.wholes.get(name, 1.0)


def item_means(
    marks: Iterable[SampleMark], value: MarkValue, whole: Callable[[SampleMark], float] = lambda _mark: 1.0
) -> dict[str, tuple[float, str]]:
    """Return the mean over epochs of each item that has the value, with its cluster, in the order of the items."""
    values: dict[str, list[tuple[float, float]]] = defaultdict(list)
    clusters: dict[str, str] = {}
    for mark in marks:
        found = value(mark)
        if found is not None:
            values[mark.item].append((found, whole(mark)))
            clusters[mark.item] = mark.cluster
    return {item: (weighted_mean(each), clusters[item]) for item, each in sorted(values.items())}


def cell_lines(rows: Iterable[Row], *, plan: str = "") -> list[CellLine]:
    """Make a line of each cell, in the order of subjects and models, and say what makes it unlike the others.

    Remarked are lines with another frame plan than the usual one, models that took part in filtering the items, and the
    oracle where others are measured, too. Where several people did the tasks by hand, all together are one more line.

    Args:
        rows: Of any number of cells.
        plan: The usual frame plan, which is the card's; the commonest one when nobody has that.
    """
    cells: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    rows = list(rows)
    people = human_reference(rows)
    for row in (*rows, *(people.rows if people else ())):
        cells[row.subject, row.model, row.cell].append(row)
    found = {
        key: CellLine(
            *key[:2], [_mark(row) for row in mine], plan=_plan(mine), input=mine[0].input, conditions=mine[0].conditions
        )
        for key, mine in cells.items()
    }
    counted = Counter(line.plan for line in found.values() if line.plan and not line.input)
    usual = plan if plan in counted else max(counted, key=lambda each: (counted[each], each), default="")
    lines = {key: replace(line, arm=_arm(line, usual)) for key, line in found.items()}
    rivals = any(line.whole and line.subject != ORACLE for line in lines.values())
    contested = any(line.whole and not _is_reference(line) for key, line in lines.items() if key[2] != PEOPLE)
    lines = {
        key: replace(
            line,
            remark=MEDIAN if key[2] == PEOPLE else "; ".join(_remarks(line, usual, rivals=rivals)),
            reference=contested and _is_reference(line),
        )
        for key, line in lines.items()
    }
    shared = Counter(line.who for line in lines.values())
    order = sorted(lines, key=lambda key: (*key[:2], lines[key].arm, key[2]))
    return [
        replace(lines[key], tail=short_cell_id(key[2])) if shared[lines[key].who] > 1 else lines[key] for key in order
    ]


def _is_reference(line: CellLine) -> bool:
    """Return whether a line goes by the plain name of a reference; rows tell names, not kinds."""
    return bool(reference_role(SubjectSpec(kind=line.subject, label=line.subject)))


def _plan(rows: Sequence[Row]) -> str:
    """Return the frame plan of a cell; where none is known, how many frames a sample had at most."""
    plan = rows[0].frames.removeprefix("shuffled:")  # that the order was another is said by the input
    counts = [sum(len(seen.frames) for seen in row.seen) for row in rows if row.seen]
    return plan or (f"frames={max(counts)}" if counts else "")


def _arm(line: CellLine, usual: str) -> str:
    return describe_arm(unusual_settings(line.plan, line.input, usual, conditions=line.conditions), usual)


def _remarks(line: CellLine, usual: str, *, rivals: bool) -> list[str]:
    found = [REFERENCE] if rivals and line.subject == ORACLE else []
    if line.plan not in ("", usual):
        found.append(f"{line.plan}, others {usual}")
    filters = {name for mark in line.marks for name in mark.groups.get("filter", "").split("+")} - {"", "none"}
    if any(f"/{line.model}".endswith(f"/{name}") for name in filters):  # with or without its provider
        found.append("filter baseline")
    return found


def _mark(row: Row) -> SampleMark:
    return SampleMark(
        item=row.item,
        epoch=row.epoch,
        cluster=row.cluster,
        groups=row.groups,
        scores=row.ending.scores,
        found={finding.name: score for finding in row.ending.findings if (score := finding.score) is not None},
        length=len(row.deliverable.text.split()),
        because="" if row.ending.status == "marked" else row.ending.because or row.ending.status,
        wholes={each.name: each.whole for each in row.ending.findings if each.whole} | row.ending.wholes,
        gaps=[gap for gap in row.ending.gaps if gap.status != "excluded"],
        failure_class=row.ending.failure_class,
    )


def constant_line(name: str, lines: Sequence[CellLine], answer: Callable[[SampleMark], SampleMark]) -> CellLine:
    """Make the line of somebody who always answers the same; `answer` gives the mark for the item of a mark."""
    once: dict[str, SampleMark] = {}
    for line in lines:
        for mark in line.marks:
            if mark.scores:
                once.setdefault(mark.item, mark)
    marks = [replace(answer(mark), epoch=1, length=0) for _, mark in sorted(once.items())]
    return CellLine(name, "", marks, remark=COMPUTED)


def plain_columns(*names: str) -> tuple[Column, ...]:
    """Return columns that have a name and nothing else."""
    return tuple(Column(name=name) for name in names)
