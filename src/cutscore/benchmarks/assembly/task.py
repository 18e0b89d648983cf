"""The only file that knows Inspect: `inspect eval cutscore/assembly -T subject=blind`."""

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.subjects.choose import choose


@task
def assembly(
    *,
    subject: str = "model",
    mode: str = "",
    frames: str = "",
    input: str = "",
    data: str = "",
    prompts: dict[str, str] | None = None,
) -> Task:
    """Choose a clip for each slot of a storyboard and put the film together."""
    return make_task(
        "assembly",
        choose=choose,
        subject=subject,
        mode=mode,
        frames=frames,
        input=input,
        data=data,
        prompts=prompts,
    )
