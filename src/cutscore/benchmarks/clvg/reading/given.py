"""What a generator was given, by role: words, pictures, clips, sounds."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from cutscore.core.ask import Ask
from cutscore.core.files import FileStore
from cutscore.media.footage import Footage, load_footage
from cutscore.media.orientation import Pixels
from cutscore.media.sound import Sound
from cutscore.media.stills import read_still

RATE = Fraction(10)  # pictures a second of films that begin with a still
LENGTH_S = Fraction(2)  # where nobody asks for a length


@dataclass(frozen=True)
class GivenContext:
    """The parts of an ask: the instruction, how long the video should be, and the first file of each role."""

    words: str
    length_s: Fraction
    paths: Mapping[str, Path]
    types: Mapping[str, str]

    @staticmethod
    def of(ask: Ask, store: FileStore) -> "GivenContext":
        """Read the parts of an ask."""
        files = {part.role: ask.file(part.file) for part in reversed(ask.parts) if part.file}
        words, length = ask.part("instruction"), ask.part("length")
        wanted = length.value if length and isinstance(length.value, int | float) else None
        return GivenContext(
            words=words.text if words else ask.brief,
            length_s=Fraction(wanted).limit_denominator(1000) if wanted else LENGTH_S,
            paths={role: store.path(file) for role, file in files.items() if file},
            types={role: file.media_type.partition("/")[0] for role, file in files.items() if file},
        )

    def has(self, **types: str) -> bool:
        """Return whether each of some roles has a file of a type: `has(source="video")`."""
        return all(self.types.get(role) == kind for role, kind in types.items())

    def clip(self, role: str = "source") -> Footage:
        """Return the clip of a role."""
        return load_footage(self.paths[role])

    def picture(self, role: str) -> Pixels:
        """Return the picture of a role, or the first one of a clip."""
        if self.types[role] == "image":
            return read_still(self.paths[role])
        return next(self.clip(role).pictures())

    @property
    def count(self) -> int:
        """How many pictures a film has that is made anew."""
        return max(2, round(self.length_s * RATE))


def film(pictures: Sequence[Pixels], rate: Fraction = RATE, sound: Sound | None = None) -> Footage:
    """Return pictures as footage."""
    return Footage(lambda: iter(pictures), len(pictures), rate, sound)


def change_each(footage: Footage, change: Callable[[Pixels, float], Pixels]) -> Footage:
    """Return footage with every picture changed; the change is told how far the film is by then, 0 to 1."""

    def pictures() -> Iterator[Pixels]:
        for number, pixels in enumerate(footage.pictures()):
            yield change(pixels, number / max(1, footage.count - 1))

    return replace(footage, pictures=pictures)
