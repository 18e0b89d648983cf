"""What a subject may see of an item: the public half, and nothing else."""

from pydantic import Field

from cutscore.core.files import Files
from cutscore.core.frozen import FrozenModel, SafeName


class RequestedFile(FrozenModel):
    """One file that the subject is asked to deliver."""

    name: str
    about: str = ""


class Ask(Files):
    """The whole of what a subject gets for one sample.

    Args:
        item: Id of the item, so that a folder of ready deliverables can be matched.
        brief: The words, after every blank of the prompt was filled.
        wanted: Files to hand over; empty when the answer is text.
        choices: The allowed answers of a closed question, in the order shown.
        prompts: Digest of each prompt file that went into the brief, by name.
    """

    item: SafeName
    brief: str = Field(min_length=1)
    wanted: tuple[RequestedFile, ...] = ()
    choices: tuple[str, ...] = ()
    prompts: dict[str, str] = Field(default_factory=dict)
