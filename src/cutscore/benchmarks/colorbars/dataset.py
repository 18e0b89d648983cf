"""Items: one question about one moment of one clip; three questions a clip, twenty clips."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from cutscore.authoring.clip_cache import staged
from cutscore.authoring.packs import pack_faults, read_pack
from cutscore.benchmarks.colorbars.build import WORDS, Kind, Segment, clip, moments
from cutscore.core.files import FileRef, FileStore
from cutscore.core.item import TRUTH, Item
from cutscore.core.timeline import Seconds
from cutscore.stage.palette import VIVID, Colour

CLIPS, SEED = 20, 1
Value = Annotated[str, StringConstraints(pattern="^[a-z0-9]+$")]


class Moment(Item):
    """Which colour, which word or how many balls at a moment of a clip?

    Args:
        kind: What is asked about.
        at_s: The moment, in seconds from the start of the clip.
        choices: What to choose from, in the order shown.
        answer: What is there at that moment.
        segments: The whole clip, value by value.
    """

    clip: FileRef
    kind: Kind
    at_s: Seconds
    choices: tuple[Value, ...] = Field(min_length=2)
    answer: Annotated[Value, TRUTH]
    segments: Annotated[tuple[Segment, ...], TRUTH]

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
    def shown(self) -> Segment:
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


def items(store: FileStore, data: Path | None = None) -> list[Moment]:
    """Return all items in published order, from the seed, or from a data pack of the same shape."""
    return read_pack(data, Moment, store, files=("clip",)) if data is not None else drawn(store)


def faults(store: FileStore, data: Path) -> list[str]:
    """Name each bad item of a data pack."""
    return pack_faults(data, Moment, store, files=("clip",))


def drawn(
    store: FileStore, *, seed: int = SEED, colours: Sequence[Colour] = VIVID, words: Sequence[str] = WORDS
) -> list[Moment]:
    """Draw items from any seed, with any colours and words: other clips of the same difficulty."""
    return [
        item
        for number in range(1, CLIPS + 1)
        for item in _questions(f"bars-{number:02d}", Random(f"colorbars {seed} {number}"), store, colours, words)
    ]


def _questions(
    name: str, draw: Random, store: FileStore, colours: Sequence[Colour], words: Sequence[str]
) -> list[Moment]:
    made = clip(name, draw, colours=colours, words=words)
    file = staged(store, f"{name}.mp4", made.scene)
    return [
        Moment(
            id=f"{name}-{letter}",
            cluster=name,
            groups={"kind": kind, "moment": moment},
            clip=file,
            kind=kind,
            at_s=at_s,
            # What the clip itself shows: whoever looked at the wrong moment finds a wrong answer among them.
            choices=tuple(draw.sample([each.value for each in made.shows[kind]], len(made.shows[kind]))),
            answer=next(each.value for each in made.shows[kind] if each.holds(at_s)),
            segments=made.shows[kind],
        )
        for letter, (moment, (kind, at_s)) in zip("abc", moments(draw, made.shows).items(), strict=True)
    ]
