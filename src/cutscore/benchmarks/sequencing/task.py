"""The only file that knows Inspect: `inspect eval cutscore/sequencing -T subject=blind`."""

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.subjects.choose import choose


@task
def sequencing(
    *,
    subject: str = "model",
    mode: str = "",
    frames: str = "",
    input: str = "",
    data: str = "",
    prompts: dict[str, str] | None = None,
) -> Task:
    """Put the shuffled clips of a film back into their order."""
    return make_task(
        "sequencing",
        choose=choose,
        subject=subject,
        mode=mode,
        frames=frames,
        input=input,
        data=data,
        prompts=prompts,
    )
