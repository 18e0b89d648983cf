"""What somebody is asked who works in a box: an agent in ours, or one in a container of Harbor's. One text for both."""

from pathlib import Path

from cutscore.core.ask import Ask
from cutscore.environments.sandbox.layout import OUTPUTS, WORKSPACE
from cutscore.prompts import load_prompt

ANSWER = "answer.txt"  # as folders of deliverables have it


def write_instruction(ask: Ask) -> str:
    """Return the brief, where its files lie, and what is wanted where."""
    names = "\n".join(f"- `{ref.name}`" for ref in ask.files)
    given = f"It holds these files, under the names that are used above:\n\n{names}" if names else "It is empty."
    wanted = [f"- `{each.name}`" + (f": {each.about}" if each.about else "") for each in ask.wanted]
    answer = f"- `{ANSWER}`: your answer, in words"
    prompt = load_prompt("task", folder=Path(__file__).parent / "prompts")
    return prompt.fill(
        brief=ask.brief.strip(),
        workspace=WORKSPACE,
        given=given,
        outputs=OUTPUTS,
        wanted="\n".join(wanted or [answer]),
    )
