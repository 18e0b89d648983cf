"""The tasks of visits → files of the released layout: all fields of Appendix C.2, and how they are done.

videowa/test_SITE.raw.json    factual tasks
vwa/test_SITE.raw.json        skill tasks
scripts/SITE.json             how they are done
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from cutscore.benchmarks.videowebarena.released import WebTask
from cutscore.benchmarks.videowebarena.released_files import FOLDERS
from cutscore.benchmarks.videowebarena.scripts import FOLDER as SCRIPTS
from cutscore.benchmarks.videowebarena.tutorials.action_log import TutorialLog
from cutscore.benchmarks.videowebarena.tutorials.difficulty import intermediate_difficulty, overall_difficulty
from cutscore.benchmarks.videowebarena.tutorials.visit import ScriptedVisit, VisitTask
from cutscore.core.errors import BadInput
from cutscore.core.strict_json import first_fault

# What stands in a task until its author has written it; without an eval it is counted as invalid, and never scored.
SKELETON = VisitTask(
    intent="To be written: what only somebody can do who has watched the video.",
    eval={},
    intermediate_intent="To be written: a question about the video.",
    intermediate_eval={"eval_types": ["string_match"], "reference_answers": {"must_include": ["to be written"]}},
)


@dataclass(frozen=True)
class WrittenTask:
    """A task of a visit with its number; `entry` is what the file has of it."""

    id: str
    visit: ScriptedVisit
    task: VisitTask
    entry: dict[str, JsonValue]

    @property
    def is_skeleton(self) -> bool:
        """Whether its author has yet to write it."""
        return self.task is SKELETON


def make_tasks(visits: Sequence[ScriptedVisit], logs: Mapping[str, TutorialLog]) -> list[WrittenTask]:
    """Return the tasks of all visits, numbered by set and site; a skeleton for a visit that has none.

    Raises:
        BadInput: A task cannot be read, or needs a mark that its tutorial does not have.
    """
    made: list[WrittenTask] = []
    counts: dict[tuple[str, str], int] = {}
    templates: dict[str, int] = {}
    for visit in visits:
        for task in visit.tasks or (SKELETON,):
            number = counts.get((task.set, visit.site), 0)
            counts[task.set, visit.site] = number + 1
            template = templates.setdefault(task.intent_template or task.intent, len(templates))
            entry = _make_entry(visit, task, logs.get(visit.name), number=number, template=template)
            made.append(WrittenTask(f"{task.set}-{visit.site}-{number}", visit, task, entry))
    return made


def _make_entry(
    visit: ScriptedVisit, task: VisitTask, log: TutorialLog | None, *, number: int, template: int
) -> dict[str, JsonValue]:
    what, script = f"visit '{visit.name}', task '{task.intent[:60]}'", task.script
    unknown = [mark for mark in (script.needs if script else ()) if log is None or mark not in log.marks]
    if unknown:
        raise BadInput(what, f"needs mark '{unknown[0]}', which no step has", "name the mark of a step")
    own = task.model_dump(mode="json", exclude={"set", "script"})
    entry: dict[str, JsonValue] = {
        "task_id": number,
        "sites": [visit.site],
        "video": visit.name,
        "require_login": bool(visit.login),
        "storage_state": f"./.auth/{'.'.join(visit.login)}_state.json" if visit.login else None,
        "geolocation": None,
        "intent_template_id": template,
        **own,
        "start_url": task.start_url or visit.start,
        "intent_template": task.intent_template or task.intent,
        "eval": task.eval or None,
        "overall_difficulty": overall_difficulty(script) if script else "",
        "intermediate_difficulty": intermediate_difficulty(script, log) if script and log else "",
    }
    try:
        WebTask.model_validate(entry)
    except ValueError as fault:
        raise BadInput(what, first_fault(fault), "mend it; its fields are those of the released files") from None
    return entry


def write_tasks(tasks: Sequence[WrittenTask], folder: Path) -> None:
    """Write the task files and scripts of a pack."""
    files: dict[str, list[JsonValue]] = {}
    scripts: dict[str, dict[str, object]] = {}
    for each in tasks:
        files.setdefault(f"{FOLDERS[each.task.set]}/test_{each.visit.site}.raw.json", []).append(each.entry)
        if each.task.script:
            plain = each.task.script.model_dump(mode="json", exclude_defaults=True)
            scripts.setdefault(f"{SCRIPTS}/{each.visit.site}.json", {})[each.id] = plain
    for name, written in {**files, **scripts}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
