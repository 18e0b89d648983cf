"""The only file that knows Inspect: `inspect eval cutscore/repurpose -T subject=reader`."""

from inspect_ai import Task, task

from cutscore.bridge.task import make_task
from cutscore.scoring.judges.choose import hire
from cutscore.subjects.choose import choose


@task
def repurpose(
    *,
    subject: str = "model",
    mode: str = "",
    frames: str = "",
    input: str = "",
    data: str = "",
    prompts: dict[str, str] | None = None,
    judge: str = "stage",
    votes: int = 0,
) -> Task:
    """Make a short film out of a long one, as a client's brief wants it."""
    return make_task(
        "repurpose",
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
