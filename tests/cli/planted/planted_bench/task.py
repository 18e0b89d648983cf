"""The only file that knows Inspect."""

from typing import Any

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.subjects.choose import open_subject


@task
def planted(**settings: Any) -> Task:
    """Ask which word is meant."""
    return make_task("planted", open_subject=open_subject, **settings)
