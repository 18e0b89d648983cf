"""Which of the things on a table may be the one that is named, by its stature: answers that are better than a guess.

The reader has not learned what a jug looks like. It knows what one knows who has only heard of jugs: that they are
higher than wide, and that whoever talks of one points the camera at it. So it is often wrong, and says what it takes
for likeliest; None where it has nothing to go by.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from math import log

from cutscore.benchmarks.vidwork.tableau import Piece, Tableau
from cutscore.core.timeline import Span

# Height over width, roughly; what stands and what lies is a matter of habit.
_STATURES = {
    4.0: "screwdriver pencil whisk ladle brush thermometer rod tube candle pipette stick pole",
    2.2: "bottle extinguisher vase funnel stand ladder",
    1.3: "jug glass lamp burner chair battery beaker flask bulb kettle hammer alarm bucket person house cup can door",
    0.8: "stove pot crate bin box telephone phone tomato apple egg stone cake gift book chest clamp birdhouse magnet",
    0.5: "bowl car cloth bread drill sandpaper lemon towel cheese loaf shelf table sink bench blanket rack balance",
    0.2: "pan plate tray board knife spoon saw plank carrot ruler pin pancake belt rope fork toast",
}
STATURES: Mapping[str, float] = {name: height for height, names in _STATURES.items() for name in names.split()}
ANY = 0.4  # how well something fits of which nobody knows how it is built
# Nobody names a thing by these where another colour can be seen.
_PALE = frozenset({"grey", "beige"})
# Seconds before and after a sentence in which a picture still shows what it is about.
_BEFORE_S, _AFTER_S = Fraction(1, 2), Fraction(2)


def colour_of(noun: str, looks: Sequence[Tableau], *, told: Collection[Span] = ()) -> str | None:
    """Name the likeliest colour of a thing.

    Args:
        noun: What it is called, in the singular.
        looks: Pictures in which it may be.
        told: When it was spoken of: a thing in the middle of the picture then is likelier to be it.
    """
    votes: dict[str, float] = defaultdict(float)
    for look in looks:
        near = any(span.start_s - _BEFORE_S <= look.at_s <= span.end_s + _AFTER_S for span in told)
        best: dict[str, float] = defaultdict(float)
        for piece in look.standing():
            if (name := piece.colour.name) is not None and name not in _PALE:
                central = 1 + 2 * max(0.0, 1 - 4 * abs(piece.x - 0.5)) if near else 1
                best[name] = max(best[name], fits(noun, piece) ** 2 * central)
        for name, weight in best.items():
            votes[name] += weight
    return _likeliest(votes)


def contents_of(noun: str, looks: Sequence[Tableau]) -> str | None:
    """Name the likeliest colour of what is in a vessel: of a piece that lies within another one's outline."""
    votes: dict[str, float] = defaultdict(float)
    for look in looks:
        for vessel in look.standing():
            for piece in look.pieces:
                name = piece.colour.name
                if piece is not vessel and vessel.holds(piece) and name not in (None, vessel.colour.name, *_PALE):
                    votes[str(name)] += fits(noun, vessel) ** 2
    return _likeliest(votes)


def clothes(looks: Iterable[Tableau]) -> str | None:
    """Name the colour of what somebody wears."""
    votes: dict[str, float] = defaultdict(float)
    for look in looks:
        worn = look.clothes()
        if worn is not None and worn.colour.name is not None:
            votes[worn.colour.name] += 1
    return _likeliest(votes)


def side_of(noun: str, other: str, look: Tableau) -> str | None:
    """Return whether a thing is likelier left or right of another one; None when both are built alike, or unknown."""
    if STATURES.get(noun) == STATURES.get(other):
        return None
    standing = list(look.standing())
    pairs = [(one, two) for one in standing for two in standing if one is not two]
    weights: dict[str, float] = defaultdict(float)
    for one, two in pairs:
        weights["left" if one.x < two.x else "right"] += (fits(noun, one) * fits(other, two)) ** 4
    return _likeliest(weights)


def how_many(look: Tableau) -> int:
    """Count the things of the largest group of alike ones on the table; 1 when no two are alike."""
    groups = [group for group in look.groups() if group[0].colour.name is not None and look.stands(group[0])]
    return max(map(len, groups), default=1)


def known_noun(plain: Sequence[str]) -> str:
    """Return the last of some words whose stature is known, in the singular; else the last word, as it is."""
    singular = [word if word in STATURES else word.removesuffix("s") for word in plain]
    return next((word for word in reversed(singular) if word in STATURES), plain[-1] if plain else "")


def fits(noun: str, piece: Piece) -> float:
    """Describe how well a piece has the stature of what is named: 1 as it should be, less the more it differs."""
    height = STATURES.get(noun)
    return ANY if height is None else 1 / (1 + log(piece.height / piece.width / height) ** 2)


def _likeliest(votes: Mapping[str, float]) -> str | None:
    return max(sorted(votes), key=lambda name: votes[name], default=None)
