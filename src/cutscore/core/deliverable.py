"""What a subject hands over when it has stopped."""

from cutscore.core.files import FileRef, Files


class Deliverable(Files):
    """Text, files, or a stated failure.

    Args:
        failure: Why the subject has nothing better to show, by its own doing (refusal, crash, time limit).
            A deliverable with a failure is still marked: with what is there, which is mostly 0.
    """

    text: str = ""
    failure: str = ""
    trajectory: FileRef | None = None

    @property
    def empty(self) -> bool:
        """Whether neither words nor files were handed over."""
        return not self.text.strip() and not self.files
