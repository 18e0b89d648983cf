"""VISIT.json: how a tutorial is recorded, and the tasks that go with it.

    {"name": "forum_first_post", "title": "Posting to a forum", "site": "reddit", "login": ["reddit"],
     "start": "__REDDIT__/", "steps": [
       {"say": "Today I show you how to post a picture.", "mark": "greeting"},
       {"say": "First I click on submit.", "do": {"tool": "click", "arguments": {"element": "[A] [Submit]"}}},
       {"wait_s": 1.5, "mark": "price"}]}

What a step says is heard while the page before its action is on view. Then the pointer goes to the element, and the
action is done. Who has a recording already names it as `recording`, in place of steps.
"""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, JsonValue, StringConstraints, field_validator, model_validator

from cutscore.atomic import replace_file
from cutscore.benchmarks.videowebarena.scripts import TaskScripts
from cutscore.benchmarks.videowebarena.sites import SiteName, sites_in
from cutscore.core.errors import BadInput
from cutscore.core.frozen import FrozenModel
from cutscore.core.strict_json import first_fault, read_json
from cutscore.core.trajectory import Action
from cutscore.regular_file import open_regular

MOST_BYTES = 4_000_000
MOST_WAIT_S = 60.0
VIEWPORT = (1280, 720)
OPENING: dict[str, JsonValue] = {"wait_s": 1}  # of a visit that a person records: its start page is on view

VideoName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,59}$")]
MarkName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")]


class VisitStep(FrozenModel):
    """One step of a visit.

    Args:
        say: A sentence that is spoken before the action.
        do: An action of `environments/browser/grammar.py`; an element is named by its words: `[BUTTON] [Buy]`.
        wait_s: How long the page stays on view after it.
        mark: Name of the step's span in the log, for tasks that need what is seen or heard there.
    """

    say: str = Field(default="", max_length=2_000)
    do: Action | None = None
    wait_s: float = Field(default=0, ge=0, le=MOST_WAIT_S)
    mark: MarkName | None = None

    @model_validator(mode="after")
    def _does_something(self) -> Self:
        if not (self.say.strip() or self.do or self.wait_s):
            raise ValueError("a step has one of 'say', 'do' and 'wait_s' at least")
        return self


class VisitTask(FrozenModel):
    """The author's half of a task; `build.py` adds site, start page, video, number and difficulties.

    Args:
        intent_template: The intent, where it is empty.
        start_url: The start page of the visit, where it is empty.
        eval, intermediate_eval: As the released files have them.
        script: How it is done, and nearly done.
    """

    set: Literal["factual", "vwa"] = "factual"
    intent: str = Field(min_length=1)
    intent_template: str = ""
    instantiation_dict: dict[str, JsonValue] = Field(default_factory=dict)
    start_url: str = ""
    require_reset: bool = False
    eval: dict[str, JsonValue]
    intermediate_intent: str = ""
    intermediate_eval: dict[str, JsonValue] | None = None
    visual_reasoning: bool = False
    audio_reasoning: bool = False
    multihop_reasoning: bool = False
    temporal_reasoning: bool = False
    script: TaskScripts | None = None

    @model_validator(mode="after")
    def _asks_about_the_video(self) -> Self:
        if self.set == "factual" and not (self.intermediate_intent and self.intermediate_eval):
            raise ValueError("a factual task has 'intermediate_intent' and 'intermediate_eval'")
        return self


class ScriptedVisit(FrozenModel):
    """A visit.

    Args:
        name: That of the video and of its files.
        site: Whose tasks go with it.
        login: Sites where somebody is logged in before it begins.
        start: The page on which it begins.
        viewport: Size of the page, and of the video.
        reset: Whether sites are put back before it is recorded, as far as they have a hook.
        recording: A video of your own beside this file, taken as it is, in place of steps.
    """

    name: VideoName
    title: str = Field(min_length=1, max_length=200)
    site: SiteName
    login: tuple[SiteName, ...] = ()
    start: str = Field(min_length=1)
    viewport: tuple[int, int] = VIEWPORT
    reset: bool = False
    steps: tuple[VisitStep, ...] = ()
    recording: str = ""
    tasks: tuple[VisitTask, ...] = ()

    @field_validator("viewport")
    @classmethod
    def _is_even(cls, size: tuple[int, int]) -> tuple[int, int]:
        if not all(64 <= each <= 4_096 and each % 2 == 0 for each in size):
            raise ValueError("both sides are even numbers from 64 to 4096")  # colour is stored at half resolution
        return size

    @model_validator(mode="after")
    def _has_one_source(self) -> Self:
        if bool(self.steps) == bool(self.recording):
            raise ValueError("a visit has 'steps' or a 'recording', and not both")
        marks = [step.mark for step in self.steps if step.mark]
        if twice := next((mark for mark in marks if marks.count(mark) > 1), None):
            raise ValueError(f"mark '{twice}' stands at two steps")
        return self

    @property
    def sites(self) -> tuple[str, ...]:
        """All sites that it goes to, its own first."""
        written = [str(each) for step in self.steps if step.do for each in step.do.arguments.values()]
        return tuple(dict.fromkeys((self.site, *self.login, *sites_in([self.start, *written]))))


def read_visit(file: Path) -> ScriptedVisit:
    """Return the visit of a file; BadInput with the first fault where it is none."""
    return _make_visit(file, _read_plain(file))


def read_beginning(file: Path, site: str) -> ScriptedVisit:
    """Return a visit that a person is to record: where it begins, and one step, the look at that page.

    The file tells everything of a visit but its steps. Without a file it begins on the first page of the site.
    """
    plain = _read_plain(file) if file.exists() else name_visit(file, site)
    if isinstance(plain, dict) and (plain.get("steps") or plain.get("recording")):
        raise BadInput(f"visit '{file.name}'", "is recorded already", "leave --record out, or name another file")
    return _make_visit(file, {**plain, "steps": [OPENING]} if isinstance(plain, dict) else plain)


def name_visit(file: Path, site: str) -> dict[str, JsonValue]:
    """Return what a visit without a description is called, and where it begins."""
    if not site:
        raise BadInput(f"'{file.name}'", "does not tell its site", "add --set site=NAME, or describe a visit")
    name = "".join(each if each.isascii() and each.isalnum() else "_" for each in file.stem.lower()).strip("_")
    return {"name": name[:60], "title": file.stem[:200], "site": site, "start": f"__{site.upper()}__/"}


def write_visit(visit: ScriptedVisit, file: Path) -> None:
    """Write a visit that appears whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with replace_file(file) as draft:
        draft.write_text(visit.model_dump_json(indent=1, exclude_defaults=True) + "\n", encoding="utf-8")


def _read_plain(file: Path) -> JsonValue:
    try:
        with open_regular(file) as stream:
            return read_json(stream.read(MOST_BYTES).decode())
    except (OSError, ValueError) as fault:
        raise _refuse(file, fault) from None


def _make_visit(file: Path, plain: JsonValue) -> ScriptedVisit:
    try:
        return ScriptedVisit.model_validate(plain)
    except ValueError as fault:
        raise _refuse(file, fault) from None


def _refuse(file: Path, fault: OSError | ValueError) -> BadInput:
    why = fault.strerror if isinstance(fault, OSError) else first_fault(fault)
    return BadInput(f"visit '{file.name}'", f"cannot be used: {why}", "mend it; see docs/web-tutorials.md")
