"""What things look like, kind by kind."""

from cutscore.stage.figures import basics, kitchen, laboratory, outdoors, people, workshop
from cutscore.stage.figures.kind import Kind

FIGURES: dict[str, Kind] = {
    **people.KINDS,
    **basics.KINDS,
    **kitchen.KINDS,
    **workshop.KINDS,
    **laboratory.KINDS,
    **outdoors.KINDS,
}
KINDS = frozenset(FIGURES)
