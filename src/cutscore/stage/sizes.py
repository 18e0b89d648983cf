"""How large a thing is when the scene does not say, or says only one side."""

from fractions import Fraction

from cutscore.stage.figures import FIGURES
from cutscore.stage.things import Thing


def size_of(thing: Thing, name: str | None = None) -> tuple[Fraction, Fraction]:
    """Return width and height in units: as the scene says, else what is natural for the kind, in proportion.

    `name` is the kind that it has become, where it is not the one that it began as.

    >>> size_of(Thing(id="a", kind="ball", x=0, y=0, width=50))
    (Fraction(50, 1), Fraction(50, 1))
    """
    kind = FIGURES[name or thing.kind]
    if thing.width and thing.height:
        return thing.width, thing.height
    if thing.width:
        return thing.width, thing.width * kind.height / kind.width
    if thing.height:
        return thing.height * kind.width / kind.height, thing.height
    return Fraction(kind.width), Fraction(kind.height)
