"""The only file that knows Inspect."""

from typing import Any

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.subjects.choose import open_subject


@task
def tally(**settings: Any) -> Task:
    """Ask where a clip cuts."""
    return make_task("tally", open_subject=open_subject, **settings)
