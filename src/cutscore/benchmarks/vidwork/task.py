"""The only file that knows Inspect: `inspect eval cutscore/vidwork -T subject=blind -T data=DIR`."""

from typing import Any

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.subjects.choose import choose


@task
def vidwork(**settings: Any) -> Task:
    """Ask about procedures on video, on five axes."""
    return make_task("vidwork", choose=choose, **settings)
