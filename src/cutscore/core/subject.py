"""Who is measured: the one call that a subject answers, and what it has to work with."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePath
from typing import Literal, Protocol, runtime_checkable

from pydantic import JsonValue

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.environment import Environment
from cutscore.core.files import FileStore
from cutscore.core.frozen import FrozenModel
from cutscore.core.step_recorder import StepRecorder
from cutscore.core.tally import Tally
from cutscore.core.turn import Turn
from cutscore.core.work_facts import WorkMeter


class SubjectSpec(FrozenModel):
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
        """Read a spec as a user writes it; the label is the spec itself unless there is one."""
        head, colon, spec = text.partition(":")
        label, equals, kind = head.rpartition("=") if "=" in head else ("", "", head)
        kind, at, version = kind.partition("@")
        if not kind or (equals and not label) or (at and not version) or (colon and not spec):
            raise ValueError(f"'{text}' is not [LABEL=]KIND[@VERSION][:SPEC]")
        made = cls(kind=kind, version=version, spec=spec)
        return made.model_copy(update={"label": label or str(made)})

    def without_place(self) -> "SubjectSpec":
        """Return the spec as a record has it: of an absolute path the last part, which tells nothing of a machine.

        >>> SubjectSpec.parse("responses:/home/me/said.jsonl#lab/model").without_place().label
        'responses:said.jsonl#lab/model'
        """
        path, mark, rest = self.spec.partition("#")
        if not path.startswith(("/", "~")) or not (name := PurePath(path).name):
            return self
        made = self.model_copy(update={"spec": f"{name}{mark}{rest}"})
        return made.model_copy(update={"label": str(made)}) if self.label == str(self) else made

    def __str__(self) -> str:
        version = f"@{self.version}" if self.version else ""
        return f"{self.kind}{version}" + (f":{self.spec}" if self.spec else "")


ReferenceRole = Literal["", "ceiling", "guess", "floor", "people", "planted"]

# Lines to read a score against. All other kinds compete, the keyless `reader` among them.
_REFERENCE_KINDS: Mapping[str, ReferenceRole] = {
    "oracle": "ceiling",
    "blind": "guess",
    "transcript": "guess",
    "null": "floor",
}


def reference_role(subject: SubjectSpec, planted: Collection[str] = ()) -> ReferenceRole:
    """Return what a subject shows beside those who compete; empty for one who competes.

    Args:
        subject: As it was asked for.
        planted: Kinds of the benchmark's own subjects with known faults (`Card.planted`).

    >>> [reference_role(SubjectSpec.parse(each), ["echo"]) for each in ("best=oracle", "human-1=folder:a", "echo")]
    ['ceiling', 'people', 'planted']
    >>> [reference_role(SubjectSpec.parse(each)) for each in ("reader", "codex_cli@0.128.0")]
    ['', '']
    """
    if is_person(subject.label) or subject.kind == "human":
        return "people"
    return _REFERENCE_KINDS.get(subject.kind) or ("planted" if subject.kind in planted else "")


def is_person(label: str) -> bool:
    """Return whether a label is that of a person who did the tasks by hand: `human-1=folder:DIR`.

    >>> is_person("human-1"), is_person("humanoid")
    (True, False)
    """
    return label.startswith("human-")


class WorkNotes(Protocol):
    """What one sample has written down, turn by turn; a run that resumes finds it again."""

    def get(self, key: str) -> JsonValue:
        """Return what was written under a key, None when there is nothing."""

    def put(self, key: str, value: JsonValue) -> None:
        """Write something down; when this returns, a kill cannot take it away."""


class MemoryNotes:
    """Notes that end with the process."""

    def __init__(self) -> None:
        self._kept: dict[str, JsonValue] = {}

    def get(self, key: str) -> JsonValue:
        """Return what was written under a key, None when there is nothing."""
        return self._kept.get(key)

    def put(self, key: str, value: JsonValue) -> None:
        """Keep a value in memory."""
        self._kept[key] = value


@dataclass(frozen=True)
class WorkContext:
    """What a subject has to work with besides the ask.

    Args:
        store: Turns the references of the ask into files, and takes in what is delivered.
        make_workspace: Makes the folder behind `workspace`; most subjects never need one.
        seed: Equal for equal (item, epoch, subject), whoever runs it and in which order.
        frames: The frame plan to look at clips with, as its spec string.
        steps: Where a subject may say what it does; the report shows it.
        clean: Takes secrets out of text that a model sends back; None when there are none to take out.
        environment: The world to act in; None where the benchmark has none.
        turns: Earlier turns of this sample, where something answers back.
        conditions: Conditions of work by name, the defaults included.
        notes: What must survive a kill: paid replies, numbers of jobs under way.
        meter: Takes what the work took, as far as the subject can measure it.
    """

    store: FileStore
    make_workspace: Callable[[], Path]
    epoch: int
    seed: int
    frames: str = ""
    tally: Tally = field(default_factory=Tally)
    steps: StepRecorder = field(default_factory=StepRecorder)
    clean: Callable[[str], str] | None = None
    environment: Environment | None = None
    turns: tuple[Turn, ...] = ()
    conditions: Mapping[str, str] = field(default_factory=dict)
    notes: WorkNotes = field(default_factory=MemoryNotes)
    meter: WorkMeter = field(default_factory=WorkMeter)

    @cached_property
    def workspace(self) -> Path:
        """An empty folder of the subject's own, gone when the sample ends."""
        return self.make_workspace()


class AcceptedInput(FrozenModel):
    """What of an ask a subject can take in; where nothing is named, everything.

    Args:
        media: Families of files: `video`, `image`, `audio`, `text`.
        roles: Roles of an ask's parts.
    """

    media: frozenset[str] | None = None
    roles: frozenset[str] | None = None

    def refuse(self, ask: Ask) -> str:
        """Return what of an ask is beyond it, empty when nothing is. A file of a type that nobody knows is not.

        >>> styled = Ask(item="a", brief="b", parts=[{"role": "style", "text": "c"}])
        >>> AcceptedInput(roles={"instruction"}).refuse(styled)
        "takes no part 'style'"
        """
        families = ["text" if ref.is_text else ref.media_type.partition("/")[0] for ref in ask.files]
        strange = [] if self.media is None else [each for each in families if each and each not in self.media]
        if strange:
            return f"takes no {strange[0]}"
        strange = [] if self.roles is None else [part.role for part in ask.parts if part.role not in self.roles]
        return f"takes no part '{strange[0]}'" if strange else ""


@runtime_checkable
class RemarkingSubject(Protocol):
    """A subject that has something to say of its plan before it works."""

    def remarks(self, items: Sequence[str]) -> tuple[str, ...]:
        """Return what a reader should know of these items: `folder 'out' holds 3 of 60 items`."""


@runtime_checkable
class ParticularSubject(Protocol):
    """A subject that cannot work with every model, or under all conditions together."""

    def check_conditions(self, model: str, conditions: Mapping[str, str]) -> None:
        """Raise BadInput where it cannot; asked before anything is spent. The model is empty where nobody names one."""


class Subject(Protocol):
    """Somebody who can be asked.

    Beside `work` it may have attributes that are read before anything is spent: `delivers`, a set of `text` and
    `files`, is what it can hand over, and `takes`, an `AcceptedInput`, what it can take in. Items beyond that leave its
    plan. See also `RemarkingSubject` and `ParticularSubject`.
    """

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Do the work. Raise SubjectFailed for a failure of the subject's own; any other error is ours."""
