"""The only file that knows Inspect: `inspect eval cutscore/sequencing -T subject=blind`."""

from typing import Any

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.subjects.choose import open_subject


@task
def sequencing(**settings: Any) -> Task:
    """Put the shuffled clips of a film back into their order."""
    return make_task("sequencing", open_subject=open_subject, **settings)
