"""The only file that knows Inspect: `inspect eval cutscore/clvg_turns -T subject=oracle`."""

from typing import Any

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.scoring.judges.choose import open_judge
from cutscore.subjects.choose import open_subject


@task
def clvg_turns(**settings: Any) -> Task:
    """Make a film, and go on with it as its viewer answers."""
    return make_task("clvg_turns", open_subject=open_subject, open_judge=open_judge, **settings)
