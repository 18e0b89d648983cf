"""The only file that knows Inspect: `inspect eval cutscore/vidwork -T subject=blind -T data=DIR`."""

from typing import Any

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.subjects.choose import open_subject


@task
def vidwork(**settings: Any) -> Task:
    """Ask about procedures on video, on five axes."""
    return make_task("vidwork", open_subject=open_subject, **settings)
