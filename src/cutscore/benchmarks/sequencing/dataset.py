"""Items: a film in clips, shuffled; the starter pack, or a data pack of the same shape."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Self

from pydantic import model_validator

from cutscore.authoring.packs import read_pack
from cutscore.core.bundle import Bundle, Delivery
from cutscore.core.files import FileRef, FileStore, PlainPath
from cutscore.core.item import TRUTH

STARTER = Path(__file__).parent / "starter"
ORDER, FILM = "solution.json", "solution.mp4"
# Of the whole film: encoders and players disagree by a few pictures at each of twenty joins.
LENGTH_WITHIN = Fraction(1, 20)
STRATA = ((10, "7 to 10"), (15, "11 to 15"), (20, "16 to 20"))
OTHER = "other"


class SequencingItem(Bundle):
    """The clips of a film under names that tell nothing, in the order of those names; `order` is that of the film."""

    order: Annotated[tuple[PlainPath, ...], TRUTH]

    @model_validator(mode="after")
    def _is_an_order(self) -> Self:
        if len(self.order) < 2 or sorted(self.order) != sorted(ref.name for ref in self.materials):
            raise ValueError("order names at least two clips, each of the materials once and nothing else")
        if self.order == tuple(ref.name for ref in self.materials):
            raise ValueError("the clips lie in the order of the film: shuffle them")
        if [each.name for each in self.deliveries] != [ORDER, FILM]:
            raise ValueError(f"deliveries are {ORDER} and {FILM}")
        contents = [ref.sha256 for ref in self.materials]
        if len(set(contents)) != len(contents):
            raise ValueError("two of the clips are the same file")
        return self

    @property
    def clips_in_order(self) -> tuple[FileRef, ...]:
        """The clips as the film shows them."""
        named = {ref.name: ref for ref in self.materials}
        return tuple(named[name] for name in self.order)


def deliveries(length_s: Fraction) -> tuple[Delivery, Delivery]:
    """Describe what is to be handed over for a film of so many seconds."""
    return (
        Delivery(name=ORDER, about="the clips in the order of the film, as a list of file names"),
        Delivery(
            name=FILM,
            about="the film put together in that order",
            container="mp4",
            length_s=length_s,
            within_s=max(Fraction(1, 2), length_s * LENGTH_WITHIN),
        ),
    )


def stratum(clips: int) -> str:
    """Name the group of a film by its number of clips.

    >>> stratum(7), stratum(14), stratum(3)
    ('7 to 10', '11 to 15', 'other')
    """
    return next((name for most, name in STRATA if clips <= most), OTHER) if clips >= 7 else OTHER


def items(store: FileStore, data: Path | None = None) -> Sequence[SequencingItem]:
    """Return all items in published order: of the starter pack, or of a data pack."""
    return read_pack(data or STARTER, SequencingItem, store, folders=("materials",))
