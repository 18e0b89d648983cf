"""Items: one question about one moment of one clip; three questions a clip, twenty clips."""

from pathlib import Path
from typing import Annotated, Literal, Self, get_args

from pydantic import Field, StringConstraints, model_validator

from cutscore.authoring.packs import read_pack
from cutscore.core.files import FileRef, FileStore
from cutscore.core.item import TRUTH, Item
from cutscore.core.timeline import Seconds, Span

STARTER = Path(__file__).parent / "starter"
Kind = Literal["colour", "word", "count"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Value = Annotated[str, StringConstraints(pattern="^[a-z0-9]+$")]


class ValueSpan(Span):
    """A stretch in which nothing changes of what is asked about."""

    value: str


class ColorbarsItem(Item):
    """Which colour, which word or how many balls at a moment of a clip?

    Args:
        at_s: The moment, in seconds from the start of the clip.
        choices: What to choose from, in the order shown.
        segments: The whole clip, value by value.
    """

    clip: FileRef
    kind: Kind
    at_s: Seconds
    choices: tuple[Value, ...] = Field(min_length=2)
    answer: Annotated[Value, TRUTH]
    segments: Annotated[tuple[ValueSpan, ...], TRUTH]

    @model_validator(mode="after")
    def _has_one_answer(self) -> Self:
        shown = {segment.value for segment in self.segments if segment.holds(self.at_s)}
        if shown != {self.answer}:
            seen = " and ".join(sorted(shown)) or "nothing"
            raise ValueError(f"the answer is '{self.answer}', but the segments show {seen} at {float(self.at_s):g} s")
        if self.choices.count(self.answer) != 1 or len(set(self.choices)) != len(self.choices):
            raise ValueError(f"choices are distinct and name the answer '{self.answer}' once")
        return self

    @property
    def segment(self) -> ValueSpan:
        """The segment that the question is about."""
        return next(segment for segment in self.segments if segment.holds(self.at_s))

    @property
    def truth(self) -> str:
        """What the clip shows at the moment, in a sentence's words."""
        return {
            "colour": f"the panel is {self.answer}",
            "word": f"the card says '{self.answer}'",
            "count": "there is 1 ball" if self.answer == "1" else f"there are {self.answer} balls",
        }[self.kind]


def items(store: FileStore, data: Path | None = None) -> list[ColorbarsItem]:
    """Return all items in published order: of the starter pack, or of a data pack."""
    return read_pack(data or STARTER, ColorbarsItem, store, files=("clip",))
