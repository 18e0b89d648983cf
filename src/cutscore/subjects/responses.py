"""What models said elsewhere: `responses:FILE[#MODEL]`, JSON lines with a model, an item, and a text or an error.

A file may hold many models, and each is a subject of its own. Nobody is asked anything here, so what the responses have
cost is not known.
"""

import logging
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, Self

from pydantic import Field, StringConstraints, model_validator

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput, BrokenData, UnknownName, Unscored
from cutscore.core.frozen import FrozenModel, digest_of
from cutscore.core.subject import SubjectSpec, WorkContext
from cutscore.labels.files import read_lines

KIND = "responses"
READ = ("model", "item", "epoch", "text", "error")
MOST_NAMED = 5  # unknown items and fields that are named one by one
LONGEST_CAUSE = 300  # characters of an error that a row repeats
LONGEST_NAME = 40  # characters of a field's name that a warning repeats

logger = logging.getLogger(__name__)

Name = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=r"^[^\x00-\x1f]+$")
]
ResponseKey = tuple[str, int]


class Response(FrozenModel):
    """One line: what a model said to an item, or why it said nothing.

    Args:
        text: The answer; an empty one is an answer, too.
        error: Why there is none: the provider failed, so the sample is not marked.
        unread: Names of all other fields. What they hold (prompts, pictures …) is not kept.
    """

    model: Name
    item: Name
    epoch: int = Field(default=1, ge=1, strict=True)
    text: str | None = None
    error: str = ""
    unread: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _only_what_is_read(cls, data: object) -> object:
        if not isinstance(data, dict):
            return data
        read = {name: data[name] for name in READ if data.get(name) is not None}
        return {**read, "unread": tuple(str(name)[:LONGEST_NAME] for name in data if name not in READ)}

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if self.error and self.text:
            raise ValueError("has both a text and an error")
        if not self.error and self.text is None:
            raise ValueError("has neither a text nor an error")
        return self


@dataclass(frozen=True)
class ResponsesSubject:
    """Hands over what one model said, by item and epoch; in the digest neither order nor unread fields count."""

    file: str
    answered_by: str
    said: Mapping[ResponseKey, Response]
    source_digest: str
    delivers: ClassVar = frozenset({"text"})

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Return what the model said to this item in this epoch; raise Unscored where it said nothing."""
        found, who = self.said.get((ask.item, context.epoch)), f"model '{self.answered_by}'"
        if found is None:
            repeat = f" for epoch {context.epoch}" if context.epoch > 1 else ""
            raise Unscored(who, f"no response in '{self.file}'{repeat}")
        if found.error:
            raise Unscored(who, f"failed where it was asked: {' '.join(found.error.split())[:LONGEST_CAUSE]}")
        context.tally.add_booked_call(None, None)  # the call was made elsewhere, and what it cost is not known
        return Deliverable(text=found.text or "")


def split_by_model(spec: SubjectSpec) -> list[str]:
    """Return one subject for each model of a file, in the order of their names; warn of what was left out of it.

    Without a label of the user's they are called `responses`.
    """
    file, model = _split_spec(spec.spec)
    read = read_responses(file)
    unread = Counter(name for lines in read.values() for line in lines.values() for name in line.unread)
    if unread:
        named = _name_some([f"{name} ({times:,} times)" for name, times in unread.most_common()])
        logger.warning("responses '%s': fields that are not read: %s", file, named)
    label = KIND if spec.label == str(spec) else spec.label
    version = f"@{spec.version}" if spec.version else ""
    return [f"{label}={spec.kind}{version}:{file}#{name}" for name in ([model] if model else sorted(read))]


def open_responses(text: str, items: Collection[str]) -> ResponsesSubject:
    """Return the subject of `responses:FILE[#MODEL]`; its identity is what that model said."""
    file, model = _split_spec(text)
    what, read = f"responses '{file}'", read_responses(file)
    strange = sorted({item for lines in read.values() for item, _ in lines if item not in items})
    if strange:
        fact = f"has {len(strange):,} items that are not in the data: {_name_some(strange)}"
        raise BadInput(what, fact, "give the data that was asked with --data")
    if not model and len(read) > 1:
        raise BadInput(what, f"has {len(read)} models: {_name_some(sorted(read))}", f"write {KIND}:FILE#MODEL")
    model = model or next(iter(read))
    if model not in read:
        raise UnknownName.among(f"model in {what}", model, read)
    plain = [[*key, line.text, line.error] for key, line in sorted(read[model].items())]
    return ResponsesSubject(file.name, model, read[model], source_digest=digest_of(plain))


def read_responses(file: Path) -> dict[str, dict[ResponseKey, Response]]:
    """Read a file: lines by model, each by item and epoch; raise at a line that is no response or repeats one."""
    found: dict[str, dict[ResponseKey, Response]] = {}
    places: dict[tuple[str, ResponseKey], str] = {}
    for place, line in read_lines(file, Response, what="responses"):
        key = (line.item, line.epoch)
        first = places.setdefault((line.model, key), place)
        if first is not place:
            fact = f"answers item '{line.item}', epoch {line.epoch} for model '{line.model}' again, after {first}"
            raise BrokenData(place, fact, "keep one of them")
        found.setdefault(line.model, {})[key] = line
    if not found:
        raise BrokenData(f"responses '{file}'", "has no lines", 'write {"model": …, "item": …, "text": …}')
    return found


def _split_spec(text: str) -> tuple[Path, str]:
    """Part FILE#MODEL at the last mark that follows the name of a file: both may have such marks of their own."""
    whole = Path(text).expanduser()
    for end in (place for place in reversed(range(len(text))) if text[place] == "#" and not whole.is_file()):
        if (file := Path(text[:end]).expanduser()).is_file():
            return file, text[end + 1 :]
    return whole, ""


def _name_some(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more
