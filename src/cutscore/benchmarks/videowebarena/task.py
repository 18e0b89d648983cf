"""The only file that knows Inspect: `inspect eval cutscore/videowebarena -T subject=oracle`."""

from typing import Any

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.scoring.judges.choose import open_judge
from cutscore.subjects.choose import open_subject


@task
def videowebarena(**settings: Any) -> Task:
    """Do a task on websites, with a tutorial video."""
    return make_task("videowebarena", open_subject=open_subject, open_judge=open_judge, **settings)
