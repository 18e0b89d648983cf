"""Around an editor: its source is made into what it takes in, by a rule of `input_rules.toml`.

The paper prepares the sources of each model so (Table 7, G.1). What was done is a step of the sample, and the clip
itself is in the store. Where the paper leaves it open: a clip that is scaled to an exact size is stretched, so that
nothing of the picture is lost; frames are taken evenly from the first to the last one, and the clip stays as long as it
was; the sound is left out.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from anyio import to_thread
from pydantic import Field, JsonValue

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef
from cutscore.core.frozen import FrozenModel
from cutscore.core.subject import Subject, WorkContext
from cutscore.core.trajectory import Action
from cutscore.media.footage import Footage, load_footage, write_footage
from cutscore.media.orientation import Pixels
from cutscore.media.probe import probe

NO_RULE = "none"
CRF = 12  # of the clean encode: hardly to be told from the source


class InputRule(FrozenModel):
    """What one editor takes in.

    Args:
        fit: `exact` scales to the size, `within` only down to it and with its aspect.
        min, max: Frames of a clip; 0 for no bound.
        every: Frame counts are a multiple of it and one more; 0 when any will do.
        frames: The one count that is used, whatever the clip has; 0 when it follows the clip.
    """

    width: int = Field(ge=2)
    height: int = Field(ge=2)
    fit: Literal["exact", "within"]
    min: int = Field(default=0, ge=0)
    max: int = Field(default=0, ge=0)
    every: int = Field(default=0, ge=0)
    frames: int = Field(default=0, ge=0)


@cache
def read_rules() -> dict[str, InputRule]:
    """Return all rules by name."""
    with (Path(__file__).parent / "input_rules.toml").open("rb") as stream:
        return {name: InputRule.model_validate(plain) for name, plain in tomllib.load(stream).items()}


def frame_numbers(total: int, rule: InputRule) -> tuple[int, ...]:
    """Number the frames of a clip that an editor is given, in order; the last one comes again where it is held.

    >>> vace, kiwi, insv2v = (read_rules()[name] for name in ("vace", "kiwi", "insv2v"))
    >>> [len(frame_numbers(100, rule)) for rule in (vace, kiwi, insv2v)]
    [81, 97, 64]
    >>> frame_numbers(100, vace)[:4], frame_numbers(100, vace)[-2:]
    ((0, 1, 2, 4), (98, 99))
    >>> held = frame_numbers(20, vace)
    >>> len(held), held[18:22]
    (33, (18, 19, 19, 19))
    """
    if total < 1:
        raise BadInput("source", "has no frames", "leave it out")
    count = rule.frames or (min(total, rule.max) if rule.max else total)
    if rule.every:
        count = max((count - 1) // rule.every * rule.every + 1, 1)
    count = max(count, rule.min)
    if count >= total:
        return tuple(min(number, total - 1) for number in range(count))
    return tuple(round(Fraction(number * (total - 1), count - 1)) for number in range(count)) if count > 1 else (0,)


def input_size(width: int, height: int, rule: InputRule) -> tuple[int, int]:
    """Return width and height that a picture is given in, both even.

    >>> vace, reco = read_rules()["vace"], read_rules()["reco"]
    >>> input_size(1920, 1080, vace), input_size(1080, 1920, vace)
    ((1280, 720), (720, 1280))
    >>> input_size(1920, 1080, reco), input_size(1080, 1920, reco), input_size(320, 180, reco)
    ((832, 468), (468, 832), (320, 180))
    """
    wide, high = (rule.width, rule.height) if width >= height else (rule.height, rule.width)
    if rule.fit == "exact":
        return wide, high
    scale = min(Fraction(wide, width), Fraction(high, height), Fraction(1))
    return max(2, int(width * scale) // 2 * 2), max(2, int(height * scale) // 2 * 2)


def prepare_footage(footage: Footage, rule: InputRule, size: tuple[int, int]) -> Footage:
    """Return footage as a rule has it: frames taken or held, pictures of a size, and as long as it was unless held."""
    numbers = frame_numbers(footage.count, rule)

    def pictures() -> Iterator[Pixels]:
        due = iter(numbers)
        wanted = next(due, None)
        for number, pixels in enumerate(footage.pictures()):
            if wanted != number:
                continue
            scaled = pixels if pixels.shape[1::-1] == size else _scale(pixels, size)
            while wanted == number:
                yield scaled
                wanted = next(due, None)

    rate = footage.rate * Fraction(len(set(numbers)), footage.count)
    return replace(footage, pictures=pictures, count=len(numbers), rate=rate, sound=None)


def _scale(pixels: Pixels, size: tuple[int, int]) -> Pixels:
    smaller = size[0] * size[1] < pixels.shape[0] * pixels.shape[1]
    return cv2.resize(pixels, size, interpolation=cv2.INTER_AREA if smaller else cv2.INTER_CUBIC).astype(np.uint8)


@dataclass(frozen=True)
class PreparedInput:
    """An editor whose source is prepared by a rule."""

    subject: Subject
    name: str

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Prepare the source, and let the editor work on that."""
        part = ask.part("source")
        source = ask.file(part.file) if part else None
        if source is None:
            return await self.subject.work(ask, context)
        made = await to_thread.run_sync(self._prepare, source, context)
        files = tuple(made if ref.name == source.name else ref for ref in ask.files)
        return await self.subject.work(ask.model_copy(update={"files": files}), context)

    def _prepare(self, source: FileRef, context: WorkContext) -> FileRef:
        """Return the source as the editor takes it in, a clean encode under the same name."""
        path, rule = context.store.path(source), read_rules()[self.name]
        facts, footage = probe(path, trusted=False), load_footage(path, sound=False, trusted=False)
        size = input_size(facts.width, facts.height, rule)
        numbers = frame_numbers(footage.count, rule)
        draft = context.workspace / "prepared.mp4"
        write_footage(prepare_footage(footage, rule, size), draft, crf=CRF)
        made = context.store.put(draft, name=source.name, media_type="video/mp4")
        draft.unlink()
        arguments: dict[str, JsonValue] = {
            "rule": self.name,
            "frames": len(numbers),
            "of": footage.count,
            "held": len(numbers) - len(set(numbers)),
            "size": list(size),
            "from": [facts.width, facts.height],
        }
        said = f"{footage.count} frames of {facts.width}×{facts.height} became {len(numbers)} of {size[0]}×{size[1]}"
        context.steps.add(did=Action(tool="prepare input", arguments=arguments), saw=said, media=(made,))
        return made
