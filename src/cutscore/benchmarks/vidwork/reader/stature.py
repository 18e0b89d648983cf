"""Which of the things on a table may be the one that is named, by its stature: answers that are better than a guess.

The reader has not learned what a jug looks like. It knows what one knows who has only heard of jugs: that they are
higher than wide, and that whoever talks of one points the camera at it. So it is often wrong, and says what it takes
for likeliest; None where it has nothing to go by.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from math import log
from random import Random

from cutscore.benchmarks.vidwork.reader.narration import Narration
from cutscore.benchmarks.vidwork.reader.tableau import ColourRegion, Tableau
from cutscore.benchmarks.vidwork.words import word_set, words
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
ANY = 0.4  # how well something stature_fit of which nobody knows how it is built
# Nobody names a thing by these where another colour can be seen.
_PALE = frozenset({"grey", "beige"})
# Seconds before and after a sentence in which a picture still shows what it is about.
_BEFORE_S, _AFTER_S = Fraction(1, 2), Fraction(2)
# As our questions are worded.
_BESIDE = re.compile(r"side of the (?P<other>[\w -]+?) is the (?P<noun>[\w -]+?)(?: at | in |[,?])")
_CLOTHES = word_set("shirt clothes wearing wear body jacket dress")
_TABLE = word_set("counter table worktop")
_CONTENTS = word_set("contents content inside in filled liquid")


def answer_by_sight(question: str, narration: Narration, looks: Sequence[Tableau], seed: int) -> str | None:
    """Answer a question for a number, a side or a colour, by the colours and the build of what stands there.

    The narration says when the thing was spoken of. Looks are in order of time; without any there is no answer. The
    seed tosses the coin between left and right where nothing is known.
    """
    plain = words(question)
    if not looks:
        return None
    if "beginning" in plain or "start" in plain:
        looks = looks[: max(1, len(looks) // 4)]
    elif "end" in plain:
        looks = looks[::-1][: max(1, len(looks) // 4)]
    if plain[:2] == ["how", "many"]:
        return str(count_alike(looks[0]))
    beside = _BESIDE.search(question)
    if beside is not None:
        noun, other = (known_noun(words(beside[name])) for name in ("noun", "other"))
        return guess_side(noun, other, looks[0]) or Random(seed).choice(("left", "right"))
    return _answer_colour(plain, narration, looks) if "colour" in plain or "color" in plain else None


def _answer_colour(plain: Sequence[str], narration: Narration, looks: Sequence[Tableau]) -> str | None:
    if _CLOTHES.intersection(plain):
        return guess_clothes(looks) or guess_colour("person", looks)
    if _TABLE.intersection(plain):
        return next((look.lowest.name for look in looks if look.lowest.name is not None), None)
    noun = known_noun(plain)
    if _CONTENTS.intersection(plain):
        return guess_contents(noun, looks)
    spoken = [
        Span(start_s=each.at_s, end_s=each.at_s) for each in narration.sentences if noun and noun in words(each.text)
    ]
    return guess_colour(noun, looks, told=spoken)


def guess_colour(noun: str, looks: Sequence[Tableau], *, told: Collection[Span] = ()) -> str | None:
    """Name the likeliest colour of a thing; what is in the middle of the picture when it is told of counts more."""
    votes: dict[str, float] = defaultdict(float)
    for look in looks:
        near = any(span.start_s - _BEFORE_S <= look.at_s <= span.end_s + _AFTER_S for span in told)
        best: dict[str, float] = defaultdict(float)
        for region in look.things_on_table():
            if (name := region.colour.name) is not None and name not in _PALE:
                central = 1 + 2 * max(0.0, 1 - 4 * abs(region.x - 0.5)) if near else 1
                best[name] = max(best[name], stature_fit(noun, region) ** 2 * central)
        for name, weight in best.items():
            votes[name] += weight
    return _likeliest(votes)


def guess_contents(noun: str, looks: Sequence[Tableau]) -> str | None:
    """Name the likeliest colour of what is in a vessel: of a region that lies within another one's outline."""
    votes: dict[str, float] = defaultdict(float)
    for look in looks:
        for vessel in look.things_on_table():
            for region in look.regions:
                name = region.colour.name
                if region is not vessel and vessel.holds(region) and name not in (None, vessel.colour.name, *_PALE):
                    votes[str(name)] += stature_fit(noun, vessel) ** 2
    return _likeliest(votes)


def guess_clothes(looks: Iterable[Tableau]) -> str | None:
    """Name the colour of what somebody wears."""
    worn = filter(None, (look.clothes() for look in looks))
    return _likeliest(Counter(each.colour.name for each in worn if each.colour.name is not None))


def guess_side(noun: str, other: str, look: Tableau) -> str | None:
    """Return whether a thing is likelier left or right of another one; None when both are built alike, or unknown."""
    if STATURES.get(noun) == STATURES.get(other):
        return None
    weights: dict[str, float] = defaultdict(float)
    for one, two in permutations(look.things_on_table(), 2):
        weights["left" if one.x < two.x else "right"] += (stature_fit(noun, one) * stature_fit(other, two)) ** 4
    return _likeliest(weights)


def count_alike(look: Tableau) -> int:
    """Count the things of the largest group of alike ones on the table; 1 when no two are alike."""
    groups = [group for group in look.groups() if group[0].colour.name is not None and look.is_on_table(group[0])]
    return max(map(len, groups), default=1)


def known_noun(plain: Sequence[str]) -> str:
    """Return the last of some words whose stature is known, in the singular; else the last word, as it is."""
    singular = [word if word in STATURES else word.removesuffix("s") for word in plain]
    return next((word for word in reversed(singular) if word in STATURES), plain[-1] if plain else "")


def stature_fit(noun: str, region: ColourRegion) -> float:
    """Return how well a region has the stature of what is named: 1 as it should be, less the more it differs."""
    height = STATURES.get(noun)
    return ANY if height is None else 1 / (1 + log(region.height / region.width / height) ** 2)


def _likeliest(votes: Mapping[str, float]) -> str | None:
    return max(sorted(votes), key=lambda name: votes[name], default=None)
