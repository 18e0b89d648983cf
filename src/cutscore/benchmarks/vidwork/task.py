"""The only file that knows Inspect: `inspect eval cutscore/vidwork -T subject=blind -T data=DIR`."""

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.subjects.choose import choose


@task
def vidwork(
    *,
    subject: str = "model",
    mode: str = "",
    frames: str = "",
    input: str = "",
    data: str = "",
    prompts: dict[str, str] | None = None,
    options: dict[str, str] | None = None,
) -> Task:
    """Ask about procedures on video, on five axes."""
    return make_task(
        "vidwork",
        choose=choose,
        subject=subject,
        mode=mode,
        frames=frames,
        input=input,
        data=data,
        prompts=prompts,
        options=options,
    )
