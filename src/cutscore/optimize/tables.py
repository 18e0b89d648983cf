"""Searches beside each other: the paper's tables for any set of records, what was spent, which prompt came whence."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from cutscore.core.matching import Confusion
from cutscore.core.table import Column, Plot, Scatter, Table, TableCell
from cutscore.optimize.answer_tables import answer_table, confusion_table, weakness_table
from cutscore.optimize.held_out import BEST, P0
from cutscore.optimize.published import PAPER, published_table
from cutscore.optimize.record import CandidateRecord, OptimizeRecord, TransferRecord

MEASURES = ("MCC", "F1", "Rec−FPR")


AnyRecord = OptimizeRecord | TransferRecord


def search_tables(records: Mapping[Path, AnyRecord], *, seen_from: Path = Path()) -> list[Table]:
    """Return the tables of some searches and transfers, and the published one; links begin in a folder."""
    stems = Counter(file.stem for file in records)
    files = {file.stem if stems[file.stem] == 1 else str(file): file for file in records}
    named = {name: records[file] for name, file in files.items()}
    searches = {name: record for name, record in named.items() if isinstance(record, OptimizeRecord)}
    of_searches = [spending_table(searches), candidate_tree(searches), way_table(searches)] if searches else []
    readings = {name: record.test for name, record in named.items() if record.test is not None}
    folders = {name: file.parent for name, file in files.items()}
    of_answers = [
        confusion_table(readings),
        weakness_table(readings),
        answer_table(readings, folders, seen_from=seen_from),
    ]
    return [judge_table(named), tau_table(named), *of_searches, *of_answers, published_table()]


def judge_table(records: Mapping[str, AnyRecord]) -> Table:
    """Return Table 5: each judge with p0, with what each search found or was carried over, on the test split."""
    rows: list[tuple[TableCell, ...]] = []
    for name, record in records.items():
        if record.test is None:
            continue
        for which in (P0, BEST):
            row = record.test.row(which)
            rows.append((_family(record), _judge(record), _arm(record, which), *row.estimates[:3], record.test.n, name))
        gains = [record.test.difference(f"binary {name}").estimate for name in MEASURES]
        rows.append((_family(record), _judge(record), f"{BEST} − {P0}, paired", *gains, record.test.n, name))
    return Table(
        id="judges",
        title="Judges on held-out samples, before and after",
        columns=(
            *(Column(name=name) for name in ("family", "judge", "prompt")),
            *(Column(name=f"binary {name}") for name in MEASURES),
            Column(name="n", digits=0),
            Column(name="record"),
        ),
        rows=tuple(rows),
        note="one verdict a question; 95% intervals by cluster",
        paper=PAPER,
        plot=Plot(values=tuple(f"binary {name}" for name in MEASURES), labels=("judge", "prompt"), by="record"),
    )


def tau_table(records: Mapping[str, AnyRecord]) -> Table:
    """Return Table 3: Kendall's tau-b, which for two verdicts is their MCC."""
    rows = [
        (
            _family(record),
            _judge(record),
            *(record.test.row(which).estimates[0].value for which in (P0, BEST)),
            name,
        )
        for name, record in records.items()
        if record.test is not None
    ]
    return Table(
        id="tau",
        title="Rank correlation with people",
        columns=(*(Column(name=name) for name in ("family", "judge", "tau-b, p0", "tau-b, p*", "record")),),
        rows=tuple(rows),
        note="of two verdicts tau-b is MCC: the same evidence as in the table of judges, not more of it",
        paper=PAPER,
    )


def spending_table(records: Mapping[str, OptimizeRecord]) -> Table:
    """Return the best Φ on the validation split over what was spent, and what the test split says of p0 and p*."""
    rows: list[tuple[TableCell, ...]] = []
    for name, record in records.items():
        best = float("-inf")
        for each in record.candidates:
            if each.phi <= best:
                continue
            best = each.phi
            which = {0: P0, record.best: BEST}.get(each.number)
            test = next(iter(record.test.row(which).estimates[-3:]), None) if record.test and which else None
            rows.append((name, each.number, each.calls, each.usd, each.phi, test))
    return Table(
        id="spending",
        title="What was found over what was spent",
        columns=(
            Column(name="record"),
            Column(name="candidate", digits=0),
            Column(name="metric calls", digits=0),
            Column(name="USD", digits=2),
            Column(name="Φ dev"),
            Column(name="MCC test"),
        ),
        rows=tuple(rows),
        note="MCC by S; only p0 and p* were ever asked about the test split; dev flatters whoever was chosen by it",
        scatters=tuple(
            Scatter(across="metric calls", up=up, labels=("record", "candidate")) for up in ("Φ dev", "MCC test")
        ),
    )


def candidate_tree(records: Mapping[str, OptimizeRecord]) -> Table:
    """Return every candidate under its parent."""
    rows: list[tuple[TableCell, ...]] = []
    for name, record in records.items():
        for depth, each in _walk(record):
            mark = " ← p*" if each.number == record.best else ""
            label = f"{'· ' * depth}{each.number}{mark}"
            rows.append((name, label, each.phi, _share(each.before), _share(each.after), each.sha256[:12]))
    return Table(
        id="candidates",
        title="Candidates, each under the one that it was made from",
        columns=(
            *(Column(name=name) for name in ("record", "candidate", "Φ dev", "minibatch before", "after", "prompt")),
        ),
        rows=tuple(rows),
        note="minibatch: share that is right by S, with the parent and with the child",
    )


def way_table(records: Mapping[str, OptimizeRecord]) -> Table:
    """Return the way from p0 to p*, rule by rule (Figure 5)."""
    return Table(
        id="way",
        title="The way from p0 to p*",
        columns=(
            Column(name="record"),
            Column(name="candidate", digits=0),
            *(Column(name=name) for name in ("Φ dev", "change", "rule")),
        ),
        rows=tuple(
            (name, step.candidate, step.phi, change, rule)
            for name, record in records.items()
            for step in record.way
            for change, rules in (("came", step.added), ("went", step.removed))
            for rule in rules
        ),
    )


def _walk(record: OptimizeRecord, parent: int | None = None, depth: int = 0) -> Iterator[tuple[int, CandidateRecord]]:
    for each in record.candidates:
        if each.parent == parent:
            yield depth, each
            yield from _walk(record, each.number, depth + 1)


def _share(confusion: Confusion | None) -> float | None:
    return (confusion.tp + confusion.tn) / confusion.total if confusion and confusion.total else None


def _family(record: AnyRecord) -> str:
    about = record if isinstance(record, TransferRecord) else record.settings
    return ", ".join(about.family.values()) or about.benchmark


def _judge(record: AnyRecord) -> str:
    return record.judge if isinstance(record, TransferRecord) else record.settings.judge


def _arm(record: AnyRecord, which: str) -> str:
    if which == P0:
        return P0
    if isinstance(record, TransferRecord):
        return f"adaptation of what was found with {record.found_with}" if record.found_with else "adaptation"
    matched = "" if record.settings.matching == "none" else " + matching"
    return f"{record.settings.method}{matched}"
