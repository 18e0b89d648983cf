"""What of its materials reached the model of a sample, as the row tells it (`row.environment["seen"]`).

Which second at which step is in the record that the row refers to, and among the steps.
"""

from pydantic import Field, ValidationError

from cutscore.core.files import FileRef
from cutscore.core.frozen import FrozenModel
from cutscore.core.row import Row

FACT = "seen"


class SeenMaterials(FrozenModel):
    """Pictures in requests, and what they show.

    Args:
        unknown: Pictures that are no frame of the materials.
        parts: Pictures with the tiles of grids counted one by one; `known_parts` show a frame.
        left_out: Pictures that were not kept.
        seconds: Of each material with frames, how many of its whole seconds were seen.
        record: The file with every picture.
    """

    pictures: int = 0
    unknown: int = 0
    parts: int = 0
    known_parts: int = 0
    left_out: int = 0
    seconds: dict[str, int] = Field(default_factory=dict)
    record: FileRef | None = None


def seen_of(row: Row) -> SeenMaterials | None:
    """Return what reached the model of a row; None where nobody noted it, or another version did."""
    plain = row.environment.get(FACT)
    try:
        return None if plain is None else SeenMaterials.model_validate(plain)
    except ValidationError:
        return None
