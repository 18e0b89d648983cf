"""What a generator takes in and can make, as a file: the paper's eight baselines by name, anybody's own by its path.

    --set generator=veo-3.1-fast        one of the files beside this module
    --set generator=my-model.toml       a file of yours

Cases whose context holds what a generator does not take leave its plan. What it is asked for is fitted to what it can
make (lengths, frames, size), and what was asked for instead is a step of the sample.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.frozen import Finite, FrozenModel
from cutscore.core.strict_json import first_fault
from cutscore.core.subject import AcceptedInput

FOLDER = Path(__file__).parent
Medium = Literal["image", "audio", "video"]


class GeneratorProfile(FrozenModel):
    """One generator.

    Args:
        media: What it takes beside words.
        group: Under which the paper compares it: by what its models take in.
        lengths_s: Lengths that it can make; any where none is named.
        rate: Frames a second; 0 where it follows the request.
        every: Its frame counts are a multiple of it and one more; 0 where any will do.
        width, height: Size that it makes; 0 where it follows the request.
    """

    title: str
    media: frozenset[Medium]
    group: str = ""
    lengths_s: tuple[Finite, ...] = ()
    rate: Finite = Field(default=0, ge=0)
    every: int = Field(default=0, ge=0)
    width: int = Field(default=0, ge=0)
    height: int = Field(default=0, ge=0)

    @property
    def takes(self) -> AcceptedInput:
        """What it takes in; words always."""
        return AcceptedInput(media=frozenset({"text", *self.media}))

    def fit(self, length_s: float | None) -> dict[str, float]:
        """Return what is asked for: the nearest length that it can make, frames, rate and size, as far as it says.

        >>> sizes = {"width": 1280, "height": 720}
        >>> profile = GeneratorProfile(title="x", media=(), lengths_s=(4, 6, 8), rate=16, every=4, **sizes)
        >>> profile.fit(2.5)
        {'length_s': 4.0, 'rate': 16.0, 'frames': 65, 'width': 1280, 'height': 720}
        >>> GeneratorProfile(title="x", media=()).fit(2.5), GeneratorProfile(title="x", media=()).fit(None)
        ({'length_s': 2.5}, {})
        """
        length = min(self.lengths_s, key=lambda each: abs(each - (length_s or 0))) if self.lengths_s else length_s
        made: dict[str, float] = {"length_s": float(length)} if length else {}
        if self.rate:
            made["rate"] = float(self.rate)
        if length and self.rate:
            count = round(length * self.rate)
            made["frames"] = max(1, count // self.every) * self.every + 1 if self.every else count
        return {**made, **({"width": self.width, "height": self.height} if self.width and self.height else {})}


def known_profiles() -> tuple[str, ...]:
    """Name the profiles that come with the benchmark."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


@cache
def read_profile(name: str) -> GeneratorProfile:
    """Return a profile by its name, or from a file of the user's."""
    own = Path(name)
    path = own if own.suffix == ".toml" else FOLDER / f"{name}.toml"
    what = f"generator '{name}'"
    if path.parent == FOLDER and not path.is_file():
        raise UnknownName.among("generator", name, known_profiles())
    try:
        with path.open("rb") as stream:
            return GeneratorProfile.model_validate(tomllib.load(stream))
    except OSError as fault:
        raise BadInput(what, f"cannot be read: {fault.strerror}", "name a profile or a .toml file") from fault
    except (ValidationError, tomllib.TOMLDecodeError) as fault:
        raise BadInput(what, first_fault(fault), "see docs/generators.md") from None
