"""The only file that knows Inspect: `inspect eval cutscore/repair -T subject=reader`."""

from typing import Any

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.subjects.choose import open_subject


@task
def repair(**settings: Any) -> Task:
    """Find the defect in a clip, and mend it."""
    return make_task("repair", open_subject=open_subject, **settings)
