"""The only file that knows Inspect."""

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.subjects.choose import open_subject


@task
def gated(
    *,
    subject: str = "model",
    mode: str = "",
    frames: str = "",
    data: str = "",
    prompts: dict[str, str] | None = None,
) -> Task:
    """Ask which word is hidden."""
    return make_task(
        "gated", open_subject=open_subject, subject=subject, mode=mode, frames=frames, data=data, prompts=prompts
    )
