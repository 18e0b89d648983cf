"""The only file that knows Inspect."""

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.subjects.choose import choose


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
    return make_task("gated", choose=choose, subject=subject, mode=mode, frames=frames, data=data, prompts=prompts)
