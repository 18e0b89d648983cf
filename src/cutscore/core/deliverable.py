"""What a subject hands over when it has stopped."""

from cutscore.core.files import FileRef, Files


class Deliverable(Files):
    """Text, files, or a stated failure.

    Args:
        text: The answer in words; empty when files are the answer.
        failure: Why the subject has nothing better to show, by its own doing (refusal, crash, time limit).
            A deliverable with a failure is still marked: with what is there, which is mostly 0.
        trajectory: The steps taken, as a file in the store.
    """

    text: str = ""
    failure: str = ""
    trajectory: FileRef | None = None

    @property
    def empty(self) -> bool:
        """Whether neither words nor files were handed over."""
        return not self.text.strip() and not self.files
