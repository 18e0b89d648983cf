"""The only file that knows Inspect: `inspect eval cutscore/assembly -T subject=blind`."""

from typing import Any

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.subjects.choose import open_subject


@task
def assembly(**settings: Any) -> Task:
    """Choose a clip for each slot of a storyboard and put the film together."""
    return make_task("assembly", open_subject=open_subject, **settings)
