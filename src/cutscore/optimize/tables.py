"""Searches beside each other: the paper's tables for any set of records, what was spent, which prompt came whence."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from cutscore.core.matching import Confusion
from cutscore.core.table import Column, Plot, Scatter, Table, TableCell
from cutscore.optimize.answer_tables import answer_table, confusion_table, weakness_table
from cutscore.optimize.held_out import ALWAYS, BEST, P0
from cutscore.optimize.published import PAPER, published_table
from cutscore.optimize.record import CandidateRecord, OptimizeRecord, TransferRecord

MEASURES = ("MCC", "F1", "Rec−FPR")
RECORD, TEST_MCC = "record", "MCC by S, test"
COLUMNS = tuple(f"binary {name}" for name in MEASURES)

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
    of_judges = [judge_table(named), gain_table(named), tau_table(named)]
    made = [*of_judges, *of_searches, *of_answers]
    return [*(made if len(records) > 1 else map(_without_record, made)), published_table()]


def judge_table(records: Mapping[str, AnyRecord]) -> Table:
    """Return Table 5: each judge with p0, with what each search found or was carried over, on the test split.

    Who never looks stands above, once for each set of labels: beside a high prevalence an F1 alone says little.
    """
    rows, never_looked = list[tuple[TableCell, ...]](), list[tuple[TableCell, ...]]()
    for name, record in records.items():
        if record.test is None:
            continue
        for which in ALWAYS:
            blind = (which, *record.test.row(which).estimates[: len(MEASURES)], None, _family(record), None)
            if blind not in never_looked:
                rows.append((name, *blind))
                never_looked.append(blind)
        for which in (P0, BEST):
            found = record.test.row(which).estimates[: len(MEASURES)]
            about = (_judge(record), _family(record), _found_with(record, which))
            rows.append((name, _arm(record, which), *found, *about))
    return Table(
        id="judges",
        title="Judges on held-out samples, before and after",
        columns=(*(Column(name=name) for name in (RECORD, "prompt", *COLUMNS, "judge", "family", "found with")),),
        rows=tuple(rows),
        note="one verdict a question; 95% intervals by cluster",
        paper=PAPER,
        plot=Plot(values=COLUMNS, labels=(RECORD, "prompt")),
    )


def gain_table(records: Mapping[str, AnyRecord]) -> Table:
    """Return what p* has more than p0 on the same samples."""
    tests = {name: (record, record.test) for name, record in records.items() if record.test is not None}
    rows = [
        (name, _arm(record, BEST), *(test.difference(each).estimate for each in COLUMNS))
        for name, (record, test) in tests.items()
    ]
    power = [f"{name}: {test.power}" if len(records) > 1 else test.power for name, (_, test) in tests.items()]
    return Table(
        id="gains",
        title=f"What the prompt gained: {BEST} − {P0} on the same samples",
        columns=(*(Column(name=name) for name in (RECORD, "prompt", *COLUMNS)),),
        rows=tuple(rows),
        note="; ".join(["paired; an interval that holds 0 leaves open whether anything was gained", *power]),
        plot=Plot(values=COLUMNS, labels=(RECORD, "prompt"), tight=True, level=0.0, level_name="no gain"),
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
        columns=(*(Column(name=name) for name in ("family", "judge", "tau-b, p0", "tau-b, p*", RECORD)),),
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
            label = f"{each.number} = {which}" if which else str(each.number)
            rows.append((name, label, each.calls, each.usd, each.phi, test))
    return Table(
        id="spending",
        title="What was found over what was spent",
        columns=(
            Column(name=RECORD),
            Column(name="candidate"),
            Column(name="metric calls", digits=0),
            Column(name="USD", digits=2),
            Column(name="Φ dev"),
            Column(name=TEST_MCC),
        ),
        rows=tuple(rows),
        note="S is what the search compared by: lists where labels name weaknesses, else verdicts; only p0 and p* were "
        "ever asked about the test split; dev flatters whoever was chosen by it",
        scatters=tuple(
            Scatter(across="metric calls", up=up, labels=(RECORD, "candidate")) for up in ("Φ dev", TEST_MCC)
        ),
    )


def candidate_tree(records: Mapping[str, OptimizeRecord]) -> Table:
    """Return every candidate under its parent."""
    rows: list[tuple[TableCell, ...]] = []
    for name, record in records.items():
        for depth, each in _walk(record):
            mark = f" = {BEST}" if each.number == record.best else ""
            label = f"{'· ' * depth}{each.number}{mark}"
            rows.append((name, label, each.phi, _share(each.before), _share(each.after), each.sha256[:12]))
    return Table(
        id="candidates",
        title="Candidates, each under the one that it was made from",
        columns=(
            *(Column(name=name) for name in (RECORD, "candidate", "Φ dev", "minibatch before", "after", "prompt")),
        ),
        rows=tuple(rows),
        note="minibatch: share that is right by S, with the parent and, where there is a gate, with the child",
    )


def way_table(records: Mapping[str, OptimizeRecord]) -> Table:
    """Return the way from p0 to p*, rule by rule (Figure 5)."""
    return Table(
        id="way",
        title="The way from p0 to p*",
        columns=(
            Column(name=RECORD),
            Column(name="candidate", digits=0),
            *(Column(name=name) for name in ("Φ dev", "change", "rule")),
        ),
        rows=tuple(
            (name, step.candidate, step.phi, change, rule)
            for name, record in records.items()
            for step in record.way
            for change, rules in (("added", step.added), ("removed", step.removed))
            for rule in rules
        ),
    )


def _without_record(table: Table) -> Table:
    """Return a table without the column that names the record, where there is but one."""
    kept = [place for place, column in enumerate(table.columns) if column.name != RECORD]

    def others(labels: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        return {"labels": tuple(name for name in labels if name != RECORD)}

    changes = {
        "columns": tuple(table.columns[place] for place in kept),
        "rows": tuple(tuple(row[place] for place in kept) for row in table.rows),
        "plot": table.plot and table.plot.model_copy(update=others(table.plot.labels)),
        "scatters": tuple(each.model_copy(update=others(each.labels)) for each in table.scatters),
    }
    return table.model_copy(update=changes)


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
        return "adaptation"
    matched = "" if record.settings.matching == "none" else " + matching"
    return f"{record.settings.method}{matched}"


def _found_with(record: AnyRecord, which: str) -> str | None:
    return record.found_with or None if isinstance(record, TransferRecord) and which == BEST else None
