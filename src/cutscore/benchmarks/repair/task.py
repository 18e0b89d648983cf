"""The only file that knows Inspect: `inspect eval cutscore/repair -T subject=reader`."""

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.subjects.choose import choose


@task
def repair(
    *,
    subject: str = "model",
    mode: str = "",
    frames: str = "",
    input: str = "",
    data: str = "",
    prompts: dict[str, str] | None = None,
    options: dict[str, str] | None = None,
) -> Task:
    """Find the defect in a clip, and mend it."""
    return make_task(
        "repair",
        choose=choose,
        subject=subject,
        mode=mode,
        frames=frames,
        input=input,
        data=data,
        prompts=prompts,
        options=options,
    )
