"""The only file that knows Inspect: `inspect eval cutscore/covebench -T subject=oracle`."""

from typing import Any

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.scoring.judges.choose import open_judge
from cutscore.subjects.choose import open_subject


@task
def covebench(**settings: Any) -> Task:
    """Edit a video as a compositional instruction says."""
    return make_task("covebench", open_subject=open_subject, open_judge=open_judge, **settings)
