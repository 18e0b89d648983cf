"""The only file that knows Inspect: `inspect eval cutscore/colorbars -T subject=blind`."""

from typing import Any

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.scoring.judges.choose import open_judge
from cutscore.subjects.choose import open_subject


@task
def colorbars(**settings: Any) -> Task:
    """Ask what a clip shows at a given moment."""
    return make_task("colorbars", open_subject=open_subject, open_judge=open_judge, **settings)
