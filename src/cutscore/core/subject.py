"""Who is measured: the one call that a subject answers, and the desk it works at."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import Shelf
from cutscore.core.noun import Noun


class SubjectSpec(Noun):
    """A subject as the command line names it: `[LABEL=]KIND[@VERSION][:SPEC]`.

    >>> SubjectSpec.parse("mine=folder:out/a").label
    'mine'
    >>> str(SubjectSpec.parse("codex_cli@0.128.0"))
    'codex_cli@0.128.0'
    """

    kind: str
    version: str = ""
    spec: str = ""
    label: str = ""

    @classmethod
    def parse(cls, text: str) -> "SubjectSpec":
        head, colon, spec = text.partition(":")
        label, equals, kind = head.rpartition("=") if "=" in head else ("", "", head)
        kind, _, version = kind.partition("@")
        if not kind or (equals and not label) or (colon and not spec):
            raise ValueError(f"'{text}' is not [LABEL=]KIND[@VERSION][:SPEC]")
        made = cls(kind=kind, version=version, spec=spec)
        return made.model_copy(update={"label": label or str(made)})

    def __str__(self) -> str:
        version = f"@{self.version}" if self.version else ""
        return f"{self.kind}{version}" + (f":{self.spec}" if self.spec else "")


@dataclass(frozen=True)
class Desk:
    """What a subject has to work with besides the ask.

    Args:
        shelf: Turns the references of the ask into files, and takes in what is delivered.
        workspace: An empty folder of its own, gone when the sample ends.
        epoch: Which repeat this is, from 1.
        seed: Equal for equal (item, epoch, subject), whoever runs it and in which order.
        frames: The frame plan to look at clips with, as its spec string.
    """

    shelf: Shelf
    workspace: Path
    epoch: int
    seed: int
    frames: str = ""


class Subject(Protocol):
    """Somebody who can be asked."""

    async def work(self, ask: Ask, desk: Desk) -> Deliverable:
        """Do the work. Raise SubjectFailed for a failure of the subject's own; any other error is ours."""
        ...
