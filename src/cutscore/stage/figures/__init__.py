"""What things look like, kind by kind."""

from dataclasses import replace
from functools import cache

from cutscore.stage.figures import basics, first_aid, kitchen, laboratory, outdoors, people, workshop
from cutscore.stage.figures.kind import Appearance, Kind

FIGURES: dict[str, Kind] = {
    **people.KINDS,
    **basics.KINDS,
    **kitchen.KINDS,
    **workshop.KINDS,
    **laboratory.KINDS,
    **first_aid.KINDS,
    **outdoors.KINDS,
}
KINDS = frozenset(FIGURES)


@cache
def shows(name: str) -> frozenset[str]:
    """Name what of a thing can be seen on a kind: its fill, count, mood or text.

    >>> sorted(shows("bottle")), sorted(shows("star"))
    (['fill', 'text'], [])
    """
    kind, usual = FIGURES[name], Appearance()
    others = [("fill", replace(usual, fill=1.0)), ("mood", replace(usual, mood="happy"))]
    others += [("count", replace(usual, count=count)) for count in (0, 3)]
    seen = {what for what, look in others if kind.draw(look) != kind.draw(usual)}
    return frozenset(seen | ({"text"} if kind.text_at is not None else set()))
