"""Items: one question about one moment of one clip; three questions a clip, twenty clips."""

from pathlib import Path
from random import Random
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from cutscore.benchmarks.clips import rendered
from cutscore.benchmarks.colorbars.build import RATE, Segment, frames, moments, scene
from cutscore.benchmarks.packs import read_pack
from cutscore.core.files import FileRef, Shelf
from cutscore.core.item import TRUTH, Item
from cutscore.core.timeline import Seconds

CLIPS, SEED = 20, 1
Colour = Annotated[str, StringConstraints(pattern="^[a-z]+$")]


class Moment(Item):
    """Which colour fills the screen at a moment of a clip?

    Args:
        at_s: The moment, in seconds from the start of the clip.
        choices: The colours to choose from, in the order shown.
        answer: The colour on screen at that moment.
        segments: The whole clip, colour by colour.
    """

    clip: FileRef
    at_s: Seconds
    choices: tuple[Colour, ...] = Field(min_length=2)
    answer: Annotated[Colour, TRUTH]
    segments: Annotated[tuple[Segment, ...], TRUTH]

    @model_validator(mode="after")
    def _has_one_answer(self) -> Self:
        shown = {segment.colour for segment in self.segments if segment.holds(self.at_s)}
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


def items(shelf: Shelf, data: Path | None = None) -> list[Moment]:
    """Give all items in published order, from the seed, or from a data pack of the same shape."""
    if data is not None:
        return read_pack(data, Moment, shelf, files=("clip",))
    return [item for number in range(1, CLIPS + 1) for item in _questions(number, shelf)]


def _questions(number: int, shelf: Shelf) -> list[Moment]:
    name, draw = f"bars-{number:02d}", Random(f"colorbars {SEED} {number}")
    segments = scene(draw)
    clip = rendered(shelf, f"{name}.mp4", lambda: frames(segments), rate=RATE)
    return [
        Moment(
            id=f"{name}-{letter}",
            cluster=name,
            groups={"moment": moment},
            clip=clip,
            at_s=at_s,
            # The colours of the clip itself: whoever saw it wrongly finds a wrong answer among them.
            choices=tuple(draw.sample([segment.colour for segment in segments], len(segments))),
            answer=next(segment.colour for segment in segments if segment.holds(at_s)),
            segments=segments,
        )
        for letter, (moment, at_s) in zip("abc", moments(draw, segments).items(), strict=True)
    ]
