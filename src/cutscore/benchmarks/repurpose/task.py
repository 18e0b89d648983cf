"""The only file that knows Inspect: `inspect eval cutscore/repurpose -T subject=reader`."""

from typing import Any

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.scoring.judges.choose import open_judge
from cutscore.subjects.choose import open_subject


@task
def repurpose(*, judge: str = "stage", **settings: Any) -> Task:
    """Make a short film out of a long one, as a client's brief wants it."""
    return make_task("repurpose", open_subject=open_subject, open_judge=open_judge, judge=judge, **settings)
