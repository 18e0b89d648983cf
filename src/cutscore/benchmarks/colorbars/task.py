"""The only file that knows Inspect: `inspect eval cutscore/colorbars -T subject=blind`."""

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.scoring.judges.choose import hire
from cutscore.subjects.choose import choose


@task
def colorbars(
    *,
    subject: str = "model",
    mode: str = "",
    frames: str = "",
    input: str = "",
    data: str = "",
    prompts: dict[str, str] | None = None,
    judge: str = "",
    votes: int = 0,
) -> Task:
    """Ask what a clip shows at a given moment."""
    return make_task(
        "colorbars",
        choose=choose,
        hire=hire,
        subject=subject,
        mode=mode,
        frames=frames,
        input=input,
        data=data,
        prompts=prompts,
        judge=judge,
        votes=votes,
    )
