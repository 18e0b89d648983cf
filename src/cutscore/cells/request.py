"""One cell as somebody asks for it, on the command line, from Python or with `inspect eval -T NAME=VALUE`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cutscore.core.errors import UnknownName
from cutscore.core.subject import Subject, SubjectSpec

# What Inspect hands on. Its own model and roles reach a task in other ways.
SETTINGS = ("subject", "mode", "frames", "input", "data", "prompts", "options", "conditions", "judge", "votes")


@dataclass(frozen=True)
class CellRequest:
    """A cell before it has an identity.

    Args:
        subject: `[LABEL=]KIND[@VERSION][:SPEC]`.
        frames: Frame plan, or the number of frames that the card's is cut down to; the card's plan when empty.
        input: What of its input the subject is shown, one of `inputs.inputs_of`; everything when empty.
        options: Choices in scoring.
        conditions: Conditions of work.
        votes: How often the judge is asked each question; what the card says when 0.
        source_digest: Digest of the model's weights, where we can know it.
        worker: Who works, where it is an object of the caller's; `subject` is then its name and no more.
    """

    benchmark: str
    subject: str = "model"
    model: str = ""
    mode: str = ""
    frames: str = ""
    input: str = ""
    data: str = ""
    prompts: Mapping[str, str] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    conditions: Mapping[str, str] = field(default_factory=dict)
    judge: str = ""
    votes: int = 0
    source_digest: str = ""
    worker: Subject | None = None

    def noted_settings(self) -> dict[str, Any]:
        """Return the settings as a log notes them: folders and files by their names, not by their places."""
        given = {name: value for name in SETTINGS if (value := getattr(self, name))}
        spec = SubjectSpec.parse(self.subject).without_place()
        given["subject"] = str(spec) if spec.label == str(spec) else f"{spec.label}={spec}"
        if self.data:
            given["data"] = Path(self.data).resolve().name
        if self.prompts:
            given["prompts"] = {name: Path(file).name for name, file in self.prompts.items()}
        return given


def request_from_settings(benchmark: str, settings: Mapping[str, Any]) -> CellRequest:
    """Return the cell that arguments of a task ask for; raise at an unknown one, of which Inspect would only warn."""
    for name in settings:
        if name not in SETTINGS:
            raise UnknownName.among("setting", name, SETTINGS)
    given = {name: value for name, value in settings.items() if value is not None}
    if "subject" in settings and settings["subject"] is None:
        given["subject"] = "null"  # `-T subject=null` reaches us as YAML's null
    if "frames" in given:
        given["frames"] = str(given["frames"])
    for name in ("options", "conditions"):
        if name in given:  # YAML makes numbers of some of them
            given[name] = {str(key): "none" if value is None else str(value) for key, value in given[name].items()}
    return CellRequest(benchmark, **given)
