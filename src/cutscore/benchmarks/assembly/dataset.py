"""Items: a storyboard and shuffled candidates for its slots; the starter pack, or a data pack of the same shape."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, model_validator

from cutscore.authoring.packs import read_pack
from cutscore.core.bundle import Bundle, Delivery
from cutscore.core.files import FileRef, FileStore, PlainPath
from cutscore.core.frozen import Finite, FrozenModel, SafeName
from cutscore.core.item import TRUTH

STARTER = Path(__file__).parent / "starter"
MANIFEST, FILM = "solution.json", "solution.mp4"
DIMENSIONS = ("shot_size", "camera_angle", "lens", "camera_movement")
FIELDS = ("description", *DIMENSIONS)
FEWEST, MOST = 3, 6  # slots of a storyboard, as in the paper
# Of the whole film: encoders and players disagree by a few pictures at each of six joins.
LENGTH_WITHIN = Fraction(1, 20)


class StoryboardEntry(FrozenModel):
    """What a storyboard says of one shot: what it shows, and how it is filmed; a field that is empty is open."""

    description: str = Field(min_length=1, max_length=600)
    shot_size: str = ""
    camera_angle: str = ""
    lens: str = ""
    camera_movement: str = ""

    @property
    def camera(self) -> dict[str, str]:
        """The term of each dimension; empty where it is open."""
        return {name: getattr(self, name) for name in DIMENSIONS}


class StoryboardSlot(StoryboardEntry):
    """A slot of an item's storyboard."""

    slot: SafeName


class Distractor(FrozenModel):
    """A wrong candidate, made for a slot; it differs from the right clip in one dimension.

    Args:
        term: How it is filmed instead; empty when nobody said.
        measured: How much each dimension differs, in tolerances (`construction.distractors`); empty in the starter
            pack, whose clips are drawn.
    """

    slot: SafeName
    dimension: str
    term: str = ""
    measured: dict[str, Finite] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _known(self) -> Self:
        if self.dimension not in DIMENSIONS:
            raise ValueError(f"'{self.dimension}' is no dimension; there are {', '.join(DIMENSIONS)}")
        return self


class AssemblyItem(Bundle):
    """A storyboard, and its candidates under names that tell nothing, in the order of those names.

    The brief is the story in a sentence. Golden is the right candidate by slot; distractors are all others, by name.
    """

    storyboard: tuple[StoryboardSlot, ...] = Field(min_length=FEWEST, max_length=MOST)
    golden: Annotated[dict[str, PlainPath], TRUTH]
    distractors: Annotated[dict[str, Distractor], TRUTH]

    @model_validator(mode="after")
    def _is_a_choice(self) -> Self:
        slots, names = [shot.slot for shot in self.storyboard], [ref.name for ref in self.materials]
        if len(set(slots)) != len(slots):
            raise ValueError("two slots have one name")
        if list(self.golden) != slots or len(set(self.golden.values())) != len(slots):
            raise ValueError("golden names one clip for each slot, in order of the storyboard, and none twice")
        if sorted([*self.golden.values(), *self.distractors]) != sorted(names):
            raise ValueError("each of the materials is the right clip of a slot or a distractor, and nothing else is")
        made = Counter(each.slot for each in self.distractors.values())
        if lonely := next((slot for slot in slots if not made[slot]), None):
            raise ValueError(f"slot '{lonely}' has no distractor")
        if strange := next((slot for slot in made if slot not in slots), None):
            raise ValueError(f"there is a distractor for slot '{strange}', which is none of the storyboard")
        if [each.name for each in self.deliveries] != [MANIFEST, FILM]:
            raise ValueError(f"deliveries are {MANIFEST} and {FILM}")
        contents = [ref.sha256 for ref in self.materials]
        if len(set(contents)) != len(contents):
            raise ValueError("two of the clips are the same file")
        return self

    @property
    def slots(self) -> tuple[str, ...]:
        """Names of the slots in order."""
        return tuple(shot.slot for shot in self.storyboard)

    def candidates(self, slot: str) -> list[str]:
        """Name the candidates that were made for a slot, the right one first."""
        return [self.golden[slot], *(name for name, each in self.distractors.items() if each.slot == slot)]

    def dimension(self, slot: str) -> str:
        """Name what one has to look at in a slot: the dimension of its distractors, or `several`."""
        found = {each.dimension for each in self.distractors.values() if each.slot == slot}
        return found.pop() if len(found) == 1 else "several"

    def clips(self, names: Sequence[str]) -> list[FileRef]:
        """Return clips by name."""
        named = {ref.name: ref for ref in self.materials}
        return [named[name] for name in names]


def deliveries(length_s: Fraction) -> tuple[Delivery, Delivery]:
    """Describe what is to be handed over for a film of so many seconds."""
    return (
        Delivery(name=MANIFEST, about="the clip of each slot"),
        Delivery(
            name=FILM,
            about="the chosen clips one after the other, in order of the storyboard",
            container="mp4",
            length_s=length_s,
            within_s=max(Fraction(1, 2), length_s * LENGTH_WITHIN),
        ),
    )


def items(store: FileStore, data: Path | None = None) -> Sequence[AssemblyItem]:
    """Return all items in published order: of the starter pack, or of a data pack."""
    return read_pack(data or STARTER, AssemblyItem, store, folders=("materials",))
