"""A cell and its identity: which numbers may be merged, and which may not.

A cell is benchmark × subject × model × settings. Its digest covers everything that can move a score, and nothing
that cannot (engine, worker count, place, number of items or repeats asked for). Same digest: the run resumes.
Other digest: another folder, never merged.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import ConfigDict, Field, ValidationError

from cutscore.core.errors import OldRecord
from cutscore.core.frozen import FrozenModel, digest_of
from cutscore.core.item import Item
from cutscore.core.strict_json import first_fault
from cutscore.core.subject import SubjectSpec

SCHEMA = "cutscore.cell/1"


class Cell(FrozenModel):
    """Everything that identifies a cell.

    Args:
        data: Digest of all items, in published order.
        subject: Who works; its label is a display name and not part of the identity.
        model: Inspect name of the model, empty for subjects without one; of ready responses, whose they are.
        input: What of its input the subject was shown, where not all of it (`transcript`, `frames`, …).
        options: Choices in scoring that are not the card's defaults.
        conditions: Conditions of work that are not the card's defaults.
        around: Digest of the code that the benchmark puts around a subject, where a condition of its own asks for it.
        judging: What else can change the judge's answers: its model, votes, frame plan, labels, code.
        source_digest: Of what the subject is made of, where we can know it (script, folder).
        rescored_from: Id of the cell whose deliverables were marked again.
        chance: What guessing gets on items of the user's own, by score and as far as it is known; no part of the
            identity. None for the benchmark's own items, of which the card tells.
    """

    model_config = ConfigDict(populate_by_name=True)

    record: Literal["cutscore.cell/1"] = Field(default="cutscore.cell/1", alias="schema")
    benchmark: str
    version: str
    mode: str = ""
    data: str
    subject: SubjectSpec
    model: str = ""
    params: dict[str, Any] = Field(default_factory=dict)
    roles: dict[str, str] = Field(default_factory=dict)
    prompts: dict[str, str] = Field(default_factory=dict)
    frames: str = ""
    input: str = ""
    options: dict[str, str] = Field(default_factory=dict)
    conditions: dict[str, str] = Field(default_factory=dict)
    around: str = ""
    judge: str = ""
    judging: dict[str, Any] = Field(default_factory=dict)
    scoring: str = ""
    source_digest: str = Field(default="", alias="made_of")
    rescored_from: str = ""
    chance: dict[str, float] | None = None

    def identity(self) -> str:
        """Return the digest that decides between resuming and starting anew."""
        plain = self.model_dump(mode="json", by_alias=True)
        plain["subject"].pop("label")
        plain.pop("chance")
        # Without a judge, with all input and by the defaults it is the cell of before there was a choice.
        for name in ("judging", "input", "options", "conditions", "around"):
            if not plain[name]:
                del plain[name]
        return digest_of(plain)

    @property
    def called(self) -> str:
        """Name the model that the subject calls; whoever gave ready responses is not called again."""
        return "" if self.subject.kind == "responses" else self.model

    @property
    def models(self) -> tuple[str, ...]:
        """Name every model that is called."""
        judging = [self.judging, *self.judging.get("roles", {}).values()]
        return tuple(sorted({self.called, *self.roles.values(), *(each.get("model", "") for each in judging)} - {""}))

    @property
    def judge_roles(self) -> dict[str, str]:
        """Name who sits in further roles of the judge, by role."""
        return {role: str(terms["name"]) for role, terms in self.judging.get("roles", {}).items()}

    @property
    def id(self) -> str:
        """Name the cell's folder: readable, safe, unique by digest."""
        if self.rescored_from:
            return f"{self.rescored_from}.rescored-{self.identity()[:8]}"
        names = [slug(self.subject.label)] + ([slug(self.model)] if self.model else [])
        return "-".join([*names, self.identity()[:12]])

    @property
    def title(self) -> str:
        """Name the cell in a table."""
        again = " (rescored)" if self.rescored_from else ""
        return (f"{self.subject.label} {self.model}" if self.model else self.subject.label) + again

    def to_json(self) -> str:
        """Return the text of its `cell.json`."""
        return self.model_dump_json(by_alias=True, indent=1) + "\n"

    def differs(self, other: "Cell") -> dict[str, tuple[Any, Any]]:
        """Name the settings in which two cells differ, with both values."""
        mine, theirs = self.model_dump(mode="json"), other.model_dump(mode="json")
        if self.judge != other.judge:  # that says it all: another judge has other terms and reads other prompts
            for plain in (mine, theirs):
                plain["judging"] = {}
                plain["prompts"] = {name: each for name, each in plain["prompts"].items() if not is_judge_prompt(name)}
        if self.conditions != other.conditions:  # so does this: models of theirs and the code around follow from them
            for plain in (mine, theirs):
                own = plain["conditions"]
                plain["around"] = ""
                plain["roles"] = {name: each for name, each in plain["roles"].items() if own.get(name) != each}
        names = [name for name in mine if mine[name] != theirs[name] and name not in ("rescored_from", "chance")]
        return {name: (mine[name], theirs[name]) for name in names}


def is_judge_prompt(prompt: str) -> bool:
    """Return whether a benchmark's prompt is read by its judge alone, which its name tells.

    >>> is_judge_prompt("judge_form"), is_judge_prompt("ask")
    (True, False)
    """
    return prompt.startswith("judge")


def read_cell(plain: Mapping[str, Any], *, where: str) -> Cell:
    """Read a cell from a log or a `cell.json`; `where` names the file in errors."""
    schema = plain.get("schema")
    if schema != SCHEMA:
        fact = f"has schema '{schema}', this version reads '{SCHEMA}'" if schema else "does not say its schema"
        raise OldRecord(where, fact, "read it with the version that wrote it, or run again into another folder")
    try:
        return Cell.model_validate(dict(plain))
    except ValidationError as error:
        raise OldRecord(where, first_fault(error), "it was not written by this version") from error


def slug(text: str) -> str:
    """Make a name safe as a part of a file name.

    >>> slug("openai/gpt-5.5"), slug("folder:/tmp/out put")
    ('openai_gpt-5.5', 'folder_tmp_out_put')
    """
    return re.sub(r"[^A-Za-z0-9.-]+", "_", text).strip("_.-")[:60] or "x"


def data_digest(items: Iterable[Item]) -> str:
    """Return the digest of all items; their files count by hash."""
    return digest_of([item.model_dump(mode="json") for item in items])
