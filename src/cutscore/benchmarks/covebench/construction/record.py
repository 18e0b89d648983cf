"""What is known of how a task was made: who wrote which part, and what the categoriser made of it."""

from cutscore.core.frozen import FrozenModel


class ConstructionRecord(FrozenModel):
    """Who made a task. Until people have signed it off, it is a draft.

    Args:
        captioned_by: Who described the source: a model, or a person by a file beside the clip.
        drafted_by, checklist_by: Who wrote the instruction, and who the checklist.
        categorised_by: Who named its dimensions from the instruction alone.
        combination: The types that the writer chose.
        unclaimed: Dimensions that the categoriser found and the writer does not claim.
    """

    captioned_by: str
    drafted_by: str
    checklist_by: str
    categorised_by: str
    combination: tuple[str, ...]
    unclaimed: tuple[str, ...] = ()
