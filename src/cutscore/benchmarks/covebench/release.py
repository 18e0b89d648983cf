"""What comes with the published benchmark: whose file is whose, how far tasks keep the rules, what they are made of."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from cutscore.benchmarks.covebench.construction.lint import LintFault, lint_balance, lint_checklist
from cutscore.benchmarks.covebench.construction.review import describe_review, read_review
from cutscore.benchmarks.covebench.dataset import EditTask, find_left_out, read_drafts
from cutscore.benchmarks.covebench.release_files import match_files
from cutscore.benchmarks.covebench.release_results import result_files
from cutscore.benchmarks.covebench.released import CHECKLIST_FILE, read_checklist
from cutscore.core.files import FileStore
from cutscore.core.table import Table
from cutscore.results.wording import count

__all__ = ["match_files", "remarks", "result_files", "task_tables"]

NOBODY = "nobody has reviewed its checklists: two people and an adjudicator sign in signoffs.csv"
MOST_NAMED = 3  # faults of one rule, in a remark


def remarks(items: Sequence[EditTask], data: Path) -> list[str]:
    """Return what a reader of scores should know of a pack, or of a released checklist; none of it stops a run."""
    released = (data / CHECKLIST_FILE).is_file()
    if released:
        tasks = read_checklist(data / CHECKLIST_FILE).tasks
        written = [f"task {task.id}: {remark}" for task in tasks for remark in task.remarks]
        faults = {task.id: lint_checklist(task.instruction, task.checklist) for task in tasks}
        balance = lint_balance([task.checklist for task in tasks])
    else:
        written = []
        faults = {item.id: lint_checklist(item.instruction, item.checklist) for item in items}
        balance = lint_balance([item.checklist for item in items])
    review = read_review(data)
    reviewed = describe_review(review, read_drafts(data)) if review.lines else [NOBODY] if not released else []
    return [*find_left_out(data), *written, *describe_faults(faults), *(each.fact for each in balance), *reviewed]


def task_tables(items: Sequence[EditTask], store: FileStore, data: Path) -> list[Table]:
    """Return what a set of tasks is made of."""
    from cutscore.benchmarks.covebench.construction.stats import describe_tasks  # numpy, which a check does not need

    return describe_tasks(items, store, data)


def describe_faults(faults: Mapping[str, Sequence[LintFault]]) -> list[str]:
    """Return a sentence for each rule that is broken: how often, and the first few by task and question."""
    rules: dict[str, list[tuple[str, LintFault]]] = {}
    for task, each in faults.items():
        for fault in each:
            rules.setdefault(fault.rule, []).append((task, fault))
    return [_describe_rule(rule, found, len(faults)) for rule, found in sorted(rules.items())]


def _describe_rule(rule: str, found: Sequence[tuple[str, LintFault]], tasks: int) -> str:
    named = [f"task {task}: {fault}" for task, fault in _spread(found)[:MOST_NAMED]]
    more = f"; and {len(found) - MOST_NAMED:,} more" if len(found) > MOST_NAMED else ""
    where = f"in {len({task for task, _ in found}):,} of {count(tasks, 'task')}"
    return f"{rule}: {count(len(found), 'fault')} {where}: {'; '.join(named)}{more}"


def _spread(found: Iterable[tuple[str, LintFault]]) -> list[tuple[str, LintFault]]:
    """Put the first fault of every task before the second of any."""
    turns: dict[str, int] = {}
    ranked = []
    for task, fault in found:
        turns[task] = turns.get(task, 0) + 1
        ranked.append((turns[task], (task, fault)))
    return [each for _, each in sorted(ranked, key=lambda pair: pair[0])]
