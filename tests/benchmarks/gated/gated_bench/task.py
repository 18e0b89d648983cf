"""The only file that knows Inspect."""

from typing import Any

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.subjects.choose import open_subject


@task
def gated(**settings: Any) -> Task:
    """Ask which word is hidden."""
    return make_task("gated", open_subject=open_subject, **settings)
