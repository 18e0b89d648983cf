"""What a subject hands over when it has stopped."""

from typing import Literal, Self

from pydantic import model_validator

from cutscore.core.files import FileRef, Files

# How a subject failed by its own doing. `nothing`: it ended well and handed over nothing; `unreadable`: it handed over
# something that nobody can read; `exit_code`: its program said so; `crash`: it raised or was killed.
FailureClass = Literal["refused", "limit", "crash", "nothing", "unreadable", "exit_code"]


class Deliverable(Files):
    """Text, files, or a stated failure.

    Args:
        failure: Why the subject has nothing better to show, by its own doing (refusal, crash, time limit).
            A deliverable with a failure is still marked: with what is there, which is mostly 0.
        failure_class: Of which kind that is; a failure that does not say is a crash.
    """

    text: str = ""
    failure: str = ""
    failure_class: FailureClass | None = None
    trajectory: FileRef | None = None

    @model_validator(mode="after")
    def _class_has_a_reason(self) -> Self:
        if self.failure_class and not self.failure:
            raise ValueError(f"a failure of class '{self.failure_class}' needs its reason in words")
        return self

    @property
    def empty(self) -> bool:
        """Whether neither words nor files were handed over."""
        return not self.text.strip() and not self.files
