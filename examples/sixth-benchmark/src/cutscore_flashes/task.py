"""The only file that knows Inspect: `inspect eval cutscore_flashes/flashes -T subject=blind`."""

from typing import Any

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.subjects.choose import open_subject


@task
def flashes(**settings: Any) -> Task:
    """Ask how often the screen flashes."""
    return make_task("flashes", open_subject=open_subject, **settings)
