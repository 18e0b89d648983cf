"""What is known of a procedure on video: its steps with times, tools, needs and reasons, and what is only seen.

Everything that is asked about a clip is made from this one record, whoever wrote it: the stage (which knows), a person
(a sidecar of the schema `cutscore.procedure/1` beside the footage) or a model (which may err, and is named as author).
"""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import ConfigDict, Field, StringConstraints, ValidationError, model_validator

from cutscore.core.errors import BrokenData
from cutscore.core.frozen import FrozenModel, SafeName
from cutscore.core.strict_json import first_fault, read_json
from cutscore.core.timeline import Seconds, Span, timecode
from cutscore.media.transcript import Transcript

SCHEMA: Final = "cutscore.procedure/1"
FEWEST_STEPS = 3
MOST_BYTES = 4 << 20

Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500, pattern=r"^[^\r\n]*$")]
Name = Annotated[str, StringConstraints(strip_whitespace=True, max_length=100, pattern=r"^[^\r\n]*$")]


class ProcedureStep(Span):
    """One step, from when it begins to when it is done.

    Args:
        text: As a list of steps would say it.
        verb: What is done, as the text has it; empty when nobody said.
        tool: What it is done with, as the text has it; empty when with nothing.
        needs: Earlier steps without which it could not be done.
        why: The reason for it, as a clause; empty when nobody said.
    """

    id: SafeName
    text: Line
    verb: Name = ""
    tool: Name = ""
    needs: tuple[SafeName, ...] = ()
    why: Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)] = ""


class Sight(Span):
    """Something to be seen during a stretch, as a question; without key terms all words of its answer matter."""

    question: Line
    answer: Line
    key_terms: tuple[Line, ...] = ()


class ProcedureRecord(FrozenModel):
    """A clip's procedure; steps are in the order of their beginnings, and may overlap.

    Args:
        name: Of the clip, safe as a file name.
        domain: As the benchmark that asks calls it.
        transcript: What is said; None when nobody listened.
        author: Who wrote the record: a person, a model by name, or the stage.
    """

    model_config = ConfigDict(populate_by_name=True)

    record: Literal["cutscore.procedure/1"] = Field(default=SCHEMA, alias="schema")
    name: SafeName
    title: Line
    domain: SafeName
    length_s: Annotated[Seconds, Field(gt=0)]
    steps: Annotated[tuple[ProcedureStep, ...], Field(min_length=FEWEST_STEPS, max_length=200)]
    sights: Annotated[tuple[Sight, ...], Field(max_length=500)] = ()
    transcript: Transcript | None = None
    author: Name = ""
    licence: Name = ""
    source: Name = ""

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        earlier: dict[str, ProcedureStep] = {}
        for step in self.steps:
            if step.id in earlier:
                raise ValueError(f"there are two steps '{step.id}'")
            if unknown := next((name for name in step.needs if name not in earlier), None):
                raise ValueError(f"step '{step.id}' needs '{unknown}', which is no earlier step")
            if late := next((name for name in step.needs if earlier[name].start_s >= step.start_s), None):
                raise ValueError(f"step '{step.id}' needs '{late}', which does not begin before it")
            if earlier and step.start_s < next(reversed(earlier.values())).start_s:
                raise ValueError(f"step '{step.id}' begins before the one that stands above it")
            earlier[step.id] = step
        for span in (*self.steps, *self.sights):
            if span.end_s > self.length_s:
                raise ValueError(f"something ends at {timecode(span.end_s)}, the clip at {timecode(self.length_s)}")
        return self

    @cached_property
    def by_id(self) -> Mapping[str, ProcedureStep]:
        """The steps by their ids, in their order."""
        return {step.id: step for step in self.steps}

    @cached_property
    def all_needs(self) -> Mapping[str, frozenset[str]]:
        """The ids of all earlier steps that each step needs, also through others."""
        found: dict[str, frozenset[str]] = {}
        for step in self.steps:  # what it needs stands above it
            found[step.id] = frozenset(step.needs).union(*(found[name] for name in step.needs))
        return found

    @property
    def narration(self) -> str:
        """All that is said, on one line."""
        return self.transcript.text if self.transcript is not None else ""


def stretch_of(*steps: ProcedureStep) -> Span:
    """Return the stretch of the clip from the first beginning to the last end of some steps."""
    return Span(start_s=min(step.start_s for step in steps), end_s=max(step.end_s for step in steps))


def read_procedure(path: Path) -> ProcedureRecord:
    """Read a sidecar; what is wrong with it is said by its place."""
    what = f"procedure '{path.name}'"
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BrokenData(what, f"has more than {MOST_BYTES:,} bytes")
        return ProcedureRecord.model_validate(read_json(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise BrokenData(what, f"cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise BrokenData(what, first_fault(error)) from None
    except ValueError as error:
        raise BrokenData(what, str(error)) from None
