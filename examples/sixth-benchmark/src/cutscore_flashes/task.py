"""The only file that knows Inspect: `inspect eval cutscore_flashes/flashes -T subject=blind`."""

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.subjects.choose import choose


@task
def flashes(
    *,
    subject: str = "model",
    mode: str = "",
    frames: str = "",
    input: str = "",
    data: str = "",
    prompts: dict[str, str] | None = None,
) -> Task:
    """Ask how often the screen flashes."""
    return make_task(
        "flashes", choose=choose, subject=subject, mode=mode, frames=frames, input=input, data=data, prompts=prompts
    )
